#include "base/check.h"

#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <string>

#include "base/testing/failed_check.h"

namespace atl {
namespace {

using testing::FailedCheck;
using testing::ThrowsFailedChecks;

struct Ended {
  int status = 0;      // from waitpid
  std::string errors;  // standard error of the process
};

// Runs `work` in a separate process.
template <class Work>
Ended run_apart(Work work) {
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(ends[1], STDERR_FILENO);
    std::signal(SIGABRT, SIG_DFL);  // instead of the test framework's handler
    work();
    ::_exit(0);
  }
  ::close(ends[1]);
  Ended ended;
  char text[512];
  for (ssize_t got; (got = ::read(ends[0], text, sizeof text)) > 0;) {
    ended.errors.append(text, static_cast<std::size_t>(got));
  }
  ::close(ends[0]);
  REQUIRE(::waitpid(child, &ended.status, 0) == child);
  return ended;
}

bool contains(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

TEST_CASE("a check that fails ends the process with a sentence") {
  const Ended ended = run_apart([] { ATL_CHECK(1 > 2, "slot %d of %s", 7, "a ring"); });
  REQUIRE(WIFSIGNALED(ended.status));
  CHECK(WTERMSIG(ended.status) == SIGABRT);
  CHECK(contains(ended.errors, "the job's shared memory is damaged: slot 7 of a ring; some rank"));
}

TEST_CASE("a check that holds lets the process go on, and makes no message") {
  int messages = 0;
  const Ended ended = run_apart([&] { ATL_CHECK(1 < 2, "%d", ++messages); });
  CHECK(WIFEXITED(ended.status));
  CHECK(ended.errors.empty());
  ATL_CHECK(true, "%d", ++messages);
  CHECK(messages == 0);
}

TEST_CASE("the handler gets the sentence") {
  const ThrowsFailedChecks throws;
  try {
    ATL_CHECK(false, "a length of %lu", 5ul);
    FAIL("it went on");
  } catch (const FailedCheck& failed) {
    CHECK(contains(failed.sentence, "damaged: a length of 5;"));
  }
}

TEST_CASE("a sentence that is too long is cut off") {
  const ThrowsFailedChecks throws;
  const std::string long_name(10000, 'x');
  try {
    ATL_CHECK(false, "%s", long_name.c_str());
  } catch (const FailedCheck& failed) {
    CHECK(failed.sentence.size() < 512);
    CHECK(contains(failed.sentence, "; some rank has probably written through a bad pointer"));
  }
}

TEST_CASE("a debug check is evaluated in debug builds alone") {
  const ThrowsFailedChecks throws;
  int evaluated = 0;
#ifdef NDEBUG
  ATL_DCHECK(++evaluated == 2);
  CHECK(evaluated == 0);
#else
  ATL_DCHECK(++evaluated == 1);
  CHECK(evaluated == 1);
  try {
    ATL_DCHECK(evaluated == 2);
    FAIL("it went on");
  } catch (const FailedCheck& failed) {
    CHECK(contains(failed.sentence, "internal error: base/check_test.cc:"));
    CHECK(contains(failed.sentence, ": evaluated == 2"));
  }
#endif
}

}  // namespace
}  // namespace atl
