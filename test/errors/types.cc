// Bad arguments of the calls on datatypes: constructors, contents, commit and free,
// names and attributes, packing, and types that may not be communicated.
#include <climits>

#include "test/errors/expect.h"

namespace {

using errors::Untouched;

constexpr MPI_Count kHuge = MPI_Count{1} << 62;

MPI_Datatype pair_of_ints() {
  MPI_Datatype type;
  MPI_Type_contiguous(2, MPI_INT, &type);
  return type;
}

MPI_Datatype freed_type() {
  MPI_Datatype type = pair_of_ints();
  MPI_Type_commit(&type);
  const MPI_Datatype stale = type;
  MPI_Type_free(&type);
  return stale;
}

void oldtypes() {
  Untouched<MPI_Datatype> made;
  const int ints[] = {1};
  const MPI_Aint aints[] = {0};
  const int block[] = {MPI_DISTRIBUTE_BLOCK}, dflt[] = {MPI_DISTRIBUTE_DFLT_DARG};
  std::vector<std::pair<MPI_Datatype, std::string>> bad = {
      {MPI_DATATYPE_NULL, "MPI_DATATYPE_NULL"}};
  if (check::on_atoll()) {
    bad.emplace_back(freed_type(), "");
    bad.emplace_back(errors::garbage<MPI_Datatype>(), "");
  }
  for (const auto& [type, value] : bad) {
    EXPECT_ERROR(MPI_ERR_TYPE, "oldtype", value, MPI_Type_contiguous(1, type, &made));
    EXPECT_ERROR(MPI_ERR_TYPE, "oldtype", value, MPI_Type_vector(1, 1, 1, type, &made));
    EXPECT_ERROR(MPI_ERR_TYPE, "oldtype", value, MPI_Type_create_hvector(1, 1, 1, type, &made));
    EXPECT_ERROR(MPI_ERR_TYPE, "oldtype", value, MPI_Type_indexed(1, ints, ints, type, &made));
    EXPECT_ERROR(MPI_ERR_TYPE, "oldtype", value,
                 MPI_Type_create_hindexed(1, ints, aints, type, &made));
    EXPECT_ERROR(MPI_ERR_TYPE, "oldtype", value,
                 MPI_Type_create_indexed_block(1, 1, ints, type, &made));
    EXPECT_ERROR(MPI_ERR_TYPE, "oldtype", value,
                 MPI_Type_create_hindexed_block(1, 1, aints, type, &made));
    EXPECT_ERROR(MPI_ERR_TYPE, "array_of_types", "",
                 MPI_Type_create_struct(1, ints, aints, &type, &made));
    EXPECT_ERROR(MPI_ERR_TYPE, "oldtype", value,
                 MPI_Type_create_subarray(1, ints, ints, ints, MPI_ORDER_C, type, &made));
    EXPECT_ERROR(
        MPI_ERR_TYPE, "oldtype", value,
        MPI_Type_create_darray(1, 0, 1, ints, block, dflt, ints, MPI_ORDER_C, type, &made));
    EXPECT_ERROR(MPI_ERR_TYPE, "oldtype", value, MPI_Type_create_resized(type, 0, 4, &made));
    EXPECT_ERROR(MPI_ERR_TYPE, "oldtype", value, MPI_Type_dup(type, &made));
  }
}

void counts_and_lengths() {
  Untouched<MPI_Datatype> made;
  const int one[] = {1, 1}, negative[] = {1, -3};
  const MPI_Aint zero[] = {0, 0};
  const MPI_Datatype ints[] = {MPI_INT, MPI_INT};
  for (const int count : {-1, INT_MIN}) {
    const std::string value = std::to_string(count);
    EXPECT_ERROR(MPI_ERR_COUNT, "count", value, MPI_Type_contiguous(count, MPI_INT, &made));
    EXPECT_ERROR(MPI_ERR_COUNT, "count", value, MPI_Type_vector(count, 1, 1, MPI_INT, &made));
    EXPECT_ERROR(MPI_ERR_COUNT, "count", value,
                 MPI_Type_create_hvector(count, 1, 1, MPI_INT, &made));
    EXPECT_ERROR(MPI_ERR_COUNT, "count", value, MPI_Type_indexed(count, one, one, MPI_INT, &made));
    EXPECT_ERROR(MPI_ERR_COUNT, "count", value,
                 MPI_Type_create_hindexed(count, one, zero, MPI_INT, &made));
    EXPECT_ERROR(MPI_ERR_COUNT, "count", value,
                 MPI_Type_create_indexed_block(count, 1, one, MPI_INT, &made));
    EXPECT_ERROR(MPI_ERR_COUNT, "count", value,
                 MPI_Type_create_hindexed_block(count, 1, zero, MPI_INT, &made));
    EXPECT_ERROR(MPI_ERR_COUNT, "count", value,
                 MPI_Type_create_struct(count, one, zero, ints, &made));
  }
  EXPECT_ERROR(MPI_ERR_ARG, "blocklength", "-2", MPI_Type_vector(1, -2, 1, MPI_INT, &made));
  EXPECT_ERROR(MPI_ERR_ARG, "blocklength", "-2", MPI_Type_create_hvector(1, -2, 1, MPI_INT, &made));
  EXPECT_ERROR(MPI_ERR_ARG, "blocklength", "-2",
               MPI_Type_create_indexed_block(1, -2, one, MPI_INT, &made));
  EXPECT_ERROR(MPI_ERR_ARG, "blocklength", "-2",
               MPI_Type_create_hindexed_block(1, -2, zero, MPI_INT, &made));
  EXPECT_ERROR(MPI_ERR_ARG, "array_of_blocklengths", "-3",
               MPI_Type_indexed(2, negative, one, MPI_INT, &made));
  EXPECT_ERROR(MPI_ERR_ARG, "array_of_blocklengths", "-3",
               MPI_Type_create_hindexed(2, negative, zero, MPI_INT, &made));
  EXPECT_ERROR(MPI_ERR_ARG, "array_of_blocklengths", "-3",
               MPI_Type_create_struct(2, negative, zero, ints, &made));
}

// An array may be absent only when it is empty.
void null_arrays() {
  Untouched<MPI_Datatype> made;
  const int one[] = {1};
  const MPI_Aint zero[] = {0};
  EXPECT_ERROR(MPI_ERR_ARG, "array_of_blocklengths", "",
               MPI_Type_indexed(1, nullptr, one, MPI_INT, &made));
  EXPECT_ERROR(MPI_ERR_ARG, "array_of_displacements", "",
               MPI_Type_indexed(1, one, nullptr, MPI_INT, &made));
  EXPECT_ERROR(MPI_ERR_ARG, "array_of_blocklengths", "",
               MPI_Type_create_hindexed(1, nullptr, zero, MPI_INT, &made));
  EXPECT_ERROR(MPI_ERR_ARG, "array_of_displacements", "",
               MPI_Type_create_hindexed(1, one, nullptr, MPI_INT, &made));
  EXPECT_ERROR(MPI_ERR_ARG, "array_of_displacements", "",
               MPI_Type_create_indexed_block(1, 1, nullptr, MPI_INT, &made));
  EXPECT_ERROR(MPI_ERR_ARG, "array_of_displacements", "",
               MPI_Type_create_hindexed_block(1, 1, nullptr, MPI_INT, &made));
  EXPECT_ERROR(MPI_ERR_ARG, "array_of_types", "",
               MPI_Type_create_struct(1, one, zero, nullptr, &made));
  EXPECT_ERROR(MPI_ERR_ARG, "array_of_sizes", "",
               MPI_Type_create_subarray(1, nullptr, one, one, MPI_ORDER_C, MPI_INT, &made));
  EXPECT_ERROR(MPI_ERR_ARG, "newtype", "", MPI_Type_contiguous(1, MPI_INT, nullptr));
  MPI_Datatype empty = MPI_DATATYPE_NULL;
  CHECK_EQ(MPI_Type_indexed(0, nullptr, nullptr, MPI_INT, &empty), MPI_SUCCESS);
  CHECK_EQ(MPI_Type_free(&empty), MPI_SUCCESS);
}

void overflows() {
  Untouched<MPI_Datatype> made;
  const MPI_Count one[] = {1, 1}, huge[] = {kHuge, kHuge}, zero[] = {0, 0};
  const MPI_Count last[] = {LLONG_MAX - 4, 0};
  const MPI_Datatype ints[] = {MPI_INT, MPI_INT};
  const std::string value = std::to_string(kHuge);
  EXPECT_ERROR(MPI_ERR_ARG, "count", value, MPI_Type_contiguous_c(kHuge, MPI_DOUBLE, &made));
  EXPECT_ERROR(MPI_ERR_ARG, "stride", value, MPI_Type_vector_c(3, 1, kHuge, MPI_INT, &made));
  EXPECT_ERROR(MPI_ERR_ARG, "stride", value,
               MPI_Type_create_hvector_c(3, 1, kHuge, MPI_INT, &made));
  EXPECT_ERROR(MPI_ERR_ARG, "", "", MPI_Type_vector_c(kHuge, 8, 8, MPI_INT, &made));
  EXPECT_ERROR(MPI_ERR_ARG, "array_of_blocklengths", value,
               MPI_Type_indexed_c(2, huge, zero, MPI_INT, &made));
  EXPECT_ERROR(MPI_ERR_ARG, "array_of_displacements", value,
               MPI_Type_indexed_c(2, one, huge, MPI_INT, &made));
  EXPECT_ERROR(MPI_ERR_ARG, "array_of_blocklengths", value,
               MPI_Type_create_hindexed_c(2, huge, zero, MPI_INT, &made));
  EXPECT_ERROR(MPI_ERR_ARG, "array_of_displacements", value,
               MPI_Type_create_indexed_block_c(2, 1, huge, MPI_INT, &made));
  EXPECT_ERROR(MPI_ERR_ARG, "blocklength", value,
               MPI_Type_create_indexed_block_c(2, kHuge, zero, MPI_INT, &made));
  EXPECT_ERROR(MPI_ERR_ARG, "blocklength", value,
               MPI_Type_create_hindexed_block_c(2, kHuge, zero, MPI_CHAR, &made));
  EXPECT_ERROR(MPI_ERR_ARG, "array_of_displacements", "",
               MPI_Type_create_hindexed_block_c(2, 8, last, MPI_INT, &made));
  EXPECT_ERROR(MPI_ERR_ARG, "array_of_blocklengths", value,
               MPI_Type_create_struct_c(2, huge, zero, ints, &made));
  EXPECT_ERROR(MPI_ERR_ARG, "array_of_displacements", "",
               MPI_Type_create_struct_c(2, one, last, ints, &made));
  EXPECT_ERROR(MPI_ERR_ARG, "extent", "",
               MPI_Type_create_resized_c(MPI_INT, LLONG_MAX, LLONG_MAX, &made));
  EXPECT_ERROR(MPI_ERR_ARG, "", "",
               MPI_Type_create_subarray_c(2, huge, one, zero, MPI_ORDER_C, MPI_INT, &made));
  const int block[] = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_BLOCK};
  const int dflt[] = {MPI_DISTRIBUTE_DFLT_DARG, MPI_DISTRIBUTE_DFLT_DARG};
  const int alone[] = {1, 1};
  EXPECT_ERROR(
      MPI_ERR_ARG, "", "",
      MPI_Type_create_darray_c(1, 0, 2, huge, block, dflt, alone, MPI_ORDER_C, MPI_INT, &made));
}

