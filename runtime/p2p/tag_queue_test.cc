// Allocations show whether a queue is sorted: only a sorted one needs memory.
#include "runtime/p2p/tag_queue.h"

#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <new>
#include <random>
#include <vector>

namespace {

constexpr int kAll = std::numeric_limits<int>::max();
int allocations = 0;  // so far
int possible = kAll;  // further ones, until there is no memory left

}  // namespace

// For all allocations of the program.
[[gnu::noinline]] void* operator new(std::size_t bytes) {
  void* memory = possible == 0 ? nullptr : std::malloc(bytes);
  if (memory == nullptr) throw std::bad_alloc();
  if (possible != kAll) --possible;
  ++allocations;
  return memory;
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace atl::p2p {
namespace {

struct Item {
  std::int32_t tag = 0;
  std::uint64_t order = 0;
  Link link = {};
  TagLink tag_link = {};
};
using Queue = TagQueue<Item, &Item::link, &Item::tag_link>;
using Items = std::vector<Item>;

// All with one tag, in the order of their places.
Items items_with(std::int32_t tag, int count) {
  Items items(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < items.size(); ++i) {
    items[i].tag = tag;
    items[i].order = i;
  }
  return items;
}

void push_all(Queue& queue, Items& items) {
  for (Item& item : items) queue.push_back(item);
}

template <class Action>
int allocations_of(Action action) {
  const int before = allocations;
  action();
  return allocations - before;
}

// Whether the action throws when only so many allocations are possible.
template <class Action>
bool lacks_memory(int allowed, Action action) {
  bool thrown = false;
  possible = allowed;
  try {
    action();
  } catch (const std::bad_alloc&) {
    thrown = true;
  }
  possible = kAll;
  return thrown;
}

TEST_CASE("the oldest item with a tag is found at any place of a queue of any length") {
  for (const int length : {1, 2, 31, 32, 33, 34, 35, 100}) {
    for (int place = 0; place < length; ++place) {
      CAPTURE(length);
      CAPTURE(place);
      Items items = items_with(1, length);
      std::vector<Item*> wanted;
      for (std::size_t i = static_cast<std::size_t>(place); i < items.size(); i += 3) {
        items[i].tag = i % 2 == 0 ? 2 : 3;
        wanted.push_back(&items[i]);
      }
      Queue queue;
      push_all(queue, items);
      for (Item* item : wanted) {
        REQUIRE(queue.first(item->tag) == item);
        REQUIRE(queue.first(2, 3, &Item::order) == item);
        REQUIRE(queue.first(3, 2, &Item::order) == item);
        queue.erase(*item);
      }
      CHECK(queue.first(2) == nullptr);
      CHECK(queue.first(2, 3, &Item::order) == nullptr);
    }
  }
}

TEST_CASE("a queue is sorted by a search behind its front, once, until it is empty") {
  Items few = items_with(1, 32), many = items_with(1, 34);
  Item added{.tag = 3};
  Queue queue;
  push_all(queue, few);
  CHECK(allocations_of([&] { queue.first(2); }) == 0);
  for (Item& item : few) queue.erase(item);
  CHECK(allocations_of([&] { push_all(queue, many); }) == 0);
  CHECK(allocations_of([&] { queue.first(1); }) == 0);
  CHECK(allocations_of([&] { queue.first(2); }) > 0);
  CHECK(allocations_of([&] { queue.first(2); }) == 0);
  CHECK(allocations_of([&] { queue.push_back(added); }) > 0);
  for (Item& item : many) queue.erase(item);
  CHECK(queue.first(1) == nullptr);
  CHECK(queue.first(3) == &added);
  queue.erase(added);
  CHECK(queue.empty());
  CHECK(allocations_of([&] { push_all(queue, few); }) == 0);
  CHECK(queue.first(1) == &few.front());
}

TEST_CASE("without memory to sort it a queue stays unsorted and has all its items") {
  int failures = 0;
  while (true) {
    Items items = items_with(0, 40);
    for (Item& item : items) item.tag = static_cast<std::int32_t>(item.order % 20);
    Item added{.tag = 99};
    Queue queue;
    push_all(queue, items);
    if (!lacks_memory(failures, [&] { queue.first(99); })) break;
    ++failures;
    CHECK(allocations_of([&] { queue.push_back(added); }) == 0);
    queue.erase(items[5]);
    CHECK(queue.first(5) == &items[25]);
    CHECK(queue.first(99) == &added);
  }
  CHECK(failures > 20);  // also after some of the tags
}

TEST_CASE("a sorted queue does not have an item that it has no memory for") {
  Items items = items_with(1, 40);
  Item added{.tag = 2};
  Queue queue;
  push_all(queue, items);
  CHECK(queue.first(2) == nullptr);
  CHECK(lacks_memory(0, [&] { queue.push_back(added); }));
  CHECK(queue.first(2) == nullptr);
  CHECK(std::ranges::distance(queue) == 40);
  queue.push_back(added);
  CHECK(queue.first(2) == &added);
}

TEST_CASE("a search finds what a search from the beginning finds") {
  std::mt19937 random(11);
  Items items = items_with(0, 4000);
  std::vector<Item*> naive;
  Queue queue;
  for (Item& item : items) {
    item.tag = static_cast<std::int32_t>(random() % 8);
    queue.push_back(item);
    naive.push_back(&item);
    // The queue grows past its front, is emptied, and so on.
    for (unsigned i = naive.size() > 150 ? 150 : random() % 2; i > 0; --i) {
      const auto at = naive.begin() + static_cast<std::ptrdiff_t>(random() % naive.size());
      queue.erase(**at);
      naive.erase(at);
    }
    const auto one = static_cast<std::int32_t>(random() % 10);
    const auto other = static_cast<std::int32_t>(random() % 10);
    const auto found = std::ranges::find_if(
        naive, [=](const Item* each) { return each->tag == one || each->tag == other; });
    REQUIRE(queue.first(one, other, &Item::order) == (found == naive.end() ? nullptr : *found));
    REQUIRE(std::ranges::equal(queue, naive, {}, [](Item& each) { return &each; }));
  }
}

}  // namespace
}  // namespace atl::p2p
