// What tests want to know of any communicator: who is in it, and that it works.
#pragma once

#include <algorithm>
#include <vector>

#include "test/check.h"

namespace comms {

using Ranks = std::vector<int>;  // in MPI_COMM_WORLD

inline Ranks translate(MPI_Group group) {
  MPI_Group world;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  int size = -1;
  MPI_Group_size(group, &size);
  Ranks own(size), ranks(size, -1);
  for (int i = 0; i < size; ++i) own[i] = i;
  MPI_Group_translate_ranks(group, size, own.data(), world, ranks.data());
  MPI_Group_free(&world);
  MPI_Group_free(&group);
  return ranks;
}

inline Ranks members(MPI_Comm comm) {
  MPI_Group group;
  MPI_Comm_group(comm, &group);
  return translate(group);
}

inline Ranks remote_members(MPI_Comm comm) {
  MPI_Group group;
  MPI_Comm_remote_group(comm, &group);
  return translate(group);
}

inline MPI_Group group_of(const Ranks& ranks) {
  MPI_Group world, group;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_incl(world, int(ranks.size()), ranks.data(), &group);
  MPI_Group_free(&world);
  return group;
}

inline int compare(MPI_Comm one, MPI_Comm other) {
  int result = -1;
  MPI_Comm_compare(one, other, &result);
  return result;
}

inline bool is_inter(MPI_Comm comm) {
  int flag = -1;
  MPI_Comm_test_inter(comm, &flag);
  return flag != 0;
}

// Everybody tells everybody (of the remote group, in an inter-communicator) who it
// is, and hears the same; `value` tells this exchange from others.
inline void check_exchange(MPI_Comm comm, int value) {
  const Ranks peers = is_inter(comm) ? remote_members(comm) : members(comm);
  const int count = int(peers.size());
  const int mine[2] = {check::rank, value};
  std::vector<int> in(2 * count);
  std::vector<MPI_Request> requests(2 * count);
  for (int peer = 0; peer < count; ++peer) {
    MPI_Irecv(&in[2 * peer], 2, MPI_INT, peer, 17, comm, &requests[peer]);
    MPI_Isend(mine, 2, MPI_INT, peer, 17, comm, &requests[count + peer]);
  }
  std::vector<MPI_Status> statuses(2 * count);
  MPI_Waitall(2 * count, requests.data(), statuses.data());
  for (int peer = 0; peer < count; ++peer) {
    CHECK_EQ(in[2 * peer], peers[peer]);
    CHECK_EQ(in[2 * peer + 1], value);
    CHECK_EQ(statuses[peer].MPI_SOURCE, peer);
  }
}

// A communicator of these members, in this order, that works.
inline void check_comm(MPI_Comm comm, const Ranks& expected, int value) {
  CHECK(comm != MPI_COMM_NULL);
  CHECK(members(comm) == expected);
  int rank = -1, size = -1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  CHECK_EQ(size, int(expected.size()));
  CHECK_EQ(expected.at(rank), check::rank);
  check_exchange(comm, value);
  MPI_Barrier(comm);
}

// As above, of an inter-communicator.
inline void check_inter(MPI_Comm comm, const Ranks& own, const Ranks& remote, int value) {
  CHECK(comm != MPI_COMM_NULL);
  CHECK(is_inter(comm));
  CHECK(members(comm) == own);
  CHECK(remote_members(comm) == remote);
  int rank = -1, size = -1, remote_size = -1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  MPI_Comm_remote_size(comm, &remote_size);
  CHECK_EQ(size, int(own.size()));
  CHECK_EQ(remote_size, int(remote.size()));
  CHECK_EQ(own.at(rank), check::rank);
  check_exchange(comm, value);
  MPI_Barrier(comm);
}

}  // namespace comms
