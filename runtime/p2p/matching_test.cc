// Matching compared with lists that are searched from their beginning.
#include "runtime/p2p/matching.h"

#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace atl::p2p {
namespace {

constexpr int kSources = 3;
constexpr int kTags = 6;

// Draws sources and tags, sometimes MPI_ANY_SOURCE and MPI_ANY_TAG.
class Draw {
 public:
  explicit Draw(unsigned seed) : random_(seed) {}

  int below(int end) { return static_cast<int>(random_() % static_cast<unsigned>(end)); }
  int source() { return below(kSources); }
  int tag() { return below(kTags); }
  int source_or_any() { return below(4) == 0 ? MPI_ANY_SOURCE : source(); }
  int tag_or_any() { return below(4) == 0 ? MPI_ANY_TAG : tag(); }

 private:
  std::mt19937 random_;
};

// Whether a receive with `source` and `tag` matches a message with `from` and `with`.
bool meet(int source, int tag, int from, int with) {
  return (source == MPI_ANY_SOURCE || source == from) && (tag == MPI_ANY_TAG || tag == with);
}

template <class Item>
void remove(std::vector<Item*>& list, Item* item) {
  list.erase(std::find(list.begin(), list.end(), item));
}

TEST_CASE("a message matches the first posted of the receives that match") {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    Draw draw(seed);
    MatchContext context(1);
    std::vector<Request> receives(3000);
    std::vector<Request*> naive;
    for (Request& receive : receives) {
      receive.kind = RequestKind::receive;
      receive.peer = draw.source_or_any();
      receive.tag = draw.tag_or_any();
      context.post(receive);
      naive.push_back(&receive);
      // Queues grow past the length from which they are sorted, and shrink again.
      const int messages = naive.size() > 400 ? 300 : draw.below(2);
      for (int i = 0; i < messages; ++i) {
        const int from = draw.source();
        const int with = draw.tag();
        const auto wanted = std::ranges::find_if(
            naive, [&](const Request* each) { return meet(each->peer, each->tag, from, with); });
        Request* found = context.find_posted(from, with);
        REQUIRE(found == (wanted == naive.end() ? nullptr : *wanted));
        MatchContext::PostedQueue* queue = nullptr;
        if (Request* first = context.first_posted(from, with, queue)) REQUIRE(first == found);
        if (found == nullptr) continue;
        context.unpost(*found);
        remove(naive, found);
      }
      if (draw.below(20) == 0 && !naive.empty()) {  // cancelled
        Request* any = naive[static_cast<std::size_t>(draw.below(static_cast<int>(naive.size())))];
        context.unpost(*any);
        remove(naive, any);
      }
    }
    for (Request* left : naive) context.unpost(*left);
    CHECK(context.none_posted());
  }
}

TEST_CASE("a receive matches the first arrived of the messages that match") {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    Draw draw(seed);
    MatchContext context(1);
    std::vector<Unexpected*> naive;
    for (int message = 0; message < 3000; ++message) {
      auto arrived = std::make_unique<Unexpected>();
      arrived->source = draw.source();
      arrived->tag = draw.tag();
      naive.push_back(arrived.get());
      context.enqueue(std::move(arrived));
      const int receives = naive.size() > 400 ? 300 : draw.below(2);
      for (int i = 0; i < receives; ++i) {
        const int source = draw.source_or_any();
        const int tag = draw.tag_or_any();
        const auto wanted = std::ranges::find_if(naive, [&](const Unexpected* each) {
          return meet(source, tag, each->source, each->tag);
        });
        Unexpected* found = context.find_unexpected(source, tag);
        REQUIRE(found == (wanted == naive.end() ? nullptr : *wanted));
        if (found == nullptr) continue;
        context.take(*found);
        remove(naive, found);
      }
    }
    std::size_t left = 0;
    context.for_each_unexpected(
        [&](shm::ContextId, const Unexpected& each) { CHECK(naive[left++] == &each); });
    CHECK(left == naive.size());
  }
}

}  // namespace
}  // namespace atl::p2p
