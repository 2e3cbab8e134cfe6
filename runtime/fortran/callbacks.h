// Fortran procedures as C's callbacks (MPI 5.0, 19.3.7 and 19.3.9). C calls a function of ours,
// which converts the arguments and calls the program's. Where C gives a callback an extra state,
// ours holds the program's; the others are slots of a table, found by their position in it.
#pragma once

#include <mpi.h>

#include "runtime/fortran/attribute.h"

namespace atl::fortran {

// The procedures, as Fortran compilers call them. A handle is an INTEGER in all three forms.
using MPI_User_function = void(void* in, void* inout, MPI_Fint* len, MPI_Fint* datatype);
using MPI_User_function_c = void(void* in, void* inout, MPI_Count* len, MPI_Fint* datatype);
using Errhandler_function = void(MPI_Fint* object, MPI_Fint* error_code);
using MPI_Comm_errhandler_function = Errhandler_function;
using MPI_File_errhandler_function = Errhandler_function;
using MPI_Win_errhandler_function = Errhandler_function;
using MPI_Session_errhandler_function = Errhandler_function;
using MPI_Handler_function = Errhandler_function;

// Integer: of MPI-1's attributes INTEGER, of others INTEGER(KIND=MPI_ADDRESS_KIND).
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

// A reduction operation or an error handler: C's function for a Fortran procedure, the same one
// each time. Null when more procedures were given than there are slots (callbacks.cc).
template <class CFunction, class Procedure>
CFunction* closure(Procedure* procedure);

// The callbacks of a keyval, for C.
template <class Handle>
struct KeyvalCallbacks {
  int (*copy)(Handle, int keyval, void* extra_state, void* in, void* out, int* flag);
  int (*remove)(Handle, int keyval, void* value, void* extra_state);
  void* state;
};

template <class Handle, class Integer>
KeyvalCallbacks<Handle> keyval_callbacks(Copy_function<Integer>* copy,
                                         Delete_function<Integer>* remove, Integer extra_state);

// Told apart by C's name of the first callback.
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

// The callbacks of a generalized request.
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
