// Bad arguments to inquiries, memory, datatypes and start-up.
#include <climits>

#include "test/errors/expect.h"

namespace {

using errors::Untouched;

void inquiries() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING];
  Untouched<int> number;
  EXPECT_ERROR(MPI_ERR_ARG, "version", "", MPI_Get_version(nullptr, &number));
  EXPECT_ERROR(MPI_ERR_ARG, "subversion", "", MPI_Get_version(&number, nullptr));
  EXPECT_ERROR(MPI_ERR_ARG, "version", "", MPI_Get_library_version(nullptr, &number));
  EXPECT_ERROR(MPI_ERR_ARG, "resultlen", "", MPI_Get_library_version(text, nullptr));
  EXPECT_ERROR(MPI_ERR_ARG, "name", "", MPI_Get_processor_name(nullptr, &number));
  EXPECT_ERROR(MPI_ERR_ARG, "resultlen", "", MPI_Get_processor_name(text, nullptr));
  EXPECT_ERROR(MPI_ERR_ARG, "abi_major", "", MPI_Abi_get_version(nullptr, &number));
  EXPECT_ERROR(MPI_ERR_ARG, "abi_minor", "", MPI_Abi_get_version(&number, nullptr));
  EXPECT_ERROR(MPI_ERR_ARG, "flag", "", MPI_Initialized(nullptr));
  EXPECT_ERROR(MPI_ERR_ARG, "parent", "", MPI_Comm_get_parent(nullptr));
  EXPECT_ERROR(MPI_ERR_ARG, "flag", "", MPI_Finalized(nullptr));
  EXPECT_ERROR(MPI_ERR_ARG, "flag", "", MPI_Is_thread_main(nullptr));
  EXPECT_ERROR(MPI_ERR_ARG, "provided", "", MPI_Query_thread(nullptr));
}

void error_codes() {
  char text[MPI_MAX_ERROR_STRING];
  Untouched<int> number;
  for (int code : {-1, 100000, INT_MAX, INT_MIN}) {
    EXPECT_ERROR(MPI_ERR_ARG, "errorcode", std::to_string(code), MPI_Error_class(code, &number));
    EXPECT_ERROR(MPI_ERR_ARG, "errorcode", std::to_string(code),
                 MPI_Error_string(code, text, &number));
  }
  EXPECT_ERROR(MPI_ERR_ARG, "errorclass", "", MPI_Error_class(MPI_ERR_TAG, nullptr));
  EXPECT_ERROR(MPI_ERR_ARG, "string", "", MPI_Error_string(MPI_ERR_TAG, nullptr, &number));
  EXPECT_ERROR(MPI_ERR_ARG, "resultlen", "", MPI_Error_string(MPI_ERR_TAG, text, nullptr));
}

void memory() {
  Untouched<void*> block;
  EXPECT_ERROR(MPI_ERR_ARG, "size", "-1", MPI_Alloc_mem(-1, MPI_INFO_NULL, &block));
  EXPECT_ERROR(MPI_ERR_ARG, "baseptr", "", MPI_Alloc_mem(8, MPI_INFO_NULL, nullptr));
  EXPECT_ERROR(MPI_ERR_INFO, "info", "", MPI_Alloc_mem(8, errors::garbage<MPI_Info>(), &block));
  for (MPI_Aint bytes : {PTRDIFF_MAX, PTRDIFF_MAX / 2}) {
    EXPECT_ERROR(MPI_ERR_NO_MEM, "size", std::to_string(bytes),
                 MPI_Alloc_mem(bytes, MPI_INFO_NULL, &block));
  }
  EXPECT_ERROR(MPI_ERR_ARG, "address", "", MPI_Get_address(&block, nullptr));
}

// Others may crash.
void freed_memory() {
  if (!check::on_atoll()) return;
  void* memory = nullptr;
  MPI_Alloc_mem(100, MPI_INFO_NULL, &memory);
  char* inside = static_cast<char*>(memory) + 64;
  EXPECT_ERROR(MPI_ERR_BASE, "base", "64 bytes behind", MPI_Free_mem(inside));
  EXPECT_ERROR(MPI_ERR_BASE, "base", "was not returned by MPI_Alloc_mem", MPI_Free_mem(&memory));
  CHECK_EQ(MPI_Free_mem(memory), MPI_SUCCESS);
  EXPECT_ERROR(MPI_ERR_BASE, "base", "is freed already", MPI_Free_mem(memory));
}