void subarrays() {
  Untouched<MPI_Datatype> made;
  const int sizes[] = {4, 4}, subsizes[] = {2, 2}, starts[] = {0, 3}, zero[] = {0, 0};
  const int five[] = {5, 5}, negative[] = {0, -1};
  const auto make = [&](int ndims, const int* a, const int* b, const int* c, int order) {
    return MPI_Type_create_subarray(ndims, a, b, c, order, MPI_INT, &made);
  };
  const auto expect = [&](const char* argument, const char* value, int code) {
    EXPECT_ERROR_OF("MPI_Type_create_subarray", MPI_ERR_ARG, argument, value, code);
  };
  expect("ndims", "0", make(0, sizes, subsizes, zero, MPI_ORDER_C));
  expect("ndims", "-1", make(-1, sizes, subsizes, zero, MPI_ORDER_C));
  expect("array_of_starts", "3", make(2, sizes, subsizes, starts, MPI_ORDER_C));
  expect("array_of_starts", "-1", make(2, sizes, subsizes, negative, MPI_ORDER_C));
  expect("array_of_subsizes", "5", make(2, sizes, five, zero, MPI_ORDER_C));
  expect("array_of_subsizes", "0", make(2, sizes, zero, zero, MPI_ORDER_C));
  expect("array_of_sizes", "0", make(2, zero, subsizes, zero, MPI_ORDER_C));
  expect("order", "77", make(2, sizes, subsizes, zero, 77));
}

