// Attributes in Fortran are integers (MPI 5.0, 19.3.7). What Fortran sets, C gets as the address of
// the integer; what C sets, Fortran gets as the number of the address.
#pragma once

#include <mpi.h>

namespace atl::fortran {

// For C: the address of a cell that holds `value` for good.
void* attribute_in_c(MPI_Aint value);

// What Fortran sees of C's value.
MPI_Aint attribute_of_c(void* value);

// The same for a keyval of the standard's, for which C gets the address of the value itself.
MPI_Aint attribute_of_c(void* value, int keyval);

template <class Integer>
void* attribute(const Integer* value) {
  return attribute_in_c(*value);
}

// An attribute that C gives; where there is none, the variable stays as it was.
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
  void* value_ = &value_;  // none that a program sets
};

}  // namespace atl::fortran
