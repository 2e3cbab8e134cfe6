// What thread level a session is granted where MPI runs already. Below
// MPI_THREAD_MULTIPLE the world model takes no lock, so that a session of another
// thread cannot be granted more than the world has.
#include <string>
#include <thread>

#include "test/sessions/sessions.h"

#if MPI_LEVEL >= 40

namespace {

std::string granted(MPI_Session session) {
  MPI_Info info;
  MPI_Session_get_info(session, &info);
  const std::string level = sessions::value_of(info, "thread_level");
  MPI_Info_free(&info);
  return level;
}

std::string granted_in_another_thread(const char* wanted) {
  std::string level;
  std::thread([&] {
    MPI_Session session = sessions::open(wanted);
    level = granted(session);
    sessions::close(session);
  }).join();
  return level;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string level = argc > 1 ? argv[1] : "MPI_THREAD_FUNNELED";
  const bool funneled = level == "MPI_THREAD_FUNNELED";
  int provided = -1;
  MPI_Init_thread(&argc, &argv, funneled ? MPI_THREAD_FUNNELED : MPI_THREAD_SERIALIZED, &provided);
  check::set_rank_and_size();
  if (check::on_atoll()) {
    check::set_case("in another thread");
    CHECK_EQ(granted_in_another_thread("MPI_THREAD_MULTIPLE"), level);
    CHECK_EQ(granted_in_another_thread("MPI_THREAD_SINGLE"), "MPI_THREAD_SINGLE");
    check::set_case("in the main thread");
    MPI_Session session = sessions::open();
    CHECK_EQ(granted(session), funneled ? "MPI_THREAD_MULTIPLE" : level);
    check::set_case("in another thread, afterwards");
    CHECK_EQ(granted_in_another_thread("MPI_THREAD_MULTIPLE"),
             funneled ? "MPI_THREAD_MULTIPLE" : level);
    sessions::close(session);
  }
  check::passed();
  return check::finish();
}

#else
int main(int argc, char** argv) { return check::nothing_to_test(argc, argv); }
#endif
