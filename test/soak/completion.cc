#include "test/soak/completion.h"

#include "test/check.h"

namespace soak {
namespace {

// Requests as MPI takes them; `left` of them are not complete.
struct Requests {
  std::vector<MPI_Request> all;
  std::vector<MPI_Status> statuses;

  int size() const { return int(all.size()); }
};

void one_by_one(Requests& of, bool wait) {
  for (std::size_t i = 0; i < of.all.size(); ++i) {
    if (wait) {
      MPI_Wait(&of.all[i], &of.statuses[i]);
      continue;
    }
    for (int done = 0; !done;) MPI_Test(&of.all[i], &done, &of.statuses[i]);
  }
}

void all_at_once(Requests& of, bool wait) {
  if (wait) {
    MPI_Waitall(of.size(), of.all.data(), of.statuses.data());
    return;
  }
  for (int done = 0; !done;) MPI_Testall(of.size(), of.all.data(), &done, of.statuses.data());
}

// MPI_UNDEFINED says that none is left. Each is found once.
void any(Requests& of, bool wait) {
  std::vector<bool> found(of.all.size());
  for (;;) {
    int index = -2, done = 1;
    MPI_Status status{};  // MPI_ERROR stays as it is where there is none
    if (wait) {
      MPI_Waitany(of.size(), of.all.data(), &index, &status);
    } else {
      MPI_Testany(of.size(), of.all.data(), &index, &done, &status);
    }
    if (!done) continue;
    if (index == MPI_UNDEFINED) return;
    CHECK(index >= 0 && index < of.size() && !found[std::size_t(index)]);
    found[std::size_t(index)] = true;
    of.statuses[std::size_t(index)] = status;
  }
}

void some(Requests& of, bool wait) {
  std::vector<bool> found(of.all.size());
  std::vector<int> indices(of.all.size());
  std::vector<MPI_Status> statuses(of.all.size());
  for (;;) {
    int count = -2;
    (wait ? MPI_Waitsome : MPI_Testsome)(of.size(), of.all.data(), &count, indices.data(),
                                         statuses.data());
    if (count == MPI_UNDEFINED) return;
    CHECK(count >= (wait ? 1 : 0) && count <= of.size());
    for (std::size_t i = 0; i < std::size_t(count); ++i) {
      const auto index = std::size_t(indices[i]);
      CHECK(index < of.all.size() && !found[index]);
      found[index] = true;
      of.statuses[index] = statuses[i];
    }
  }
}

// Asks without completing, and then completes.
void ask(Requests& of) {
  for (const MPI_Request request : of.all) {
    int done = 0;
    MPI_Request_get_status(request, &done, MPI_STATUS_IGNORE);
  }
  all_at_once(of, true);
}

}  // namespace

void complete(std::vector<Pending>& pending, check::Random& own) {
  Requests of;
  for (const Pending& one : pending) of.all.push_back(*one.request);
  of.statuses.resize(pending.size());
  const bool wait = !own.one_in(3);
  switch (own.below(5)) {
    case 0: one_by_one(of, wait); break;
    case 1: any(of, wait); break;
    case 2: some(of, wait); break;
    case 3: ask(of); break;
    default: all_at_once(of, wait); break;
  }
  for (std::size_t i = 0; i < pending.size(); ++i) {
    *pending[i].request = of.all[i];
    CHECK_EQ(of.statuses[i].MPI_ERROR, MPI_SUCCESS);
    if (pending[i].status != nullptr) *pending[i].status = of.statuses[i];
  }
}

}  // namespace soak
