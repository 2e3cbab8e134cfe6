// Fortran procedures as C callbacks (MPI 5.0, 19.3.7 and 19.3.9). C calls a function of this
// library, which converts the arguments and calls the program's procedure. For callbacks with an
// extra state, that holds the procedure; for others there is one C function per slot of a table.
#pragma once

#include <mpi.h>

#include "runtime/fortran/attribute.h"

namespace atl::fortran {

// The procedures as Fortran compilers see them. A handle is an INTEGER with mpif.h and both
// modules.
using MPI_User_function = void(void* in, void* inout, MPI_Fint* len, MPI_Fint* datatype);
using MPI_User_function_c = void(void* in, void* inout, MPI_Count* len, MPI_Fint* datatype);
using Errhandler_function = void(MPI_Fint* object, MPI_Fint* error_code);
using MPI_Comm_errhandler_function = Errhandler_function;
using MPI_File_errhandler_function = Errhandler_function;
using MPI_Win_errhandler_function = Errhandler_function;
using MPI_Session_errhandler_function = Errhandler_function;
using MPI_Handler_function = Errhandler_function;

// Integer is INTEGER for the attributes of MPI-1, INTEGER(KIND=MPI_ADDRESS_KIND) for others.
template <class Integer>
using Copy_function = void(MPI_Fint* object, MPI_Fint* keyval, Integer* extra_state, Integer* in,
                           Integer* out, MPI_Fint* flag, MPI_Fint* ierror);
template <class Integer>
using Delete_function = void(MPI_Fint* object, MPI_Fint* keyval, Integer* value,
                             Integer* extra_state, MPI_Fint* ierror);
using MPI_Copy_function = Copy_function<MPI_Fint>;
using MPI_Delete_function = Delete_function<MPI_Fint>;
using MPI_Comm_copy_attr_function = Copy_function<MPI_Aint>;
using MPI_Comm_delete_attr_function = Delete_function<MPI_Aint>;
using MPI_Type_copy_attr_function = Copy_function<MPI_Aint>;
using MPI_Type_delete_attr_function = Delete_function<MPI_Aint>;
using MPI_Win_copy_attr_function = Copy_function<MPI_Aint>;
using MPI_Win_delete_attr_function = Delete_function<MPI_Aint>;

using MPI_Grequest_query_function = void(MPI_Aint* extra_state, MPI_Fint* status, MPI_Fint* ierror);
using MPI_Grequest_free_function = void(MPI_Aint* extra_state, MPI_Fint* ierror);
using MPI_Grequest_cancel_function = void(MPI_Aint* extra_state, MPI_Fint* complete,
                                          MPI_Fint* ierror);

// The C function for the Fortran procedure of a reduction operation or error handler. A procedure
// always gets the same function. Null when all slots are used (callbacks.cc).
template <class CFunction, class Procedure>
CFunction* closure(Procedure* procedure);

// The C callbacks of a keyval.
template <class Handle>
struct KeyvalCallbacks {
  int (*copy)(Handle, int keyval, void* extra_state, void* in, void* out, int* flag);
  int (*remove)(Handle, int keyval, void* value, void* extra_state);
  void* state;
};

template <class Handle, class Integer>
KeyvalCallbacks<Handle> keyval_callbacks(Copy_function<Integer>* copy,
                                         Delete_function<Integer>* remove, Integer extra_state);

// The handle type, from the C type of the first callback.
template <class CFunction>
struct HandleOf;
template <class Handle>
struct HandleOf<int(Handle, int, void*, void*, void*, int*)> {
  using Type = Handle;
};

template <class CFunction, class Integer>
auto with_state(Copy_function<Integer>* copy, Delete_function<Integer>* remove,
                const Integer* extra_state) {
  return keyval_callbacks<typename HandleOf<CFunction>::Type>(copy, remove, *extra_state);
}

// The C callbacks of a generalized request.
struct GrequestCallbacks {
  ::MPI_Grequest_query_function* query;
  ::MPI_Grequest_free_function* free;
  ::MPI_Grequest_cancel_function* cancel;
  void* state;
};

template <class CFunction>
GrequestCallbacks with_state(MPI_Grequest_query_function* query, MPI_Grequest_free_function* free,
                             MPI_Grequest_cancel_function* cancel, MPI_Aint* extra_state);

}  // namespace atl::fortran
