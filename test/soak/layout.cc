#include "test/soak/layout.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <utility>

#include "test/check.h"

namespace soak {
namespace {

std::array<Base, std::size_t(BaseKind::count)> bases;

struct Mixed {
  double number;
  int index;
  char letter;
};

Base make_mixed() {
  const int lengths[] = {1, 1, 1};
  const MPI_Aint places[] = {0, offsetof(Mixed, index), offsetof(Mixed, letter)};
  const MPI_Datatype types[] = {MPI_DOUBLE, MPI_INT, MPI_CHAR};
  MPI_Datatype fields, type;
  MPI_Type_create_struct(3, lengths, places, types, &fields);
  MPI_Type_create_resized(fields, 0, sizeof(Mixed), &type);
  MPI_Type_free(&fields);
  MPI_Type_commit(&type);
  return {type, {{0, 12}, {12, 1}}, sizeof(Mixed), 13, 3};
}

}  // namespace

void make_bases() {
  bases[std::size_t(BaseKind::bytes)] = {MPI_BYTE, {{0, 1}}, 1, 1, 1};
  bases[std::size_t(BaseKind::ints)] = {MPI_INT, {{0, 4}}, 4, 4, 1};
  bases[std::size_t(BaseKind::doubles)] = {MPI_DOUBLE, {{0, 8}}, 8, 8, 1};
  bases[std::size_t(BaseKind::mixed)] = make_mixed();
}

const Base& base(BaseKind kind) { return bases[std::size_t(kind)]; }

void free_bases() { MPI_Type_free(&bases[std::size_t(BaseKind::mixed)].type); }

Layout::Layout(const Base& base, std::size_t bases, check::Random& random)
    : bases_(bases), bytes_(bases * base.bytes) {
  switch (random.below(6)) {
    case 0: vector(base, random); break;
    case 1: indexed(base, random); break;
    case 2: structure(base, random); break;
    case 3: subarray(base, random); break;
    default: contiguous(base); break;
  }
  if (random.one_in(4)) resize(random);
  MPI_Type_commit(&type_);
}

Layout::Layout(Layout&& other) noexcept
    : type_(std::exchange(other.type_, MPI_DATATYPE_NULL)),
      bases_(other.bases_),
      bytes_(other.bytes_),
      extent_(other.extent_),
      runs_(std::move(other.runs_)) {}

Layout::~Layout() {
  if (type_ != MPI_DATATYPE_NULL) MPI_Type_free(&type_);
}

void Layout::contiguous(const Base& base) {
  MPI_Type_contiguous(int(bases_), base.type, &type_);
  add_runs(base, 0, bases_);
  extent_ = MPI_Aint(bases_) * base.extent;
}

void Layout::vector(const Base& base, check::Random& random) {
  std::size_t block = 1;
  for (std::size_t wanted = 1 + random.below(64); wanted > 1; --wanted) {
    if (bases_ % wanted == 0) {
      block = wanted;
      break;
    }
  }
  const std::size_t blocks = bases_ / block, stride = block + random.below(9);
  MPI_Type_vector(int(blocks), int(block), int(stride), base.type, &type_);
  for (std::size_t i = 0; i < blocks; ++i)
    add_runs(base, MPI_Aint(i * stride) * base.extent, block);
  extent_ = blocks == 0 ? 0 : MPI_Aint((blocks - 1) * stride + block) * base.extent;
}

// Some blocks with gaps of whole bases, whose lengths add up to what there is.
std::vector<Layout::Block> Layout::draw_blocks(const Base& base, check::Random& random) const {
  std::vector<Block> blocks;
  MPI_Aint at = 0;
  const std::size_t most = std::max<std::size_t>(1, bases_ / (1 + random.below(20)));
  for (std::size_t left = bases_; left > 0;) {
    const std::size_t length = std::min<std::size_t>(left, 1 + random.below(most));
    at += base.extent * MPI_Aint(random.below(5));
    blocks.push_back({at, int(length)});
    at += base.extent * MPI_Aint(length);
    left -= length;
  }
  return blocks;
}

// Blocks in whatever order; some have the length zero.
void Layout::indexed(const Base& base, check::Random& random) {
  std::vector<Block> blocks = draw_blocks(base, random);
  if (!blocks.empty()) {
    extent_ = blocks.back().at + blocks.back().bases * base.extent - blocks.front().at;
  }
  const MPI_Aint first = blocks.empty() ? 0 : blocks.front().at;
  for (Block& block : blocks) block.at -= first;  // so that elements begin at zero
  for (std::size_t i = blocks.size(); i > 1; --i) {
    std::swap(blocks[i - 1], blocks[random.below(i)]);
  }
  if (random.one_in(4)) blocks.push_back({0, 0});
  std::vector<int> lengths;
  std::vector<MPI_Aint> places;
  std::vector<int> indices;
  for (const Block& block : blocks) {
    lengths.push_back(block.bases);
    places.push_back(block.at);
    indices.push_back(int(block.at / base.extent));
    add_runs(base, block.at, std::size_t(block.bases));
  }
  if (random.one_in(2)) {
    MPI_Type_indexed(int(blocks.size()), lengths.data(), indices.data(), base.type, &type_);
  } else {
    MPI_Type_create_hindexed(int(blocks.size()), lengths.data(), places.data(), base.type, &type_);
  }
}

// Fields of the base itself and of runs of it, at any byte.
void Layout::structure(const Base& base, check::Random& random) {
  const std::size_t run = bases_ / 2;
  MPI_Datatype types[] = {MPI_DATATYPE_NULL, base.type};
  MPI_Type_contiguous(int(run), base.type, &types[0]);
  const MPI_Aint gap = MPI_Aint(random.below(24));
  const int lengths[] = {1, int(bases_ - run)};
  const MPI_Aint places[] = {0, MPI_Aint(run) * base.extent + gap};
  MPI_Datatype fields;
  MPI_Type_create_struct(2, lengths, places, types, &fields);
  MPI_Type_free(&types[0]);
  add_runs(base, 0, run);
  add_runs(base, places[1], bases_ - run);
  // The extent of a structure is rounded up by the alignment of its fields.
  extent_ = places[1] + MPI_Aint(bases_ - run) * base.extent;
  MPI_Type_create_resized(fields, 0, extent_, &type_);
  MPI_Type_free(&fields);
}

// A rectangle in a larger one.
void Layout::subarray(const Base& base, check::Random& random) {
  int rows = 1;
  for (int wanted = 1 + int(random.below(20)); wanted > 1; --wanted) {
    if (bases_ % std::size_t(wanted) == 0) {
      rows = wanted;
      break;
    }
  }
  const int columns = int(bases_ / std::size_t(rows));
  if (columns == 0) return contiguous(base);
  const int subsizes[] = {rows, columns};
  const int starts[] = {int(random.below(3)), int(random.below(5))};
  const int sizes[] = {rows + starts[0] + int(random.below(2)),
                       columns + starts[1] + int(random.below(4))};
  MPI_Type_create_subarray(2, sizes, subsizes, starts, MPI_ORDER_C, base.type, &type_);
  for (int row = 0; row < rows; ++row) {
    add_runs(base, (MPI_Aint(starts[0] + row) * sizes[1] + starts[1]) * base.extent,
             std::size_t(columns));
  }
  extent_ = MPI_Aint(sizes[0]) * sizes[1] * base.extent;
}

// With a gap behind each element.
void Layout::resize(check::Random& random) {
  const MPI_Datatype inner = type_;
  extent_ += MPI_Aint(random.below(40));
  MPI_Type_create_resized(inner, 0, extent_, &type_);
  MPI_Datatype old = inner;
  MPI_Type_free(&old);
}

void Layout::add_runs(const Base& base, MPI_Aint at, std::size_t count) {
  if (count == 0) return;
  if (base.runs.size() == 1 && MPI_Aint(base.bytes) == base.extent) {
    runs_.push_back({at, count * base.bytes});
    return;
  }
  for (std::size_t i = 0; i < count; ++i) {
    for (const Run& run : base.runs) {
      runs_.push_back({at + MPI_Aint(i) * base.extent + run.offset, run.bytes});
    }
  }
}

std::size_t Layout::memory(std::size_t count) const { return count * std::size_t(extent_); }

template <class Copy>
void Layout::each_run(std::size_t bytes, Copy copy) const {
  if (bytes == 0) return;  // buffers without bytes may be null
  if (runs_.size() == 1 && MPI_Aint(bytes_) == extent_)
    return copy(MPI_Aint{0}, std::size_t{0}, bytes);
  std::size_t done = 0;
  for (MPI_Aint element = 0; done < bytes; element += extent_) {
    for (const Run& run : runs_) {
      if (done == bytes) return;
      const std::size_t part = std::min(run.bytes, bytes - done);
      copy(element + run.offset, done, part);
      done += part;
    }
  }
}

void Layout::scatter(const unsigned char* packed, std::size_t bytes, unsigned char* buffer) const {
  each_run(bytes, [&](MPI_Aint to, std::size_t from, std::size_t part) {
    std::memcpy(buffer + to, packed + from, part);
  });
}

void Layout::gather(const unsigned char* buffer, std::size_t bytes, unsigned char* packed) const {
  each_run(bytes, [&](MPI_Aint from, std::size_t to, std::size_t part) {
    std::memcpy(packed + to, buffer + from, part);
  });
}

}  // namespace soak