void datatypes(MPI_Datatype bad) {
  Untouched<int> size;
  Untouched<MPI_Aint> lower, extent;
  Untouched<MPI_Count> size_c, lower_c, extent_c;
  EXPECT_ERROR(MPI_ERR_TYPE, "datatype", "", MPI_Type_size(bad, &size));
  EXPECT_ERROR(MPI_ERR_TYPE, "datatype", "", MPI_Type_size_c(bad, &size_c));
  EXPECT_ERROR(MPI_ERR_TYPE, "datatype", "", MPI_Type_size_x(bad, &size_c));
  EXPECT_ERROR(MPI_ERR_TYPE, "datatype", "", MPI_Type_get_extent(bad, &lower, &extent));
  EXPECT_ERROR(MPI_ERR_TYPE, "datatype", "", MPI_Type_get_extent_c(bad, &lower_c, &extent_c));
  EXPECT_ERROR(MPI_ERR_TYPE, "datatype", "", MPI_Type_get_extent_x(bad, &lower_c, &extent_c));
  EXPECT_ERROR(MPI_ERR_TYPE, "datatype", "", MPI_Type_get_true_extent(bad, &lower, &extent));
  EXPECT_ERROR(MPI_ERR_TYPE, "datatype", "", MPI_Type_get_true_extent_c(bad, &lower_c, &extent_c));
  EXPECT_ERROR(MPI_ERR_TYPE, "datatype", "", MPI_Type_get_true_extent_x(bad, &lower_c, &extent_c));
}

void datatype_addresses() {
  Untouched<MPI_Aint> other;
  Untouched<MPI_Count> other_c;
  EXPECT_ERROR(MPI_ERR_ARG, "size", "", MPI_Type_size(MPI_INT, nullptr));
  EXPECT_ERROR(MPI_ERR_ARG, "size", "", MPI_Type_size_c(MPI_INT, nullptr));
  EXPECT_ERROR(MPI_ERR_ARG, "size", "", MPI_Type_size_x(MPI_INT, nullptr));
  EXPECT_ERROR(MPI_ERR_ARG, "lb", "", MPI_Type_get_extent(MPI_INT, nullptr, &other));
  EXPECT_ERROR(MPI_ERR_ARG, "extent", "", MPI_Type_get_extent(MPI_INT, &other, nullptr));
  EXPECT_ERROR(MPI_ERR_ARG, "lb", "", MPI_Type_get_extent_x(MPI_INT, nullptr, &other_c));
  EXPECT_ERROR(MPI_ERR_ARG, "true_lb", "", MPI_Type_get_true_extent(MPI_INT, nullptr, &other));
  EXPECT_ERROR(MPI_ERR_ARG, "true_extent", "", MPI_Type_get_true_extent(MPI_INT, &other, nullptr));
  EXPECT_ERROR(MPI_ERR_ARG, "true_lb", "", MPI_Type_get_true_extent_x(MPI_INT, nullptr, &other_c));
}

// Once is enough: a second start is an error, and MPI goes on working.
void second_start() {
  Untouched<int> provided;
  EXPECT_ERROR(MPI_ERR_OTHER, "MPI_Init", "", MPI_Init(nullptr, nullptr));
  EXPECT_ERROR(MPI_ERR_OTHER, "MPI_Init_thread", "",
               MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SINGLE, &provided));
}

// Nobody may be ended by mistake.
void aborting() {
  EXPECT_ERROR(MPI_ERR_COMM, "comm", "MPI_COMM_NULL", MPI_Abort(MPI_COMM_NULL, 1));
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  check::return_errors();
  inquiries();
  error_codes();
  memory();
  freed_memory();
  datatypes(MPI_DATATYPE_NULL);
  datatypes(errors::garbage<MPI_Datatype>());
  datatype_addresses();
  second_start();
  aborting();
  errors::check_all_is_well();
  return check::finish();
}
