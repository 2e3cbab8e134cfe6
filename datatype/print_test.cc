#include "datatype/print.h"

#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <vector>

#include "datatype/constructors.h"
#include "datatype/predefined.h"

namespace atl::datatype {
namespace {

using List = std::vector<Count>;

const Datatype& integer() { return *predefined(521); }
const Datatype& real() { return *predefined(532); }

Reference committed(const Made& made) {
  made.type->commit();
  return made.type;
}

TEST_CASE("a column of a matrix") {
  const Made column = make_vector(512, 1, 512, real());
  const Reference type = committed(make_resized(*column.type, 0, 8));
  CHECK(tree_text(*type) ==
        "resized lb=0 extent=8: size 4096, lb 0, extent 8\n"
        "  vector count=512 blocklength=1 stride=512: size 4096, lb 0, extent 2093064\n"
        "    MPI_DOUBLE: size 8, lb 0, extent 8\n");
  CHECK(map_text(*type, 2) == "{(MPI_DOUBLE, 0), (MPI_DOUBLE, 4096), ... 512 in all}");
  CHECK(program_text(type->program()) ==
        "at 0, 512 runs an element\n"
        "node 0: each element by 8: 512 by 4096: 8 bytes\n");
}

TEST_CASE("a struct with a list in it") {
  const Made list = make_indexed(List{1, 2, 1, 3, 1, 2, 2, 1, 1, 4},
                                 List{0, 2, 5, 7, 11, 13, 16, 19, 21, 23}, integer());
  const Datatype* const types[] = {&real(), list.type.get()};
  const Reference type = committed(make_struct(List{1, 1}, List{-16, 0}, types));
  CHECK(tree_text(*type) ==
        "struct blocklengths=[1 1] displacements=[-16 0]: size 80, lb -16, extent 128\n"
        "  MPI_DOUBLE: size 8, lb 0, extent 8\n"
        "  indexed blocklengths=[1 2 1 3 1 2 2 1 ... 4 (10)] "
        "displacements=[0 2 5 7 11 13 16 19 ... 23 (10)]: size 72, lb 0, extent 108\n"
        "    MPI_INT: size 4, lb 0, extent 4\n");
  CHECK(map_text(*type, 3) == "{(MPI_DOUBLE, -16), (MPI_INT, 0), (MPI_INT, 8), ... 19 in all}");
  CHECK(program_text(type->program()) ==
        "at -16, 11 runs an element\n"
        "node 0: each element by 128: blocks at 0 16 24 36 44 60 68 80 ... 108 (11) "
        "from bytes 0 8 12 20 24 36 40 48 ... 80 (12)\n");
}

TEST_CASE("whole map, and a part of an array") {
  const Reference type =
      committed(make_subarray(List{4, 4}, List{2, 2}, List{1, 1}, Order::c, integer()));
  CHECK(map_text(*type) == "{(MPI_INT, 20), (MPI_INT, 24), (MPI_INT, 36), (MPI_INT, 40)}");
  CHECK(
      tree_text(*type).starts_with("subarray sizes=[4 4] subsizes=[2 2] starts=[1 1] C: size 16"));
  CHECK(program_text(type->program()) ==
        "at 20, 2 runs an element\n"
        "node 0: each element by 64: 2 by 16: 8 bytes\n");
}

}  // namespace
}  // namespace atl::datatype
