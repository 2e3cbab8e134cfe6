#include "datatype/constructors.h"

#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <cstring>
#include <limits>
#include <vector>

#include "datatype/planner.h"
#include "datatype/predefined.h"

namespace atl::datatype {
namespace {

using Reason = Problem::Reason;

constexpr Count kMost = std::numeric_limits<Count>::max();

const Datatype& integer() { return *predefined(521); }
const Datatype& real() { return *predefined(532); }
const Datatype& character() { return *predefined(579); }
const Datatype& lower_marker() { return *predefined(kLowerBoundMarker); }
const Datatype& upper_marker() { return *predefined(kUpperBoundMarker); }

using List = std::vector<Count>;

Made structure(const List& lengths, const List& displacements,
               const std::vector<const Datatype*>& types) {
  return make_struct(lengths, displacements, types);
}

void refused(const Made& made, const std::string& text, Reason reason) {
  CHECK_FALSE(static_cast<bool>(made));
  CHECK(made.problem.text() == text);
  CHECK(made.problem.reason == reason);
}

void has_bounds(const Datatype& type, Count lb, Count extent) {
  CHECK(type.lower_bound() == lb);
  CHECK(type.extent() == extent);
}

TEST_CASE("negative numbers are refused by name") {
  refused(make_contiguous(-1, integer()), "count=-1 is negative", Reason::negative);
  refused(make_vector(-2, 1, 1, integer()), "count=-2 is negative", Reason::negative);
  refused(make_vector(2, -1, 1, integer()), "blocklength=-1 is negative", Reason::negative);
  refused(make_hvector(2, -1, 1, integer()), "blocklength=-1 is negative", Reason::negative);
  refused(make_indexed(List{1, -7}, List{0, 1}, integer()),
          "array_of_blocklengths[1]=-7 is negative", Reason::negative);
  refused(make_hindexed_block(-3, List{0, 1}, integer()), "blocklength=-3 is negative",
          Reason::negative);
  refused(structure({1, 2, -3}, {0, 0, 0}, {&real(), &real(), &real()}),
          "array_of_blocklengths[2]=-3 is negative", Reason::negative);
}

TEST_CASE("sizes and bounds beyond 64 bits are refused") {
  refused(make_contiguous(kMost, integer()),
          "count=9223372036854775807 makes a type whose size or bounds exceed 64 bits",
          Reason::overflow);
  CHECK(make_vector(2, 1, kMost / 4, integer()).problem.reason == Reason::overflow);
  CHECK(make_vector(kMost, kMost, 1, character()).problem.reason == Reason::overflow);
  CHECK(make_hvector(2, 1, kMost, integer()).problem.reason == Reason::overflow);
  CHECK(make_hvector(3, 1, kMost / 2, integer()).problem.reason == Reason::overflow);
  CHECK(make_indexed(List{1, 1}, List{0, kMost / 2}, integer()).problem.index == 1);
  CHECK(make_indexed(List{kMost / 2, kMost / 2, 2}, List{0, 0, 0}, integer()).problem.reason ==
        Reason::overflow);
  refused(make_hindexed(List{3, kMost, 2}, List{0, 0, 0}, character()),
          "array_of_blocklengths[1]=9223372036854775807 makes a type whose size or bounds exceed "
          "64 bits",
          Reason::overflow);
  CHECK(make_hindexed(List{1, 1}, List{-kMost, kMost}, integer()).problem.reason ==
        Reason::overflow);
  CHECK(make_resized(integer(), kMost, 1).problem.reason == Reason::overflow);
  const List huge{1 << 30, 1 << 30, 1 << 30};
  CHECK(make_subarray(huge, List{1, 1, 1}, List{0, 0, 0}, Order::c, integer()).problem.reason ==
        Reason::overflow);
}

TEST_CASE("types without data may have any displacement") {
  CHECK(make_vector(0, 1, kMost, integer()));
  CHECK(make_vector(1, 1, kMost, integer()));
  CHECK(make_indexed(List{0, 1}, List{kMost, 0}, integer()));
  CHECK(structure({0, 1}, {kMost, 0}, {&real(), &integer()}));
  has_bounds(*make_contiguous(0, integer()).type, 0, 0);
  has_bounds(*make_indexed(List{}, List{}, integer()).type, 0, 0);
}

TEST_CASE("parts of arrays must lie within") {
  const List sizes{4, 5};
  const auto sub = [&](const List& subsizes, const List& starts) {
    return make_subarray(sizes, subsizes, starts, Order::c, integer());
  };
  refused(sub({4, 6}, {0, 0}), "array_of_subsizes[1]=6 is out of range", Reason::out_of_range);
  refused(sub({0, 5}, {0, 0}), "array_of_subsizes[0]=0 is out of range", Reason::out_of_range);
  refused(sub({4, 4}, {0, 2}), "array_of_starts[1]=2 is out of range", Reason::out_of_range);
  refused(sub({4, 4}, {-1, 0}), "array_of_starts[0]=-1 is out of range", Reason::out_of_range);
  refused(make_subarray(List{0}, List{1}, List{0}, Order::c, integer()),
          "array_of_sizes[0]=0 is out of range", Reason::out_of_range);
  refused(make_subarray({}, {}, {}, Order::c, integer()), "ndims=0 is out of range",
          Reason::out_of_range);
  refused(make_subarray(sizes, List{1, 1}, List{0, 0}, static_cast<Order>(3), integer()),
          "order=3 is out of range", Reason::out_of_range);
}

TEST_CASE("distributed arrays: the grid must fit the processes and the array the grid") {
  using Distributions = std::vector<Distribution>;
  const auto array = [](Count size, Count rank, Distribution distribution, Count darg,
                        Count psize) {
    return make_darray(size, rank, List{10}, Distributions{distribution}, List{darg}, List{psize},
                       Order::c, integer());
  };
  refused(array(4, 0, Distribution::cyclic, 1, 3), "size=4 is out of range", Reason::out_of_range);
  refused(array(3, 3, Distribution::cyclic, 1, 3), "rank=3 is out of range", Reason::out_of_range);
  refused(array(3, 0, Distribution::block, 3, 3), "array_of_dargs[0]=3 is out of range",
          Reason::out_of_range);
  refused(array(3, 0, Distribution::cyclic, 0, 3), "array_of_dargs[0]=0 is out of range",
          Reason::out_of_range);
  refused(array(3, 0, Distribution::none, 1, 3), "array_of_psizes[0]=3 is out of range",
          Reason::out_of_range);
  refused(array(3, 0, static_cast<Distribution>(7), 1, 3), "array_of_distribs[0]=7 is out of range",
          Reason::out_of_range);
  CHECK(array(3, 2, Distribution::block, kDefaultDistributionArgument, 3).type->size() == 8);
}

TEST_CASE("extents are padded to the alignment of what is inside") {
  has_bounds(*structure({1, 1}, {0, 8}, {&real(), &character()}).type, 0, 16);
  has_bounds(*structure({1, 1}, {0, 8}, {&integer(), &character()}).type, 0, 12);
  // The padding of an inner type is not part of the outer one's map.
  const Made inner = structure({1, 1}, {0, 8}, {&real(), &character()});
  has_bounds(*structure({1, 1}, {0, 9}, {inner.type.get(), &character()}).type, 0, 16);
  has_bounds(*make_contiguous(2, *inner.type).type, 0, 32);
}

TEST_CASE("MPI-1's markers of bounds stick") {
  const Made first =
      structure({1, 1, 1}, {-3, 0, 6}, {&lower_marker(), &integer(), &upper_marker()});
  has_bounds(*first.type, -3, 9);
  CHECK(first.type->size() == 4);
  CHECK(first.type->basic_values() == 1);
  // MPI-1.1, 3.12.3: two copies at 0 and 9.
  has_bounds(*make_contiguous(2, *first.type).type, -3, 18);
  // A marker inside overrides natural bounds outside it.
  const Made outer = structure({1, 1}, {0, 100}, {first.type.get(), &integer()});
  has_bounds(*outer.type, -3, 9);
  CHECK(outer.type->true_extent() == 104);
  // Only markers of the same side compare.
  const Made upper = structure({1, 1}, {0, 20}, {&integer(), &upper_marker()});
  has_bounds(*upper.type, 0, 20);
  // MPI_Type_create_resized replaces all markers.
  has_bounds(*make_resized(*first.type, 1, 2).type, 1, 2);
}

TEST_CASE("types beyond 2 GiB") {
  const Made big = make_vector(Count{1} << 31, 1, 4, real());
  CHECK(big.type->size() == std::size_t{8} << 31);
  CHECK(big.type->extent() == ((Count{1} << 31) - 1) * 32 + 8);
  big.type->commit();
  CHECK(big.type->program().nodes().size() == 1);
  CHECK(big.type->basic_values_in(std::size_t{8} << 31) == std::size_t{1} << 31);
}

TEST_CASE("types may be nested deeply, but not without limit") {
  Reference type = &integer();
  for (std::uint32_t i = 0; i < kMaximalDepth; ++i) type = make_dup(*type).type;
  const Made last = make_dup(*type);
  CHECK(last.problem.reason == Reason::too_deep);
  CHECK(type->size() == sizeof(int));
}

TEST_CASE("a type lives as long as another that is built from it") {
  Reference outer;
  {
    const Made inner = make_vector(3, 1, 2, integer());
    outer = make_contiguous(2, *inner.type).type;
  }
  const_cast<Datatype&>(*outer).commit();
  std::vector<int> from{1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  std::vector<int> to(6);
  outer->pack(from.data(), 0, std::as_writable_bytes(std::span(to)));
  CHECK(to == std::vector<int>{1, 3, 5, 6, 8, 10});
}

TEST_CASE("a duplicate of a committed type is committed") {
  const Made made = make_vector(3, 1, 2, integer());
  CHECK_FALSE(make_dup(*made.type).type->committed());
  made.type->commit();
  const Made copy = make_dup(*made.type);
  CHECK(copy.type->committed());
  CHECK(&copy.type->program() == &made.type->program());
}

TEST_CASE("pairs of a value and an index are laid out as in C") {
  struct Pair {
    short value;
    long index;
  };
  const Made pair = make_value_index(*predefined(520), *predefined(522));
  CHECK(pair.type->committed());
  CHECK(pair.type->size() == sizeof(short) + sizeof(long));
  CHECK(pair.type->extent() == sizeof(Pair));
  CHECK(pair.type->contents().combiner == Combiner::value_index);
  CHECK(pair.type->contents().types.size() == 2);
}

TEST_CASE("f90 types store the requested arguments") {
  const Count wanted[] = {12, 100};
  const Made made = make_f90(Combiner::f90_real, wanted, real());
  CHECK(made.type->is_contiguous());
  CHECK(made.type->signature() == real().signature());
  CHECK(made.type->contents().integers() == List{12, 100});
  CHECK(envelope(made.type->contents()).datatypes == 0);
}

}  // namespace
}  // namespace atl::datatype
