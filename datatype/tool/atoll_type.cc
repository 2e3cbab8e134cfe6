// atoll-type: shows a datatype as tree, type map and compiled program.
#include <charconv>
#include <cstdio>
#include <string>
#include <string_view>

#include "datatype/print.h"
#include "datatype/tool/expression.h"

namespace {

constexpr int kUsageStatus = 2;

constexpr const char* kHelp = R"(usage: atoll-type [-n ENTRIES] EXPRESSION...

Shows how datatypes are made, their type maps, and the programs of copies that Atoll
compiles them to. -n says how many entries of a type map are shown (20).

A type is a predefined one, int or MPI_INT, or a constructor with its arguments in
the order of the standard; lists stand in brackets and have no separate length:

  contiguous(count, type)               indexed([lengths], [displacements], type)
  vector(count, length, stride, type)   hindexed([lengths], [displacements], type)
  hvector(count, length, stride, type)  indexed_block(length, [displacements], type)
  resized(type, lb, extent)             hindexed_block(length, [displacements], type)
  dup(type)                             struct([lengths], [displacements], [types])
  subarray([sizes], [subsizes], [starts], c or fortran, type)
  darray(size, rank, [gsizes], [none, block or cyclic], [n or default], [psizes],
         c or fortran, type)

examples:
  atoll-type 'vector(3, 2, 4, int)'
  atoll-type 'struct([1, 6, 7], [0, 8, 56], [int, double, char])'
  atoll-type 'contiguous(512, resized(vector(512, 1, 512, double), 0, 8))'
  atoll-type 'subarray([128, 128, 128], [128, 128, 1], [0, 0, 127], c, double)'
)";

int complain(const std::string& what) {
  std::fprintf(stderr, "atoll-type: %s\n", what.c_str());
  return kUsageStatus;
}

int show(const std::string& expression, std::size_t entries) {
  using namespace atl::datatype;
  Reference type;
  try {
    type = read_type(expression);
  } catch (const BadExpression& bad) {
    const std::string under(bad.place(), ' ');
    return complain(std::string(bad.what()) + "\n  " + expression + "\n  " + under + "^");
  }
  const_cast<Datatype&>(*type).commit();  // no other reference exists
  const std::string text =
      tree_text(*type) + "\n" + map_text(*type, entries) + "\n\n" + program_text(type->program());
  return std::fputs(text.c_str(), stdout) >= 0 && std::fflush(stdout) == 0 ? 0 : 1;
}

}  // namespace

int main(int count, char** words) {
  std::size_t entries = 20;
  bool shown = false;
  for (int i = 1; i < count; ++i) {
    const std::string_view word = words[i];
    if (word == "--help" || word == "-h") return std::fputs(kHelp, stdout) >= 0 ? 0 : 1;
    if (word == "-n") {
      const std::string_view number = i + 1 < count ? words[++i] : "";
      const char* end = number.data() + number.size();
      const auto read = std::from_chars(number.data(), end, entries);
      if (number.empty() || read.ptr != end) return complain("-n wants a number of entries");
    } else if (word.starts_with("--")) {
      return complain("there is no option " + std::string(word) + "; try --help");
    } else {
      if (const int status = show(std::string(word), entries)) return status;
      shown = true;
    }
  }
  return shown ? 0 : complain("which type? Try --help");
}
