// Epochs: fences with all assertions, epochs of different kinds in turn, and post-start-complete-
// wait between groups of every size (MPI 5.0, 12.5 and 12.5.5).
#include <algorithm>
#include <vector>

#include "test/pattern.h"
#include "test/rma/epochs.h"
#include "test/rma/windows.h"

namespace {

using namespace rma;

int next() { return (check::rank + 1) % check::size; }
int previous() { return (check::rank + check::size - 1) % check::size; }

// The value is read at the end of the epoch, when some others have been put.
void put_value(const Window& window, int target, int index, long value) {
  static std::vector<long> kept(256);
  static std::size_t turn = 0;
  long& given = kept[++turn % kept.size()];
  given = value;
  MPI_Put(&given, 1, MPI_LONG, target, window.at(target, sizeof(long) * index), 1, MPI_LONG,
          window);
}
const volatile long* own(const Window& window) { return window.as<long>(); }

void clear(const Window& window) {
  window.local([&] { std::fill_n(window.as<long>(), window.bytes() / sizeof(long), 0L); });
  MPI_Barrier(MPI_COMM_WORLD);
}

MPI_Group group_of_ranks(MPI_Win win, const std::vector<int>& ranks) {
  MPI_Group all, part;
  MPI_Win_get_group(win, &all);
  MPI_Group_incl(all, int(ranks.size()), ranks.data(), &part);
  MPI_Group_free(&all);
  return part;
}

// --- fence ---

// Each fence ends one epoch and begins the next, with whatever assertions are true.
void fences(const Window& window) {
  clear(window);
  MPI_Win_fence(0, window);
  for (int i = 1; i <= 20; ++i) {
    put_value(window, next(), 0, i);
    MPI_Win_fence(0, window);
    CHECK_EQ(*own(window), long(i));
    MPI_Win_fence(0, window);  // nobody puts before all have looked
  }
  MPI_Win_fence(MPI_MODE_NOSUCCEED, window);
}

void fence_assertions(const Window& window) {
  clear(window);
  for (int i = 1; i <= 5; ++i) {
    MPI_Win_fence(MPI_MODE_NOPRECEDE | MPI_MODE_NOSTORE, window);
    put_value(window, next(), 0, i);
    MPI_Win_fence(MPI_MODE_NOSUCCEED | MPI_MODE_NOSTORE, window);
    CHECK_EQ(*own(window), long(i));
    MPI_Barrier(MPI_COMM_WORLD);
    // An epoch in which nobody puts.
    window.as<long>()[1] = 10 * i + check::rank;
    MPI_Win_fence(MPI_MODE_NOPRECEDE | MPI_MODE_NOPUT, window);
    long got = -1;
    MPI_Get(&got, 1, MPI_LONG, next(), window.at(next(), sizeof(long)), 1, MPI_LONG, window);
    MPI_Win_fence(MPI_MODE_NOSTORE | MPI_MODE_NOPUT, window);
    CHECK_EQ(got, long(10 * i + next()));
    // An epoch without anything.
    MPI_Win_fence(MPI_MODE_NOSTORE | MPI_MODE_NOPUT | MPI_MODE_NOPRECEDE | MPI_MODE_NOSUCCEED,
                  window);
  }
}

// Accumulates of all to all in one epoch, and gets of what the epoch before has put.
void fence_among_all(const Window& window) {
  clear(window);
  MPI_Win_fence(MPI_MODE_NOPRECEDE, window);
  for (int i = 1; i <= 5; ++i) {
    const long one = 1;
    for (int target = 0; target < check::size; ++target) {
      MPI_Accumulate(&one, 1, MPI_LONG, target, window.at(target, 0), 1, MPI_LONG, MPI_SUM, window);
    }
    MPI_Win_fence(0, window);
    std::vector<long> got(std::size_t(check::size), -1);
    for (int target = 0; target < check::size; ++target) {
      MPI_Get(&got[std::size_t(target)], 1, MPI_LONG, target, window.at(target, 0), 1, MPI_LONG,
              window);
    }
    MPI_Win_fence(0, window);
    CHECK(std::ranges::all_of(got, [&](long value) { return value == long(i) * check::size; }));
  }
  MPI_Win_fence(MPI_MODE_NOSUCCEED, window);
}

// --- epochs of different kinds ---

// After a fence that may begin an epoch, but with no operation, a lock or a start is right.
void in_turn(const Window& window) {
  clear(window);
  MPI_Win_fence(0, window);
  for (int i = 1; i <= 10; ++i) {
    put_value(window, next(), 0, i);
    MPI_Win_fence(0, window);
    MPI_Win_lock(MPI_LOCK_SHARED, next(), 0, window);
    put_value(window, next(), 1, i);
    MPI_Win_unlock(next(), window);
    MPI_Barrier(MPI_COMM_WORLD);
    post_start(window, next(), previous(), [&] { put_value(window, next(), 2, i); });
    CHECK_EQ(own(window)[2], long(i));
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, window);
    put_value(window, next(), 3, i);
    MPI_Win_flush(next(), window);
    MPI_Win_unlock_all(window);
    MPI_Win_fence(0, window);
    for (int k = 0; k < 4; ++k) CHECK_EQ(own(window)[k], long(i));
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Win_fence(MPI_MODE_NOSUCCEED, window);
}

// While this rank has the lock of one target it is itself a passive target, and another time
// exposed to one origin.
void as_origin_and_target(const Window& window) {
  clear(window);
  for (int i = 1; i <= 10; ++i) {
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, next(), 0, window);
    put_value(window, next(), 0, i);
    MPI_Win_flush(next(), window);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_unlock(next(), window);
    see_own(window, check::rank);
    CHECK_EQ(*own(window), long(i));
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

// --- post, start, complete, wait ---

// Each rank to all others, then only the even ranks to the odd ones.
void groups(const Window& window) {
  clear(window);
  std::vector<int> others, odd, even;
  for (int rank = 0; rank < check::size; ++rank) {
    if (rank != check::rank) others.push_back(rank);
    (rank % 2 == 0 ? even : odd).push_back(rank);
  }
  MPI_Group all_others = group_of_ranks(window, others), odds = group_of_ranks(window, odd),
            evens = group_of_ranks(window, even);
  for (int i = 1; i <= 5; ++i) {
    MPI_Win_post(all_others, 0, window);
    MPI_Win_start(all_others, 0, window);
    for (int target : others) put_value(window, target, check::rank, i);
    MPI_Win_complete(window);
    MPI_Win_wait(window);
    for (int rank : others) CHECK_EQ(own(window)[rank], long(i));
    if (check::rank % 2 == 0) {
      MPI_Win_start(odds, 0, window);
      for (int target : odd) put_value(window, target, check::rank, -i);
      MPI_Win_complete(window);
    } else {
      MPI_Win_post(evens, 0, window);
      MPI_Win_wait(window);
      for (int rank : even) CHECK_EQ(own(window)[rank], long(-i));
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
  for (MPI_Group group : {all_others, odds, evens}) MPI_Group_free(&group);
}

// Groups without members: nobody waits.
void empty_groups(const Window& window) {
  MPI_Win_post(MPI_GROUP_EMPTY, 0, window);
  MPI_Win_start(MPI_GROUP_EMPTY, 0, window);
  MPI_Win_complete(window);
  MPI_Win_wait(window);
  MPI_Win_post(MPI_GROUP_EMPTY, 0, window);
  int done = 0;
  while (!done) MPI_Win_test(window, &done);
  check::passed();
  MPI_Barrier(MPI_COMM_WORLD);
}

// Rank 0 posts for one origin after the other. Who starts too early waits for the post that is
// meant for it: the order in which they got in is that of the posts.
void one_by_one(const Window& window) {
  if (check::size < 2) return;
  clear(window);
  MPI_Group target = group_of_ranks(window, {0});
  for (int round = 0; round < 3; ++round) {
    if (check::rank != 0) {
      MPI_Win_start(target, 0, window);
      const long one = 1;
      long before[2] = {-1, -1};
      MPI_Get_accumulate(&one, 1, MPI_LONG, before, 1, MPI_LONG, 0, window.at(0, 0), 1, MPI_LONG,
                         MPI_SUM, window);
      MPI_Win_complete(window);
      CHECK_EQ(before[0], long(round) * (check::size - 1) + check::size - 1 - check::rank);
      continue;
    }
    for (int origin = check::size - 1; origin > 0; --origin) {
      MPI_Group group = group_of_ranks(window, {origin});
      MPI_Win_post(group, 0, window);
      MPI_Group_free(&group);
      MPI_Win_wait(window);
      CHECK_EQ(*own(window), long(round) * (check::size - 1) + check::size - origin);
    }
  }
  MPI_Group_free(&target);
  MPI_Barrier(MPI_COMM_WORLD);
}

// MPI_Win_test is false while an origin has not completed, and true once.
void tests(const Window& window) {
  if (check::size < 2) return;
  clear(window);
  MPI_Group first = group_of_ranks(window, {0}), second = group_of_ranks(window, {1});
  for (int i = 1; i <= 10; ++i) {
    if (check::rank == 0) {
      MPI_Win_start(second, 0, window);
      put_value(window, 1, 0, i);
      MPI_Recv(nullptr, 0, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Win_complete(window);
    } else if (check::rank == 1) {
      MPI_Win_post(first, 0, window);
      int done = -1;
      for (int k = 0; k < 5; ++k) {
        MPI_Win_test(window, &done);
        CHECK_EQ(done, 0);
      }
      MPI_Send(nullptr, 0, MPI_INT, 0, 1, MPI_COMM_WORLD);
      while (!done) MPI_Win_test(window, &done);
      CHECK_EQ(*own(window), long(i));
    }
  }
  MPI_Group_free(&first);
  MPI_Group_free(&second);
  MPI_Barrier(MPI_COMM_WORLD);
}

// Posts and starts that the program has matched: with and without the assertion in turn, so that
// nothing of one may be left for the other.
void nocheck(const Window& window) {
  clear(window);
  MPI_Group origins = group_of_ranks(window, {previous()}),
            targets = group_of_ranks(window, {next()});
  for (int i = 1; i <= 20; ++i) {
    const int assertion = i % 3 == 0 ? 0 : MPI_MODE_NOCHECK;
    MPI_Win_post(origins, assertion | (i % 2 == 0 ? MPI_MODE_NOSTORE : 0), window);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_start(targets, assertion, window);
    put_value(window, next(), 0, i);
    MPI_Win_complete(window);
    MPI_Win_wait(window);
    CHECK_EQ(*own(window), long(i));
  }
  MPI_Win_post(origins, MPI_MODE_NOPUT, window);
  MPI_Win_start(targets, 0, window);
  long got = -1;
  MPI_Get(&got, 1, MPI_LONG, next(), window.at(next(), 0), 1, MPI_LONG, window);
  MPI_Win_complete(window);
  MPI_Win_wait(window);
  CHECK_EQ(got, 20L);
  MPI_Group_free(&origins);
  MPI_Group_free(&targets);
}

// Two windows with epochs that overlap.
void two_windows(const Window& window) {
  const Window other(window.flavor(), window.bytes());
  clear(window);
  clear(other);
  for (int i = 1; i <= 5; ++i) {
    MPI_Win_fence(MPI_MODE_NOPRECEDE, other);
    post_start(window, next(), previous(), [&] {
      put_value(window, next(), 0, i);
      put_value(other, next(), 0, -i);
    });
    CHECK_EQ(*own(window), long(i));
    MPI_Win_fence(MPI_MODE_NOSUCCEED, other);
    CHECK_EQ(*own(other), long(-i));
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

struct Subject {
  const char* name;
  void (*run)(const Window& window);
};
constexpr Subject kSubjects[] = {
    {"fences", fences},
    {"assertions of fences", fence_assertions},
    {"fences among all", fence_among_all},
    {"epochs in turn", in_turn},
    {"origin and target", as_origin_and_target},
    {"groups", groups},
    {"empty groups", empty_groups},
    {"posts one by one", one_by_one},
    {"tests", tests},
    {"no check", nocheck},
    {"two windows", two_windows},
};

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  for (Flavor flavor : flavors()) {
    for (const Subject& subject : kSubjects) {
      check::set_case("%s, %s", name_of(flavor), subject.name);
      const Window window(flavor, whole_lines(std::size_t(std::max(check::size, 8)) * 8));
      subject.run(window);
    }
  }
  return check::finish();
}