void darrays() {
  struct Arguments {
    int size = 4, rank = 1, ndims = 2;
    int gsizes[2] = {8, 8};
    int distribs[2] = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC};
    int dargs[2] = {MPI_DISTRIBUTE_DFLT_DARG, 3};
    int psizes[2] = {2, 2};
    int order = MPI_ORDER_FORTRAN;
  };
  const auto expect = [](const char* argument, const char* value, const Arguments& a) {
    Untouched<MPI_Datatype> made;
    EXPECT_ERROR_OF("MPI_Type_create_darray", MPI_ERR_ARG, argument, value,
                    MPI_Type_create_darray(a.size, a.rank, a.ndims, a.gsizes, a.distribs, a.dargs,
                                           a.psizes, a.order, MPI_INT, &made));
  };
  const auto with = [](auto change) {
    Arguments arguments;
    change(arguments);
    return arguments;
  };
  expect("ndims", "0", with([](Arguments& a) { a.ndims = 0; }));
  expect("ndims", "-3", with([](Arguments& a) { a.ndims = -3; }));
  expect("size", "5", with([](Arguments& a) { a.size = 5; }));
  expect("rank", "4", with([](Arguments& a) { a.rank = 4; }));
  expect("rank", "-1", with([](Arguments& a) { a.rank = -1; }));
  expect("array_of_gsizes", "0", with([](Arguments& a) { a.gsizes[1] = 0; }));
  expect("array_of_distribs", "99", with([](Arguments& a) { a.distribs[0] = 99; }));
  expect("array_of_dargs", "0", with([](Arguments& a) { a.dargs[1] = 0; }));
  expect("array_of_dargs", "3", with([](Arguments& a) { a.dargs[0] = 3; }));  // 3 * 2 < 8
  expect("array_of_psizes", "2", with([](Arguments& a) { a.distribs[0] = MPI_DISTRIBUTE_NONE; }));
  expect("order", "3", with([](Arguments& a) { a.order = 3; }));
}

