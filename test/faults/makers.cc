// Makes, uses and frees communicators of every kind: made to be killed.
//
//   makers DOOMED ROUNDS
//
// The last DOOMED ranks do so among themselves without end; the others among
// themselves for so many rounds, without end where that is 0. They begin with a
// session, so that nobody ever waits for one of the other party.
#include <cstdlib>
#include <vector>

#include "test/check.h"
#include "test/pattern.h"

namespace {

// Messages from anywhere and a collective: any other traffic would be noticed.
void use(MPI_Comm comm, int value) {
  int rank = -1, size = 0;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  const int out = value + rank;
  int in = -1, sum = 0;
  MPI_Sendrecv(&out, 1, MPI_INT, (rank + 1) % size, 1, &in, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG,
               comm, MPI_STATUS_IGNORE);
  CHECK_EQ(in, value + (rank + size - 1) % size);
  MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, comm);
  CHECK_EQ(sum, size * value);
}

MPI_Comm copy(MPI_Comm comm, bool at_once) {
  MPI_Comm made;
  if (at_once) {
    MPI_Comm_dup(comm, &made);
    return made;
  }
  MPI_Request request;
  MPI_Comm_idup(comm, &made, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  return made;
}

// Of ranks r and r + 1, where r is even or odd; the last one may be alone.
MPI_Comm pair(MPI_Comm comm, bool odd) {
  int rank = -1, size = 0;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  const int first = rank % 2 == int(odd) ? rank : rank - 1;
  std::vector<int> ranks;
  for (int member : {first, first + 1}) {
    if (member >= 0 && member < size) ranks.push_back(member);
  }
  MPI_Group all, two;
  MPI_Comm_group(comm, &all);
  MPI_Group_incl(all, int(ranks.size()), ranks.data(), &two);
  MPI_Comm made;
  MPI_Comm_create_group(comm, two, 3, &made);
  MPI_Group_free(&two);
  MPI_Group_free(&all);
  return made;
}

MPI_Comm split(MPI_Comm comm, int parts) {
  int rank = -1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm made;
  MPI_Comm_split(comm, rank % parts, -rank, &made);
  return made;
}

// Both halves, connected and merged again.
MPI_Comm merged(MPI_Comm comm) {
  int rank = -1, size = 0;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  if (size < 2) return copy(comm, true);
  MPI_Comm half = split(comm, 2), inter, made;
  const int last_of_others = size - 1 - (size - 1 + rank + 1) % 2;  // they are sorted backwards
  MPI_Intercomm_create(half, 0, comm, last_of_others, 4, &inter);
  MPI_Intercomm_merge(inter, rank % 2, &made);
  MPI_Comm_free(&inter);
  MPI_Comm_free(&half);
  return made;
}

MPI_Comm make(MPI_Comm comm, int kind) {
  switch (kind) {
    case 0: return copy(comm, true);
    case 1: return copy(comm, false);
    case 2: return split(comm, 2);
    case 3: return split(comm, 3);
    case 4: return pair(comm, false);
    case 5: return pair(comm, true);
    default: return merged(comm);
  }
}

// A few are kept for a while, so that numbers come back in another order.
void make_and_free(MPI_Comm comm, int rounds) {
  constexpr std::size_t kKept = 5;
  check::Random random(3);  // the same in all ranks
  std::vector<MPI_Comm> kept;
  for (int round = 1; round != rounds; ++round) {
    MPI_Comm made = make(comm, int(random.below(7)));
    use(made, round);
    kept.push_back(made);
    if (kept.size() <= kKept) continue;
    const std::size_t which = random.below(kept.size());
    use(kept[which], 1000 + round);
    MPI_Comm_free(&kept[which]);
    kept.erase(kept.begin() + std::ptrdiff_t(which));
  }
  for (MPI_Comm& one : kept) MPI_Comm_free(&one);
}

}  // namespace

int main(int, char** argv) {
  const int doomed = std::atoi(argv[1]), rounds = std::atoi(argv[2]);
  MPI_Session session;
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
  MPI_Group world, last, party;
  MPI_Group_from_session_pset(session, "mpi://WORLD", &world);
  MPI_Group_size(world, &check::size);
  MPI_Group_rank(world, &check::rank);
  int range[1][3] = {{check::size - doomed, check::size - 1, 1}};
  MPI_Group_range_incl(world, doomed > 0 ? 1 : 0, range, &last);
  const bool is_doomed = check::rank >= check::size - doomed;
  if (is_doomed) {
    party = last;
  } else {
    MPI_Group_difference(world, last, &party);
  }
  MPI_Comm comm;
  MPI_Comm_create_from_group(party, "org.example.party", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL,
                             &comm);
  make_and_free(comm, is_doomed ? 0 : rounds);
  MPI_Barrier(comm);
  MPI_Comm_disconnect(&comm);
  MPI_Session_finalize(&session);
  return 0;
}
