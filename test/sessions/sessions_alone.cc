// A program that never calls MPI_Init: sessions, one after another and inside each
// other, and what is made from them (MPI 5.0, 11.3).
#include <cctype>
#include <set>
#include <string>

#include "test/sessions/sessions.h"

#if MPI_LEVEL >= 40

namespace {

void process_sets(MPI_Session session) {
  check::set_case("process sets");
  const std::vector<std::string> names = sessions::psets(session);
  const std::set<std::string> all(names.begin(), names.end());
  CHECK_EQ(all.size(), names.size());
  CHECK(all.count("mpi://WORLD") == 1);
  CHECK(all.count("mpi://SELF") == 1);
  CHECK(sessions::psets(session) == names);
  for (const std::string& name : names) {
    MPI_Info info;
    MPI_Session_get_pset_info(session, name.c_str(), &info);
    MPI_Group group = sessions::group(session, name);
    int size = -1, rank = MPI_UNDEFINED;
    MPI_Group_size(group, &size);
    MPI_Group_rank(group, &rank);
    CHECK_EQ(sessions::value_of(info, "mpi_size"), std::to_string(size));
    CHECK(rank >= 0 && rank < size);
    std::string other_case = name;
    for (char& c : other_case) c = std::isupper(c) ? std::tolower(c) : std::toupper(c);
    if (check::on_atoll()) {
      MPI_Group same = sessions::group(session, other_case);
      int result = MPI_UNEQUAL;
      MPI_Group_compare(group, same, &result);
      CHECK_EQ(result, MPI_IDENT);
      MPI_Group_free(&same);
    }
    MPI_Group_free(&group);
    MPI_Info_free(&info);
    // All who have the name mean the same set.
    MPI_Comm comm = sessions::comm(session, name, "org.example.sets");
    sessions::check_works(comm, 1);
    MPI_Comm_free(&comm);
  }
  if (check::on_atoll()) CHECK(sessions::group(session, "mpi://MARS") == MPI_GROUP_NULL);
}

// A name is cut to the room that there is.
void name_lengths(MPI_Session session) {
  check::set_case("length of a name");
  const std::string name = sessions::psets(session)[0];
  char text[8] = "untouch";
  int length = 0;
  MPI_Session_get_nth_pset(session, MPI_INFO_NULL, 0, &length, text);
  CHECK_EQ(length, int(name.size()) + 1);
  CHECK_EQ(std::string(text), "untouch");
  length = 0;
  CHECK_EQ(MPI_Session_get_nth_pset(session, MPI_INFO_NULL, 0, &length, nullptr), MPI_SUCCESS);
  length = 4;
  MPI_Session_get_nth_pset(session, MPI_INFO_NULL, 0, &length, text);
  CHECK_EQ(std::string(text), name.substr(0, 3));
  CHECK_EQ(length, int(name.size()) + 1);
}

void information(MPI_Session session) {
  check::set_case("info of a session");
  MPI_Info info;
  MPI_Session_get_info(session, &info);
  CHECK(sessions::value_of(info, "thread_level") != "(none)");
  if (check::on_atoll()) {
    CHECK_EQ(sessions::value_of(info, "mpi_memory_alloc_kinds"), "system,mpi");
  }
  MPI_Info_free(&info);
  if (!check::on_atoll()) return;  // others give all sessions the level of the first
  for (const char* level : {"MPI_THREAD_SINGLE", "MPI_THREAD_FUNNELED", "MPI_THREAD_SERIALIZED",
                            "MPI_THREAD_MULTIPLE"}) {
    MPI_Session other = sessions::open(level);
    MPI_Session_get_info(other, &info);
    CHECK_EQ(sessions::value_of(info, "thread_level"), level);
    MPI_Info_free(&info);
    sessions::close(other);
  }
}

// The world model is another matter: nothing of it exists.
void no_world() {
  check::set_case("without the world model");
  int flag = -1;
  MPI_Initialized(&flag);
  CHECK_EQ(flag, 0);
  MPI_Finalized(&flag);
  CHECK_EQ(flag, 0);
}

// What is made from what a session has given works as anywhere else.
void derived(MPI_Comm world) {
  check::set_case("derived communicators");
  MPI_Comm copy, half, none;
  MPI_Comm_dup(world, &copy);
  sessions::check_works(copy, 2);
  MPI_Comm_split(world, check::rank % 2, -check::rank, &half);
  sessions::check_works(half, 3);
  MPI_Group group, first;
  MPI_Comm_group(world, &group);
  const int zero = 0;
  MPI_Group_incl(group, 1, &zero, &first);
  MPI_Comm_create_group(world, check::rank == 0 ? first : MPI_GROUP_EMPTY, 5, &none);
  CHECK_EQ(none != MPI_COMM_NULL, check::rank == 0);
  if (none != MPI_COMM_NULL) MPI_Comm_free(&none);
  MPI_Group_free(&first);
  MPI_Group_free(&group);
  MPI_Comm_free(&half);
  MPI_Comm_disconnect(&copy);
}

void between_groups(MPI_Session session) {
  if (check::size < 2) return;
  check::set_case("MPI_Intercomm_create_from_groups");
  MPI_Group world = sessions::group(session, "mpi://WORLD"), even, odd;
  int range[1][3] = {{0, check::size - 1, 2}};
  MPI_Group_range_incl(world, 1, range, &even);
  MPI_Group_difference(world, even, &odd);
  const bool is_even = check::rank % 2 == 0;
  MPI_Comm inter;
  MPI_Intercomm_create_from_groups(is_even ? even : odd, 0, is_even ? odd : even, 0,
                                   "org.example.bridge", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL,
                                   &inter);
  int remote = -1;
  MPI_Comm_remote_size(inter, &remote);
  CHECK_EQ(remote, is_even ? check::size / 2 : (check::size + 1) / 2);
  MPI_Comm merged;
  MPI_Intercomm_merge(inter, !is_even, &merged);
  sessions::check_works(merged, 4);
  for (MPI_Comm* comm : {&merged, &inter}) MPI_Comm_disconnect(comm);
  for (MPI_Group* group : {&world, &even, &odd}) MPI_Group_free(group);
}

// From nothing to nothing, many times.
void again_and_again() {
  check::set_case("many sessions in a row");
  for (int i = 0; i < 60; ++i) {
    MPI_Session session = sessions::open(i % 2 == 0 ? "MPI_THREAD_SINGLE" : nullptr);
    if (i % 10 == 0) {
      MPI_Comm world = sessions::comm(session, "mpi://WORLD", "org.example.again");
      sessions::check_works(world, i);
      MPI_Comm_disconnect(&world);
    }
    sessions::close(session);
  }
}

void nested() {
  check::set_case("nested sessions");
  constexpr int kDepth = 4;
  MPI_Session open[kDepth];
  MPI_Comm comms[kDepth];
  for (int i = 0; i < kDepth; ++i) {
    open[i] = sessions::open();
    for (int j = 0; j < i; ++j) CHECK(open[i] != open[j]);
    comms[i] = sessions::comm(open[i], "mpi://WORLD", "org.example.nested");
  }
  // The first goes first; the others do not mind.
  for (int i = 0; i < kDepth; ++i) {
    for (int j = i; j < kDepth; ++j) sessions::check_works(comms[j], j);
    MPI_Comm_disconnect(&comms[i]);
    sessions::close(open[i]);
  }
}

// A session may end before what was made from it is freed; the rest goes on.
void left_behind() {
  check::set_case("a communicator that nobody frees");
  for (int i = 0; i < 10; ++i) {
    MPI_Session session = sessions::open();
    MPI_Comm world = sessions::comm(session, "mpi://WORLD", "org.example.left");
    MPI_Barrier(world);
    sessions::close(session);
  }
}

}  // namespace

int main() {
  MPI_Session first = sessions::open();
  MPI_Comm world = sessions::comm(first, "mpi://WORLD", "org.example.first");
  sessions::set_rank_and_size(world);
  no_world();
  process_sets(first);
  name_lengths(first);
  information(first);
  derived(world);
  between_groups(first);
  nested();
  sessions::check_works(world, 5);
  MPI_Comm_disconnect(&world);
  sessions::close(first);
  again_and_again();
  left_behind();
  no_world();
  return sessions::finish();
}

#else
int main(int argc, char** argv) { return check::nothing_to_test(argc, argv); }
#endif