void commit_and_free() {
  MPI_Datatype null = MPI_DATATYPE_NULL;
  EXPECT_ERROR(MPI_ERR_TYPE, "datatype", "MPI_DATATYPE_NULL", MPI_Type_commit(&null));
  EXPECT_ERROR(MPI_ERR_TYPE, "datatype", "MPI_DATATYPE_NULL", MPI_Type_free(&null));
  MPI_Datatype predefined = MPI_DOUBLE_INT;
  EXPECT_ERROR(MPI_ERR_TYPE, "datatype", "MPI_DOUBLE_INT", MPI_Type_free(&predefined));
  CHECK(predefined == MPI_DOUBLE_INT);
  // Predefined types are committed, and committing once more is no error (MPI 5.0, 5.1.9).
  CHECK_EQ(MPI_Type_commit(&predefined), MPI_SUCCESS);
  MPI_Datatype f90;
  CHECK_EQ(MPI_Type_create_f90_real(10, MPI_UNDEFINED, &f90), MPI_SUCCESS);
  EXPECT_ERROR(MPI_ERR_TYPE, "datatype", "", MPI_Type_free(&f90));
  EXPECT_ERROR(MPI_ERR_ARG, "datatype", "", MPI_Type_free(nullptr));
  EXPECT_ERROR(MPI_ERR_ARG, "datatype", "", MPI_Type_commit(nullptr));
  if (!check::on_atoll()) return;
  MPI_Datatype stale = freed_type(), copy = stale;
  EXPECT_ERROR(MPI_ERR_TYPE, "datatype", "", MPI_Type_free(&stale));
  EXPECT_ERROR(MPI_ERR_TYPE, "datatype", "", MPI_Type_commit(&stale));
  CHECK(stale == copy);
}

