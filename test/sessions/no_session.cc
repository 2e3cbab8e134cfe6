// Errors where there is no world model: the initial error handler (9.3, 11.5) gets
// what belongs to no communicator and no session; here it lets errors return.
#include <string>

#include "test/sessions/sessions.h"

#if MPI_LEVEL >= 40

namespace {

void expect_returned(int code, int error_class, const char* word) {
  CHECK_EQ(check::error_class(code), error_class);
  const std::string text = check::error_text(code);
  if (text.find(word) == std::string::npos) check::fail(__FILE__, __LINE__, text);
  check::passed();
}

void without_anything(const char* when) {
  check::set_case("%s", when);
  MPI_Session none = MPI_SESSION_NULL;
  MPI_Info info;
  expect_returned(MPI_Session_finalize(&none), MPI_ERR_SESSION, "MPI_SESSION_NULL");
  expect_returned(MPI_Session_get_info(none, &info), MPI_ERR_SESSION, "MPI_SESSION_NULL");
  int size = -1;
  expect_returned(MPI_Comm_size(MPI_COMM_WORLD, &size), MPI_ERR_OTHER, "MPI_Comm_size");
}

void with_a_session() {
  check::set_case("with a session");
  MPI_Session session = sessions::open();
  int size = -1;
  expect_returned(MPI_Comm_size(MPI_COMM_WORLD, &size), MPI_ERR_COMM, "MPI_COMM_WORLD");
  expect_returned(MPI_Comm_size(MPI_COMM_SELF, &size), MPI_ERR_COMM, "MPI_COMM_SELF");
  expect_returned(MPI_Finalize(), MPI_ERR_OTHER, "MPI_Init");
  const MPI_Session stale = session;
  sessions::close(session);
  MPI_Info info;
  expect_returned(MPI_Session_get_info(stale, &info), MPI_ERR_SESSION, "finalized");
}

}  // namespace

int main() {
  if (check::on_atoll()) {
    without_anything("before any session");
    with_a_session();
    without_anything("after all sessions");
    with_a_session();
  }
  check::passed();
  return sessions::finish();
}

#else
int main(int argc, char** argv) { return check::nothing_to_test(argc, argv); }
#endif
