// Constructions that fail, more often than there are context ids: none is lost,
// and afterwards as many communicators as ever can be made.
#include <functional>
#include <vector>

#include "test/check.h"
#include "test/comm/comms.h"

namespace {

constexpr int kContextIds = 20000;  // that ATOLL_CONTEXTS allows (BUILD)

int refuse(MPI_Comm, int, void*, void*, void*, int*) { return MPI_ERR_NO_MEM; }

void refused_often(const char* what, int error_class, int times,
                   const std::function<int(MPI_Comm*)>& construct) {
  check::set_case("%s", what);
  for (int i = 0; i < times; ++i) {
    MPI_Comm made = MPI_COMM_WORLD;
    if (check::error_class(construct(&made)) != error_class) {
      check::fail(__FILE__, __LINE__, "time " + std::to_string(i));
    }
    if (made != MPI_COMM_WORLD) check::fail(__FILE__, __LINE__, "something was made");
  }
  check::passed();
}

// By a copy callback, when the copy exists already.
void copies(MPI_Comm comm) {
  int keyval = MPI_KEYVAL_INVALID;
  MPI_Comm_create_keyval(refuse, MPI_COMM_NULL_DELETE_FN, &keyval, nullptr);
  MPI_Comm_set_attr(comm, keyval, nullptr);
  const int times = kContextIds + 1000;
  refused_often("MPI_Comm_dup", MPI_ERR_NO_MEM, times,
                [&](MPI_Comm* made) { return MPI_Comm_dup(comm, made); });
  refused_often("MPI_Comm_dup_with_info", MPI_ERR_NO_MEM, times,
                [&](MPI_Comm* made) { return MPI_Comm_dup_with_info(comm, MPI_INFO_NULL, made); });
  refused_often("MPI_Comm_idup", MPI_ERR_NO_MEM, times, [&](MPI_Comm* made) {
    MPI_Request request = MPI_REQUEST_NULL;
    const int code = MPI_Comm_idup(comm, made, &request);
    CHECK(request == MPI_REQUEST_NULL);
    return code;
  });
  MPI_Comm_free_keyval(&keyval);
}

// By the members, who ask for different things.
void disagreements(MPI_Comm comm) {
  if (check::size < 2) return;
  const int times = check::size == 2 ? kContextIds + 1000 : 1000;
  const int first = check::rank == 0;
  MPI_Group all = comms::group_of(comms::members(MPI_COMM_WORLD));
  refused_often("MPI_Comm_create_group", MPI_ERR_NOT_SAME, times, [&](MPI_Comm* made) {
    return MPI_Comm_create_group(comm, all, first ? 3 : 4, made);
  });
  refused_often("MPI_Cart_create", MPI_ERR_NOT_SAME, times, [&](MPI_Comm* made) {
    const int dims[] = {1, 1};
    return MPI_Cart_create(comm, first ? 1 : 2, dims, dims, 0, made);
  });
  MPI_Group_free(&all);
}

void afterwards(MPI_Comm comm) {
  check::set_case("afterwards");
  std::vector<MPI_Comm> copies(1000);
  for (MPI_Comm& copy : copies) CHECK_EQ(MPI_Comm_split(comm, 0, 0, &copy), MPI_SUCCESS);
  comms::check_exchange(copies.back(), 5);
  for (MPI_Comm& copy : copies) MPI_Comm_free(&copy);
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  check::passed();
  if (check::on_atoll()) {
    check::return_errors();
    MPI_Comm self, all;
    MPI_Comm_dup(MPI_COMM_SELF, &self);
    MPI_Comm_dup(MPI_COMM_WORLD, &all);
    copies(self);
    disagreements(all);
    afterwards(all);
    MPI_Comm_free(&self);
    MPI_Comm_free(&all);
  }
  return check::finish();
}