void contents() {
  Untouched<int> number, combiner, integers[8];
  Untouched<MPI_Count> large;
  Untouched<MPI_Aint> addresses[2];
  Untouched<MPI_Datatype> parts[2];
  EXPECT_ERROR(MPI_ERR_TYPE, "datatype", "MPI_DATATYPE_NULL",
               MPI_Type_get_envelope(MPI_DATATYPE_NULL, &number, &number, &number, &combiner));
  EXPECT_ERROR(MPI_ERR_ARG, "combiner", "",
               MPI_Type_get_envelope(MPI_INT, &number, &number, &number, nullptr));
  const auto get = [&](MPI_Datatype type, int ints, int aints, int types) {
    return MPI_Type_get_contents(type, ints, aints, types, &integers[0], &addresses[0], &parts[0]);
  };
  const char* name = "MPI_Type_get_contents";
  EXPECT_ERROR_OF(name, MPI_ERR_TYPE, "datatype", "MPI_INT", get(MPI_INT, 8, 2, 2));
  EXPECT_ERROR_OF(name, MPI_ERR_TYPE, "datatype", "MPI_2INT", get(MPI_2INT, 8, 2, 2));
  MPI_Datatype type;
  MPI_Type_create_hvector(2, 1, 64, MPI_INT, &type);
  EXPECT_ERROR_OF(name, MPI_ERR_ARG, "max_integers", "1", get(type, 1, 1, 1));
  EXPECT_ERROR_OF(name, MPI_ERR_ARG, "max_addresses", "0", get(type, 2, 0, 1));
  EXPECT_ERROR_OF(name, MPI_ERR_ARG, "max_datatypes", "-1", get(type, 2, 1, -1));
  EXPECT_ERROR(MPI_ERR_ARG, "array_of_integers", "",
               MPI_Type_get_contents(type, 2, 1, 1, nullptr, &addresses[0], &parts[0]));
  MPI_Type_free(&type);
  MPI_Type_contiguous_c(2, MPI_INT, &type);
  EXPECT_ERROR(MPI_ERR_TYPE, "datatype", "",
               MPI_Type_get_envelope(type, &number, &number, &number, &combiner));
  EXPECT_ERROR_OF(name, MPI_ERR_TYPE, "datatype", "", get(type, 8, 2, 2));
  EXPECT_ERROR(
      MPI_ERR_ARG, "max_large_counts", "0",
      MPI_Type_get_contents_c(type, 0, 0, 0, 1, &integers[0], &addresses[0], &large, &parts[0]));
  EXPECT_ERROR(
      MPI_ERR_TYPE, "datatype", "MPI_DATATYPE_NULL",
      MPI_Type_get_envelope_c(MPI_DATATYPE_NULL, &large, &large, &large, &large, &combiner));
  MPI_Type_free(&type);
}

void inquiries() {
  Untouched<MPI_Aint> lb, extent;
  Untouched<MPI_Count> large_lb, large_extent;
  Untouched<int> size;
  const MPI_Datatype null = MPI_DATATYPE_NULL;
  const std::string name = "MPI_DATATYPE_NULL";
  EXPECT_ERROR(MPI_ERR_TYPE, "datatype", name, MPI_Type_size(null, &size));
  EXPECT_ERROR(MPI_ERR_TYPE, "datatype", name, MPI_Type_size_c(null, &large_lb));
  EXPECT_ERROR(MPI_ERR_TYPE, "datatype", name, MPI_Type_size_x(null, &large_lb));
  EXPECT_ERROR(MPI_ERR_TYPE, "datatype", name, MPI_Type_get_extent(null, &lb, &extent));
  EXPECT_ERROR(MPI_ERR_TYPE, "datatype", name, MPI_Type_get_true_extent(null, &lb, &extent));
  EXPECT_ERROR(MPI_ERR_TYPE, "datatype", name,
               MPI_Type_get_extent_x(null, &large_lb, &large_extent));
  EXPECT_ERROR(MPI_ERR_ARG, "extent", "", MPI_Type_get_extent(MPI_INT, &lb, nullptr));
  EXPECT_ERROR(MPI_ERR_ARG, "address", "", MPI_Get_address(&size, nullptr));
  EXPECT_ERROR(MPI_ERR_TYPE, "datatype", name, MPI_Type_extent(null, &extent));
  EXPECT_ERROR(MPI_ERR_TYPE, "datatype", name, MPI_Type_lb(null, &lb));
  EXPECT_ERROR(MPI_ERR_TYPE, "datatype", name, MPI_Type_ub(null, &lb));
  EXPECT_ERROR(MPI_ERR_TYPE, "datatype", name, MPI_Type_count(null, &size));
  EXPECT_ERROR(MPI_ERR_ARG, "address", "", MPI_Address(&size, nullptr));
}

