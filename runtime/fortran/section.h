// Sections of arrays as arguments of mpi_f08 (MPI 5.0, 19.1.12): what is not contiguous is sent
// and received where it lies, through a datatype made from its descriptor. The datatype is freed
// after the call; an operation under way keeps it alive.
//
// Each class stands for the address, count and datatype that C is given: those of the call
// where the array is contiguous, and else its own.
#pragma once

#include <mpi.h>

#include "runtime/fortran/descriptor.h"
#include "runtime/fortran/staged.h"

namespace atl::fortran {

// A datatype that this call made; or somebody else's.
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

// `count` elements of a datatype, counted in the elements of the section as if they followed each
// other without gaps: as one element of a new datatype. MPI_DATATYPE_NULL where there is nothing
// to describe, because `count` or `datatype` is wrong; C then says so.
MPI_Datatype describe(const Descriptor& array, MPI_Count count, MPI_Datatype datatype);

// One of several blocks of `count` elements each, one after the other; MPI_DATATYPE_NULL where
// they do not all lie in the section in the same way.
MPI_Datatype describe_block(const Descriptor& array, MPI_Count count, MPI_Datatype datatype);

// A datatype that takes the place of `datatype` everywhere in the section, at any displacement;
// MPI_DATATYPE_NULL where there is none.
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
