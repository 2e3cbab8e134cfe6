// Sequences of datatype constructors, drawn from the input, against the oracle.
//
// With libFuzzer and sanitizers: test/fuzz/run.sh datatype -max_total_time=600
// The inputs it kept are replayed by //test/fuzz:datatype_corpus_test.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>

#include "datatype/print.h"
#include "datatype/testing/invariants.h"
#include "datatype/testing/random_type.h"

namespace {

using atl::datatype::Datatype;
using atl::datatype::Reference;
namespace testing = atl::datatype::testing;

constexpr int kDepth = 6;
constexpr std::size_t kValues = 2000;

void require(bool holds, const char* what, const Datatype& type) {
  if (holds) return;
  std::fprintf(stderr, "broken: %s\n%s", what, tree_text(type).c_str());
  std::abort();
}

void check_against_oracle(const Datatype& type) {
  const testing::TypeMap map = testing::type_map(type);
  require(testing::has_right_bounds(type, map), "bounds", type);
  require(testing::packs(type, map), "pack", type);
  require(testing::unpacks(type, map), "unpack", type);
  require(testing::counts_values(type, map), "counts of values", type);
  require(testing::signs(type, map), "signature", type);
  require(testing::converts(type, map), "external32", type);
  require(testing::is_canonical(type, map), "program", type);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  testing::Choices choices({data, size});
  const bool wild = choices.number(0, 3) == 0;
  const Reference type =
      wild ? testing::wild_type(choices, kDepth) : testing::random_type(choices, kDepth, kValues);
  if (type == nullptr) return 0;
  const_cast<Datatype&>(*type).commit();
  require(!tree_text(*type).empty() && !map_text(*type).empty(), "text", *type);
  require(!program_text(type->program()).empty(), "text of the program", *type);
  if (!wild) check_against_oracle(*type);
  return 0;
}