// What MPI 3.0 removed checks as its successors do.
void removed_constructors() {
  Untouched<MPI_Datatype> made;
  int one[] = {1}, negative[] = {-4};
  MPI_Aint zero[] = {0};
  MPI_Datatype null[] = {MPI_DATATYPE_NULL};
  EXPECT_ERROR(MPI_ERR_COUNT, "count", "-1", MPI_Type_hvector(-1, 1, 1, MPI_INT, &made));
  EXPECT_ERROR(MPI_ERR_ARG, "array_of_blocklengths", "-4",
               MPI_Type_hindexed(1, negative, zero, MPI_INT, &made));
  EXPECT_ERROR(MPI_ERR_TYPE, "array_of_types", "", MPI_Type_struct(1, one, zero, null, &made));
}

void standard_types() {
  Untouched<MPI_Datatype> made;
  EXPECT_ERROR(MPI_ERR_ARG, "typeclass", "5", MPI_Type_match_size(5, 4, &made));
  EXPECT_ERROR(MPI_ERR_ARG, "size", "3", MPI_Type_match_size(MPI_TYPECLASS_REAL, 3, &made));
  EXPECT_ERROR(MPI_ERR_ARG, "p", "40", MPI_Type_create_f90_real(40, 10, &made));
  EXPECT_ERROR(MPI_ERR_ARG, "r", "5000", MPI_Type_create_f90_complex(6, 5000, &made));
  EXPECT_ERROR(MPI_ERR_ARG, "p", "", MPI_Type_create_f90_real(MPI_UNDEFINED, MPI_UNDEFINED, &made));
  EXPECT_ERROR(MPI_ERR_ARG, "r", "99", MPI_Type_create_f90_integer(99, &made));
  EXPECT_ERROR(MPI_ERR_TYPE, "index_type", "MPI_DATATYPE_NULL",
               MPI_Type_get_value_index(MPI_INT, MPI_DATATYPE_NULL, &made));
}

void names_and_attributes() {
  Untouched<int> number;
  Untouched<void*> value;
  char text[MPI_MAX_OBJECT_NAME];
  const MPI_Datatype null = MPI_DATATYPE_NULL;
  EXPECT_ERROR(MPI_ERR_TYPE, "datatype", "MPI_DATATYPE_NULL", MPI_Type_set_name(null, "a"));
  EXPECT_ERROR(MPI_ERR_TYPE, "datatype", "", MPI_Type_get_name(freed_type(), text, &number));
  EXPECT_ERROR(MPI_ERR_ARG, "type_name", "", MPI_Type_set_name(MPI_INT, nullptr));
  int keyval = MPI_KEYVAL_INVALID;
  EXPECT_ERROR(MPI_ERR_KEYVAL, "type_keyval", "MPI_KEYVAL_INVALID",
               MPI_Type_set_attr(MPI_INT, keyval, nullptr));
  EXPECT_ERROR(MPI_ERR_KEYVAL, "type_keyval", "MPI_KEYVAL_INVALID",
               MPI_Type_get_attr(MPI_INT, keyval, &value, &number));
  EXPECT_ERROR(MPI_ERR_KEYVAL, "type_keyval", "MPI_KEYVAL_INVALID",
               MPI_Type_delete_attr(MPI_INT, keyval));
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &keyval, nullptr);
  EXPECT_ERROR(MPI_ERR_KEYVAL, "type_keyval", std::to_string(keyval),
               MPI_Type_set_attr(MPI_INT, keyval, nullptr));
  MPI_Comm_free_keyval(&keyval);
  MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, &keyval, nullptr);
  EXPECT_ERROR(MPI_ERR_TYPE, "datatype", "MPI_DATATYPE_NULL",
               MPI_Type_set_attr(null, keyval, nullptr));
  MPI_Type_free_keyval(&keyval);
}

