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

void MatchContext::enqueue(std::unique_ptr<Unexpected> message) {
  auto& from_source = sources_.get(message->source).unexpected;
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
  Page*& page = pages_[index(id) / kPage];
  if (page == &nothing_) {
    made_.push_back(std::make_unique<Page>());
    page = made_.back().get();
  }
  // The entry may hold an earlier generation of the number, which all its members released long
  // ago.
  entry(id) = std::make_unique<MatchContext>(id);
  return *entry(id);
}

MatchContext* MatchContexts::for_arrival(shm::ContextId id) {
  using shm::ContextRegistry;
  const MatchContext* known = entry(id).get();
  if (known != nullptr && known->id() != id) {
    const std::uint32_t ahead =
        (ContextRegistry::generation(known->id()) - ContextRegistry::generation(id)) %
        ContextRegistry::kGenerations;
    if (ahead < ContextRegistry::kGenerations / 2) return nullptr;
  }
  return &get(id);
}

void MatchContexts::drop(shm::ContextId id) {
  auto& context = entry(id);
  if (context != nullptr && context->id() == id) context.reset();
}

}  // namespace atl::p2p
