#include "runtime/rma/active_target.h"

#include <algorithm>

#include "datatype/predefined.h"
#include "runtime/coll/calls.h"
#include "runtime/p2p/blocking.h"
#include "runtime/p2p/receive.h"
#include "runtime/p2p/send.h"
#include "runtime/rma/epochs.h"
#include "runtime/rma/window_state.h"

namespace atl::rma {
namespace {

// Tags in the collective context of the window's communicator: the messages are not the program's.
// runtime/construct uses the tags before them, runtime/coll larger ones.
constexpr int kPost = 111;
constexpr int kComplete = 112;

// The ranks in the window's group of the members of `group`. MPI_ERR_GROUP when one is not there.
Error ranks_of(const WindowState& state, const Group& group, std::vector<int>& ranks) {
  const RankFinder finder(state.comm->members());
  for (int i = 0; i < group.members.size(); ++i) {
    const int rank = finder.find(group.members.world_rank(i));
    if (rank == RankMap::kNobody) {
      return make_error(MPI_ERR_GROUP,
                        "group: its rank %d (rank %u of the job) is not in the group of %s", i,
                        group.members.world_rank(i), state.label().c_str());
    }
    ranks.push_back(rank);
  }
  return {};
}

void notify(WindowState& state, int rank, int tag) {
  static std::byte nothing;
  p2p::post(
      {&nothing, 0, datatype::bytes(), rank, tag, state.comm->collective_context()}, *state.comm,
      [](void*, const p2p::Request&) {}, nullptr);
}

void arrived(void* notice, const p2p::Request&) { static_cast<Notice*>(notice)->arrived = true; }

// Starts to receive one notice from each of the ranks.
void expect(WindowState& state, const std::vector<int>& ranks, int tag, Notices& notices) {
  static std::byte nothing;
  notices.clear();
  for (const int rank : ranks) {
    Notice& notice = *notices.emplace_back(std::make_unique<Notice>(rank));
    p2p::receive_then({&nothing, 0, datatype::bytes(), rank, tag, state.comm->collective_context()},
                      *state.comm, arrived, &notice);
  }
}

bool all_arrived(const Notices& notices) {
  return std::ranges::all_of(notices, [](const auto& notice) { return notice->arrived; });
}

// What a call waits for that waits for notices.
struct NoticeWait {
  const WindowState& state;
  const Notices& notices;
  shm::WaitKind kind;
};

// Adds a wait for each member whose notice is missing.
void list_missing(const void* listed, std::vector<WaitDescription>& into) {
  const auto& wait = *static_cast<const NoticeWait*>(listed);
  for (const auto& notice : wait.notices) {
    if (notice->arrived) continue;
    into.push_back(
        {.communicator = wait.state.comm, .peer = notice->rank, .requests = 1, .kind = wait.kind});
  }
}

void describe_missing(const void* listed, WaitDescription& now) {
  std::vector<WaitDescription> missing;
  list_missing(listed, missing);
  now.requests = static_cast<std::uint32_t>(missing.size());
  if (!missing.empty()) now.peer = missing.front().peer;
}

void wait_for(WindowState& state, Notices& notices, shm::WaitKind kind) {
  if (all_arrived(notices)) return notices.clear();
  state.name_communicator();
  const NoticeWait wait{state, notices, kind};
  const WaitDescription description{.communicator = state.comm,
                                    .kind = kind,
                                    .list = list_missing,
                                    .listed = &wait,
                                    .update = describe_missing};
  p2p::block_until([&] { return all_arrived(notices); }, description);
  notices.clear();
}

void end_exposure(WindowState& state) {
  state.exposed = false;
  state.last_call = "MPI_Win_wait";
}

}  // namespace

Error fence(int assertion, Window& win) {
  WindowState& state = state_of(win);
  constexpr int kKnown =
      MPI_MODE_NOSTORE | MPI_MODE_NOPUT | MPI_MODE_NOPRECEDE | MPI_MODE_NOSUCCEED;
  if (Error error = check_assertion(assertion, kKnown)) return error;
  if (Error error = check_no_start_or_lock(state)) return error;
  if (Error error = check_not_exposed(state)) return error;
  if (__builtin_expect(!win.name().empty(), 0)) state.name_communicator();
  // The barrier orders the operations before it before those that other members call after it.
  if (Error error = coll::run(coll::Barrier(*state.comm))) return error;
  open_epoch(state, (assertion & MPI_MODE_NOSUCCEED) != 0 ? Epoch::none : Epoch::fence,
             "MPI_Win_fence");
  return {};
}

Error post(Group& group, int assertion, Window& win) {
  WindowState& state = state_of(win);
  constexpr int kKnown = MPI_MODE_NOCHECK | MPI_MODE_NOSTORE | MPI_MODE_NOPUT;
  if (Error error = check_assertion(assertion, kKnown)) return error;
  if (Error error = check_not_exposed(state)) return error;
  if (Error error = check_fence_unused(state, "MPI_Win_post")) return error;
  std::vector<int> ranks;
  if (Error error = ranks_of(state, group, ranks)) return error;
  expect(state, ranks, kComplete, state.completes);
  state.exposed = true;
  if ((assertion & MPI_MODE_NOCHECK) != 0) return {};
  for (const int rank : ranks) notify(state, rank, kPost);
  return {};
}

Error start(Group& group, int assertion, Window& win) {
  WindowState& state = state_of(win);
  if (Error error = check_assertion(assertion, MPI_MODE_NOCHECK)) return error;
  if (Error error = check_no_access(state, "MPI_Win_start")) return error;
  std::vector<int> ranks;
  if (Error error = ranks_of(state, group, ranks)) return error;
  if ((assertion & MPI_MODE_NOCHECK) == 0) {
    Notices posts;
    expect(state, ranks, kPost, posts);
    try {
      wait_for(state, posts, shm::WaitKind::post);
    } catch (...) {  // no memory: the receives still refer to the notices
      for (auto& notice : posts) static_cast<void>(notice.release());
      throw;
    }
  }
  open_epoch(state, Epoch::started, "MPI_Win_start");
  for (const int rank : ranks) hold(state, rank, Hold::started);
  return {};
}

Error complete(Window& win) {
  WindowState& state = state_of(win);
  if (state.epoch != Epoch::started) return wrong_epoch(state, "MPI_Win_start");
  for (const int rank : state.held) {
    state.targets[static_cast<std::size_t>(rank)].hold = Hold::none;
    notify(state, rank, kComplete);
  }
  state.held.clear();
  open_epoch(state, Epoch::none, "MPI_Win_complete");
  return {};
}

Error wait(Window& win) {
  WindowState& state = state_of(win);
  if (!state.exposed) return not_exposed(state);
  wait_for(state, state.completes, shm::WaitKind::complete);
  end_exposure(state);
  return {};
}

Error test(Window& win, int* flag) {
  WindowState& state = state_of(win);
  if (!state.exposed) return not_exposed(state);
  p2p::engine->poll(shm::PollMode::fast);
  *flag = all_arrived(state.completes) ? 1 : 0;
  if (*flag == 0) {
    p2p::yield_to_others();
    return {};
  }
  state.completes.clear();
  end_exposure(state);
  return {};
}

}  // namespace atl::rma
