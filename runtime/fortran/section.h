// Array sections as arguments of mpi_f08 (MPI 5.0, 19.1.12). A section that is not contiguous is
// sent and received in place, with a datatype made from its descriptor. The datatype is freed after
// the call; an operation under way keeps it alive.
//
// Each class holds the address, count and datatype for the C call: those of the Fortran call if
// the array is contiguous, otherwise new ones.
#pragma once

#include <mpi.h>

#include "runtime/fortran/cfi_descriptor.h"
#include "runtime/fortran/staged.h"

namespace atl::fortran {

// A datatype that this call has made and frees, or one of the program.
class CallType {
 public:
  explicit CallType(MPI_Datatype datatype) : datatype_(datatype) {}
  CallType(const CallType&) = delete;
  CallType& operator=(const CallType&) = delete;
  ~CallType() {
    if (__builtin_expect(made_, 0)) PMPI_Type_free(&datatype_);
  }

  void make(MPI_Datatype datatype) {
    datatype_ = datatype;
    made_ = true;
  }
  operator MPI_Datatype() const { return datatype_; }

 private:
  MPI_Datatype datatype_;
  bool made_ = false;
};

// A new datatype of which one element is `count` elements of `datatype` in the section, as if the
// elements of the section followed each other without gaps. MPI_DATATYPE_NULL when `count` or
// `datatype` is invalid or there is no data; C reports errors.
MPI_Datatype describe(const Descriptor& array, MPI_Count count, MPI_Datatype datatype);

// A new datatype for one of several consecutive blocks of `count` elements each. MPI_DATATYPE_NULL
// when the blocks do not all have the same layout in the section.
MPI_Datatype describe_block(const Descriptor& array, MPI_Count count, MPI_Datatype datatype);

// A new datatype that replaces `datatype` at any displacement in the section; MPI_DATATYPE_NULL
// when there is none.
MPI_Datatype describe_element(const Descriptor& array, MPI_Datatype datatype);

// The data of a message.
template <class Count>
struct Section {
  Section(const Descriptor& array, Count count, MPI_Datatype datatype, Direction,
          MPI_Fint* = nullptr, Lifetime = Lifetime::once)
      : address(address_in_c(array)), count(count), datatype(datatype) {
    if (__builtin_expect(contiguous(array), 1)) return;
    const MPI_Datatype made = describe(array, count, datatype);
    if (made == MPI_DATATYPE_NULL) return;
    this->count = 1;
    this->datatype.make(made);
  }

  void* address;
  Count count;
  CallType datatype;
};

// Data in blocks of equal length.
template <class Count>
struct Blocks {
  Blocks(const Descriptor& array, Count count, MPI_Datatype datatype, Direction direction,
         MPI_Fint* request = nullptr, Lifetime lifetime = Lifetime::once)
      : Blocks(array, count, datatype,
               contiguous(array) ? MPI_DATATYPE_NULL : describe_block(array, count, datatype),
               direction, request, lifetime) {}

  Staged staged;
  void* address;
  Count count;
  CallType datatype;

 private:
  Blocks(const Descriptor& array, Count count, MPI_Datatype datatype, MPI_Datatype made,
         Direction direction, MPI_Fint* request, Lifetime lifetime)
      : staged(array, direction, request, lifetime, made != MPI_DATATYPE_NULL),
        address(staged.address),
        count(count),
        datatype(datatype) {
    if (made == MPI_DATATYPE_NULL) return;
    this->count = 1;
    this->datatype.make(made);
  }
};

// Data in blocks of any length, at displacements in elements of the datatype.
struct Strided {
  Strided(const Descriptor& array, MPI_Datatype datatype, Direction direction,
          MPI_Fint* request = nullptr, Lifetime lifetime = Lifetime::once)
      : Strided(array, datatype,
                contiguous(array) ? MPI_DATATYPE_NULL : describe_element(array, datatype),
                direction, request, lifetime) {}

  Staged staged;
  void* address;
  CallType datatype;

 private:
  Strided(const Descriptor& array, MPI_Datatype datatype, MPI_Datatype made, Direction direction,
          MPI_Fint* request, Lifetime lifetime)
      : staged(array, direction, request, lifetime, made != MPI_DATATYPE_NULL),
        address(staged.address),
        datatype(datatype) {
    if (made != MPI_DATATYPE_NULL) this->datatype.make(made);
  }
};

}  // namespace atl::fortran
