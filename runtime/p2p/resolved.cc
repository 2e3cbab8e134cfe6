#include "runtime/p2p/resolved.h"

#include <string>

#include "runtime/p2p/blocking.h"

namespace atl::p2p {

Error bad_request(int index, MPI_Request handle) {
  if (index == kNoArray) return bad_handle(HandleKind::request, "request", handle);
  const std::string name = "array_of_requests[" + std::to_string(index) + "]";
  return bad_handle(HandleKind::request, name.c_str(), handle);
}

void describe_several(const Request* first, std::size_t incomplete, WaitDescription& now) {
  const WaitDescription several = now;
  if (first != nullptr) now = wait_description(*first);
  now.requests = static_cast<std::uint32_t>(incomplete);
  now.any = several.any;
  now.list = several.list;
  now.listed = several.listed;
}

Error Resolved::look_up(int count, const MPI_Request* handles) {
  requests_.resize(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    Request*& request = requests_[static_cast<std::size_t>(i)];
    if (Error error = p2p::look_up(i, handles[i], request)) return error;
    any_ |= request != nullptr;
    some_complete_ |= request != nullptr && request->complete();
  }
  return {};
}

int Resolved::find_complete() const {
  int found = -1;
  for (int i = 0; i < count(); ++i) {
    const Request* request = (*this)[i];
    if (request == nullptr || !request->complete()) continue;
    if (completion_order(*request) == 0) return i;
    if (found < 0 || completion_order(*request) < completion_order(*(*this)[found])) found = i;
  }
  return found;
}

Outstanding::Outstanding(const Resolved& requests) : requests_(requests) {
  for (int i = 0; i < requests.count(); ++i) {
    if (!requests.incomplete(i)) continue;
    ++counter_.incomplete;
    Request& half = incomplete_half(*requests[i]);
    if (half.counter != nullptr) leave_counter(half);
    half.counter = &counter_;
  }
}

Outstanding::~Outstanding() {
  if (counter_.incomplete == 0) return;
  for (int i = 0; i < requests_.count(); ++i) {
    if (requests_.incomplete(i)) incomplete_half(*requests_[i]).counter = nullptr;
  }
}

void Outstanding::wait(bool any) {
  const std::size_t enough = any ? counter_.incomplete - 1 : 0;
  const WaitDescription description{.any = any, .list = list, .listed = this, .update = update};
  block_until([&] { return counter_.incomplete <= enough; }, description);
}

void Outstanding::update(const void* self, WaitDescription& now) {
  const auto& outstanding = *static_cast<const Outstanding*>(self);
  const Resolved& requests = outstanding.requests_;
  const bool all = requests.all_complete(outstanding.first_);
  describe_several(all ? nullptr : requests[outstanding.first_], outstanding.counter_.incomplete,
                   now);
}

void Outstanding::list(const void* self, std::vector<WaitDescription>& into) {
  const Resolved& requests = static_cast<const Outstanding*>(self)->requests_;
  for (int i = 0; i < requests.count(); ++i) {
    if (requests.incomplete(i)) into.push_back(p2p::wait_description(*requests[i]));
  }
}

}  // namespace atl::p2p
