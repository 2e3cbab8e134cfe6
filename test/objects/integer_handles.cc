// Handles as integers (MPI 5.0, 19.3.4, 20): what Fortran has of an object leads
// back to it, and what is no handle leads nowhere.
#include <cstdint>
#include <set>
#include <vector>

#include "test/check.h"

namespace {

// One kind of handle with its conversions.
template <class Handle>
struct Kind {
  const char* name;
  MPI_Fint (*to)(Handle);
  Handle (*from)(MPI_Fint);

  void round_trip(Handle handle) const {
    check::set_case("%s", name);
    CHECK(from(to(handle)) == handle);
  }
};

// The conversions may be macros (2.6.4).
#define KIND(Handle, name_)                                                              \
  Kind<Handle> {                                                                         \
    .name = #name_, .to = [](Handle one) -> MPI_Fint { return MPI_##name_##_c2f(one); }, \
    .from = [](MPI_Fint number) { return MPI_##name_##_f2c(number); }                    \
  }

const auto comms = KIND(MPI_Comm, Comm);
const auto errhandlers = KIND(MPI_Errhandler, Errhandler);
const auto files = KIND(MPI_File, File);
const auto groups = KIND(MPI_Group, Group);
const auto infos = KIND(MPI_Info, Info);
const auto messages = KIND(MPI_Message, Message);
const auto ops = KIND(MPI_Op, Op);
const auto requests = KIND(MPI_Request, Request);
const auto types = KIND(MPI_Datatype, Type);
const auto wins = KIND(MPI_Win, Win);

void predefined() {
  for (MPI_Comm comm : {MPI_COMM_NULL, MPI_COMM_WORLD, MPI_COMM_SELF}) comms.round_trip(comm);
  for (MPI_Group group : {MPI_GROUP_NULL, MPI_GROUP_EMPTY}) groups.round_trip(group);
  for (MPI_Datatype type : {MPI_DATATYPE_NULL, MPI_INT, MPI_DOUBLE, MPI_BYTE, MPI_2INT}) {
    types.round_trip(type);
  }
  for (MPI_Op op : {MPI_OP_NULL, MPI_SUM, MPI_MAXLOC, MPI_NO_OP}) ops.round_trip(op);
  for (MPI_Errhandler one : {MPI_ERRHANDLER_NULL, MPI_ERRORS_ARE_FATAL, MPI_ERRORS_RETURN}) {
    errhandlers.round_trip(one);
  }
  for (MPI_Info info : {MPI_INFO_NULL, MPI_INFO_ENV}) infos.round_trip(info);
  for (MPI_Message one : {MPI_MESSAGE_NULL, MPI_MESSAGE_NO_PROC}) messages.round_trip(one);
  requests.round_trip(MPI_REQUEST_NULL);
  files.round_trip(MPI_FILE_NULL);
  wins.round_trip(MPI_WIN_NULL);
}

void sum(void*, void*, int*, MPI_Datatype*) {}
void ignore(MPI_Comm*, int*, ...) {}

void communication() {
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  comms.round_trip(comm);
  const int peer = check::rank, value = 5;
  int in = -1;
  MPI_Request request;
  MPI_Irecv(&in, 1, MPI_INT, peer, 3, comm, &request);
  requests.round_trip(request);
  MPI_Fint number = requests.to(request);
  MPI_Send(&value, 1, MPI_INT, peer, 3, comm);
  request = requests.from(number);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  CHECK_EQ(in, value);

  MPI_Message message;
  MPI_Isend(&value, 1, MPI_INT, peer, 4, comm, &request);
  MPI_Mprobe(peer, 4, comm, &message, MPI_STATUS_IGNORE);
  messages.round_trip(message);
  in = -1;
  message = messages.from(messages.to(message));
  MPI_Mrecv(&in, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  CHECK_EQ(in, value);

  int size = 0;
  MPI_Comm_size(comms.from(comms.to(comm)), &size);
  CHECK_EQ(size, check::size);
  MPI_Comm_free(&comm);
}

void objects() {
  MPI_Group group;
  MPI_Comm_group(MPI_COMM_WORLD, &group);
  groups.round_trip(group);
  MPI_Group_free(&group);
  MPI_Datatype type;
  MPI_Type_contiguous(3, MPI_INT, &type);
  types.round_trip(type);
  MPI_Type_free(&type);
  MPI_Op op;
  MPI_Op_create(sum, 1, &op);
  ops.round_trip(op);
  MPI_Op_free(&op);
  MPI_Errhandler errhandler;
  MPI_Comm_create_errhandler(ignore, &errhandler);
  errhandlers.round_trip(errhandler);
  MPI_Errhandler_free(&errhandler);
  MPI_Info info;
  MPI_Info_create(&info);
  infos.round_trip(info);
  MPI_Info_free(&info);
#if MPI_LEVEL >= 40
  const auto sessions = KIND(MPI_Session, Session);
  sessions.round_trip(MPI_SESSION_NULL);
  MPI_Session session;
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
  sessions.round_trip(session);
  MPI_Session_finalize(&session);
#endif
}

// Each has a number of its own, also after many others had the same place.
void in_numbers() {
  check::set_case("many info objects");
  for (int round = 0; round < 300; ++round) {
    MPI_Info info;
    MPI_Info_create(&info);
    infos.round_trip(info);
    MPI_Info_free(&info);
  }
  std::vector<MPI_Info> alive(5000);
  std::set<MPI_Fint> numbers;
  for (MPI_Info& info : alive) {
    MPI_Info_create(&info);
    numbers.insert(infos.to(info));
  }
  CHECK_EQ(numbers.size(), alive.size());
  for (MPI_Info info : alive) infos.round_trip(info);
  for (MPI_Info& info : alive) MPI_Info_free(&info);
}

void statuses() {
  check::set_case("a status");
  int value = 1, in = -1, count = -1;
  MPI_Status status, copy;
  MPI_Sendrecv(&value, 1, MPI_INT, check::rank, 9, &in, 1, MPI_INT, check::rank, 9, MPI_COMM_WORLD,
               &status);
  MPI_Fint numbers[sizeof(MPI_Status) / sizeof(MPI_Fint)];
  CHECK_EQ(MPI_Status_c2f(&status, numbers), MPI_SUCCESS);
  CHECK_EQ(MPI_Status_f2c(numbers, &copy), MPI_SUCCESS);
  CHECK_EQ(copy.MPI_SOURCE, check::rank);
  CHECK_EQ(copy.MPI_TAG, 9);
  MPI_Get_count(&copy, MPI_INT, &count);
  CHECK_EQ(count, 1);
#if MPI_LEVEL >= 50
  CHECK_EQ(sizeof numbers / sizeof *numbers, std::size_t{MPI_F_STATUS_SIZE});
  CHECK_EQ(numbers[MPI_F_SOURCE], check::rank);
  CHECK_EQ(numbers[MPI_F_TAG], 9);
#endif
}

#if MPI_LEVEL >= 50

// Predefined handles have the numbers of the ABI.
void numbers_of_the_abi() {
  check::set_case("numbers of the ABI");
  CHECK_EQ(MPI_Comm_toint(MPI_COMM_WORLD), 0x101);
  CHECK(MPI_Comm_fromint(0x102) == MPI_COMM_SELF);
  CHECK_EQ(MPI_Type_toint(MPI_INT), 0x209);
  CHECK_EQ(MPI_Op_toint(MPI_SUM), 0x21);
  CHECK_EQ(PMPI_Win_toint(MPI_WIN_NULL), 0x110);
  CHECK(PMPI_Session_fromint(0x120) == MPI_SESSION_NULL);
}

// An invalid integer makes an invalid handle, which calls refuse; and so back.
void invalid() {
  check::set_case("what is no handle");
  int size = 0;
  MPI_Comm comm, next;
  MPI_Comm_dup(MPI_COMM_SELF, &comm);
  const int freed = MPI_Comm_toint(comm);
  MPI_Comm_free(&comm);
  MPI_Comm_dup(MPI_COMM_SELF, &next);  // may have the same place
  CHECK(MPI_Comm_toint(next) != freed);
  const MPI_Comm garbage = reinterpret_cast<MPI_Comm>(std::uintptr_t{0x5a5a5a5a5a5a5a5a});
  for (int number : {freed, -1, 0, 0x103, 4095, 0x7fffffff, MPI_Comm_toint(garbage)}) {
    CHECK_EQ(check::error_class(MPI_Comm_size(MPI_Comm_fromint(number), &size)), MPI_ERR_COMM);
  }
  CHECK_EQ(MPI_Comm_size(MPI_Comm_fromint(MPI_Comm_toint(next)), &size), MPI_SUCCESS);
  MPI_Comm_free(&next);

  MPI_Group group;
  MPI_Comm_group(MPI_COMM_WORLD, &group);
  const int of_a_group = MPI_Group_toint(group);
  CHECK_EQ(check::error_class(MPI_Comm_size(MPI_Comm_fromint(of_a_group), &size)), MPI_ERR_COMM);
  MPI_Group_free(&group);
}

#endif

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  check::return_errors();
  predefined();
  communication();
  objects();
  in_numbers();
  statuses();
#if MPI_LEVEL >= 50
  numbers_of_the_abi();
  invalid();
#endif
  return check::finish();
}
