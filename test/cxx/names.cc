// The names of MPI-2.2's annex A.1 that are constants or types: each is used as what it is.
// The functions are in callable_main.cc.
#include <mpicxx.h>

#include <type_traits>

#include "test/check.h"

namespace {

template <class Wanted, class... Values>
void have_type(const Values&...) {
  static_assert((std::is_convertible_v<const Values&, Wanted> && ...));
  check::passed();
}

// Each handle of a datatype is a committed one of some size, or MPI::DATATYPE_NULL.
template <class... Types>
void are_datatypes(const Types&... types) {
  for (const MPI::Datatype& type : {MPI::Datatype(types)...}) {
    CHECK(type.Get_size() >= 0);
  }
}

void datatypes() {
  are_datatypes(
      MPI::CHAR, MPI::SIGNED_CHAR, MPI::UNSIGNED_CHAR, MPI::BYTE, MPI::WCHAR, MPI::SHORT,
      MPI::UNSIGNED_SHORT, MPI::INT, MPI::UNSIGNED, MPI::LONG, MPI::UNSIGNED_LONG, MPI::LONG_LONG,
      MPI::UNSIGNED_LONG_LONG, MPI::FLOAT, MPI::DOUBLE, MPI::LONG_DOUBLE, MPI::PACKED, MPI::BOOL,
      MPI::COMPLEX, MPI::DOUBLE_COMPLEX, MPI::LONG_DOUBLE_COMPLEX, MPI::INTEGER, MPI::REAL,
      MPI::DOUBLE_PRECISION, MPI::LOGICAL, MPI::CHARACTER, MPI::F_COMPLEX, MPI::F_DOUBLE_COMPLEX,
      MPI::INTEGER1, MPI::INTEGER2, MPI::INTEGER4, MPI::INTEGER8, MPI::INTEGER16, MPI::REAL2,
      MPI::REAL4, MPI::REAL8, MPI::REAL16, MPI::COMPLEX4, MPI::COMPLEX8, MPI::COMPLEX16,
      MPI::COMPLEX32, MPI::INT8_T, MPI::INT16_T, MPI::INT32_T, MPI::INT64_T, MPI::UINT8_T,
      MPI::UINT16_T, MPI::UINT32_T, MPI::UINT64_T, MPI::AINT, MPI::OFFSET, MPI::C_BOOL,
      MPI::C_COMPLEX, MPI::C_FLOAT_COMPLEX, MPI::C_DOUBLE_COMPLEX, MPI::C_LONG_DOUBLE_COMPLEX,
      MPI::F_COMPLEX4, MPI::F_COMPLEX8, MPI::F_COMPLEX16, MPI::F_COMPLEX32, MPI::FLOAT_INT,
      MPI::DOUBLE_INT, MPI::LONG_INT, MPI::SHORT_INT, MPI::LONG_DOUBLE_INT, MPI::TWOINT,
      MPI::TWOREAL, MPI::TWODOUBLE_PRECISION, MPI::TWOINTEGER);
  are_datatypes(MPI::LB, MPI::UB);
  CHECK(MPI::DATATYPE_NULL == MPI_DATATYPE_NULL);
  CHECK(MPI::COMPLEX8 == MPI_COMPLEX8);
  CHECK(MPI::F_COMPLEX == MPI_COMPLEX);
  CHECK(MPI::INTEGER16 == MPI_INTEGER16);
}

void handles() {
  have_type<MPI::Op>(MPI::MAX, MPI::MIN, MPI::SUM, MPI::PROD, MPI::MAXLOC, MPI::MINLOC, MPI::BAND,
                     MPI::BOR, MPI::BXOR, MPI::LAND, MPI::LOR, MPI::LXOR, MPI::REPLACE,
                     MPI::OP_NULL);
  have_type<MPI::Group>(MPI::GROUP_NULL, MPI::GROUP_EMPTY);
  have_type<MPI::Request>(MPI::REQUEST_NULL);
  have_type<MPI::Info>(MPI::INFO_NULL);
  have_type<MPI::Errhandler>(MPI::ERRHANDLER_NULL, MPI::ERRORS_ARE_FATAL, MPI::ERRORS_RETURN);
  have_type<MPI::Win>(MPI::WIN_NULL);
  have_type<MPI::File>(MPI::FILE_NULL);
  have_type<MPI::Offset>(MPI::DISPLACEMENT_CURRENT);
  have_type<void*>(MPI::BOTTOM, MPI::IN_PLACE);
  have_type<MPI::Errhandler>(MPI::ERRORS_THROW_EXCEPTIONS);
  have_type<const MPI::Comm&>(MPI::COMM_WORLD, MPI::COMM_SELF, MPI::COMM_NULL);
}

void integers() {
  have_type<int>(
      MPI::SUCCESS, MPI::ERR_BUFFER, MPI::ERR_COUNT, MPI::ERR_TYPE, MPI::ERR_TAG, MPI::ERR_COMM,
      MPI::ERR_RANK, MPI::ERR_REQUEST, MPI::ERR_ROOT, MPI::ERR_GROUP, MPI::ERR_OP,
      MPI::ERR_TOPOLOGY, MPI::ERR_DIMS, MPI::ERR_ARG, MPI::ERR_UNKNOWN, MPI::ERR_TRUNCATE,
      MPI::ERR_OTHER, MPI::ERR_INTERN, MPI::ERR_PENDING, MPI::ERR_IN_STATUS, MPI::ERR_ACCESS,
      MPI::ERR_AMODE, MPI::ERR_ASSERT, MPI::ERR_BAD_FILE, MPI::ERR_BASE, MPI::ERR_CONVERSION,
      MPI::ERR_DISP, MPI::ERR_DUP_DATAREP, MPI::ERR_FILE_EXISTS, MPI::ERR_FILE_IN_USE,
      MPI::ERR_FILE, MPI::ERR_INFO_KEY, MPI::ERR_INFO_NOKEY, MPI::ERR_INFO_VALUE, MPI::ERR_INFO,
      MPI::ERR_IO, MPI::ERR_KEYVAL, MPI::ERR_LOCKTYPE, MPI::ERR_NAME, MPI::ERR_NO_MEM,
      MPI::ERR_NOT_SAME, MPI::ERR_NO_SPACE, MPI::ERR_NO_SUCH_FILE, MPI::ERR_PORT, MPI::ERR_QUOTA,
      MPI::ERR_READ_ONLY, MPI::ERR_RMA_CONFLICT, MPI::ERR_RMA_SYNC, MPI::ERR_SERVICE, MPI::ERR_SIZE,
      MPI::ERR_SPAWN, MPI::ERR_UNSUPPORTED_DATAREP, MPI::ERR_UNSUPPORTED_OPERATION, MPI::ERR_WIN,
      MPI::ERR_LASTCODE, MPI::MAX_PROCESSOR_NAME, MPI::MAX_ERROR_STRING, MPI::MAX_DATAREP_STRING,
      MPI::MAX_INFO_KEY, MPI::MAX_INFO_VAL, MPI::MAX_OBJECT_NAME, MPI::MAX_PORT_NAME,
      MPI::BSEND_OVERHEAD, MPI::PROC_NULL, MPI::ANY_SOURCE, MPI::ANY_TAG, MPI::UNDEFINED,
      MPI::KEYVAL_INVALID, MPI::ROOT, MPI::IDENT, MPI::CONGRUENT, MPI::SIMILAR, MPI::UNEQUAL,
      MPI::TAG_UB, MPI::IO, MPI::HOST, MPI::WTIME_IS_GLOBAL, MPI::UNIVERSE_SIZE, MPI::LASTUSEDCODE,
      MPI::APPNUM, MPI::WIN_BASE, MPI::WIN_DISP_UNIT, MPI::WIN_SIZE, MPI::GRAPH, MPI::CART,
      MPI::DIST_GRAPH, MPI::MODE_NOCHECK, MPI::MODE_NOPRECEDE, MPI::MODE_NOPUT, MPI::MODE_NOSTORE,
      MPI::MODE_NOSUCCEED, MPI::LOCK_EXCLUSIVE, MPI::LOCK_SHARED, MPI::MODE_APPEND,
      MPI::MODE_CREATE, MPI::MODE_DELETE_ON_CLOSE, MPI::MODE_EXCL, MPI::MODE_RDONLY, MPI::MODE_RDWR,
      MPI::MODE_SEQUENTIAL, MPI::MODE_UNIQUE_OPEN, MPI::MODE_WRONLY, MPI::THREAD_SINGLE,
      MPI::THREAD_FUNNELED, MPI::THREAD_SERIALIZED, MPI::THREAD_MULTIPLE, MPI::ORDER_C,
      MPI::ORDER_FORTRAN, MPI::DISTRIBUTE_BLOCK, MPI::DISTRIBUTE_CYCLIC, MPI::DISTRIBUTE_DFLT_DARG,
      MPI::DISTRIBUTE_NONE, MPI::COMBINER_NAMED, MPI::COMBINER_DUP, MPI::COMBINER_CONTIGUOUS,
      MPI::COMBINER_VECTOR, MPI::COMBINER_HVECTOR, MPI::COMBINER_INDEXED, MPI::COMBINER_HINDEXED,
      MPI::COMBINER_INDEXED_BLOCK, MPI::COMBINER_STRUCT, MPI::COMBINER_SUBARRAY,
      MPI::COMBINER_DARRAY, MPI::COMBINER_F90_REAL, MPI::COMBINER_F90_COMPLEX,
      MPI::COMBINER_F90_INTEGER, MPI::COMBINER_RESIZED, MPI::TYPECLASS_INTEGER, MPI::TYPECLASS_REAL,
      MPI::TYPECLASS_COMPLEX);
}

void types() {
  have_type<MPI_Aint>(MPI::Aint());
  have_type<MPI_Offset>(MPI::Offset());
  MPI::User_function* user = nullptr;
  MPI::Comm::Copy_attr_function* comm_copy = MPI::Comm::DUP_FN;
  MPI::Comm::Delete_attr_function* comm_delete = MPI::Comm::NULL_DELETE_FN;
  MPI::Comm::Errhandler_function* comm_handler = nullptr;
  MPI::Comm::Errhandler_fn* comm_fn = comm_handler;
  MPI::Datatype::Copy_attr_function* type_copy = MPI::Datatype::DUP_FN;
  MPI::Datatype::Delete_attr_function* type_delete = MPI::Datatype::NULL_DELETE_FN;
  MPI::Win::Copy_attr_function* win_copy = MPI::Win::DUP_FN;
  MPI::Win::Delete_attr_function* win_delete = MPI::Win::NULL_DELETE_FN;
  MPI::Win::Errhandler_function* win_handler = nullptr;
  MPI::Win::Errhandler_fn* win_fn = win_handler;
  MPI::File::Errhandler_function* file_handler = nullptr;
  MPI::File::Errhandler_fn* file_fn = file_handler;
  MPI::Grequest::Query_function* query = nullptr;
  MPI::Grequest::Free_function* free = nullptr;
  MPI::Grequest::Cancel_function* cancel = nullptr;
  MPI::Datarep_extent_function* extent = nullptr;
  MPI::Datarep_conversion_function* conversion = nullptr;
  CHECK(user == nullptr && comm_fn == nullptr && win_fn == nullptr && file_fn == nullptr);
  CHECK(query == nullptr && free == nullptr && cancel == nullptr);
  CHECK(extent == nullptr && conversion == nullptr);
  CHECK(comm_copy != nullptr && type_copy != nullptr && win_copy != nullptr);
  CHECK(comm_delete != nullptr && type_delete != nullptr && win_delete != nullptr);
}

// The functions that MPI has for attributes (MPI-2.2, 6.7.2).
template <class Object>
void* copied(Object object, Object copy, int keyval) {
  void* value = nullptr;
  CHECK(object.Get_attr(keyval, &value));
  return copy.Get_attr(keyval, &value) ? value : nullptr;
}

void attribute_functions() {
  int data = 0;
  MPI::Intracomm comm = MPI::COMM_WORLD.Dup();
  int dup = MPI::Comm::Create_keyval(MPI::Comm::DUP_FN, MPI::Comm::NULL_DELETE_FN, nullptr);
  int none = MPI::Comm::Create_keyval(MPI::Comm::NULL_COPY_FN, MPI::Comm::NULL_DELETE_FN, nullptr);
  for (const int keyval : {dup, none}) comm.Set_attr(keyval, &data);
  MPI::Intracomm copy = comm.Dup();
  CHECK(copied(comm, copy, dup) == &data);
  CHECK(copied(comm, copy, none) == nullptr);
  for (int* keyval : {&dup, &none}) MPI::Comm::Free_keyval(*keyval);
  comm.Free();
  copy.Free();

  MPI::Datatype type = MPI::INT.Dup();
  dup = MPI::Datatype::Create_keyval(MPI::Datatype::DUP_FN, MPI::Datatype::NULL_DELETE_FN, nullptr);
  none = MPI::Datatype::Create_keyval(MPI::Datatype::NULL_COPY_FN, MPI::Datatype::NULL_DELETE_FN,
                                      nullptr);
  for (const int keyval : {dup, none}) type.Set_attr(keyval, &data);
  MPI::Datatype twin = type.Dup();
  CHECK(copied(type, twin, dup) == &data);
  CHECK(copied(type, twin, none) == nullptr);
  for (int* keyval : {&dup, &none}) MPI::Datatype::Free_keyval(*keyval);
  type.Free();
  twin.Free();

  dup = MPI::Win::Create_keyval(MPI::Win::DUP_FN, MPI::Win::NULL_DELETE_FN, nullptr);
  none = MPI::Win::Create_keyval(MPI::Win::NULL_COPY_FN, MPI::Win::NULL_DELETE_FN, nullptr);
  for (int* keyval : {&dup, &none}) MPI::Win::Free_keyval(*keyval);
}

void others() {
  MPI::Pcontrol(1);
  MPI::Pcontrol(2, "more", 3);
  CHECK(MPI::Comm::Get_parent() == MPI::COMM_NULL);
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  datatypes();
  handles();
  integers();
  types();
  attribute_functions();
  others();
  return check::finish();
}
