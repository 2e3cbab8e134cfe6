// Wrong arguments of one-sided communication: ranges, displacements, ranks, operations and types
// of transfers, memory of dynamic windows, and the creation of windows. Nothing is transferred or
// made, and the window works afterwards.
#include <climits>
#include <string>
#include <vector>

#include "test/errors/expect.h"
#include "test/rma/kept_window.h"

namespace {

using namespace rma;
using errors::Untouched;

// --- transfers ---

// Beyond the end of the target's memory, before its beginning, or where nothing is attached.
void ranges(Flavor flavor) {
  const Kept win(flavor);
  const int target = next();
  const int range = MPI_ERR_RMA_RANGE;
  Untouched<long> got;
  std::vector<long> many(64, 2), found(64, -1);
  MPI_Win_lock_all(0, win);
  for (std::size_t byte : {kBytes, kBytes - 7, kBytes + 8, kBytes + (std::size_t{1} << 40)}) {
    const MPI_Aint at = win.at(byte);
    EXPECT_ERROR(range, "", "", MPI_Put(kOne, 1, MPI_LONG, target, at, 1, MPI_LONG, win));
    EXPECT_ERROR(range, "", "", MPI_Get(&got, 1, MPI_LONG, target, at, 1, MPI_LONG, win));
    EXPECT_ERROR(range, "", "",
                 MPI_Accumulate(kOne, 1, MPI_LONG, target, at, 1, MPI_LONG, MPI_SUM, win));
    EXPECT_ERROR(range, "", "", MPI_Fetch_and_op(kOne, &got, MPI_LONG, target, at, MPI_SUM, win));
    EXPECT_ERROR(range, "", "", MPI_Compare_and_swap(kOne, kOne, &got, MPI_LONG, target, at, win));
  }
  // What begins within and ends beyond: nothing of it is transferred.
  EXPECT_ERROR(range, "", "",
               MPI_Put(many.data(), 33, MPI_LONG, target, win.at(0), 33, MPI_LONG, win));
  EXPECT_ERROR(range, "", "",
               MPI_Get(found.data(), 33, MPI_LONG, target, win.at(0), 33, MPI_LONG, win));
  EXPECT_ERROR(range, "", "",
               MPI_Get_accumulate(many.data(), 10, MPI_LONG, found.data(), 10, MPI_LONG, target,
                                  win.at(kBytes - 72), 10, MPI_LONG, MPI_SUM, win));
  MPI_Request request = MPI_REQUEST_NULL;
  EXPECT_ERROR(range, "", "",
               MPI_Rput(many.data(), 33, MPI_LONG, target, win.at(0), 33, MPI_LONG, win, &request));
  CHECK(request == MPI_REQUEST_NULL);
  CHECK(found == std::vector<long>(64, -1));
  // All of the window, and a gap behind the last value that is not in it.
  CHECK_EQ(MPI_Get(found.data(), 32, MPI_LONG, target, win.at(0), 32, MPI_LONG, win), MPI_SUCCESS);
  MPI_Datatype gap, before;
  MPI_Type_vector(1, 2, 2, MPI_LONG, &before);
  MPI_Type_create_resized(before, 0, 1 << 20, &gap);
  MPI_Type_commit(&gap);
  CHECK_EQ(MPI_Get(found.data(), 2, MPI_LONG, target, win.at(kBytes - 16), 1, gap, win),
           MPI_SUCCESS);
  EXPECT_ERROR(range, "", "",
               MPI_Get(found.data(), 4, MPI_LONG, target, win.at(kBytes - 16), 2, gap, win));
  MPI_Type_free(&before);
  MPI_Type_free(&gap);
  const int minus[] = {-1};
  MPI_Type_create_indexed_block(1, 1, minus, MPI_LONG, &before);
  MPI_Type_commit(&before);
  CHECK_EQ(MPI_Get(found.data(), 1, MPI_LONG, target, win.at(8), 1, before, win), MPI_SUCCESS);
  EXPECT_ERROR(range, "", "", MPI_Get(&got, 1, MPI_LONG, target, win.at(0), 1, before, win));
  MPI_Type_free(&before);
  MPI_Win_unlock_all(win);
  CHECK_EQ(found[31], kKept);
}

void displacements_and_ranks(Flavor flavor) {
  const Kept win(flavor);
  Untouched<long> got;
  MPI_Win_lock_all(0, win);
  if (!is_dynamic(flavor)) {
    EXPECT_ERROR(MPI_ERR_DISP, "target_disp", "-8",
                 MPI_Put(kOne, 1, MPI_LONG, next(), -8, 1, MPI_LONG, win));
    EXPECT_ERROR(MPI_ERR_DISP, "target_disp", "-1",
                 MPI_Fetch_and_op(kOne, &got, MPI_LONG, next(), -1, MPI_SUM, win));
  }
  for (int bad : {-77, check::size, INT_MAX}) {
    const std::string value = std::to_string(bad);
    EXPECT_ERROR(MPI_ERR_RANK, "target_rank", value,
                 MPI_Put(kOne, 1, MPI_LONG, bad, win.at(0), 1, MPI_LONG, win));
    EXPECT_ERROR(MPI_ERR_RANK, "target_rank", value,
                 MPI_Get(&got, 1, MPI_LONG, bad, win.at(0), 1, MPI_LONG, win));
    EXPECT_ERROR(MPI_ERR_RANK, "target_rank", value,
                 MPI_Compare_and_swap(kOne, kOne, &got, MPI_LONG, bad, win.at(0), win));
    EXPECT_ERROR(MPI_ERR_RANK, "rank", value, MPI_Win_flush(bad, win));
  }
  EXPECT_ERROR(MPI_ERR_COUNT, "origin_count", "-1",
               MPI_Put(kOne, -1, MPI_LONG, next(), win.at(0), 1, MPI_LONG, win));
  EXPECT_ERROR(MPI_ERR_COUNT, "target_count", "-1",
               MPI_Get(&got, 1, MPI_LONG, next(), win.at(0), -1, MPI_LONG, win));
  EXPECT_ERROR(MPI_ERR_BUFFER, "origin_addr", "",
               MPI_Put(nullptr, 1, MPI_LONG, next(), win.at(0), 1, MPI_LONG, win));
  EXPECT_ERROR(MPI_ERR_TYPE, "target_datatype", "MPI_DATATYPE_NULL",
               MPI_Put(kOne, 1, MPI_LONG, next(), win.at(0), 1, MPI_DATATYPE_NULL, win));
  MPI_Win_unlock_all(win);
}

void ignore_values(void*, void*, int*, MPI_Datatype*) {}

void operations_and_types(Flavor flavor) {
  const Kept win(flavor);
  const int to = next();
  const MPI_Aint at = win.at(0);
  Untouched<long> got;
  MPI_Op own;
  MPI_Op_create(ignore_values, 1, &own);
  MPI_Datatype mixed, open;
  const int lengths[] = {1, 1};
  const MPI_Aint places[] = {0, 8};
  const MPI_Datatype types[] = {MPI_LONG, MPI_DOUBLE};
  MPI_Type_create_struct(2, lengths, places, types, &mixed);
  MPI_Type_commit(&mixed);
  MPI_Type_contiguous(2, MPI_LONG, &open);
  MPI_Win_lock_all(0, win);
  EXPECT_ERROR(MPI_ERR_OP, "op", "",
               MPI_Accumulate(kOne, 1, MPI_LONG, to, at, 1, MPI_LONG, own, win));
  EXPECT_ERROR(MPI_ERR_OP, "op", "", MPI_Fetch_and_op(kOne, &got, MPI_LONG, to, at, own, win));
  EXPECT_ERROR(
      MPI_ERR_OP, "op", "",
      MPI_Get_accumulate(kOne, 1, MPI_LONG, &got, 1, MPI_LONG, to, at, 1, MPI_LONG, own, win));
  EXPECT_ERROR(MPI_ERR_OP, "op", "MPI_OP_NULL",
               MPI_Accumulate(kOne, 1, MPI_LONG, to, at, 1, MPI_LONG, MPI_OP_NULL, win));
  // It only fetches, and MPI_Accumulate fetches nothing.
  EXPECT_ERROR(MPI_ERR_OP, "op", "MPI_NO_OP",
               MPI_Accumulate(kOne, 1, MPI_LONG, to, at, 1, MPI_LONG, MPI_NO_OP, win));
  // Operations that are not for the type.
  EXPECT_ERROR(MPI_ERR_OP, "op", "MPI_BAND",
               MPI_Accumulate(kOne, 1, MPI_DOUBLE, to, at, 1, MPI_DOUBLE, MPI_BAND, win));
  EXPECT_ERROR(MPI_ERR_OP, "op", "MPI_MINLOC",
               MPI_Fetch_and_op(kOne, &got, MPI_LONG, to, at, MPI_MINLOC, win));
  EXPECT_ERROR(MPI_ERR_OP, "op", "MPI_SUM",
               MPI_Accumulate(kOne, 1, MPI_2INT, to, at, 1, MPI_2INT, MPI_SUM, win));
  // Types: of two predefined ones, not predefined where one must be, not committed, or of a kind
  // that cannot be compared.
  EXPECT_ERROR(MPI_ERR_TYPE, "", "",
               MPI_Accumulate(kOne, 1, mixed, to, at, 1, mixed, MPI_SUM, win));
  EXPECT_ERROR(MPI_ERR_TYPE, "", "",
               MPI_Accumulate(kOne, 1, MPI_LONG, to, at, 1, MPI_DOUBLE, MPI_SUM, win));
  EXPECT_ERROR(MPI_ERR_TYPE, "", "", MPI_Put(kOne, 1, open, to, at, 1, open, win));
  EXPECT_ERROR(MPI_ERR_TYPE, "datatype", "",
               MPI_Fetch_and_op(kOne, &got, mixed, to, at, MPI_SUM, win));
  for (MPI_Datatype bad : {MPI_DOUBLE, MPI_C_COMPLEX, MPI_2INT, mixed}) {
    EXPECT_ERROR(MPI_ERR_TYPE, "datatype", "",
                 MPI_Compare_and_swap(kOne, kOne, &got, bad, to, at, win));
  }
  // What does not fit (12.3.1 and 12.3.2).
  EXPECT_ERROR(MPI_ERR_TRUNCATE, "", "", MPI_Put(kOne, 2, MPI_LONG, to, at, 1, MPI_LONG, win));
  EXPECT_ERROR(MPI_ERR_TRUNCATE, "", "", MPI_Get(&got, 1, MPI_LONG, to, at, 2, MPI_LONG, win));
  EXPECT_ERROR(MPI_ERR_TRUNCATE, "", "",
               MPI_Accumulate(kOne, 3, MPI_LONG, to, at, 2, MPI_LONG, MPI_SUM, win));
  MPI_Win_unlock_all(win);
  MPI_Op_free(&own);
  MPI_Type_free(&mixed);
  MPI_Type_free(&open);
}

// --- dynamic memory ---

void dynamic_memory() {
  const Kept win(Flavor::dynamic);
  std::vector<long> memory(100, 5);
  Untouched<long> got;
  MPI_Aint own, theirs;
  EXPECT_ERROR(MPI_ERR_RMA_ATTACH, "base", "", MPI_Win_detach(win, memory.data()));
  MPI_Win_attach(win, memory.data(), 400);
  MPI_Get_address(memory.data(), &own);
  MPI_Sendrecv(&own, 1, MPI_AINT, previous(), 1, &theirs, 1, MPI_AINT, next(), 1, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  EXPECT_ERROR(MPI_ERR_RMA_ATTACH, "base", "", MPI_Win_attach(win, memory.data(), 400));
  EXPECT_ERROR(MPI_ERR_RMA_ATTACH, "base", "", MPI_Win_attach(win, memory.data() + 49, 16));
  EXPECT_ERROR(MPI_ERR_RMA_ATTACH, "base", "", MPI_Win_detach(win, memory.data() + 1));
  EXPECT_ERROR(MPI_ERR_SIZE, "size", "-1", MPI_Win_attach(win, memory.data() + 60, -1));
  MPI_Win_lock_all(0, win);
  for (MPI_Aint at : {MPI_Aint(0), MPI_Aint(8), MPI_Aint_add(theirs, -8), MPI_Aint_add(theirs, 400),
                      MPI_Aint_add(theirs, 393)}) {
    EXPECT_ERROR(MPI_ERR_RMA_RANGE, "", "",
                 MPI_Get(&got, 1, MPI_LONG, next(), at, 1, MPI_LONG, win));
    EXPECT_ERROR(MPI_ERR_RMA_RANGE, "", "",
                 MPI_Put(kOne, 1, MPI_LONG, next(), at, 1, MPI_LONG, win));
  }
  long found = -1;
  CHECK_EQ(MPI_Get(&found, 1, MPI_LONG, next(), MPI_Aint_add(theirs, 392), 1, MPI_LONG, win),
           MPI_SUCCESS);
  MPI_Win_unlock_all(win);
  CHECK_EQ(found, 5L);
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK_EQ(MPI_Win_detach(win, memory.data()), MPI_SUCCESS);
  EXPECT_ERROR(MPI_ERR_RMA_ATTACH, "base", "", MPI_Win_detach(win, memory.data()));
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock_all(0, win);
  EXPECT_ERROR(MPI_ERR_RMA_RANGE, "", "",
               MPI_Get(&got, 1, MPI_LONG, next(), theirs, 1, MPI_LONG, win));
  MPI_Win_unlock_all(win);
  CHECK(memory == std::vector<long>(100, 5));
}

// Calls for windows of another flavor.
void flavors_of_calls(Flavor flavor) {
  const Kept win(flavor);
  long memory[8];
  if (!is_dynamic(flavor)) {
    EXPECT_ERROR(MPI_ERR_RMA_FLAVOR, "win", "", MPI_Win_attach(win, memory, sizeof memory));
    EXPECT_ERROR(MPI_ERR_RMA_FLAVOR, "win", "", MPI_Win_detach(win, memory));
    return;
  }
  Untouched<MPI_Aint> size;
  Untouched<int> unit;
  Untouched<void*> base;
  EXPECT_ERROR(MPI_ERR_RMA_FLAVOR, "win", "", MPI_Win_shared_query(win, 0, &size, &unit, &base));
}

// --- creation ---

// All ranks, or the first alone, have a wrong argument: all hear of it.
void creation() {
  static long memory[8];
  const bool first = check::rank == 0;
  Untouched<MPI_Win> win;
  Untouched<void*> base;
  const MPI_Comm world = MPI_COMM_WORLD;
  EXPECT_ERROR(MPI_ERR_SIZE, "size", "-1",
               MPI_Win_create(memory, -1, 1, MPI_INFO_NULL, world, &win));
  EXPECT_ERROR(MPI_ERR_SIZE, "size", "-8",
               MPI_Win_allocate(-8, 1, MPI_INFO_NULL, world, &base, &win));
  EXPECT_ERROR(MPI_ERR_SIZE, "size", "-8",
               MPI_Win_allocate_shared(-8, 1, MPI_INFO_NULL, world, &base, &win));
  for (int unit : {0, -4}) {
    const std::string value = std::to_string(unit);
    EXPECT_ERROR(MPI_ERR_DISP, "disp_unit", value,
                 MPI_Win_create(memory, 64, unit, MPI_INFO_NULL, world, &win));
    EXPECT_ERROR(MPI_ERR_DISP, "disp_unit", value,
                 MPI_Win_allocate(64, unit, MPI_INFO_NULL, world, &base, &win));
    EXPECT_ERROR(MPI_ERR_DISP, "disp_unit", value,
                 MPI_Win_allocate_shared(64, unit, MPI_INFO_NULL, world, &base, &win));
  }
  EXPECT_ERROR(MPI_ERR_COMM, "comm", "MPI_COMM_NULL",
               MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_NULL, &win));
  if (check::size < 2) return;
  CHECK(MPI_Win_create(memory, first ? -1 : 64, 1, MPI_INFO_NULL, world, &win) != MPI_SUCCESS);
  CHECK(MPI_Win_allocate(64, first ? 0 : 1, MPI_INFO_NULL, world, &base, &win) != MPI_SUCCESS);
  CHECK(MPI_Win_allocate_shared(first ? -1 : 64, 1, MPI_INFO_NULL, world, &base, &win) !=
        MPI_SUCCESS);
  MPI_Info hints;
  MPI_Info_create(&hints);
  MPI_Info_set(hints, "no_locks", first ? "true" : "false");
  EXPECT_ERROR(MPI_ERR_INFO, "info", "", MPI_Win_create(memory, 64, 1, hints, world, &win));
  MPI_Info_free(&hints);
}

void freed_windows() {
  MPI_Win win;
  long memory[8] = {};
  MPI_Win_create(memory, sizeof memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win stale = win;
  MPI_Win_free(&win);
  CHECK(win == MPI_WIN_NULL);
  for (MPI_Win bad : {MPI_WIN_NULL, stale, errors::garbage<MPI_Win>()}) {
    Untouched<long> got;
    Untouched<MPI_Group> group;
    EXPECT_ERROR(MPI_ERR_WIN, "win", "", MPI_Put(kOne, 1, MPI_LONG, 0, 0, 1, MPI_LONG, bad));
    EXPECT_ERROR(MPI_ERR_WIN, "win", "",
                 MPI_Fetch_and_op(kOne, &got, MPI_LONG, 0, 0, MPI_SUM, bad));
    EXPECT_ERROR(MPI_ERR_WIN, "win", "", MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, bad));
    EXPECT_ERROR(MPI_ERR_WIN, "win", "", MPI_Win_fence(0, bad));
    EXPECT_ERROR(MPI_ERR_WIN, "win", "", MPI_Win_sync(bad));
    Untouched<MPI_Info> info;
    EXPECT_ERROR(MPI_ERR_WIN, "win", "", MPI_Win_get_info(bad, &info));
    EXPECT_ERROR(MPI_ERR_WIN, "win", "", MPI_Win_set_info(bad, MPI_INFO_NULL));
    EXPECT_ERROR(MPI_ERR_WIN, "win", "", MPI_Win_get_group(bad, &group));
    MPI_Win copy = bad;
    EXPECT_ERROR(MPI_ERR_WIN, "win", "", MPI_Win_free(&copy));
    CHECK(copy == bad);
  }
}

// The large-count forms check what the others check.
void large_counts() {
  const Window win(Flavor::allocate, 64);
  MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
  MPI_Win_lock_all(0, win);
  const MPI_Count bad = -1;
  Untouched<long> got;
  MPI_Request request = MPI_REQUEST_NULL;
  EXPECT_ERROR(MPI_ERR_COUNT, "origin_count", "-1",
               MPI_Put_c(kOne, bad, MPI_LONG, 0, 0, 1, MPI_LONG, win));
  EXPECT_ERROR(MPI_ERR_COUNT, "target_count", "-1",
               MPI_Get_c(&got, 1, MPI_LONG, 0, 0, bad, MPI_LONG, win));
  EXPECT_ERROR(MPI_ERR_COUNT, "origin_count", "-1",
               MPI_Accumulate_c(kOne, bad, MPI_LONG, 0, 0, 1, MPI_LONG, MPI_SUM, win));
  EXPECT_ERROR(MPI_ERR_COUNT, "origin_count", "-1",
               MPI_Get_accumulate_c(kOne, bad, MPI_LONG, &got, 1, MPI_LONG, 0, 0, 1, MPI_LONG,
                                    MPI_SUM, win));
  EXPECT_ERROR(MPI_ERR_COUNT, "origin_count", "-1",
               MPI_Rput_c(kOne, bad, MPI_LONG, 0, 0, 1, MPI_LONG, win, &request));
  EXPECT_ERROR(MPI_ERR_COUNT, "target_count", "-1",
               MPI_Rget_c(&got, 1, MPI_LONG, 0, 0, bad, MPI_LONG, win, &request));
  EXPECT_ERROR(MPI_ERR_COUNT, "origin_count", "-1",
               MPI_Raccumulate_c(kOne, bad, MPI_LONG, 0, 0, 1, MPI_LONG, MPI_SUM, win, &request));
  EXPECT_ERROR(MPI_ERR_COUNT, "result_count", "-1",
               MPI_Rget_accumulate_c(kOne, 1, MPI_LONG, &got, bad, MPI_LONG, 0, 0, 1, MPI_LONG,
                                     MPI_SUM, win, &request));
  CHECK(request == MPI_REQUEST_NULL);
  MPI_Win_unlock_all(win);
  MPI_Aint size = 0, unit = 0;
  long* memory = nullptr;
  EXPECT_ERROR(MPI_ERR_RANK, "rank", std::to_string(check::size),
               MPI_Win_shared_query_c(win, check::size, &size, &unit, &memory));
}

void large_creation() {
  long memory[8] = {};
  Untouched<MPI_Win> win;
  long* base = nullptr;
  EXPECT_ERROR(MPI_ERR_DISP, "disp_unit", "0",
               MPI_Win_create_c(memory, sizeof memory, 0, MPI_INFO_NULL, MPI_COMM_WORLD, &win));
  EXPECT_ERROR(MPI_ERR_SIZE, "size", "-1",
               MPI_Win_allocate_c(-1, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win));
  EXPECT_ERROR(MPI_ERR_SIZE, "size", "-1",
               MPI_Win_allocate_shared_c(-1, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win));
  CHECK(base == nullptr);
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  check::return_errors();
  if (!check::on_atoll()) {  // others check little of this
    check::passed();
    return check::finish();
  }
  for (Flavor flavor : flavors()) {
    ranges(flavor);
    displacements_and_ranks(flavor);
    operations_and_types(flavor);
    flavors_of_calls(flavor);
  }
  dynamic_memory();
  creation();
  freed_windows();
  large_counts();
  large_creation();
  errors::check_all_is_well();
  return check::finish();
}
