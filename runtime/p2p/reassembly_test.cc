#include "runtime/p2p/reassembly.h"

#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <string>

#include "base/testing/failed_check.h"
#include "runtime/p2p/matching.h"

namespace atl::p2p {
namespace {

template <class Action>
std::string failed_check(Action action) {
  const testing::ThrowsFailedChecks throws;
  try {
    action();
  } catch (const testing::FailedCheck& failed) {
    return failed.sentence;
  }
  return "";
}

TEST_CASE("fragments follow each other until the message is complete") {
  Request receive;
  Reassembly reassembly;
  reassembly.start(8, 100, {.receive = &receive});
  CHECK(reassembly.add(50) == 8);
  CHECK(!reassembly.complete());
  CHECK(reassembly.target().receive == &receive);
  CHECK(reassembly.add(42) == 58);
  CHECK(reassembly.complete());
  reassembly.finish();
  CHECK(reassembly.target().receive == nullptr);
  reassembly.start(1, 2, {});
  CHECK(reassembly.add(1) == 1);
}

TEST_CASE("a ring that brings too much is found out") {
  Reassembly reassembly;
  CHECK(failed_check([&] { reassembly.add(1); }).find("more of a message") != std::string::npos);
  reassembly.start(8, 100, {});
  CHECK(failed_check([&] { reassembly.add(93); }).find("more of a message") != std::string::npos);
  CHECK(failed_check([&] { reassembly.start(0, 1, {}); }).find("before the one before") !=
        std::string::npos);
  CHECK(failed_check([&] { reassembly.check_idle(); }) != "");
  CHECK(reassembly.add(92) == 8);  // the refused fragment was not counted
}

TEST_CASE("an unexpected message that is destroyed leaves nobody to write to") {
  Reassembly reassembly;
  {
    Unexpected message;
    reassembly.start(8, 100, {.message = &message});
    message.rest = &reassembly;
    CHECK(reassembly.target().message == &message);
  }
  CHECK(reassembly.target().message == nullptr);
  CHECK(reassembly.add(92) == 8);  // dropped, but counted: the ring goes on behind it
  CHECK(reassembly.complete());
}

TEST_CASE("an unexpected message that is matched hands its fragments to the receive") {
  Request receive;
  Reassembly reassembly;
  {
    Unexpected message;
    reassembly.start(8, 100, {.message = &message});
    message.rest = &reassembly;
    reassembly.retarget({.receive = &receive});
    message.rest = nullptr;
  }
  CHECK(reassembly.target().receive == &receive);
}

}  // namespace
}  // namespace atl::p2p
