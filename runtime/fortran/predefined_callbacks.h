// The predefined callbacks as Fortran procedures: MPI_COMM_DUP_FN, ...
#pragma once

namespace atl::fortran {

// Whether `procedure` is the address of one of them.
bool is_null_copy_fn(const void* procedure);
bool is_dup_fn(const void* procedure);
bool is_null_delete_fn(const void* procedure);

}  // namespace atl::fortran
