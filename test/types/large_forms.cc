// The forms of the functions on datatypes that take or give an MPI_Count: the same
// types and the same bytes as those with an int (MPI 5.0, 2.5.8).
#include <string>
#include <vector>

#include "test/types/type_map.h"

namespace {

struct Pair {
  std::string name;
  MPI_Datatype plain;
  MPI_Datatype large;
};

std::vector<Pair> pairs() {
  const int lengths[] = {2, 1, 3}, places[] = {3, 0, 7};
  const MPI_Aint addresses[] = {24, 0, 64};
  const MPI_Count large_lengths[] = {2, 1, 3}, large_places[] = {3, 0, 7};
  const MPI_Count large_addresses[] = {24, 0, 64};
  const MPI_Datatype types[] = {MPI_INT, MPI_DOUBLE, MPI_SHORT};
  const int sizes[] = {4, 5}, parts[] = {2, 3}, starts[] = {1, 2};
  const MPI_Count large_sizes[] = {4, 5}, large_parts[] = {2, 3}, large_starts[] = {1, 2};
  const int cyclic[] = {MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_BLOCK};
  const int dargs[] = {1, MPI_DISTRIBUTE_DFLT_DARG}, grid[] = {2, 2};
  std::vector<Pair> all{{"contiguous", {}, {}},     {"vector", {}, {}},   {"hvector", {}, {}},
                        {"indexed", {}, {}},        {"hindexed", {}, {}}, {"indexed_block", {}, {}},
                        {"hindexed_block", {}, {}}, {"struct", {}, {}},   {"subarray", {}, {}},
                        {"darray", {}, {}},         {"resized", {}, {}}};
  MPI_Type_contiguous(5, MPI_INT, &all[0].plain);
  MPI_Type_contiguous_c(5, MPI_INT, &all[0].large);
  MPI_Type_vector(2, 3, -4, MPI_INT, &all[1].plain);
  MPI_Type_vector_c(2, 3, -4, MPI_INT, &all[1].large);
  MPI_Type_create_hvector(2, 3, -44, MPI_INT, &all[2].plain);
  MPI_Type_create_hvector_c(2, 3, -44, MPI_INT, &all[2].large);
  MPI_Type_indexed(3, lengths, places, MPI_INT, &all[3].plain);
  MPI_Type_indexed_c(3, large_lengths, large_places, MPI_INT, &all[3].large);
  MPI_Type_create_hindexed(3, lengths, addresses, MPI_INT, &all[4].plain);
  MPI_Type_create_hindexed_c(3, large_lengths, large_addresses, MPI_INT, &all[4].large);
  MPI_Type_create_indexed_block(3, 2, places, MPI_INT, &all[5].plain);
  MPI_Type_create_indexed_block_c(3, 2, large_places, MPI_INT, &all[5].large);
  MPI_Type_create_hindexed_block(3, 2, addresses, MPI_INT, &all[6].plain);
  MPI_Type_create_hindexed_block_c(3, 2, large_addresses, MPI_INT, &all[6].large);
  MPI_Type_create_struct(3, lengths, addresses, types, &all[7].plain);
  MPI_Type_create_struct_c(3, large_lengths, large_addresses, types, &all[7].large);
  MPI_Type_create_subarray(2, sizes, parts, starts, MPI_ORDER_C, MPI_INT, &all[8].plain);
  MPI_Type_create_subarray_c(2, large_sizes, large_parts, large_starts, MPI_ORDER_C, MPI_INT,
                             &all[8].large);
  MPI_Type_create_darray(4, 1, 2, sizes, cyclic, dargs, grid, MPI_ORDER_C, MPI_INT, &all[9].plain);
  MPI_Type_create_darray_c(4, 1, 2, large_sizes, cyclic, dargs, grid, MPI_ORDER_C, MPI_INT,
                           &all[9].large);
  MPI_Type_create_resized(MPI_INT, -4, 12, &all[10].plain);
  MPI_Type_create_resized_c(MPI_INT, -4, 12, &all[10].large);
  return all;
}

void same_bounds(const Pair& pair) {
  MPI_Aint lb = -1, extent = -1;
  MPI_Count large_lb = -2, large_extent = -2;
  MPI_Type_get_extent(pair.plain, &lb, &extent);
  MPI_Type_get_extent_c(pair.large, &large_lb, &large_extent);
  CHECK_EQ(MPI_Count{lb}, large_lb);
  CHECK_EQ(MPI_Count{extent}, large_extent);
  MPI_Type_get_true_extent(pair.plain, &lb, &extent);
  MPI_Type_get_true_extent_c(pair.large, &large_lb, &large_extent);
  CHECK_EQ(MPI_Count{lb}, large_lb);
  CHECK_EQ(MPI_Count{extent}, large_extent);
  int size = -1;
  MPI_Count large_size = -2;
  MPI_Type_size(pair.plain, &size);
  MPI_Type_size_c(pair.large, &large_size);
  CHECK_EQ(MPI_Count{size}, large_size);
}

constexpr int kMemory = 512, kCount = 2;

using Bytes = std::vector<unsigned char>;

// What is packed of elements in the middle of some memory, both ways.
void same_packing(const Pair& pair) {
  Bytes memory(kMemory);
  check::fill(memory.data(), memory.size(), 5);
  int room = -1, position = 0;
  MPI_Count large_room = -2, large_position = 0;
  MPI_Pack_size(kCount, pair.plain, MPI_COMM_SELF, &room);
  MPI_Pack_size_c(kCount, pair.large, MPI_COMM_SELF, &large_room);
  CHECK_EQ(MPI_Count{room}, large_room);
  Bytes packed(static_cast<std::size_t>(room)), large = packed;
  unsigned char* const middle = memory.data() + kMemory / 2;
  MPI_Pack(middle, kCount, pair.plain, packed.data(), room, &position, MPI_COMM_SELF);
  MPI_Pack_c(middle, kCount, pair.large, large.data(), large_room, &large_position, MPI_COMM_SELF);
  CHECK_EQ(MPI_Count{position}, large_position);
  CHECK(packed == large);
  Bytes to(kMemory, 1), large_to = to;
  position = 0;
  large_position = 0;
  MPI_Unpack(packed.data(), room, &position, to.data() + kMemory / 2, kCount, pair.plain,
             MPI_COMM_SELF);
  MPI_Unpack_c(packed.data(), large_room, &large_position, large_to.data() + kMemory / 2, kCount,
               pair.large, MPI_COMM_SELF);
  CHECK_EQ(MPI_Count{position}, large_position);
  CHECK(to == large_to);
}

void same_external_packing(const Pair& pair) {
  Bytes memory(kMemory);
  check::fill(memory.data(), memory.size(), 6);
  MPI_Aint room = -1, position = 0;
  MPI_Count large_room = -2, large_position = 0;
  MPI_Pack_external_size("external32", kCount, pair.plain, &room);
  MPI_Pack_external_size_c("external32", kCount, pair.large, &large_room);
  CHECK_EQ(MPI_Count{room}, large_room);
  Bytes packed(static_cast<std::size_t>(room)), large = packed;
  const unsigned char* const middle = memory.data() + kMemory / 2;
  MPI_Pack_external("external32", middle, kCount, pair.plain, packed.data(), room, &position);
  MPI_Pack_external_c("external32", middle, kCount, pair.large, large.data(), large_room,
                      &large_position);
  CHECK_EQ(MPI_Count{position}, large_position);
  CHECK(packed == large);
  Bytes to(kMemory, 1), large_to = to;
  position = 0;
  large_position = 0;
  MPI_Unpack_external("external32", packed.data(), room, &position, to.data() + kMemory / 2, kCount,
                      pair.plain);
  MPI_Unpack_external_c("external32", packed.data(), large_room, &large_position,
                        large_to.data() + kMemory / 2, kCount, pair.large);
  CHECK_EQ(MPI_Count{position}, large_position);
  CHECK(to == large_to);
}

void elements_of_a_status() {
  check::set_case("elements of a status");
  constexpr MPI_Count kMany = MPI_Count{3} << 40;
  MPI_Status status;
#if MPI_LEVEL >= 41
  MPI_Status_set_elements_c(&status, MPI_INT, kMany);
#else
  MPI_Status_set_elements_x(&status, MPI_INT, kMany);
#endif
  MPI_Count found = -1;
  MPI_Get_elements_c(&status, MPI_INT, &found);
  CHECK_EQ(found, kMany);
  MPI_Get_count_c(&status, MPI_DOUBLE, &found);
  CHECK_EQ(found, kMany / 2);
  int few = -1;
  MPI_Get_elements(&status, MPI_INT, &few);
  CHECK_EQ(few, MPI_UNDEFINED);
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  for (Pair& pair : pairs()) {
    check::set_case("%s", pair.name.c_str());
    MPI_Type_commit(&pair.plain);
    MPI_Type_commit(&pair.large);
    same_bounds(pair);
    same_packing(pair);
    if (check::on_atoll()) same_external_packing(pair);  // MPICH 4.0 crashes
    MPI_Type_free(&pair.plain);
    MPI_Type_free(&pair.large);
  }
  elements_of_a_status();
  return check::finish();
}
