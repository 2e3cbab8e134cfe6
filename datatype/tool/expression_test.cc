#include "datatype/tool/expression.h"

#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <string>

#include "datatype/print.h"

namespace atl::datatype {
namespace {

std::string map_of(std::string_view text) { return map_text(*read_type(text)); }

TEST_CASE("predefined types by either name") {
  CHECK(map_of("double") == "{(MPI_DOUBLE, 0)}");
  CHECK(map_of(" MPI_INT ") == "{(MPI_INT, 0)}");
}

TEST_CASE("constructors take their arguments in the order of the standard") {
  CHECK(map_of("contiguous(2, int)") == "{(MPI_INT, 0), (MPI_INT, 4)}");
  CHECK(map_of("vector(2,1,3,int)") == "{(MPI_INT, 0), (MPI_INT, 12)}");
  CHECK(map_of("hvector(2, 1, -8, int)") == "{(MPI_INT, 0), (MPI_INT, -8)}");
  CHECK(map_of("indexed([1,1],[2,0],int)") == "{(MPI_INT, 8), (MPI_INT, 0)}");
  CHECK(map_of("hindexed([1,1],[2,0],char)") == "{(MPI_CHAR, 2), (MPI_CHAR, 0)}");
  CHECK(map_of("indexed_block(1,[3],int)") == "{(MPI_INT, 12)}");
  CHECK(map_of("hindexed_block(1,[3],int)") == "{(MPI_INT, 3)}");
  CHECK(map_of("struct([1,2],[0,8],[int,double])") ==
        "{(MPI_INT, 0), (MPI_DOUBLE, 8), (MPI_DOUBLE, 16)}");
  CHECK(map_of("subarray([2,3],[2,1],[0,1],c,int)") == "{(MPI_INT, 4), (MPI_INT, 16)}");
  CHECK(map_of("darray(2,1,[4],[block],[default],[2],fortran,int)") ==
        "{(MPI_INT, 8), (MPI_INT, 12)}");
  CHECK(map_of("contiguous(2, resized(dup(int), 0, 2*4))") == "{(MPI_INT, 0), (MPI_INT, 8)}");
  CHECK(read_type("struct([1,1,1],[-3,0,6],[lb,int,ub])")->extent() == 9);
}

void check_refused(std::string_view text, const std::string& what, std::size_t place) {
  CAPTURE(text);
  try {
    read_type(text);
    FAIL("was read");
  } catch (const BadExpression& bad) {
    CHECK(std::string(bad.what()) == what);
    CHECK(bad.place() == place);
  }
}

TEST_CASE("errors are reported with their position") {
  check_refused("", "want a type, a number or a list", 0);
  check_refused("7", "want a type", 0);
  check_refused("integral", "no type is called 'integral'", 0);
  check_refused("matrix(2, int)", "no constructor is called 'matrix'", 0);
  check_refused("vector(2, 1, int)", "want a number", 13);
  check_refused("vector(2, 1, 4)", "a type is missing", 0);
  check_refused("dup(int, 2)", "more arguments than it takes", 9);
  check_refused("dup(int", "want ',' or ')'", 7);
  check_refused("dup(int) int", "nothing more can follow", 9);
  check_refused("indexed(1, [0], int)", "want a list in brackets", 8);
  check_refused("indexed([1, 2], [0], int)", "lists of different lengths", 0);
  check_refused("contiguous(-1, int)", "count=-1 is negative", 0);
  check_refused("contiguous(99999999999999999999, int)", "want a number of at most 64 bits", 11);
}

TEST_CASE("nesting is limited below the size of the stack") {
  std::string text;
  for (int i = 0; i < 100000; ++i) text += "dup(";
  CHECK_THROWS_AS(read_type(text), BadExpression);
}

}  // namespace
}  // namespace atl::datatype
