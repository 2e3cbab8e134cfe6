#include "runtime/p2p/wait_set.h"

#include <algorithm>
#include <cstring>

#include "runtime/p2p/blocking.h"
#include "runtime/p2p/resolved.h"

namespace atl::p2p {

void WaitSet::forget(int place) {
  MPI_Request& handle = known_[static_cast<std::size_t>(place)];
  Request* const request = find_request(handle);
  handle = MPI_REQUEST_NULL;
  if (request == nullptr) return;
  for (Request* half : {request, request->other}) {
    if (half == nullptr || half->counter != &counter_) continue;
    half->counter = nullptr;
    --counter_.incomplete;
  }
}

void WaitSet::start_anew(int count) {
  for (int place = 0; place < static_cast<int>(known_.size()); ++place) forget(place);
  places_.clear();
  next_ = 0;
  const auto size = static_cast<std::size_t>(count);
  // Reserves all places, so that a completion need not allocate.
  places_.reserve(size);
  known_.assign(size, MPI_REQUEST_NULL);
}

// Registers a handle that the array did not have at that place before.
Error WaitSet::look_at(int place, MPI_Request handle) {
  forget(place);
  Request* request = nullptr;
  if (Error error = look_up(place, handle, request)) return error;
  if (request == nullptr) return {};
  known_[static_cast<std::size_t>(place)] = handle;
  if (request->complete()) {
    places_.push_back(static_cast<std::uint32_t>(place));
    return {};
  }
  Request& half = incomplete_half(*request);
  if (half.counter != nullptr) leave_counter(half);
  half.counter = &counter_;
  half.place = static_cast<std::uint32_t>(place);
  ++counter_.incomplete;
  return {};
}

// Compares the array with known_ and registers the places that have changed.
Error WaitSet::scan(int count, const MPI_Request* handles) {
  constexpr int kTogether = 64;
  if (static_cast<std::size_t>(count) != known_.size()) start_anew(count);
  const std::size_t found = places_.size();
  for (int from = 0; from < count; from += kTogether) {
    const int end = std::min(from + kTogether, count);
    const auto bytes = static_cast<std::size_t>(end - from) * sizeof *handles;
    if (std::memcmp(&known_[static_cast<std::size_t>(from)], handles + from, bytes) == 0) continue;
    for (int place = from; place < end; ++place) {
      if (known_[static_cast<std::size_t>(place)] == handles[place]) continue;
      if (Error error = look_at(place, handles[place])) return error;
    }
  }
  const auto order = [&](std::uint32_t place) {
    const Request* const request = find_request(handles[place]);
    return request == nullptr ? 0 : completion_order(*request);
  };
  std::ranges::stable_sort(places_.begin() + static_cast<std::ptrdiff_t>(found), places_.end(), {},
                           order);
  return {};
}

// The next of places_ whose request is complete, or -1. At the places that it skips the array has
// another handle by now, or an inactive one: the next scan() registers those again.
int WaitSet::take(const MPI_Request* handles) {
  while (next_ < places_.size()) {
    const std::uint32_t place = places_[next_++];
    forget(static_cast<int>(place));
    Request* request = nullptr;
    if (!look_up(static_cast<int>(place), handles[place], request) && request != nullptr &&
        request->complete()) {
      return static_cast<int>(place);
    }
  }
  places_.clear();
  next_ = 0;
  return -1;
}

Error WaitSet::find_one(int count, const MPI_Request* handles, bool wait, Found& found) {
  engine->poll_now_and_then();
  const bool same = static_cast<std::size_t>(count) == known_.size();
  found = {same ? take(handles) : -1, true};
  while (found.index < 0) {
    if (Error error = scan(count, handles)) return error;
    found = {take(handles), true};
    if (found.index >= 0) break;
    if (counter_.incomplete == 0) {
      found.any = false;
      break;
    }
    if (wait) {
      this->wait();
    } else {
      engine->poll();
    }
    found.index = take(handles);
    if (!wait) break;
  }
  return {};
}

Error WaitSet::find_some(int count, const MPI_Request* handles, bool wait, int* outcount,
                         int* indices) {
  Found found{};
  if (Error error = find_one(count, handles, wait, found)) return error;
  *outcount = found.any ? 0 : MPI_UNDEFINED;
  if (found.index < 0) return {};
  // Finds the same request again, and all that have completed meanwhile.
  if (Error error = scan(count, handles)) return error;
  for (int place = 0; (place = take(handles)) >= 0;) indices[(*outcount)++] = place;
  std::sort(indices, indices + *outcount);
  return {};
}

void WaitSet::wait() {
  const WaitDescription description{.any = true, .list = list, .listed = this, .update = update};
  block_until([this] { return !places_.empty(); }, description);
}

namespace {

bool incomplete(MPI_Request handle, Request*& request) {
  request = find_request(handle);
  return request != nullptr && request->active();
}

}  // namespace

void WaitSet::update(const void* self, WaitDescription& now) {
  const auto& set = *static_cast<const WaitSet*>(self);
  Request* first = nullptr;
  for (const MPI_Request handle : set.known_) {
    if (incomplete(handle, first)) break;
    first = nullptr;
  }
  describe_several(first, set.counter_.incomplete, now);
}

void WaitSet::list(const void* self, std::vector<WaitDescription>& into) {
  Request* request = nullptr;
  for (const MPI_Request handle : static_cast<const WaitSet*>(self)->known_) {
    if (incomplete(handle, request)) into.push_back(p2p::wait_description(*request));
  }
}

}  // namespace atl::p2p
