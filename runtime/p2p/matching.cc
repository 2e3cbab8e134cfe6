#include "runtime/p2p/matching.h"

#include "runtime/core/process.h"

namespace atl::p2p {

MatchContext::~MatchContext() {
  for (auto& source : sources_) source->unexpected.clear();
  arrival_.clear_and_dispose([](Unexpected* message) {
    delete message;
    --process.activity.unexpected;
  });
}

void MatchContext::add_sources(std::int32_t last) {
  while (!known(last)) sources_.push_back(std::make_unique<Source>());
}

namespace {

Request* first_for(RequestList& queue, std::int32_t tag) {
  for (Request& receive : queue) {
    if (tags_match(receive.tag, tag)) return &receive;
  }
  return nullptr;
}

}  // namespace

Request* MatchContext::find_posted(std::int32_t source, std::int32_t tag) {
  if (posted_ == 0) return nullptr;
  Request* named = known(source) ? first_for(this->source(source).posted, tag) : nullptr;
  if (posted_any_.empty()) return named;
  Request* any = first_for(posted_any_, tag);
  if (named == nullptr || any == nullptr) return named != nullptr ? named : any;
  return named->post_order < any->post_order ? named : any;
}

void MatchContext::keep(std::unique_ptr<Unexpected> message) {
  Unexpected* kept = message.release();
  source(kept->source).unexpected.push_back(*kept);
  arrival_.push_back(*kept);
  ++process.activity.unexpected;
}

Unexpected* MatchContext::find_unexpected(std::int32_t source, std::int32_t tag) {
  if (source == MPI_ANY_SOURCE) {
    for (Unexpected& message : arrival_) {
      if (tags_match(tag, message.tag)) return &message;
    }
    return nullptr;
  }
  if (!known(source)) return nullptr;
  for (Unexpected& message : this->source(source).unexpected) {
    if (tags_match(tag, message.tag)) return &message;
  }
  return nullptr;
}

std::unique_ptr<Unexpected> MatchContext::take(Unexpected& message) {
  auto& queue = source(message.source).unexpected;
  queue.erase(queue.iterator_to(message));
  arrival_.erase(arrival_.iterator_to(message));
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
