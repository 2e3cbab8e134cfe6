#include "runtime/p2p/matching.h"

namespace atl::p2p {

MatchContext::~MatchContext() {
  for (auto& source : sources_) source->unexpected.clear();
  arrival_.clear_and_dispose([](Unexpected* message) { delete message; });
}

MatchContext::Source& MatchContext::source(std::int32_t source) {
  while (!known(source)) sources_.push_back(std::make_unique<Source>());
  return *sources_[static_cast<std::size_t>(source)];
}

void MatchContext::post(Request& receive) {
  receive.post_order = next_post_++;
  receive.stage = Stage::posted;
  RequestList& queue =
      receive.peer == MPI_ANY_SOURCE ? posted_any_ : source(receive.peer).posted;
  queue.push_back(receive);
  ++posted_;
}

void MatchContext::unpost(Request& receive) {
  RequestList& queue =
      receive.peer == MPI_ANY_SOURCE ? posted_any_ : source(receive.peer).posted;
  queue.erase(queue.iterator_to(receive));
  --posted_;
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
  return std::unique_ptr<Unexpected>(&message);
}

MatchContext& MatchContexts::get(shm::ContextId id) {
  const std::size_t at = index(id);
  if (at >= contexts_.size()) contexts_.resize(at + 1);
  auto& context = contexts_[at];
  // Another generation of the number: all of its members released it long ago.
  if (context == nullptr || context->id() != id) context = std::make_unique<MatchContext>(id);
  return *context;
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
