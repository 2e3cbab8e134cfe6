// Matching (MPI 5.0, 3.5): for each context, the posted receives and the unexpected messages.
//
// Receives that name their source are queued by source, receives from MPI_ANY_SOURCE in one queue
// of the context; `post_order` decides between the two. Messages are queued by source and, all
// together, in order of arrival. So matching with a named source searches the queue of that
// source only, and the queues find a tag without visiting entries with other tags.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/check.h"
#include "runtime/core/process.h"
#include "runtime/p2p/packet.h"
#include "runtime/p2p/reassembly.h"
#include "runtime/p2p/request.h"
#include "runtime/p2p/source_table.h"
#include "runtime/p2p/tag_queue.h"

namespace atl::p2p {

struct Unexpected;

// A message that arrived before its receive.
struct Unexpected {
  Unexpected() = default;
  Unexpected(const Unexpected&) = delete;
  Unexpected& operator=(const Unexpected&) = delete;
  ~Unexpected() {
    if (rest != nullptr) rest->retarget({});
    process.activity.unexpected_bytes -= held;
  }

  std::int32_t source = 0;  // rank in the communicator
  std::int32_t tag = 0;
  std::uint64_t bytes = 0;
  datatype::Signature signature = 0;
  std::uint32_t sender = 0;  // rank in the job
  bool is_rts = false;       // the data is still at the sender
  bool ready = false;        // sent in ready mode, which requires a posted receive
  std::uint32_t rendezvous = kNoRendezvous;
  std::unique_ptr<std::byte[]> data;  // unless is_rts
  std::uint64_t arrived = 0;          // bytes of data that are here
  std::uint64_t held = 0;             // bytes of memory, as counted in process.activity
  Reassembly* rest = nullptr;         // delivers the remaining bytes; null: all arrived
  Link from_source;
  TagLink from_source_tagged;
  Link from_all;
  TagLink from_all_tagged;
};

inline bool tags_match(std::int32_t wanted, std::int32_t tag) {
  return wanted == tag || wanted == MPI_ANY_TAG;
}

class MatchContext {
 public:
  using PostedQueue = TagQueue<Request, &Request::link, &Request::tagged>;

  explicit MatchContext(shm::ContextId id) : id_(id) {}
  ~MatchContext();

  shm::ContextId id() const { return id_; }

  // Sets its place in the posting order, which includes receives that match a message at once.
  void number(Request& receive) { receive.post_order = next_post_++; }
  void post(Request& receive) {
    ATL_DCHECK(receive.kind == RequestKind::receive);
    number(receive);
    receive.stage = Stage::posted;
    queue_of(receive).push_back(receive);
    ++posted_;
  }
  void unpost(Request& receive) {
    ATL_DCHECK(posted_ != 0);
    queue_of(receive).erase(receive);
    --posted_;
  }
  // Hot path of find_posted() and unpost(): the posted receive that matches the next message of
  // `source`, if it is that source's oldest and none is posted for MPI_ANY_SOURCE; else null.
  Request* first_posted(std::int32_t source, std::int32_t tag, PostedQueue*& queue) {
    if (!posted_any_.empty()) return nullptr;
    Source* const known = sources_.find(source);
    if (known == nullptr || known->posted.empty()) return nullptr;
    queue = &known->posted;
    return tags_match(queue->front().tag, tag) ? &queue->front() : nullptr;
  }
  void unpost_first(PostedQueue& queue) {
    ATL_DCHECK(posted_ != 0);
    queue.erase(queue.front());
    --posted_;
  }
  // The posted receive that matches a message: the first posted of all that match.
  Request* find_posted(std::int32_t source, std::int32_t tag);
  // True when no posted receive can match a message from `source`.
  bool none_posted_for(std::int32_t source) const {
    if (posted_ == 0) return true;
    if (!posted_any_.empty()) return false;
    const Source* const known = sources_.find(source);
    return known == nullptr || known->posted.empty();
  }

