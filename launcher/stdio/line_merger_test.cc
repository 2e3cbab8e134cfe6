#include "launcher/stdio/line_merger.h"

#include <doctest/doctest.h>

#include <fmt/format.h>

#include "launcher/base/text.h"

namespace atl::launcher {
namespace {

using Clock = LineMerger::Clock;

struct Job {
  explicit Job(int ranks) {
    for (int rank = 0; rank < ranks; ++rank) merger.open(rank);
  }
  void write(int rank, std::string_view lines) {
    merger.add(rank, lines, now);
    merger.advance(now);
  }
  void wait(std::chrono::milliseconds time) { merger.advance(now += time); }
  void end(int rank) {
    merger.close(rank);
    merger.advance(now);
  }

  std::string printed;
  Clock::time_point now{};
  LineMerger merger{[this](const std::vector<int>& ranks, std::string_view line) {
    printed += fmt::format("[{}] {}", ranges(ranks), line);
  }};
};

TEST_CASE("a line of all ranks is printed once") {
  Job job(3);
  job.write(0, "a\n");
  job.write(2, "a\n");
  CHECK(job.printed == "");
  job.write(1, "a\n");
  CHECK(job.printed == "[0-2] a\n");
}

TEST_CASE("different lines are printed one after the other, in the order of the ranks") {
  Job job(4);
  job.write(3, "x\ny\n");
  job.write(1, "b\ny\n");
  job.write(0, "x\ny\n");
  job.write(2, "b\ny\n");
  CHECK(job.printed == "[0,3] x\n[1-2] b\n[0-3] y\n");
}

TEST_CASE("an additional line of one rank does not separate the common lines that follow") {
  Job job(3);
  job.write(0, "title\na\nb\n");
  job.write(1, "a\nb\n");
  job.write(2, "a\nodd\nb\n");
  CHECK(job.printed == "[0] title\n[0-2] a\n[2] odd\n[0-2] b\n");
}

TEST_CASE("a line does not wait for ranks that write nothing") {
  Job job(3);
  job.write(1, "a\n");
  job.write(0, "a\n");
  CHECK(job.merger.due() == job.now + LineMerger::kPatience);
  job.wait(LineMerger::kPatience / 2);
  CHECK(job.printed == "");
  job.wait(LineMerger::kPatience);
  CHECK(job.printed == "[0-1] a\n");
  CHECK_FALSE(job.merger.due());
}

TEST_CASE("a line does not wait for ended ranks, and an unfinished last line is printed") {
  Job job(3);
  job.write(0, "a\n");
  job.end(1);
  job.write(2, "a");
  CHECK(job.printed == "[0,2] a\n");
  job.write(2, "last");
  job.end(0);
  CHECK(job.printed == "[0,2] a\n[2] last\n");
}

TEST_CASE("at most kMostBytes are stored") {
  Job job(2);
  job.write(0, std::string(LineMerger::kMostBytes / 2, 'x') + '\n');
  CHECK(job.printed.empty());
  job.write(0, std::string(LineMerger::kMostBytes / 2, 'y') + '\n');
  CHECK(job.printed.starts_with("[0] xxx"));
}

}  // namespace
}  // namespace atl::launcher
