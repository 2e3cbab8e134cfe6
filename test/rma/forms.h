// The calls that transfer data, each in all its forms: plain and with large counts, and both with
// a request.
#pragma once

#include <mpi.h>

#include <vector>

#include "test/check.h"

namespace rma {

enum class Form { plain, large, request, request_large };
constexpr const char* kForms[] = {"", "_c", " with a request", "_c with a request"};

// Forms with a request are for passive targets.
inline std::vector<Form> forms(bool passive) {
  std::vector<Form> all = {Form::plain};
#if MPI_LEVEL >= 40
  all.push_back(Form::large);
#endif
  if (passive) all.push_back(Form::request);
#if MPI_LEVEL >= 40
  if (passive) all.push_back(Form::request_large);
#endif
  return all;
}

inline int wait_for(int code, MPI_Request& request) {
  if (code != MPI_SUCCESS) return code;
  MPI_Status status;
  const int waited = MPI_Wait(&request, &status);
  CHECK(request == MPI_REQUEST_NULL);
  return waited;
}

#if MPI_LEVEL >= 40
#define RMA_LARGE(call, ...) call(__VA_ARGS__)
#else
#define RMA_LARGE(call, ...) (check::fail(__FILE__, __LINE__, "no large counts"), 1)
#endif

// The error code of one call in the form.
#define RMA_CALL(form, name, rname, ...)                                                          \
  [&] {                                                                                           \
    MPI_Request request = MPI_REQUEST_NULL;                                                       \
    switch (form) {                                                                               \
      case rma::Form::plain: return MPI_##name(__VA_ARGS__);                                      \
      case rma::Form::large: return RMA_LARGE(MPI_##name##_c, __VA_ARGS__);                       \
      case rma::Form::request: return rma::wait_for(MPI_##rname(__VA_ARGS__, &request), request); \
      case rma::Form::request_large:                                                              \
        return rma::wait_for(RMA_LARGE(MPI_##rname##_c, __VA_ARGS__, &request), request);         \
    }                                                                                             \
    return MPI_ERR_ARG;                                                                           \
  }()

// One side of a transfer: elements in memory, or at a displacement.
struct Elements {
  int count;
  MPI_Datatype type;
};

inline void put(Form form, const void* origin, Elements from, int target, MPI_Aint disp,
                Elements to, MPI_Win win) {
  CHECK_EQ(RMA_CALL(form, Put, Rput, origin, from.count, from.type, target, disp, to.count, to.type,
                    win),
           MPI_SUCCESS);
}

inline void get(Form form, void* origin, Elements to, int target, MPI_Aint disp, Elements from,
                MPI_Win win) {
  CHECK_EQ(RMA_CALL(form, Get, Rget, origin, to.count, to.type, target, disp, from.count, from.type,
                    win),
           MPI_SUCCESS);
}

inline void accumulate(Form form, const void* origin, Elements from, int target, MPI_Aint disp,
                       Elements to, MPI_Op op, MPI_Win win) {
  CHECK_EQ(RMA_CALL(form, Accumulate, Raccumulate, origin, from.count, from.type, target, disp,
                    to.count, to.type, op, win),
           MPI_SUCCESS);
}

inline void get_accumulate(Form form, const void* origin, Elements from, void* result,
                           Elements into, int target, MPI_Aint disp, Elements to, MPI_Op op,
                           MPI_Win win) {
  CHECK_EQ(RMA_CALL(form, Get_accumulate, Rget_accumulate, origin, from.count, from.type, result,
                    into.count, into.type, target, disp, to.count, to.type, op, win),
           MPI_SUCCESS);
}

}  // namespace rma