void packing() {
  int data[4] = {1, 2, 3, 4};
  char packed[16];
  int position = 0;
  const MPI_Comm self = MPI_COMM_SELF;
  EXPECT_ERROR(MPI_ERR_COMM, "comm", "MPI_COMM_NULL",
               MPI_Pack(data, 1, MPI_INT, packed, 16, &position, MPI_COMM_NULL));
  EXPECT_ERROR(MPI_ERR_COUNT, "incount", "-1",
               MPI_Pack(data, -1, MPI_INT, packed, 16, &position, self));
  EXPECT_ERROR(MPI_ERR_TYPE, "datatype", "MPI_DATATYPE_NULL",
               MPI_Pack(data, 1, MPI_DATATYPE_NULL, packed, 16, &position, self));
  EXPECT_ERROR(MPI_ERR_ARG, "outsize", "-1",
               MPI_Pack(data, 1, MPI_INT, packed, -1, &position, self));
  EXPECT_ERROR(MPI_ERR_TRUNCATE, "outsize", "15",
               MPI_Pack(data, 4, MPI_INT, packed, 15, &position, self));
  EXPECT_ERROR(MPI_ERR_BUFFER, "inbuf", "",
               MPI_Pack(nullptr, 1, MPI_INT, packed, 16, &position, self));
  EXPECT_ERROR(MPI_ERR_BUFFER, "outbuf", "",
               MPI_Pack(data, 1, MPI_INT, nullptr, 16, &position, self));
  EXPECT_ERROR(MPI_ERR_TRUNCATE, "insize", "15",
               MPI_Unpack(packed, 15, &position, data, 4, MPI_INT, self));
  EXPECT_ERROR(MPI_ERR_COUNT, "outcount", "-1",
               MPI_Unpack(packed, 16, &position, data, -1, MPI_INT, self));
  EXPECT_ERROR(MPI_ERR_BUFFER, "inbuf", "",
               MPI_Unpack(nullptr, 16, &position, data, 1, MPI_INT, self));
  CHECK_EQ(position, 0);
  MPI_Count large_position = 0;
  EXPECT_ERROR(MPI_ERR_COUNT, "incount", "",
               MPI_Pack_c(data, kHuge, MPI_INT, packed, 16, &large_position, self));
  EXPECT_ERROR(MPI_ERR_TRUNCATE, "insize", "3",
               MPI_Unpack_c(packed, 3, &large_position, data, 1, MPI_INT, self));
  CHECK_EQ(large_position, MPI_Count{0});
  position = 17;
  EXPECT_ERROR(MPI_ERR_ARG, "position", "17",
               MPI_Pack(data, 1, MPI_INT, packed, 16, &position, self));
  position = -1;
  EXPECT_ERROR(MPI_ERR_ARG, "position", "-1",
               MPI_Unpack(packed, 16, &position, data, 1, MPI_INT, self));
  CHECK_EQ(position, -1);
  Untouched<int> size;
  Untouched<MPI_Count> large;
  EXPECT_ERROR(MPI_ERR_COUNT, "incount", "-1", MPI_Pack_size(-1, MPI_INT, self, &size));
  EXPECT_ERROR(MPI_ERR_VALUE_TOO_LARGE, "size", "", MPI_Pack_size(INT_MAX, MPI_INT, self, &size));
  EXPECT_ERROR(MPI_ERR_COUNT, "incount", "", MPI_Pack_size_c(kHuge, MPI_INT, self, &large));
}

