#include "datatype/tool/expression.h"

#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <string>

#include "datatype/print.h"

namespace atl::datatype {
namespace {

std::string tree(const char* text) {
  const Parsed parsed = parse_type(text);
  return parsed.type != nullptr ? tree_text(*parsed.type) : parsed.complaint;
}

TEST_CASE("each constructor has its arguments in the standard's order") {
  CHECK(tree("double") == "MPI_DOUBLE: size 8, lb 0, extent 8\n");
  CHECK(tree("MPI_INT") == "MPI_INT: size 4, lb 0, extent 4\n");
  CHECK(tree("contiguous(3, int)").starts_with("contiguous count=3: size 12"));
  CHECK(tree("vector(3, 2, 4, int)").starts_with("vector count=3 blocklength=2 stride=4: size 24"));
  CHECK(tree(" hvector ( 3 , 2 , -4 , int ) ")
            .starts_with("hvector count=3 blocklength=2 stride=-4"));
  CHECK(tree("indexed([1,2],[0,4],int)")
            .starts_with("indexed blocklengths=[1 2] displacements=[0 4]: size 12"));
  CHECK(
      tree("hindexed([],[],int)").starts_with("hindexed blocklengths=[] displacements=[]: size 0"));
  CHECK(tree("indexed_block(2,[0,4],int)")
            .starts_with("indexed_block blocklength=2 displacements=[0 4]"));
  CHECK(tree("resized(dup(char),-1,5)")
            .starts_with("resized lb=-1 extent=5: size 1, lb -1, extent 5"));
  CHECK(tree("subarray([4,6],[2,3],[1,0],fortran,int)")
            .starts_with("subarray sizes=[4 6] subsizes=[2 3] starts=[1 0] Fortran: size 24"));
  CHECK(tree("struct([1,2],[0,8],[int,vector(2,1,2,double)])") ==
        "struct blocklengths=[1 2] displacements=[0 8]: size 36, lb 0, extent 56\n"
        "  MPI_INT: size 4, lb 0, extent 4\n"
        "  vector count=2 blocklength=1 stride=2: size 16, lb 0, extent 24\n"
        "    MPI_DOUBLE: size 8, lb 0, extent 8\n");
}

TEST_CASE("complaints say what and where") {
  CHECK(tree("doubel") == "no datatype is called \"doubel\"");
  CHECK(tree("vektor(1, int)") == "no constructor is called \"vektor\"");
  CHECK(tree("contiguous(x, int)") == "expected a number at \"x, int)\"");
  CHECK(tree("contiguous(1 int)") == "expected ',' at \"int)\"");
  CHECK(tree("contiguous(1, int") == "expected ')' at \"\"");
  CHECK(tree("int int") == "expected nothing more at \"int\"");
  CHECK(tree("indexed([1],[1,2],int)") == "expected lists of the same length at \",int)\"");
  CHECK(tree("contiguous(-1, int)") == "contiguous: count=-1 is negative");
  CHECK(tree("subarray([1],[1],[0],x,int)") == "expected c or fortran at \",int)\"");
}

}  // namespace
}  // namespace atl::datatype
