// MPI_INFO_ENV and MPI_Info_create_env (11.5): how the program was started.
#include <sys/utsname.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "test/check.h"

namespace {

std::string get(MPI_Info info, const char* key) {
  char value[MPI_MAX_INFO_VAL] = "";
  int length = sizeof value, flag = 0;
  MPI_Info_get_string(info, key, &length, value, &flag);
  return flag ? value : "(none)";
}

void expect(MPI_Info info, const std::string& program, int ranks) {
  if (!check::on_atoll()) return;  // every key is optional
  utsname system;
  uname(&system);
  char directory[4096];
  CHECK(getcwd(directory, sizeof directory) != nullptr);
  CHECK_EQ(get(info, "command"), program);
  CHECK_EQ(get(info, "argv"), "an argument");
  CHECK_EQ(get(info, "maxprocs"), std::to_string(ranks));
  CHECK_EQ(get(info, "wdir"), directory);
  CHECK_EQ(get(info, "host"), system.nodename);
  CHECK_EQ(get(info, "arch"), system.machine);
  CHECK_EQ(get(info, "mpi_memory_alloc_kinds"), "system,mpi");
  const char* handler = std::getenv("ATOLL_ERRHANDLER");
  CHECK_EQ(get(info, "mpi_initial_errhandler"),
           handler != nullptr ? handler : "mpi_errors_are_fatal");
  CHECK_EQ(get(info, "no such key"), "(none)");
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Info early = MPI_INFO_NULL;
  if (check::on_atoll()) {
    CHECK_EQ(MPI_Info_create_env(argc, argv, &early), MPI_SUCCESS);
    CHECK(early != MPI_INFO_ENV);
  }
  check::start(argc, argv);
  const std::string program = argv[0];
  check::set_case("MPI_INFO_ENV");
  expect(MPI_INFO_ENV, program, check::size);
  check::set_case("MPI_Info_create_env before MPI_Init");
  expect(early, program, check::size);

  check::set_case("copies of MPI_INFO_ENV");
  MPI_Info copy;
  CHECK_EQ(MPI_Info_dup(MPI_INFO_ENV, &copy), MPI_SUCCESS);
  expect(copy, program, check::size);
  CHECK_EQ(MPI_Info_set(copy, "command", "mine"), MPI_SUCCESS);
  CHECK_EQ(get(copy, "command"), "mine");
  expect(MPI_INFO_ENV, program, check::size);
  MPI_Info_free(&copy);
  if (early != MPI_INFO_NULL) MPI_Info_free(&early);
  return check::finish();
}
