#include "datatype/transfer.h"

#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <numeric>
#include <vector>

#include "datatype/constructors.h"
#include "datatype/predefined.h"

namespace atl::datatype {
namespace {

const Datatype& integer() { return *predefined(521); }

Reference committed(const Made& made) {
  made.type->commit();
  return made.type;
}

struct Layouts {
  static constexpr Count kRows = 120;
  static constexpr Count kColumns = 70;
  Reference rows = committed(make_contiguous(kRows * kColumns, integer()));
  Reference spaced = committed(make_vector(kRows, kColumns, kColumns + 3, integer()));
  Reference columns = [] {
    const Made column = make_vector(kRows, 1, kColumns, integer());
    const Made next = make_resized(*column.type, 0, sizeof(int));
    return committed(make_contiguous(kColumns, *next.type));
  }();
  std::vector<Reference> all{rows, spaced, columns};
};

TEST_CASE("every layout is copied to every other, as a whole and in parts") {
  constexpr std::size_t kInts = Layouts::kRows * (Layouts::kColumns + 3);
  std::vector<int> source(kInts);
  std::iota(source.begin(), source.end(), 1);
  for (const Reference& from : Layouts().all) {
    for (const Reference& to : Layouts().all) {
      REQUIRE(from->size() == to->size());
      std::vector<std::byte> stream(from->size());
      from->pack(source.data(), 0, stream);
      std::vector<int> expected(kInts, -1);
      to->unpack(expected.data(), 0, stream);
      for (const std::size_t piece : {std::size_t{777}, std::size_t{20001}, stream.size()}) {
        std::vector<int> target(kInts, -1);
        for (std::size_t start = 0; start < stream.size(); start += piece) {
          transfer(*to, target.data(), *from, source.data(), start,
                   std::min(piece, stream.size() - start));
        }
        CHECK(target == expected);
      }
    }
  }
}

TEST_CASE("a transfer of no bytes does nothing") {
  const Reference empty = committed(make_contiguous(0, integer()));
  transfer(*empty, nullptr, *empty, nullptr, 0, 0);
  CHECK(empty->is_contiguous());
}

}  // namespace
}  // namespace atl::datatype