  // On std::bad_alloc nothing has changed.
  void enqueue(std::unique_ptr<Unexpected> message);
  // The message that matches a receive or probe: the first that arrived of all that match. It
  // stays queued until take().
  Unexpected* find_unexpected(std::int32_t source, std::int32_t tag);
  std::unique_ptr<Unexpected> take(Unexpected& message);
  bool none_unexpected_from(std::int32_t source) const {
    if (unexpected_.empty()) return true;
    const Source* const known = sources_.find(source);
    return known == nullptr || known->unexpected.empty();
  }
  bool none_unexpected() const { return unexpected_.empty(); }
  bool none_posted() const { return posted_ == 0; }

  template <class Visit>
  void for_each_unexpected(Visit visit) const {
    for (const Unexpected& message : unexpected_) visit(id_, message);
  }
  // Forgets the messages for which over(message) is true.
  template <class Over>
  void drop_if(Over over) {
    for (auto it = unexpected_.begin(); it != unexpected_.end();) {
      Unexpected& message = *it;
      ++it;
      if (over(message)) take(message);
    }
  }

 private:
  struct Source {
    explicit Source(std::int32_t of) : rank(of) {}

    std::int32_t rank;  // in the communicator
    PostedQueue posted;
    TagQueue<Unexpected, &Unexpected::from_source, &Unexpected::from_source_tagged> unexpected;
  };

  PostedQueue& queue_of(const Request& receive) {
    return receive.peer == MPI_ANY_SOURCE ? posted_any_ : sources_.get(receive.peer).posted;
  }

  shm::ContextId id_;
  SourceTable<Source> sources_;
  PostedQueue posted_any_;
  TagQueue<Unexpected, &Unexpected::from_all, &Unexpected::from_all_tagged> unexpected_;
  std::size_t posted_ = 0;  // receives in all the queues
  std::uint64_t next_post_ = 0;
};

// Every context that this process has seen, including those in which a message arrived before the
// communicator was made here.
class MatchContexts {
 public:
  MatchContexts() { pages_.fill(&nothing_); }

  MatchContext& get(shm::ContextId id) {
    MatchContext* context = find(id);
    return __builtin_expect(context != nullptr, 1) ? *context : add(id);
  }
  // Null when this process does not know the context.
  MatchContext* find(shm::ContextId id) {
    MatchContext* context = entry(id).get();
    return context != nullptr && context->id() == id ? context : nullptr;
  }
  // The context of an arriving message. Null when the number already belongs to a later
  // communicator: the message was left over from one that is freed.
  MatchContext* for_arrival(shm::ContextId id);
  // Calls visit(context, message) for each unexpected message.
  template <class Visit>
  void for_each_unexpected(Visit visit) const {
    for_each([&](const MatchContext& context) { context.for_each_unexpected(visit); });
  }
  // Forgets the messages for which over(message) is true.
  template <class Over>
  void drop_if(Over over) {
    for_each([&](MatchContext& context) { context.drop_if(over); });
  }
  // Discards a context that this rank has released.
  void drop(shm::ContextId id);

 private:
  // By number, in pages that are allocated on demand: there are few numbers, but they may be high.
  static constexpr std::size_t kPage = 1024;
  static constexpr std::size_t kPages = 2 * shm::ContextRegistry::kContexts / kPage;
  using Page = std::array<std::unique_ptr<MatchContext>, kPage>;

  // The number in the upper bits; bit 31, the mark of the collective context, becomes bit 0.
  static std::size_t index(shm::ContextId id) {
    return std::rotl(id, 1) & (2 * shm::ContextRegistry::kContexts - 1);
  }
  std::unique_ptr<MatchContext>& entry(shm::ContextId id) const {
    return (*pages_[index(id) / kPage])[index(id) % kPage];
  }
  MatchContext& add(shm::ContextId id);
  template <class Visit>
  void for_each(Visit visit) const {
    for (const auto& page : made_) {
      for (const auto& context : *page) {
        if (context != nullptr) visit(*context);
      }
    }
  }

  static inline Page nothing_;  // stands for each page that is not allocated; stays empty
  std::array<Page*, kPages> pages_;
  std::vector<std::unique_ptr<Page>> made_;  // in no order
};

}  // namespace atl::p2p
