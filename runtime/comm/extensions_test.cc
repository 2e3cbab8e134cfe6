#include "runtime/comm/extensions.h"

#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

namespace atl {
namespace {

struct Counted {
  explicit Counted(int& alive) : alive(alive) { ++alive; }
  ~Counted() { --alive; }
  int& alive;
};

constexpr ExtensionSlot<Counted> kFirst{Extension::attached_buffer};
constexpr ExtensionSlot<const int> kSecond{Extension::topology};

TEST_CASE("each slot holds an object of its own type") {
  int alive = 0;
  Extensions extensions;
  CHECK(extensions.get(kFirst) == nullptr);
  CHECK(extensions.get(kSecond) == nullptr);
  extensions.set(kFirst, std::make_shared<Counted>(alive));
  extensions.set(kSecond, std::make_shared<const int>(7));
  CHECK(&extensions.get(kFirst)->alive == &alive);
  CHECK(*extensions.get(kSecond) == 7);
}

TEST_CASE("an object lives as long as one of those that share it") {
  int alive = 0;
  {
    Extensions copy;
    {
      Extensions extensions;
      extensions.set(kFirst, std::make_shared<Counted>(alive));
      copy.set(kFirst, extensions.share(kFirst));
    }
    CHECK(alive == 1);
  }
  CHECK(alive == 0);
}

TEST_CASE("a duplicate shares the topology and nothing else") {
  int alive = 0;
  Extensions original, duplicate;
  original.set(kFirst, std::make_shared<Counted>(alive));
  original.set(kSecond, std::make_shared<const int>(7));
  duplicate.inherit_from(original);
  CHECK(duplicate.get(kFirst) == nullptr);
  CHECK(duplicate.get(kSecond) == original.get(kSecond));
}

TEST_CASE("a slot that is set again destroys what it held") {
  int alive = 0;
  Extensions extensions;
  extensions.set(kFirst, std::make_shared<Counted>(alive));
  extensions.set(kFirst, std::make_shared<Counted>(alive));
  CHECK(alive == 1);
  extensions.clear(kFirst);
  CHECK(alive == 0);
  CHECK(extensions.get(kFirst) == nullptr);
}

}  // namespace
}  // namespace atl
