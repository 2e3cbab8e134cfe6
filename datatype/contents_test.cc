#include "datatype/contents.h"

#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <vector>

#include "datatype/constructors.h"
#include "datatype/predefined.h"

namespace atl::datatype {
namespace {

using List = std::vector<Count>;

const Datatype& integer() { return *predefined(521); }

// What MPI_Type_get_contents returns for the plain form. The large form returns all of it as large
// counts, except `still_integers`.
void gives(const Made& plain, const Made& large, const List& integers, const List& addresses,
           const List& large_counts, const List& still_integers = {}) {
  const Contents& contents = plain.type->contents();
  CHECK(contents.integers() == integers);
  CHECK(contents.addresses() == addresses);
  CHECK(contents.large_counts().empty());
  const Envelope sizes = envelope(contents);
  CHECK(sizes.integers == integers.size());
  CHECK(sizes.addresses == addresses.size());
  CHECK(sizes.large_counts == 0);
  CHECK(sizes.datatypes == contents.types.size());
  const Contents& wide = large.type->contents();
  CHECK(wide.combiner == contents.combiner);
  CHECK(wide.integers() == still_integers);
  CHECK(wide.addresses().empty());
  CHECK(wide.large_counts() == large_counts);
  CHECK(envelope(wide).large_counts == large_counts.size());
  CHECK(envelope(wide).integers == still_integers.size());
}

template <class Make>
void gives_from(Make make, const List& integers, const List& addresses, const List& large_counts,
                const List& still_integers = {}) {
  gives(make(Form::plain), make(Form::large), integers, addresses, large_counts, still_integers);
}

TEST_CASE("contents are the arguments, in the order of the standard") {
  gives_from([](Form form) { return make_contiguous(3, integer(), form); }, {3}, {}, {3});
  gives_from([](Form form) { return make_vector(3, 2, 7, integer(), form); }, {3, 2, 7}, {},
             {3, 2, 7});
  gives_from([](Form form) { return make_hvector(3, 2, 7, integer(), form); }, {3, 2}, {7},
             {3, 2, 7});
  const List lengths{1, 2};
  const List displacements{5, 9};
  gives_from([&](Form form) { return make_indexed(lengths, displacements, integer(), form); },
             {2, 1, 2, 5, 9}, {}, {2, 1, 2, 5, 9});
  gives_from([&](Form form) { return make_hindexed(lengths, displacements, integer(), form); },
             {2, 1, 2}, {5, 9}, {2, 1, 2, 5, 9});
  gives_from([&](Form form) { return make_indexed_block(4, displacements, integer(), form); },
             {2, 4, 5, 9}, {}, {2, 4, 5, 9});
  gives_from([&](Form form) { return make_hindexed_block(4, displacements, integer(), form); },
             {2, 4}, {5, 9}, {2, 4, 5, 9});
  const Datatype* const types[] = {&integer(), predefined(532)};
  gives_from([&](Form form) { return make_struct(lengths, displacements, types, form); }, {2, 1, 2},
             {5, 9}, {2, 1, 2, 5, 9});
  gives_from([](Form form) { return make_resized(integer(), -1, 6, form); }, {}, {-1, 6}, {-1, 6});
}

TEST_CASE("in the large forms of array types the lengths alone are large counts") {
  const List sizes{4, 5};
  const List subsizes{2, 3};
  const List starts{1, 0};
  gives_from(
      [&](Form form) {
        return make_subarray(sizes, subsizes, starts, Order::fortran, integer(), form);
      },
      {2, 4, 5, 2, 3, 1, 0, 0xF}, {}, {4, 5, 2, 3, 1, 0}, {2, 0xF});
  const Distribution distribs[] = {Distribution::block, Distribution::cyclic};
  const List dargs{kDefaultDistributionArgument, 2};
  const List psizes{2, 3};
  gives_from(
      [&](Form form) {
        return make_darray(6, 4, sizes, distribs, dargs, psizes, Order::c, integer(), form);
      },
      {6, 4, 2, 4, 5, 17, 18, 19, 2, 2, 3, 0xC}, {}, {4, 5}, {6, 4, 2, 17, 18, 19, 2, 2, 3, 0xC});
}

TEST_CASE("named types and duplicates have no numbers") {
  for (const std::uintptr_t handle : {521, 553}) {
    const Envelope sizes = envelope(predefined(handle)->contents());
    CHECK(sizes.integers + sizes.addresses + sizes.large_counts + sizes.datatypes == 0);
    CHECK(predefined(handle)->contents().combiner == Combiner::named);
  }
  const Made copy = make_dup(integer());
  CHECK(envelope(copy.type->contents()).datatypes == 1);
  CHECK(copy.type->contents().integers().empty());
  CHECK(copy.type->contents().types[0] == &integer());
}

TEST_CASE("the types are those that were given, even if the new one consists of others") {
  const List two{2};
  const Made array = make_subarray(List{4}, two, two, Order::c, integer());
  REQUIRE(array.type->contents().types.size() == 1);
  CHECK(array.type->contents().types[0] == &integer());
}

}  // namespace
}  // namespace atl::datatype
