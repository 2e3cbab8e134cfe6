#include "runtime/p2p/matching.h"

#include "runtime/core/process.h"

namespace atl::p2p {

MatchContext::~MatchContext() {
  while (!unexpected_.empty()) take(unexpected_.front());
}

Request* MatchContext::find_posted(std::int32_t source, std::int32_t tag) {
  if (posted_ == 0) return nullptr;
  const auto first = [tag](PostedQueue& queue) {
    return queue.first(tag, MPI_ANY_TAG, &Request::post_order);
  };
  Source* const known = sources_.find(source);
  Request* named = known != nullptr ? first(known->posted) : nullptr;
  if (posted_any_.empty()) return named;
  return PostedQueue::earlier(named, first(posted_any_), &Request::post_order);
}

void MatchContext::keep(std::unique_ptr<Unexpected> message) {
  Unexpected& kept = *message.release();
  sources_.get(kept.source).unexpected.push_back(kept);
  unexpected_.push_back(kept);
  ++process.activity.unexpected;
}

Unexpected* MatchContext::find_unexpected(std::int32_t source, std::int32_t tag) {
  const auto first = [tag](auto& queue) {
    if (tag != MPI_ANY_TAG) return queue.first(tag);
    return queue.empty() ? nullptr : &queue.front();
  };
  if (source == MPI_ANY_SOURCE) return first(unexpected_);
  Source* const known = sources_.find(source);
  return known != nullptr ? first(known->unexpected) : nullptr;
}

std::unique_ptr<Unexpected> MatchContext::take(Unexpected& message) {
  sources_.get(message.source).unexpected.erase(message);
  unexpected_.erase(message);
  --process.activity.unexpected;
  return std::unique_ptr<Unexpected>(&message);
}

MatchContext& MatchContexts::add(shm::ContextId id) {
  const std::size_t at = index(id);
  if (at >= contexts_.size()) contexts_.resize(at + 1);
  // Another generation of the number may be there: all of its members released
  // it long ago.
  contexts_[at] = std::make_unique<MatchContext>(id);
  return *contexts_[at];
}

MatchContext* MatchContexts::for_arrival(shm::ContextId id) {
  constexpr std::uint32_t kGenerations = 0x8000;
  const std::size_t at = index(id);
  if (at < contexts_.size() && contexts_[at] != nullptr && contexts_[at]->id() != id) {
    const std::uint32_t ahead = ((contexts_[at]->id() >> 16) - (id >> 16)) % kGenerations;
    if (ahead < kGenerations / 2) return nullptr;
  }
  return &get(id);
}

void MatchContexts::drop(shm::ContextId id) {
  const std::size_t at = index(id);
  if (at < contexts_.size() && contexts_[at] != nullptr && contexts_[at]->id() == id) {
    contexts_[at].reset();
  }
}

}  // namespace atl::p2p
