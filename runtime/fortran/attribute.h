// Attributes in Fortran are integers (MPI 5.0, 19.3.7). C gets a value set in Fortran as the
// address of an integer; Fortran gets a value set in C as the address converted to an integer.
#pragma once

#include <mpi.h>

namespace atl::fortran {

// For C: the address of a cell that holds `value` and is never freed.
void* attribute_in_c(MPI_Aint value);

// The value in Fortran of an attribute value in C.
MPI_Aint attribute_of_c(void* value);

// The same, also for predefined keyvals, for which C gets the address of the value.
MPI_Aint attribute_of_c(void* value, int keyval);

template <class Integer>
void* attribute(const Integer* value) {
  return attribute_in_c(*value);
}

// An attribute that C returns. The variable is unchanged when the attribute is not set.
template <class Integer>
class OutAttribute {
 public:
  OutAttribute(Integer* variable, int keyval) : variable_(variable), keyval_(keyval) {}
  OutAttribute(const OutAttribute&) = delete;
  OutAttribute& operator=(const OutAttribute&) = delete;
  ~OutAttribute() {
    if (value_ != &value_) *variable_ = static_cast<Integer>(attribute_of_c(value_, keyval_));
  }

  operator void*() { return &value_; }

 private:
  Integer* variable_;
  int keyval_;
  void* value_ = &value_;  // unchanged: no program sets this value
};

}  // namespace atl::fortran
