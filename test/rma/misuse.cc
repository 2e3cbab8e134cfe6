// What a program must not do with windows is refused with the class of the standard (MPI 5.0,
// 12.6.2), in a text that names call and argument; nothing is transferred, and the window works
// afterwards.
#include <algorithm>
#include <string>
#include <vector>

#include "test/errors/expect.h"
#include "test/rma/kept_window.h"

namespace {

using namespace rma;
using errors::Untouched;

// --- synchronisation ---

// Each call that transfers, without an epoch that allows it.
void refuse_all(const Kept& win, const char* what, bool with_requests) {
  Untouched<long> got;
  MPI_Request request = MPI_REQUEST_NULL;
  const MPI_Aint at = win.at(0);
  const int target = next();
  check::set_case("%s", what);
  EXPECT_ERROR(MPI_ERR_RMA_SYNC, "", "", MPI_Put(kOne, 1, MPI_LONG, target, at, 1, MPI_LONG, win));
  EXPECT_ERROR(MPI_ERR_RMA_SYNC, "", "", MPI_Get(&got, 1, MPI_LONG, target, at, 1, MPI_LONG, win));
  EXPECT_ERROR(MPI_ERR_RMA_SYNC, "", "",
               MPI_Accumulate(kOne, 1, MPI_LONG, target, at, 1, MPI_LONG, MPI_SUM, win));
  EXPECT_ERROR(MPI_ERR_RMA_SYNC, "", "",
               MPI_Get_accumulate(kOne, 1, MPI_LONG, &got, 1, MPI_LONG, target, at, 1, MPI_LONG,
                                  MPI_SUM, win));
  EXPECT_ERROR(MPI_ERR_RMA_SYNC, "", "",
               MPI_Fetch_and_op(kOne, &got, MPI_LONG, target, at, MPI_SUM, win));
  EXPECT_ERROR(MPI_ERR_RMA_SYNC, "", "",
               MPI_Compare_and_swap(kOne, kOne, &got, MPI_LONG, target, at, win));
  if (!with_requests) return;
  EXPECT_ERROR(MPI_ERR_RMA_SYNC, "", "",
               MPI_Rput(kOne, 1, MPI_LONG, target, at, 1, MPI_LONG, win, &request));
  EXPECT_ERROR(MPI_ERR_RMA_SYNC, "", "",
               MPI_Rget(&got, 1, MPI_LONG, target, at, 1, MPI_LONG, win, &request));
  EXPECT_ERROR(MPI_ERR_RMA_SYNC, "", "",
               MPI_Raccumulate(kOne, 1, MPI_LONG, target, at, 1, MPI_LONG, MPI_SUM, win, &request));
  EXPECT_ERROR(MPI_ERR_RMA_SYNC, "", "",
               MPI_Rget_accumulate(kOne, 1, MPI_LONG, &got, 1, MPI_LONG, target, at, 1, MPI_LONG,
                                   MPI_SUM, win, &request));
  CHECK(request == MPI_REQUEST_NULL);
}

void outside_epochs(Flavor flavor) {
  const Kept win(flavor);
  refuse_all(win, "no epoch", true);
  MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
  refuse_all(win, "after the last fence", true);
  MPI_Win_lock(MPI_LOCK_SHARED, next(), 0, win);
  MPI_Win_unlock(next(), win);
  refuse_all(win, "after an unlock", true);
  if (check::size < 2) return;
  MPI_Win_lock(MPI_LOCK_SHARED, check::rank, 0, win);
  refuse_all(win, "another target is locked", true);
  MPI_Win_unlock(check::rank, win);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Group others = group_of(win, {previous()}), targets = group_of(win, {next()});
  MPI_Win_post(others, 0, win);
  refuse_all(win, "only exposed", true);
  MPI_Win_start(targets, 0, win);
  MPI_Win_complete(win);
  MPI_Win_wait(win);
  MPI_Group_free(&others);
  MPI_Group_free(&targets);
}

// Forms with a request are for passive targets; nothing else of theirs is wrong.
void requests_in_active_epochs(Flavor flavor) {
  const Kept win(flavor);
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
  EXPECT_ERROR(MPI_ERR_RMA_SYNC, "", "",
               MPI_Rput(kOne, 1, MPI_LONG, next(), win.at(0), 1, MPI_LONG, win, &request));
  Untouched<long> got;
  EXPECT_ERROR(MPI_ERR_RMA_SYNC, "", "",
               MPI_Rget(&got, 1, MPI_LONG, next(), win.at(0), 1, MPI_LONG, win, &request));
  CHECK(request == MPI_REQUEST_NULL);
  MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
}

void unmatched_synchronisation(Flavor flavor) {
  const Kept win(flavor);
  EXPECT_ERROR(MPI_ERR_RMA_SYNC, "", "", MPI_Win_unlock(next(), win));
  EXPECT_ERROR(MPI_ERR_RMA_SYNC, "", "", MPI_Win_unlock_all(win));
  EXPECT_ERROR(MPI_ERR_RMA_SYNC, "", "", MPI_Win_complete(win));
  EXPECT_ERROR(MPI_ERR_RMA_SYNC, "", "", MPI_Win_wait(win));
  Untouched<int> flag;
  EXPECT_ERROR(MPI_ERR_RMA_SYNC, "", "", MPI_Win_test(win, &flag));
  EXPECT_ERROR(MPI_ERR_RMA_SYNC, "", "", MPI_Win_flush(next(), win));
  EXPECT_ERROR(MPI_ERR_RMA_SYNC, "", "", MPI_Win_flush_local(next(), win));
  EXPECT_ERROR(MPI_ERR_RMA_SYNC, "", "", MPI_Win_flush_all(win));
  EXPECT_ERROR(MPI_ERR_RMA_SYNC, "", "", MPI_Win_flush_local_all(win));
}

void nested_locks(Flavor flavor) {
  const Kept win(flavor);
  MPI_Win_lock(MPI_LOCK_SHARED, next(), 0, win);
  EXPECT_ERROR(MPI_ERR_RMA_SYNC, "", "", MPI_Win_lock(MPI_LOCK_SHARED, next(), 0, win));
  EXPECT_ERROR(MPI_ERR_RMA_SYNC, "", "", MPI_Win_lock(MPI_LOCK_EXCLUSIVE, next(), 0, win));
  EXPECT_ERROR(MPI_ERR_RMA_SYNC, "", "", MPI_Win_lock_all(0, win));
  EXPECT_ERROR(MPI_ERR_RMA_SYNC, "", "", MPI_Win_unlock_all(win));
  EXPECT_ERROR(MPI_ERR_RMA_SYNC, "", "", MPI_Win_fence(0, win));
  EXPECT_ERROR(MPI_ERR_RMA_SYNC, "", "", MPI_Win_start(MPI_GROUP_EMPTY, 0, win));
  EXPECT_ERROR(MPI_ERR_RMA_SYNC, "", "", MPI_Win_complete(win));
  if (check::size > 1) {
    EXPECT_ERROR(MPI_ERR_RMA_SYNC, "", "", MPI_Win_unlock(check::rank, win));
    EXPECT_ERROR(MPI_ERR_RMA_SYNC, "", "", MPI_Win_flush(check::rank, win));
  }
  CHECK_EQ(MPI_Win_unlock(next(), win), MPI_SUCCESS);
  EXPECT_ERROR(MPI_ERR_RMA_SYNC, "", "", MPI_Win_unlock(next(), win));
  MPI_Win_lock_all(0, win);
  EXPECT_ERROR(MPI_ERR_RMA_SYNC, "", "", MPI_Win_lock_all(0, win));
  EXPECT_ERROR(MPI_ERR_RMA_SYNC, "", "", MPI_Win_lock(MPI_LOCK_SHARED, next(), 0, win));
  EXPECT_ERROR(MPI_ERR_RMA_SYNC, "", "", MPI_Win_unlock(next(), win));
  EXPECT_ERROR(MPI_ERR_RMA_SYNC, "", "", MPI_Win_fence(0, win));
  CHECK_EQ(MPI_Win_unlock_all(win), MPI_SUCCESS);
}

// A lock, a start, or what ends another kind of epoch, while an epoch of fences is open.
void locks_among_fences(Flavor flavor) {
  const Kept win(flavor);
  MPI_Win_fence(0, win);
  long read = -1;
  MPI_Get(&read, 1, MPI_LONG, next(), win.at(0), 1, MPI_LONG, win);
  EXPECT_ERROR(MPI_ERR_RMA_SYNC, "", "", MPI_Win_lock(MPI_LOCK_SHARED, next(), 0, win));
  EXPECT_ERROR(MPI_ERR_RMA_SYNC, "", "", MPI_Win_lock_all(0, win));
  EXPECT_ERROR(MPI_ERR_RMA_SYNC, "", "", MPI_Win_start(MPI_GROUP_EMPTY, 0, win));
  EXPECT_ERROR(MPI_ERR_RMA_SYNC, "", "", MPI_Win_post(MPI_GROUP_EMPTY, 0, win));
  EXPECT_ERROR(MPI_ERR_RMA_SYNC, "", "", MPI_Win_unlock(next(), win));
  EXPECT_ERROR(MPI_ERR_RMA_SYNC, "", "", MPI_Win_complete(win));
  MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
  CHECK_EQ(read, kKept);
}

void starts_and_posts(Flavor flavor) {
  const Kept win(flavor);
  Untouched<long> got;
  MPI_Group origins = group_of(win, {previous()}), targets = group_of(win, {next()});
  MPI_Win_post(origins, 0, win);
  EXPECT_ERROR(MPI_ERR_RMA_SYNC, "", "", MPI_Win_post(origins, 0, win));
  EXPECT_ERROR(MPI_ERR_RMA_SYNC, "", "", MPI_Win_fence(0, win));
  MPI_Win_start(targets, 0, win);
  EXPECT_ERROR(MPI_ERR_RMA_SYNC, "", "", MPI_Win_start(targets, 0, win));
  EXPECT_ERROR(MPI_ERR_RMA_SYNC, "", "", MPI_Win_lock(MPI_LOCK_SHARED, next(), 0, win));
  EXPECT_ERROR(MPI_ERR_RMA_SYNC, "", "", MPI_Win_unlock(next(), win));
  if (check::size > 1) {  // not in the group of the start
    EXPECT_ERROR(MPI_ERR_RMA_SYNC, "", "",
                 MPI_Get(&got, 1, MPI_LONG, check::rank, 0, 1, MPI_LONG, win));
  }
  CHECK_EQ(MPI_Win_complete(win), MPI_SUCCESS);
  CHECK_EQ(MPI_Win_wait(win), MPI_SUCCESS);
  MPI_Group_free(&origins);
  MPI_Group_free(&targets);
}

// The window stays, and can be freed when the epoch is over.
void free_within_epochs(Flavor flavor) {
  const Kept win(flavor);
  MPI_Win copy = win;
  MPI_Win_lock(MPI_LOCK_SHARED, next(), 0, win);
  EXPECT_ERROR(MPI_ERR_RMA_SYNC, "win", "", MPI_Win_free(&copy));
  CHECK(copy == MPI_Win(win));
  MPI_Win_unlock(next(), win);
  MPI_Win_lock_all(0, win);
  EXPECT_ERROR(MPI_ERR_RMA_SYNC, "win", "", MPI_Win_free(&copy));
  MPI_Win_unlock_all(win);
  CHECK(copy == MPI_Win(win));
}

void assertions_and_lock_types(Flavor flavor) {
  const Kept win(flavor);
  for (int bad : {-1, 1 << 30}) {
    const std::string value = std::to_string(bad);
    EXPECT_ERROR(MPI_ERR_ASSERT, "assert", value, MPI_Win_fence(bad, win));
    EXPECT_ERROR(MPI_ERR_ASSERT, "assert", value, MPI_Win_post(MPI_GROUP_EMPTY, bad, win));
    EXPECT_ERROR(MPI_ERR_ASSERT, "assert", value, MPI_Win_start(MPI_GROUP_EMPTY, bad, win));
    EXPECT_ERROR(MPI_ERR_ASSERT, "assert", value, MPI_Win_lock(MPI_LOCK_SHARED, 0, bad, win));
    EXPECT_ERROR(MPI_ERR_ASSERT, "assert", value, MPI_Win_lock_all(bad, win));
  }
  for (int bad : {-1, 0, 12345}) {
    EXPECT_ERROR(MPI_ERR_LOCKTYPE, "lock_type", std::to_string(bad),
                 MPI_Win_lock(bad, next(), 0, win));
  }
  for (int bad : {-77, check::size, 1 << 30}) {
    EXPECT_ERROR(MPI_ERR_RANK, "rank", std::to_string(bad),
                 MPI_Win_lock(MPI_LOCK_SHARED, bad, 0, win));
  }
}

struct Subject {
  const char* name;
  void (*run)(Flavor flavor);
};
constexpr Subject kSubjects[] = {
    {"outside of epochs", outside_epochs},
    {"requests in active epochs", requests_in_active_epochs},
    {"unmatched synchronisation", unmatched_synchronisation},
    {"nested locks", nested_locks},
    {"locks among fences", locks_among_fences},
    {"starts and posts", starts_and_posts},
    {"free within epochs", free_within_epochs},
    {"assertions and lock types", assertions_and_lock_types},
};

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  check::return_errors();
  if (!check::on_atoll()) {  // others check little of this
    check::passed();
    return check::finish();
  }
  for (Flavor flavor : flavors()) {
    for (const Subject& subject : kSubjects) subject.run(flavor);
  }
  errors::check_all_is_well();
  return check::finish();
}
