#include "runtime/fortran/predefined_callbacks.h"

#include "runtime/fortran/callbacks.h"
#include "runtime/fortran/entry_point.h"

namespace atl::fortran {
namespace {

template <class Integer>
void null_copy(MPI_Fint* flag, MPI_Fint* ierror) {
  *flag = 0;
  *ierror = MPI_SUCCESS;
}

template <class Integer>
void dup(const Integer* in, Integer* out, MPI_Fint* flag, MPI_Fint* ierror) {
  *out = *in;
  *flag = 1;
  *ierror = MPI_SUCCESS;
}

}  // namespace

// The callbacks for one kind of object: mpi_comm_null_copy_fn_, mpi_comm_dup_fn_,
// mpi_comm_null_delete_fn_.
#define ATL_PREDEFINED(kind, Integer)                                                         \
  FORTRAN void mpi_##kind##null_copy_fn_(MPI_Fint*, MPI_Fint*, Integer*, Integer*, Integer*,  \
                                         MPI_Fint* flag, MPI_Fint* ierror) {                  \
    null_copy<Integer>(flag, ierror);                                                         \
  }                                                                                           \
  FORTRAN void mpi_##kind##dup_fn_(MPI_Fint*, MPI_Fint*, Integer*, Integer* in, Integer* out, \
                                   MPI_Fint* flag, MPI_Fint* ierror) {                        \
    dup(in, out, flag, ierror);                                                               \
  }                                                                                           \
  FORTRAN void mpi_##kind##null_delete_fn_(MPI_Fint*, MPI_Fint*, Integer*, Integer*,          \
                                           MPI_Fint* ierror) {                                \
    *ierror = MPI_SUCCESS;                                                                    \
  }

ATL_PREDEFINED(, MPI_Fint)
ATL_PREDEFINED(comm_, MPI_Aint)
ATL_PREDEFINED(type_, MPI_Aint)
ATL_PREDEFINED(win_, MPI_Aint)

#undef ATL_PREDEFINED

namespace {

template <class... Procedures>
bool is_one_of(const void* procedure, Procedures*... all) {
  return ((procedure == reinterpret_cast<const void*>(all)) || ...);
}

}  // namespace

bool is_null_copy_fn(const void* procedure) {
  return is_one_of(procedure, mpi_null_copy_fn_, mpi_comm_null_copy_fn_, mpi_type_null_copy_fn_,
                   mpi_win_null_copy_fn_);
}

bool is_dup_fn(const void* procedure) {
  return is_one_of(procedure, mpi_dup_fn_, mpi_comm_dup_fn_, mpi_type_dup_fn_, mpi_win_dup_fn_);
}

bool is_null_delete_fn(const void* procedure) {
  return is_one_of(procedure, mpi_null_delete_fn_, mpi_comm_null_delete_fn_,
                   mpi_type_null_delete_fn_, mpi_win_null_delete_fn_);
}

}  // namespace atl::fortran
