// The callbacks that the standard defines, as Fortran procedures: MPI_COMM_DUP_FN, ...
#pragma once

namespace atl::fortran {

// Is it one of them, by its address?
bool is_null_copy_fn(const void* procedure);
bool is_dup_fn(const void* procedure);
bool is_null_delete_fn(const void* procedure);

}  // namespace atl::fortran
