// MPI_Comm_idup (7.4.2): it blocks nobody, several may be under way, and what the
// copy takes over is what there was at the call.
#include <string>
#include <vector>

#include "test/check.h"
#include "test/comm/comms.h"

namespace {

int left() { return (check::rank + check::size - 1) % check::size; }
int right() { return (check::rank + 1) % check::size; }

// The last rank calls it only when the others have exchanged messages after
// their calls: had one of them waited there, none would come.
void never_waits() {
  check::set_case("nobody waits in the call");
  MPI_Comm copy = MPI_COMM_NULL;
  MPI_Request request;
  const bool last = check::rank == check::size - 1;
  if (!last) MPI_Comm_idup(MPI_COMM_WORLD, &copy, &request);
  if (check::size > 1) {
    char token = 0;
    if (check::rank > 0) {
      MPI_Recv(&token, 1, MPI_CHAR, left(), 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    if (!last) MPI_Send(&token, 1, MPI_CHAR, right(), 1, MPI_COMM_WORLD);
  }
  if (last) MPI_Comm_idup(MPI_COMM_WORLD, &copy, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  CHECK(request == MPI_REQUEST_NULL);
  comms::check_comm(copy, comms::members(MPI_COMM_WORLD), 1);
  CHECK_EQ(comms::compare(copy, MPI_COMM_WORLD), MPI_CONGRUENT);
  MPI_Comm_free(&copy);
}

// Any call of MPI is enough for progress.
void progress_anywhere() {
  check::set_case("progress while waiting for something else");
  for (int i = 0; i < 20; ++i) {
    MPI_Comm copy = MPI_COMM_NULL;
    MPI_Request request;
    MPI_Comm_idup(MPI_COMM_WORLD, &copy, &request);
    MPI_Barrier(MPI_COMM_WORLD);
    int flag = 0;
    while (!flag) MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    comms::check_exchange(copy, i);
    MPI_Comm_free(&copy);
  }
}

// Many under way, completed out of order, with blocking copies in between.
void several() {
  constexpr int kCopies = 24;
  std::vector<MPI_Comm> copies(kCopies), blocking(3);
  std::vector<MPI_Request> requests(kCopies);
  for (int i = 0; i < kCopies; ++i) {
    check::set_case("copy %d of %d under way", i, kCopies);
    MPI_Comm_idup(i % 2 ? MPI_COMM_WORLD : MPI_COMM_SELF, &copies[i], &requests[i]);
    if (i % 8 == 7) MPI_Comm_dup(MPI_COMM_WORLD, &blocking[i / 8]);
  }
  check::set_case("%d copies completed", kCopies);
  for (int done = 0; done < kCopies / 2; ++done) {
    int index = -1;
    MPI_Waitany(kCopies, requests.data(), &index, MPI_STATUS_IGNORE);
    CHECK(index >= 0 && index < kCopies);
    CHECK(requests[index] == MPI_REQUEST_NULL);
  }
  MPI_Waitall(kCopies, requests.data(), MPI_STATUSES_IGNORE);
  for (int i = kCopies - 1; i >= 0; --i) comms::check_exchange(copies[i], i);
  for (MPI_Comm& comm : blocking) comms::check_exchange(comm, 99);
  for (MPI_Comm& comm : copies) MPI_Comm_free(&comm);
  for (MPI_Comm& comm : blocking) MPI_Comm_free(&comm);
}

// The parent may go while its copy is made.
void parent_freed() {
  check::set_case("parent freed meanwhile");
  MPI_Comm parent, copy;
  MPI_Request request;
  MPI_Comm_dup(MPI_COMM_WORLD, &parent);
  MPI_Comm_idup(parent, &copy, &request);
  MPI_Comm_free(&parent);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  comms::check_comm(copy, comms::members(MPI_COMM_WORLD), 5);
  MPI_Comm_free(&copy);
}

int copies = 0, deletions = 0;

int copy_attribute(MPI_Comm, int, void*, void* in, void* out, int* flag) {
  ++copies;
  *static_cast<void**>(out) = static_cast<char*>(in) + 1;
  *flag = 1;
  return MPI_SUCCESS;
}

int delete_attribute(MPI_Comm, int, void*, void*) {
  ++deletions;
  return MPI_SUCCESS;
}

// What changes after the call does not concern the copy.
void state_of_the_call() {
  check::set_case("attributes and error handler of the moment");
  char data[4];
  int keyval, flag = 0;
  void* value = nullptr;
  MPI_Comm parent, copy;
  MPI_Request request;
  MPI_Comm_dup(MPI_COMM_WORLD, &parent);
  MPI_Comm_create_keyval(copy_attribute, delete_attribute, &keyval, nullptr);
  MPI_Comm_set_attr(parent, keyval, data);
  MPI_Comm_set_errhandler(parent, MPI_ERRORS_RETURN);
  MPI_Comm_idup(parent, &copy, &request);
  MPI_Comm_set_attr(parent, keyval, data + 2);
  MPI_Comm_set_errhandler(parent, MPI_ERRORS_ARE_FATAL);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Comm_get_attr(copy, keyval, &value, &flag);
  CHECK_EQ(flag, 1);
  CHECK(value == data + 1);
  CHECK_EQ(copies, 1);
  MPI_Errhandler handler;
  MPI_Comm_get_errhandler(copy, &handler);
  CHECK(handler == MPI_ERRORS_RETURN);
  MPI_Comm_free(&copy);
  MPI_Comm_free(&parent);
  CHECK_EQ(deletions, 3);
  MPI_Comm_free_keyval(&keyval);
}

std::string hint(MPI_Comm comm, const char* key) {
  MPI_Info info;
  MPI_Comm_get_info(comm, &info);
  char value[MPI_MAX_INFO_VAL + 1] = "";
  int length = sizeof value, flag = 0;
  MPI_Info_get_string(info, key, &length, value, &flag);
  MPI_Info_free(&info);
  return flag ? value : "";
}

void info() {
  check::set_case("hints");
  constexpr const char* kKey = "mpi_assert_no_any_tag";
  MPI_Info info;
  MPI_Info_create(&info);
  MPI_Info_set(info, kKey, "true");
  MPI_Info_set(info, "nobody knows this key", "true");
  MPI_Comm with, without, later;
  MPI_Request request;
  MPI_Comm_dup_with_info(MPI_COMM_WORLD, info, &with);
  MPI_Comm_dup(with, &without);
  MPI_Comm_idup_with_info(without, info, &later, &request);
  MPI_Info_free(&info);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  if (check::on_atoll()) {
    CHECK_EQ(hint(with, kKey), "true");
    CHECK_EQ(hint(without, kKey), "false");  // MPI_Comm_dup hands on no hints
    CHECK_EQ(hint(later, kKey), "true");
    CHECK_EQ(hint(later, "nobody knows this key"), "");
    MPI_Info_create(&info);
    MPI_Info_set(info, kKey, "false");
    MPI_Comm_set_info(with, info);
    MPI_Info_free(&info);
    CHECK_EQ(hint(with, kKey), "false");
  }
  comms::check_exchange(later, 6);
  for (MPI_Comm* comm : {&with, &without, &later}) MPI_Comm_free(comm);
}

// Freeing or cancelling it is no way to end it.
void not_a_way_out() {
  if (!check::on_atoll()) return;
  check::set_case("freed or cancelled request");
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  MPI_Comm copy;
  MPI_Request request;
  if (check::rank == 0) MPI_Barrier(MPI_COMM_WORLD);
  MPI_Comm_idup(MPI_COMM_WORLD, &copy, &request);
  if (check::rank != 0) {
    const MPI_Request before = request;
    CHECK_EQ(check::error_class(MPI_Cancel(&request)), MPI_ERR_REQUEST);
    CHECK_EQ(check::error_class(MPI_Request_free(&request)), MPI_ERR_REQUEST);
    CHECK(request == before);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  comms::check_exchange(copy, 7);
  MPI_Comm_free(&copy);
}

int in_attribute = 0;

// What one process can do with the copy alone it can do at once.
void local_calls() {
  if (!check::on_atoll()) return;
  check::set_case("local calls before completion");
  const int dims[] = {check::size}, periods[] = {1};
  MPI_Comm parent, copy;
  MPI_Request request;
  MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &parent);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  if (check::rank == 0) MPI_Barrier(MPI_COMM_WORLD);
  MPI_Comm_idup(parent, &copy, &request);
  // Of all ranks but the first it is certain that the copy is not complete.
  CHECK_EQ(MPI_Comm_set_errhandler(copy, MPI_ERRORS_RETURN), MPI_SUCCESS);
  int size = 0, rank = -1, flag = -1, kind = -1, keyval = MPI_KEYVAL_INVALID, result = -1,
      length = 0;
  CHECK_EQ(MPI_Comm_size(copy, &size), MPI_SUCCESS);
  CHECK_EQ(size, check::size);
  CHECK_EQ(MPI_Comm_rank(copy, &rank), MPI_SUCCESS);
  CHECK_EQ(rank, check::rank);
  CHECK_EQ(MPI_Comm_test_inter(copy, &flag), MPI_SUCCESS);
  CHECK_EQ(flag, 0);
  CHECK_EQ(MPI_Comm_compare(copy, parent, &result), MPI_SUCCESS);
  CHECK_EQ(result, MPI_CONGRUENT);
  CHECK_EQ(MPI_Topo_test(copy, &kind), MPI_SUCCESS);
  CHECK_EQ(kind, MPI_CART);
  CHECK_EQ(MPI_Cart_rank(copy, &check::rank, &rank), MPI_SUCCESS);
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &keyval, nullptr);
  CHECK_EQ(MPI_Comm_set_attr(copy, keyval, &in_attribute), MPI_SUCCESS);
  CHECK_EQ(MPI_Comm_set_name(copy, "early"), MPI_SUCCESS);
  char name[MPI_MAX_OBJECT_NAME];
  CHECK_EQ(MPI_Comm_get_name(copy, name, &length), MPI_SUCCESS);
  CHECK_EQ(std::string(name), "early");
  MPI_Group group;
  CHECK_EQ(MPI_Comm_group(copy, &group), MPI_SUCCESS);
  MPI_Group_free(&group);
  CHECK_EQ(hint(copy, "mpi_assert_no_any_tag"), "false");
  if (check::rank != 0) {  // what communicates is named
    const MPI_Comm same = copy;
    CHECK_EQ(check::error_class(MPI_Send(nullptr, 0, MPI_INT, 0, 0, copy)), MPI_ERR_COMM);
    CHECK_EQ(check::error_class(MPI_Barrier(copy)), MPI_ERR_COMM);
    CHECK_EQ(check::error_class(MPI_Comm_free(&copy)), MPI_ERR_COMM);
    CHECK(copy == same);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  int* value = nullptr;
  MPI_Comm_get_attr(copy, keyval, &value, &flag);
  CHECK(flag && value == &in_attribute);
  CHECK_EQ(check::error_class(MPI_Send(nullptr, 0, MPI_INT, size, 0, copy)), MPI_ERR_RANK);
  comms::check_exchange(copy, 8);
  MPI_Comm_free(&copy);
  MPI_Comm_free(&parent);
  MPI_Comm_free_keyval(&keyval);
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  never_waits();
  progress_anywhere();
  several();
  parent_freed();
  state_of_the_call();
  info();
  not_a_way_out();
  local_calls();
  return check::finish();
}
