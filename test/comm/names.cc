// Names of communicators (7.8) and their comparison (7.4.1).
#include <string>

#include "test/check.h"

namespace {

std::string name_of(MPI_Comm comm) {
  char name[MPI_MAX_OBJECT_NAME];
  std::memset(name, 'x', sizeof name);
  int length = -1;
  MPI_Comm_get_name(comm, name, &length);
  CHECK_EQ(int(std::string(name).size()), length);
  return name;
}

int compare(MPI_Comm a, MPI_Comm b) {
  int result = -1;
  MPI_Comm_compare(a, b, &result);
  return result;
}

void names() {
  CHECK_EQ(name_of(MPI_COMM_WORLD), "MPI_COMM_WORLD");
  CHECK_EQ(name_of(MPI_COMM_SELF), "MPI_COMM_SELF");
  if (check::on_atoll()) CHECK_EQ(name_of(MPI_COMM_NULL), "MPI_COMM_NULL");
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  CHECK_EQ(name_of(comm), "");  // a name is not copied
  MPI_Comm_set_name(comm, "halo exchange");
  CHECK_EQ(name_of(comm), "halo exchange");
  MPI_Comm_set_name(comm, "");
  CHECK_EQ(name_of(comm), "");
  // The longest name there can be; what is longer is cut.
  const std::string longest(MPI_MAX_OBJECT_NAME - 1, 'n');
  MPI_Comm_set_name(comm, longest.c_str());
  CHECK_EQ(name_of(comm), longest);
  if (check::on_atoll()) {
    MPI_Comm_set_name(comm, (longest + "and more").c_str());
    CHECK_EQ(name_of(comm), longest);
  }
  MPI_Comm_free(&comm);
  MPI_Comm_set_name(MPI_COMM_WORLD, "everybody");
  CHECK_EQ(name_of(MPI_COMM_WORLD), "everybody");
  MPI_Comm_set_name(MPI_COMM_WORLD, "MPI_COMM_WORLD");
}

void comparison() {
  MPI_Comm first, second, alone;
  MPI_Comm_dup(MPI_COMM_WORLD, &first);
  MPI_Comm_dup(first, &second);
  MPI_Comm_dup(MPI_COMM_SELF, &alone);
  CHECK_EQ(compare(MPI_COMM_WORLD, MPI_COMM_WORLD), MPI_IDENT);
  CHECK_EQ(compare(first, first), MPI_IDENT);
  CHECK_EQ(compare(MPI_COMM_WORLD, first), MPI_CONGRUENT);
  CHECK_EQ(compare(second, first), MPI_CONGRUENT);
  CHECK_EQ(compare(MPI_COMM_SELF, alone), MPI_CONGRUENT);
  // With one rank both have the same group.
  CHECK_EQ(compare(MPI_COMM_WORLD, MPI_COMM_SELF), check::size == 1 ? MPI_CONGRUENT : MPI_UNEQUAL);
  CHECK_EQ(compare(alone, second), check::size == 1 ? MPI_CONGRUENT : MPI_UNEQUAL);
  MPI_Comm_free(&first);
  MPI_Comm_free(&second);
  MPI_Comm_free(&alone);
}

void self() {
  int rank = -1, size = -1;
  MPI_Comm_rank(MPI_COMM_SELF, &rank);
  MPI_Comm_size(MPI_COMM_SELF, &size);
  CHECK_EQ(rank, 0);
  CHECK_EQ(size, 1);
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  names();
  comparison();
  self();
  return check::finish();
}
