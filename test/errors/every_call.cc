// Every function of mpi.h with every argument wrong that can be checked without
// knowing the function: handles that are null, freed, of another kind or nothing
// at all, and null addresses. The class is right, the message names call and
// argument, no result is written, and everything works afterwards.
#include "test/errors/wrong_arguments.h"

namespace errors {

static unsigned char untouched[sizeof Room::bytes];

void prepare_room() {
  std::memset(Room::bytes, 0x5a, sizeof Room::bytes - 1);
  std::memcpy(untouched, Room::bytes, sizeof untouched);
}

void refused(const char* call, const char* argument, int error_class, int code) {
  expect(__FILE__, __LINE__, call, error_class, argument, "", code);
  if (std::memcmp(Room::bytes, untouched, sizeof untouched) != 0) {
    check::fail(__FILE__, __LINE__, "a result was written");
  }
}

}  // namespace errors

namespace {

using namespace errors;

void ignore(MPI_Comm*, int*, ...) {}
void no_sum(void*, void*, int*, MPI_Datatype*) {}

// `freed` was right once; `other` is right for another kind of object.
template <class Handle, class Other>
void add(Kind<Handle>& kind, Handle null, Handle freed, Other other) {
  kind.bad = {null, freed, garbage<Handle>(), reinterpret_cast<Handle>(other)};
}

MPI_Group made_group() {
  MPI_Group group;
  MPI_Comm_group(MPI_COMM_SELF, &group);
  return group;
}

template <class Handle, class Free>
Handle freed(Handle handle, Free free) {
  const Handle stale = handle;
  free(&handle);
  return stale;
}

MPI_Datatype made_type() {
  MPI_Datatype type;
  MPI_Type_contiguous(2, MPI_INT, &type);
  MPI_Type_commit(&type);
  return type;
}

MPI_Op made_op() {
  MPI_Op op;
  MPI_Op_create(no_sum, 1, &op);
  return op;
}

MPI_Errhandler made_errhandler() {
  MPI_Errhandler errhandler;
  MPI_Comm_create_errhandler(ignore, &errhandler);
  return errhandler;
}

MPI_Info made_info() {
  MPI_Info info;
  MPI_Info_create(&info);
  return info;
}

MPI_Session made_session() {
  MPI_Session session;
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
  return session;
}

MPI_Win made_window() {
  MPI_Win window;
  MPI_Win_create(nullptr, 0, 1, MPI_INFO_NULL, MPI_COMM_SELF, &window);
  MPI_Win_set_errhandler(window, MPI_ERRORS_RETURN);
  return window;
}

int made_keyval() {
  int keyval = MPI_KEYVAL_INVALID;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &keyval, nullptr);
  return keyval;
}

void make_keyvals() {
  const int stale = freed(made_keyval(), MPI_Comm_free_keyval);
  comm_keyvals.good = made_keyval();
  MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, &type_keyvals.good,
                         nullptr);
  MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, MPI_WIN_NULL_DELETE_FN, &win_keyvals.good, nullptr);
  comm_keyvals.bad = {MPI_KEYVAL_INVALID, stale, -1, type_keyvals.good, win_keyvals.good};
  type_keyvals.bad = {MPI_KEYVAL_INVALID, stale, -1, comm_keyvals.good, win_keyvals.good};
  win_keyvals.bad = {MPI_KEYVAL_INVALID, stale, -1, comm_keyvals.good, type_keyvals.good};
}

void free_keyvals() {
  MPI_Comm_free_keyval(&comm_keyvals.good);
  MPI_Type_free_keyval(&type_keyvals.good);
  MPI_Win_free_keyval(&win_keyvals.good);
}

void make_handles() {
  groups.good = made_group();
  infos.good = made_info();
  sessions.good = made_session();
  wins.good = made_window();
  add(comms, MPI_COMM_NULL, freed_communicator(), groups.good);
  add(groups, MPI_GROUP_NULL, freed(made_group(), MPI_Group_free), infos.good);
  add(types, MPI_DATATYPE_NULL, freed(made_type(), MPI_Type_free), groups.good);
  add(ops, MPI_OP_NULL, freed(made_op(), MPI_Op_free), groups.good);
  add(errhandlers, MPI_ERRHANDLER_NULL, freed(made_errhandler(), MPI_Errhandler_free), groups.good);
  add(infos, MPI_INFO_NULL, freed(made_info(), MPI_Info_free), groups.good);
  hints.bad.assign(infos.bad.begin() + 1, infos.bad.end());  // without MPI_INFO_NULL
  add(sessions, MPI_SESSION_NULL, freed(made_session(), MPI_Session_finalize), groups.good);
  add(wins, MPI_WIN_NULL, freed(made_window(), MPI_Win_free), groups.good);
  files.bad = {garbage<MPI_File>(), reinterpret_cast<MPI_File>(groups.good)};
}

void free_handles() {
  MPI_Group_free(&groups.good);
  MPI_Info_free(&infos.good);
  MPI_Session_finalize(&sessions.good);
  MPI_Win_free(&wins.good);
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  check::return_errors();
  make_handles();
  make_keyvals();
  prepare_room();
  call_everything();
  free_keyvals();
  free_handles();
  check_all_is_well();
  return check::finish();
}
