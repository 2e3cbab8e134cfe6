#include "bench/datatype_layouts.h"

#include <algorithm>
#include <cstring>
#include <random>

#include "datatype/constructors.h"
#include "datatype/predefined.h"

namespace atl::bench {
namespace {

using datatype::Count;
using datatype::Datatype;
using datatype::Made;
using datatype::Order;
using datatype::Reference;

const Datatype& real() { return *datatype::predefined(532); }

Reference committed(const Made& made) {
  made.type->commit();
  return made.type;
}

double* doubles(std::byte* memory) { return reinterpret_cast<double*>(memory); }

// A column of a matrix of 1024 columns.
Layout column() {
  constexpr Count kRows = 1024;
  constexpr Count kStride = 1024;
  return {"column",
          committed(make_vector(kRows, 1, kStride, real())),
          1,
          kRows * kStride * 8,
          [](std::byte* memory, std::byte* buffer) {
            for (Count i = 0; i < kRows; ++i) doubles(buffer)[i] = doubles(memory)[i * kStride];
          },
          [](std::byte* memory, std::byte* buffer) {
            for (Count i = 0; i < kRows; ++i) doubles(memory)[i * kStride] = doubles(buffer)[i];
          }};
}

// 4096 blocks of 16 doubles, every other 16.
Layout vector16() {
  constexpr Count kBlocks = 4096;
  return {"vector_16",
          committed(make_vector(kBlocks, 16, 32, real())),
          1,
          kBlocks * 32 * 8,
          [](std::byte* memory, std::byte* buffer) {
            for (Count i = 0; i < kBlocks; ++i)
              std::memcpy(buffer + i * 128, memory + i * 256, 128);
          },
          [](std::byte* memory, std::byte* buffer) {
            for (Count i = 0; i < kBlocks; ++i)
              std::memcpy(memory + i * 256, buffer + i * 128, 128);
          }};
}

// One layer of a cube of doubles, across dimension 0 (x, whose neighbours are
// next to each other), 1 or 2.
constexpr Count kSide = 96;

Reference face_type(int dimension) {
  const Count sizes[] = {kSide, kSide, kSide};
  Count subsizes[] = {kSide, kSide, kSide};
  subsizes[dimension] = 1;
  const Count starts[] = {0, 0, 0};
  return committed(make_subarray(sizes, subsizes, starts, Order::fortran, real()));
}

Layout x_face() {
  return {"x_face",
          face_type(0),
          1,
          kSide * kSide * kSide * 8,
          [](std::byte* memory, std::byte* buffer) {
            const double* from = doubles(memory);
            double* to = doubles(buffer);
            for (Count i = 0; i < kSide * kSide; ++i) to[i] = from[i * kSide];
          },
          [](std::byte* memory, std::byte* buffer) {
            double* to = doubles(memory);
            const double* from = doubles(buffer);
            for (Count i = 0; i < kSide * kSide; ++i) to[i * kSide] = from[i];
          }};
}

Layout y_face() {
  constexpr std::size_t kRow = kSide * 8;
  return {"y_face",
          face_type(1),
          1,
          kSide * kSide * kSide * 8,
          [](std::byte* memory, std::byte* buffer) {
            for (Count z = 0; z < kSide; ++z) {
              std::memcpy(buffer + z * kRow, memory + z * kSide * kRow, kRow);
            }
          },
          [](std::byte* memory, std::byte* buffer) {
            for (Count z = 0; z < kSide; ++z) {
              std::memcpy(memory + z * kSide * kRow, buffer + z * kRow, kRow);
            }
          }};
}

Layout z_face() {
  constexpr std::size_t kFace = kSide * kSide * 8;
  return {"z_face",
          face_type(2),
          1,
          kSide * kSide * kSide * 8,
          [](std::byte* memory, std::byte* buffer) { std::memcpy(buffer, memory, kFace); },
          [](std::byte* memory, std::byte* buffer) { std::memcpy(memory, buffer, kFace); }};
}

// int, 6 doubles, 7 chars.
Layout particles() {
  struct Particle {
    int kind;
    double state[6];
    char name[7];
  };
  constexpr Count kParticles = 1000;
  constexpr std::size_t kData = 4 + 48 + 7;
  const Count lengths[] = {1, 6, 7};
  const Count displacements[] = {offsetof(Particle, kind), offsetof(Particle, state),
                                 offsetof(Particle, name)};
  const Datatype* const types[] = {datatype::predefined(521), &real(), datatype::predefined(579)};
  return {"particles",
          committed(make_struct(lengths, displacements, types)),
          kParticles,
          kParticles * sizeof(Particle),
          [](std::byte* memory, std::byte* buffer) {
            const auto* from = reinterpret_cast<const Particle*>(memory);
            for (Count i = 0; i < kParticles; ++i, ++from, buffer += kData) {
              std::memcpy(buffer, &from->kind, 4);
              std::memcpy(buffer + 4, &from->state, 48);
              std::memcpy(buffer + 52, &from->name, 7);
            }
          },
          [](std::byte* memory, std::byte* buffer) {
            auto* to = reinterpret_cast<Particle*>(memory);
            for (Count i = 0; i < kParticles; ++i, ++to, buffer += kData) {
              std::memcpy(&to->kind, buffer, 4);
              std::memcpy(&to->state, buffer + 4, 48);
              std::memcpy(&to->name, buffer + 52, 7);
            }
          }};
}

// 10,000 blocks of 1 to 15 doubles with gaps of 1 to 15.
Layout ragged() {
  constexpr std::size_t kBlocks = 10000;
  std::mt19937 random(1);
  std::uniform_int_distribution<int> few(1, 15);
  std::vector<Count> lengths(kBlocks), displacements(kBlocks);
  std::vector<int> length(kBlocks), displacement(kBlocks);
  int at = 0;
  for (std::size_t i = 0; i < kBlocks; ++i) {
    lengths[i] = length[i] = few(random);
    displacements[i] = displacement[i] = at;
    at += length[i] + few(random);
  }
  return {"ragged",
          committed(make_indexed(lengths, displacements, real())),
          1,
          static_cast<std::size_t>(at) * 8,
          [=](std::byte* memory, std::byte* buffer) {
            const double* from = doubles(memory);
            double* to = doubles(buffer);
            for (std::size_t i = 0; i < kBlocks; ++i) {
              to = std::copy_n(from + displacement[i], length[i], to);
            }
          },
          [=](std::byte* memory, std::byte* buffer) {
            double* to = doubles(memory);
            const double* from = doubles(buffer);
            for (std::size_t i = 0; i < kBlocks; ++i) {
              std::copy_n(from, length[i], to + displacement[i]);
              from += length[i];
            }
          }};
}

// A square matrix of doubles, column after column.
template <Count kSize>
Layout transpose(const char* name) {
  constexpr Count kTile = 8;  // doubles; a cache line
  const Made one = make_vector(kSize, 1, kSize, real());
  return {name,
          committed(make_resized(*one.type, 0, 8)),
          kSize,
          kSize * kSize * 8,
          [](std::byte* memory, std::byte* buffer) {
            const double* from = doubles(memory);
            double* to = doubles(buffer);
            for (Count column = 0; column < kSize; column += kTile) {
              for (Count row = 0; row < kSize; row += kTile) {
                for (Count i = column; i < column + kTile; ++i) {
                  for (Count j = row; j < row + kTile; ++j) to[i * kSize + j] = from[j * kSize + i];
                }
              }
            }
          },
          [](std::byte* memory, std::byte* buffer) {
            double* to = doubles(memory);
            const double* from = doubles(buffer);
            for (Count row = 0; row < kSize; row += kTile) {
              for (Count column = 0; column < kSize; column += kTile) {
                for (Count j = row; j < row + kTile; ++j) {
                  for (Count i = column; i < column + kTile; ++i)
                    to[j * kSize + i] = from[i * kSize + j];
                }
              }
            }
          }};
}

// Below the diagonal of a matrix of doubles, row after row.
Layout triangle() {
  constexpr Count kSize = 512;
  std::vector<Count> lengths, displacements;
  for (Count row = 1; row < kSize; ++row) {
    lengths.push_back(row);
    displacements.push_back(row * kSize);
  }
  return {"triangle",
          committed(make_indexed(lengths, displacements, real())),
          1,
          kSize * kSize * 8,
          [](std::byte* memory, std::byte* buffer) {
            for (Count row = 1; row < kSize; buffer += row++ * 8) {
              std::memcpy(buffer, memory + row * kSize * 8, static_cast<std::size_t>(row) * 8);
            }
          },
          [](std::byte* memory, std::byte* buffer) {
            for (Count row = 1; row < kSize; buffer += row++ * 8) {
              std::memcpy(memory + row * kSize * 8, buffer, static_cast<std::size_t>(row) * 8);
            }
          }};
}

}  // namespace

std::vector<Layout> layouts() {
  return {column(),
          vector16(),
          x_face(),
          y_face(),
          z_face(),
          particles(),
          ragged(),
          triangle(),
          transpose<512>("transpose_512"),
          transpose<4096>("transpose_4096")};
}

}  // namespace atl::bench
