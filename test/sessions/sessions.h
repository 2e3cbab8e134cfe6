// What tests of sessions share: how to get from a session to a communicator.
#pragma once

#include <string>
#include <vector>

#include "test/check.h"

#if MPI_LEVEL >= 40

namespace sessions {

inline MPI_Session open(const char* thread_level = nullptr) {
  MPI_Info info = MPI_INFO_NULL;
  if (thread_level != nullptr) {
    MPI_Info_create(&info);
    MPI_Info_set(info, "thread_level", thread_level);
  }
  MPI_Session session = MPI_SESSION_NULL;
  CHECK_EQ(MPI_Session_init(info, MPI_ERRORS_ARE_FATAL, &session), MPI_SUCCESS);
  CHECK(session != MPI_SESSION_NULL);
  if (info != MPI_INFO_NULL) MPI_Info_free(&info);
  return session;
}

inline void close(MPI_Session& session) {
  CHECK_EQ(MPI_Session_finalize(&session), MPI_SUCCESS);
  CHECK(session == MPI_SESSION_NULL);
}

inline MPI_Group group(MPI_Session session, const std::string& pset) {
  MPI_Group made = MPI_GROUP_NULL;
  CHECK_EQ(MPI_Group_from_session_pset(session, pset.c_str(), &made), MPI_SUCCESS);
  return made;
}

inline MPI_Comm comm(MPI_Session session, const std::string& pset, const std::string& tag) {
  MPI_Group members = group(session, pset);
  MPI_Comm made = MPI_COMM_NULL;
  CHECK_EQ(
      MPI_Comm_create_from_group(members, tag.c_str(), MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &made),
      MPI_SUCCESS);
  MPI_Group_free(&members);
  return made;
}

inline std::string value_of(MPI_Info info, const char* key) {
  char value[MPI_MAX_INFO_VAL] = "";
  int length = sizeof value, flag = 0;
  MPI_Info_get_string(info, key, &length, value, &flag);
  return flag ? value : "(none)";
}

inline std::vector<std::string> psets(MPI_Session session) {
  int count = -1;
  MPI_Session_get_num_psets(session, MPI_INFO_NULL, &count);
  std::vector<std::string> names;
  for (int n = 0; n < count; ++n) {
    char name[MPI_MAX_PSET_NAME_LEN + 1];
    int length = sizeof name;
    CHECK_EQ(MPI_Session_get_nth_pset(session, MPI_INFO_NULL, n, &length, name), MPI_SUCCESS);
    names.emplace_back(name);
    CHECK_EQ(length, int(names.back().size()) + 1);
  }
  return names;
}

// In a ring, point to point and with a collective; `value` tells this from others.
inline void check_works(MPI_Comm comm, int value) {
  int rank = -1, size = 0;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  const int out = 1000 * value + rank, left = (rank + size - 1) % size;
  int in = -1, sum = 0;
  MPI_Sendrecv(&out, 1, MPI_INT, (rank + 1) % size, 3, &in, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG,
               comm, MPI_STATUS_IGNORE);
  CHECK_EQ(in, 1000 * value + left);
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm);
  CHECK_EQ(sum, size * (size - 1) / 2);
}

// For programs without MPI_COMM_WORLD: its rank and size.
inline void set_rank_and_size(MPI_Comm world) {
  MPI_Comm_rank(world, &check::rank);
  MPI_Comm_size(world, &check::size);
}

// The status of main() of a program without MPI_COMM_WORLD.
inline int finish() {
  MPI_Session session = open();
  MPI_Comm world = comm(session, "mpi://WORLD", "org.example.finish");
  set_rank_and_size(world);
  const long long sum = check::total(world);
  MPI_Comm_disconnect(&world);
  close(session);
  if (check::rank == 0) std::printf("ok %lld checks\n", sum);
  return 0;
}

}  // namespace sessions

#endif
