// atoll-type EXPRESSION...: prints what a datatype is made of, its type map and the
// program it is compiled to. Expression.h has the language.
#include <cstdio>

#include "datatype/print.h"
#include "datatype/tool/expression.h"

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fputs(
        "usage: atoll-type EXPRESSION...\n"
        "\n"
        "Prints the tree, the type map and the compiled program of datatypes, such as\n"
        "  'resized(vector(512, 1, 512, double), 0, 8)'\n"
        "  'struct([1, 6, 7], [0, 8, 56], [int, double, char])'\n"
        "  'subarray([4, 6], [2, 3], [1, 0], c, int)'\n",
        stderr);
    return 2;
  }
  for (int i = 1; i < argc; ++i) {
    const auto [type, complaint] = atl::datatype::parse_type(argv[i]);
    if (type == nullptr) {
      std::fprintf(stderr, "atoll-type: %s\n", complaint.c_str());
      return 1;
    }
    const_cast<atl::datatype::Datatype&>(*type).commit();
    std::printf("%s\n%s\n\n%s", tree_text(*type).c_str(), map_text(*type).c_str(),
                program_text(type->program()).c_str());
  }
}
