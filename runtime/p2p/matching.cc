#include "runtime/p2p/matching.h"

#include "runtime/core/process.h"

namespace atl::p2p {

MatchContext::~MatchContext() {
  while (!unexpected_.empty()) take(unexpected_.front());
}

void MatchContext::add_sources(std::int32_t last) {
  while (!known(last)) sources_.push_back(std::make_unique<Source>());
}

Request* MatchContext::find_posted(std::int32_t source, std::int32_t tag) {
  if (posted_ == 0) return nullptr;
  const auto first = [tag](PostedQueue& queue) {
    return queue.first(tag, MPI_ANY_TAG, &Request::post_order);
  };
  Request* named = known(source) ? first(this->source(source).posted) : nullptr;
  if (posted_any_.empty()) return named;
  return PostedQueue::earlier(named, first(posted_any_), &Request::post_order);
}

void MatchContext::keep(std::unique_ptr<Unexpected> message) {
  auto& from_source = source(message->source).unexpected;
  from_source.push_back(*message);
  try {
    unexpected_.push_back(*message);
  } catch (...) {
    from_source.erase(*message);
    throw;
  }
  message.release();
  ++process.activity.unexpected;
}

Unexpected* MatchContext::find_unexpected(std::int32_t source, std::int32_t tag) {
  const auto first = [tag](auto& queue) {
    if (tag != MPI_ANY_TAG) return queue.first(tag);
    return queue.empty() ? nullptr : &queue.front();
  };
  if (source == MPI_ANY_SOURCE) return first(unexpected_);
  return known(source) ? first(this->source(source).unexpected) : nullptr;
}

std::unique_ptr<Unexpected> MatchContext::take(Unexpected& message) {
  source(message.source).unexpected.erase(message);
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
