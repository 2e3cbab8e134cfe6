// One call in all its forms: blocking, non-blocking, persistent, each with plain and with
// large counts.
#pragma once

#include <mpi.h>

#include <numeric>
#include <type_traits>
#include <vector>

#include "test/check.h"

namespace coll {

enum class Form { blocking, nonblocking, persistent, count };
constexpr const char* kForms[] = {"blocking", "non-blocking", "persistent"};

// MPICH 4.0 fails between groups unless it blocks.
inline Form draw_form(unsigned number, bool between_groups) {
  if (between_groups && !check::on_atoll()) return Form::blocking;
  return Form(number % unsigned(Form::count));
}

// Buffers of a call, which a persistent one finds with other contents at its first start.
// Buffer has change() and restore(from).
template <class Buffer>
class Contents {
 public:
  explicit Contents(std::vector<Buffer*> buffers) : buffers_(std::move(buffers)) {
    for (const Buffer* buffer : buffers_) wanted_.push_back(*buffer);
  }
  void others() {
    for (Buffer* buffer : buffers_) buffer->change();
  }
  void wanted() {
    for (std::size_t i = 0; i < buffers_.size(); ++i) buffers_[i]->restore(wanted_[i]);
  }

 private:
  std::vector<Buffer*> buffers_;
  std::vector<Buffer> wanted_;
};

inline int start_and_wait(MPI_Request& request) {
  const int code = MPI_Start(&request);
  return code != MPI_SUCCESS ? code : MPI_Wait(&request, MPI_STATUS_IGNORE);
}

// The error code; what fails is not started.
template <class Contents, class Blocking, class Starting, class Making>
int call(Form form, Contents contents, Blocking blocking, Starting starting, Making making) {
  if (form == Form::blocking) return blocking();
  MPI_Request request = MPI_REQUEST_NULL;
  if (form == Form::nonblocking) {
    const int code = starting(&request);
    return code != MPI_SUCCESS ? code : MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  if (const int code = making(&request); code != MPI_SUCCESS) return code;
  if (check::on_atoll()) {  // MPICH 4.0 can start a persistent collective only once
    contents.others();
    if (const int code = start_and_wait(request); code != MPI_SUCCESS) return code;
    contents.wanted();
  }
  const int code = start_and_wait(request);
  MPI_Request_free(&request);
  return code;
}

// All three forms of an MPI function with the same arguments.
#define CALL_FORMS(form, contents, blocking, starting, making, ...)         \
  coll::call(                                                               \
      form, contents, [&] { return blocking(__VA_ARGS__); },                \
      [&](MPI_Request* request) { return starting(__VA_ARGS__, request); }, \
      [&](MPI_Request* request) { return making(__VA_ARGS__, MPI_INFO_NULL, request); })

// And those with large counts.
#define CALL(form, large, contents, name, iname, ...)                                         \
  ((large) ? CALL_FORMS(form, contents, MPI_##name##_c, MPI_##iname##_c, MPI_##name##_init_c, \
                        __VA_ARGS__)                                                          \
           : CALL_FORMS(form, contents, MPI_##name, MPI_##iname, MPI_##name##_init, __VA_ARGS__))

// An argument of either.
class Numbers {
 public:
  void push_back(int number) {
    narrow_.push_back(number);
    wide_.push_back(number);
  }
  // Of the first `end` of them.
  int sum(int end) const { return std::accumulate(narrow_.begin(), narrow_.begin() + end, 0); }
  operator const int*() const { return narrow_.data(); }
  operator const MPI_Count*() const { return wide_.data(); }

 private:
  std::vector<int> narrow_;
  std::vector<MPI_Count> wide_;
};
static_assert(std::is_same_v<MPI_Count, MPI_Aint>);

}  // namespace coll
