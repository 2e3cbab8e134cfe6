#include "datatype/banded.h"

#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <numeric>
#include <vector>

#include "datatype/constructors.h"
#include "datatype/predefined.h"

namespace atl::datatype {
namespace {

const Datatype& real() { return *predefined(532); }

Reference committed(const Made& made) {
  made.type->commit();
  return made.type;
}

constexpr Count kRows = 70;
constexpr Count kColumns = 51;

Reference column() {
  const Made one = make_vector(kRows, 1, kColumns, real());
  return committed(make_resized(*one.type, 0, sizeof(double)));
}

TEST_CASE("the band of a transpose is as many elements as share a cache line") {
  CHECK(column()->program().band() == 8 * kRows * sizeof(double));
  CHECK(committed(make_vector(kRows, 1, kColumns, real()))->program().band() == 0);
  CHECK(committed(make_contiguous(kRows, real()))->program().band() == 0);
  const Made long_column = make_vector(Count{1} << 20, 1, kColumns, real());
  CHECK(committed(make_resized(*long_column.type, 0, 8))->program().band() == 0);
}

TEST_CASE("fragments of a banded message are those of the message") {
  std::vector<double> matrix(kRows * kColumns);
  std::iota(matrix.begin(), matrix.end(), 1.0);
  const Reference plain = committed(make_vector(kRows, kColumns / 2, kColumns, real()));
  for (const Reference& type : {column(), plain}) {
    const std::size_t count = type->size() == kRows * sizeof(double) ? kColumns : 1;
    std::vector<std::byte> expected(count * type->size());
    type->pack(matrix.data(), 0, expected);
    std::vector<double> unpacked(matrix.size());
    type->unpack(unpacked.data(), 0, expected);
    for (const std::size_t piece : {std::size_t{1}, std::size_t{500}, std::size_t{4480},
                                    std::size_t{10007}, expected.size()}) {
      BandedPack out(*type, matrix.data(), expected.size());
      std::vector<double> received(matrix.size());
      BandedUnpack in(*type, received.data());
      std::vector<std::byte> stream(expected.size());
      for (std::size_t start = 0; start < stream.size(); start += piece) {
        const auto part = std::span(stream).subspan(start, std::min(piece, stream.size() - start));
        out.pack(start, part);
        in.unpack(start, part);
      }
      in.flush();
      CHECK(stream == expected);
      CHECK(received == unpacked);
    }
  }
}

TEST_CASE("fragments may start anywhere") {
  std::vector<double> matrix(kRows * kColumns);
  std::iota(matrix.begin(), matrix.end(), 1.0);
  const Reference type = column();
  std::vector<std::byte> expected(kColumns * type->size());
  type->pack(matrix.data(), 0, expected);
  BandedPack out(*type, matrix.data(), expected.size());
  std::vector<double> received(matrix.size());
  BandedUnpack in(*type, received.data());
  constexpr std::size_t kPiece = 1000;
  for (std::size_t i = 0; i * kPiece < expected.size(); ++i) {
    const std::size_t start = (i * 11 % ((expected.size() + kPiece - 1) / kPiece)) * kPiece;
    std::vector<std::byte> piece(std::min(kPiece, expected.size() - start));
    out.pack(start, piece);
    CHECK(std::equal(piece.begin(), piece.end(), expected.begin() + static_cast<Count>(start)));
    in.unpack(start, piece);
  }
  in.flush();
  CHECK(received == matrix);
}

}  // namespace
}  // namespace atl::datatype
