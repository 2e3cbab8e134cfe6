// A section that a datatype cannot describe for the call, such as the data of a reduction: the call
// gets a contiguous copy. Output is copied back to the section after the call, or when the
// operation that the call started completes.
#pragma once

#include <cstddef>
#include <memory>

#include "runtime/fortran/cfi_descriptor.h"
#include "runtime/fortran/pending.h"

namespace atl::fortran {

enum class Direction { in, out };  // out: the call writes and may also read

class Staged {
 public:
  // `described`: a datatype describes the section, so no copy is needed.
  Staged(const Descriptor& array, Direction direction, MPI_Fint* request = nullptr,
         Lifetime lifetime = Lifetime::once, bool described = false)
      : address(address_in_c(array)) {
    if (__builtin_expect(contiguous(array), 1) || described) return;
    copy(array, direction, request, lifetime);
  }
  Staged(const Staged&) = delete;
  Staged& operator=(const Staged&) = delete;
  ~Staged() {
    if (__builtin_expect(copy_ != nullptr, 0)) finish();
  }

  void* address;

 private:
  [[gnu::cold]] void copy(const Descriptor& array, Direction direction, MPI_Fint* request,
                          Lifetime lifetime);
  [[gnu::cold]] void finish();

  std::unique_ptr<Pending> copy_;
  MPI_Fint* request_ = nullptr;  // of the operation that the call starts
};

}  // namespace atl::fortran