void external_packing() {
  long data[2] = {1, LONG_MAX};
  char packed[16];
  MPI_Aint position = 0;
  const auto pack = [&](const char* datarep, int count, MPI_Datatype type, MPI_Aint size) {
    return MPI_Pack_external(datarep, data, count, type, packed, size, &position);
  };
  const auto unpack = [&](const char* datarep, int count, MPI_Datatype type, MPI_Aint size) {
    return MPI_Unpack_external(datarep, packed, size, &position, data, count, type);
  };
  const std::string in = "MPI_Pack_external", out = "MPI_Unpack_external";
  const int datarep = MPI_ERR_UNSUPPORTED_DATAREP;
  EXPECT_ERROR_OF(in, datarep, "datarep", "native", pack("native", 1, MPI_INT, 16));
  EXPECT_ERROR_OF(out, datarep, "datarep", "native", unpack("native", 1, MPI_INT, 16));
  EXPECT_ERROR_OF(in, MPI_ERR_ARG, "datarep", "", pack(nullptr, 1, MPI_INT, 16));
  EXPECT_ERROR_OF(in, MPI_ERR_COUNT, "incount", "-1", pack("external32", -1, MPI_INT, 16));
  EXPECT_ERROR_OF(out, MPI_ERR_COUNT, "outcount", "-1", unpack("external32", -1, MPI_INT, 16));
  EXPECT_ERROR_OF(in, MPI_ERR_ARG, "outsize", "-1", pack("external32", 1, MPI_INT, -1));
  EXPECT_ERROR_OF(in, MPI_ERR_TRUNCATE, "outsize", "7", pack("external32", 2, MPI_INT, 7));
  EXPECT_ERROR_OF(out, MPI_ERR_TRUNCATE, "insize", "7", unpack("external32", 2, MPI_INT, 7));
  EXPECT_ERROR_OF(in, MPI_ERR_TYPE, "datatype", "MPI_DATATYPE_NULL",
                  pack("external32", 1, MPI_DATATYPE_NULL, 16));
  EXPECT_ERROR_OF(in, MPI_ERR_CONVERSION, "inbuf", "", pack("external32", 2, MPI_LONG, 16));
  CHECK_EQ(position, MPI_Aint{0});
  Untouched<MPI_Aint> size;
  EXPECT_ERROR(datarep, "datarep", "native", MPI_Pack_external_size("native", 1, MPI_INT, &size));
  MPI_Count large = 17;
  EXPECT_ERROR(MPI_ERR_ARG, "position", "17",
               MPI_Pack_external_c("external32", data, 1, MPI_INT, packed, 16, &large));
  EXPECT_ERROR(MPI_ERR_ARG, "position", "17",
               MPI_Unpack_external_c("external32", packed, 16, &large, data, 1, MPI_INT));
  EXPECT_ERROR(MPI_ERR_COUNT, "incount", "",
               MPI_Pack_external_size_c("external32", kHuge, MPI_INT, &large));
  CHECK_EQ(large, MPI_Count{17});
}

// Types that are not committed, or not any more.
void communication() {
  MPI_Datatype bare = pair_of_ints();
  MPI_Type_set_name(bare, "bare");
  std::vector<std::pair<MPI_Datatype, std::string>> bad = {{bare, "bare"}};
  if (check::on_atoll()) bad.emplace_back(freed_type(), "");
  int data[2] = {1, 2}, position = 0;
  char packed[8];
  Untouched<MPI_Request> request;
  for (const auto& [type, value] : bad) {
    EXPECT_ERROR(MPI_ERR_TYPE, "datatype", value, MPI_Send(data, 1, type, 0, 0, MPI_COMM_SELF));
    EXPECT_ERROR(MPI_ERR_TYPE, "datatype", value,
                 MPI_Isend(data, 1, type, 0, 0, MPI_COMM_SELF, &request));
    EXPECT_ERROR(MPI_ERR_TYPE, "datatype", value,
                 MPI_Recv(data, 1, type, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE));
    EXPECT_ERROR(MPI_ERR_TYPE, "datatype", value,
                 MPI_Irecv(data, 1, type, 0, 0, MPI_COMM_SELF, &request));
    EXPECT_ERROR(MPI_ERR_TYPE, "recvtype", value,
                 MPI_Sendrecv(data, 2, MPI_INT, 0, 0, data, 1, type, 0, 0, MPI_COMM_SELF,
                              MPI_STATUS_IGNORE));
    EXPECT_ERROR(MPI_ERR_TYPE, "datatype", value,
                 MPI_Pack(data, 1, type, packed, 8, &position, MPI_COMM_SELF));
    EXPECT_ERROR(MPI_ERR_TYPE, "datatype", value, MPI_Bcast(data, 1, type, 0, MPI_COMM_SELF));
  }
  MPI_Type_free(&bare);
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  check::return_errors();
  oldtypes();
  counts_and_lengths();
  null_arrays();
  overflows();
  subarrays();
  darrays();
  commit_and_free();
  contents();
  inquiries();
  removed_constructors();
  standard_types();
  names_and_attributes();
  packing();
  external_packing();
  communication();
  errors::check_all_is_well();
  return check::finish();
}
