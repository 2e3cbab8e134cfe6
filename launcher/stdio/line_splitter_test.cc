#include "launcher/stdio/line_splitter.h"

#include <doctest/doctest.h>

#include <vector>

namespace atl::launcher {
namespace {

// The output of a splitter, one entry per call.
std::vector<std::string> feed(LineSplitter& splitter, std::string_view bytes) {
  std::vector<std::string> out;
  splitter.feed(bytes, [&](std::string_view text) { out.emplace_back(text); });
  return out;
}

TEST_CASE("whole lines are passed on, the rest waits for its newline") {
  LineSplitter splitter;
  CHECK(feed(splitter, "one\ntwo\nthr") == std::vector<std::string>{"one\ntwo\n"});
  CHECK(splitter.has_rest());
  CHECK(feed(splitter, "e").empty());
  CHECK(feed(splitter, "e\n") == std::vector<std::string>{"three\n"});
  CHECK_FALSE(splitter.has_rest());
  CHECK(feed(splitter, "four\nfi") == std::vector<std::string>{"four\n"});
  CHECK(splitter.take_rest() == "fi");
  CHECK_FALSE(splitter.has_rest());
}

TEST_CASE("the lines do not depend on how the input is divided") {
  const std::string text = "a\n\nbb\nccc\n\n\ndddd";
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    LineSplitter splitter;
    std::string out;
    for (const std::string& piece : {text.substr(0, cut), text.substr(cut)}) {
      for (const std::string& whole : feed(splitter, piece)) {
        CHECK(whole.back() == '\n');
        out += whole;
      }
    }
    CHECK(out + splitter.take_rest() == text);
  }
}

TEST_CASE("a line without end is divided") {
  LineSplitter splitter;
  const std::string chunk(64 * 1024, 'x');
  std::size_t out = 0;
  for (std::size_t in = 0; in < 5 * LineSplitter::kLongestLine; in += chunk.size()) {
    for (const std::string& piece : feed(splitter, chunk)) out += piece.size();
    CHECK(in + chunk.size() - out <= LineSplitter::kLongestLine);
  }
  CHECK(out == 5 * LineSplitter::kLongestLine);
}

TEST_CASE("every line that begins gets its label") {
  CHECK(labelled("a\nb\n", "[0] ", true) == "[0] a\n[0] b\n");
  CHECK(labelled("a\nb", "[0] ", false) == "a\n[0] b");
  CHECK(labelled("\n\n", "[0] ", true) == "[0] \n[0] \n");
  CHECK(labelled("", "[0] ", true) == "");
}

}  // namespace
}  // namespace atl::launcher
