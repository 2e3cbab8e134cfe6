// A queue whose items are found by tag, the oldest first, in a time that does not depend on the
// number of other items.
//
// The wanted item is mostly near the front. The first search that does not find it there also
// sorts the queue by tag, and the queue then stays sorted until it is empty. An Item has a member
// `tag` and two links.
#pragma once

#include <boost/intrusive/list.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>

#include "base/check.h"

namespace atl::p2p {

using Link =
    boost::intrusive::list_member_hook<boost::intrusive::link_mode<boost::intrusive::safe_link>>;

// For long queues only: not even initialised in the others.
using TagLink =
    boost::intrusive::list_member_hook<boost::intrusive::link_mode<boost::intrusive::normal_link>>;

template <class Item, Link Item::*InOrder, TagLink Item::*OfTag>
class TagQueue {
 public:
  bool empty() const { return all_.empty(); }
  Item& front() { return all_.front(); }

  void push_back(Item& item) {
    if (__builtin_expect(by_tag_ != nullptr, 0)) {
      (*by_tag_)[item.tag].push_back(item);  // may throw
    }
    all_.push_back(item);
  }
  void erase(Item& item) {
    all_.erase(all_.iterator_to(item));
    if (__builtin_expect(by_tag_ != nullptr, 0)) unsort(item);
  }

  // The oldest item with this tag, or null.
  Item* first(std::int32_t tag) {
    Item* found = nullptr;
    if (in_front([=](const Item& item) { return item.tag == tag; }, found)) return found;
    return first_sorted(tag);
  }
  // The oldest item with either of these tags, or null.
  Item* first(std::int32_t tag, std::int32_t other, std::uint64_t Item::*order) {
    Item* found = nullptr;
    const auto matches = [=](const Item& item) { return item.tag == tag || item.tag == other; };
    if (in_front(matches, found)) return found;
    return earlier(first_sorted(tag), first_sorted(other), order);
  }

  // The one that is earlier by `order`; either may be null.
  static Item* earlier(Item* one, Item* other, std::uint64_t Item::*order) {
    if (one == nullptr || other == nullptr) return one != nullptr ? one : other;
    return one->*order < other->*order ? one : other;
  }

  auto begin() { return all_.begin(); }
  auto end() { return all_.end(); }
  auto begin() const { return all_.begin(); }
  auto end() const { return all_.end(); }

 private:
  static constexpr int kFront = 32;

  template <class Hook, Hook Item::*hook>
  using List = boost::intrusive::list<Item, boost::intrusive::member_hook<Item, Hook, hook>,
                                      boost::intrusive::constant_time_size<false>>;

  // Searches the front. False: a match may be further behind, and the queue is now sorted.
  template <class Matches>
  bool in_front(Matches matches, Item*& found) {
    if (by_tag_ != nullptr) return false;
    int searched = 0;
    for (Item& item : all_) {
      if (matches(item)) {
        found = &item;
        return true;
      }
      if (++searched > kFront) {
        sort();
        return false;
      }
    }
    return true;
  }
  Item* first_sorted(std::int32_t tag) {
    const auto found = by_tag_->find(tag);
    return found == by_tag_->end() ? nullptr : &found->second.front();
  }

  [[gnu::cold]] void sort() {
    auto sorted = std::make_unique<ByTag>();
    try {
      for (Item& item : all_) (*sorted)[item.tag].push_back(item);
    } catch (...) {  // no memory: the queue stays unsorted
      for (auto& [tag, items] : *sorted) items.clear();
      throw;
    }
    by_tag_ = std::move(sorted);
  }
  [[gnu::cold]] void unsort(Item& item) {
    const auto found = by_tag_->find(item.tag);
    ATL_DCHECK(found != by_tag_->end());
    found->second.erase(found->second.iterator_to(item));
    if (found->second.empty()) by_tag_->erase(found);
    if (all_.empty()) by_tag_.reset();
  }

  using ByTag = std::unordered_map<std::int32_t, List<TagLink, OfTag>>;

  List<Link, InOrder> all_;
  std::unique_ptr<ByTag> by_tag_;  // without empty lists; null: not sorted
};

}  // namespace atl::p2p
