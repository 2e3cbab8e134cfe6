// Wrong calls about sessions.
#include <string>

#include "test/errors/expect.h"

#if MPI_LEVEL >= 50

namespace {

MPI_Session open(MPI_Errhandler handler = MPI_ERRORS_RETURN) {
  MPI_Session session = MPI_SESSION_NULL;
  CHECK_EQ(MPI_Session_init(MPI_INFO_NULL, handler, &session), MPI_SUCCESS);
  return session;
}

MPI_Session finalized_session() {
  MPI_Session session = open();
  const MPI_Session stale = session;
  MPI_Session_finalize(&session);
  return stale;
}

// Each call that takes one, with something that is none.
void bad_handle(MPI_Session bad, const std::string& value) {
  errors::Untouched<int> number;
  errors::Untouched<MPI_Info> info;
  errors::Untouched<MPI_Group> group;
  errors::Untouched<MPI_Errhandler> handler;
  errors::Untouched<MPI_Request> request;
  errors::Untouched<void*> address;
  errors::Untouched<MPI_Count> count;
  char name[8];
  int length = 8;
  MPI_Session session = bad;
  EXPECT_ERROR(MPI_ERR_SESSION, "session", value, MPI_Session_finalize(&session));
  CHECK(session == bad);
  EXPECT_ERROR(MPI_ERR_SESSION, "session", value, MPI_Session_get_info(bad, &info));
  EXPECT_ERROR(MPI_ERR_SESSION, "session", value,
               MPI_Session_get_num_psets(bad, MPI_INFO_NULL, &number));
  EXPECT_ERROR(MPI_ERR_SESSION, "session", value,
               MPI_Session_get_nth_pset(bad, MPI_INFO_NULL, 0, &length, name));
  CHECK_EQ(length, 8);
  EXPECT_ERROR(MPI_ERR_SESSION, "session", value,
               MPI_Session_get_pset_info(bad, "mpi://WORLD", &info));
  EXPECT_ERROR(MPI_ERR_SESSION, "session", value,
               MPI_Group_from_session_pset(bad, "mpi://WORLD", &group));
  EXPECT_ERROR(MPI_ERR_SESSION, "session", value, MPI_Session_get_errhandler(bad, &handler));
  EXPECT_ERROR(MPI_ERR_SESSION, "session", value,
               MPI_Session_set_errhandler(bad, MPI_ERRORS_RETURN));
  EXPECT_ERROR(MPI_ERR_SESSION, "session", value, MPI_Session_call_errhandler(bad, MPI_ERR_OTHER));
  EXPECT_ERROR(MPI_ERR_SESSION, "session", value, MPI_Session_attach_buffer(bad, name, 8));
  EXPECT_ERROR(MPI_ERR_SESSION, "session", value, MPI_Session_attach_buffer_c(bad, name, 8));
  EXPECT_ERROR(MPI_ERR_SESSION, "session", value,
               MPI_Session_detach_buffer(bad, &address, &number));
  EXPECT_ERROR(MPI_ERR_SESSION, "session", value,
               MPI_Session_detach_buffer_c(bad, &address, &count));
  EXPECT_ERROR(MPI_ERR_SESSION, "session", value, MPI_Session_flush_buffer(bad));
  EXPECT_ERROR(MPI_ERR_SESSION, "session", value, MPI_Session_iflush_buffer(bad, &request));
}

int calls = 0;
MPI_Session called_for = MPI_SESSION_NULL;
int called_with = MPI_SUCCESS;

void note(MPI_Session* session, int* code, ...) {
  ++calls;
  called_for = *session;
  called_with = check::error_class(*code);
}

void beginning() {
  errors::Untouched<MPI_Session> session;
  errors::Untouched<MPI_Errhandler> made;
  MPI_Info info;
  MPI_Info_create(&info);
  MPI_Info_set(info, "thread_level", "MPI_THREAD_MANY");
  EXPECT_ERROR(MPI_ERR_INFO_VALUE, "thread_level", "MPI_THREAD_MANY",
               MPI_Session_init(info, MPI_ERRORS_RETURN, &session));
  EXPECT_ERROR(MPI_ERR_ERRHANDLER, "errhandler", "MPI_ERRHANDLER_NULL",
               MPI_Session_init(MPI_INFO_NULL, MPI_ERRHANDLER_NULL, &session));
  EXPECT_ERROR(MPI_ERR_ARG, "session", "null",
               MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, nullptr));
  EXPECT_ERROR(MPI_ERR_INFO, "info", "",
               MPI_Session_init(errors::garbage<MPI_Info>(), MPI_ERRORS_RETURN, &session));
  EXPECT_ERROR(MPI_ERR_ARG, "session_errhandler_fn", "null",
               MPI_Session_create_errhandler(nullptr, &made));

  check::set_case("the handler of the call");
  MPI_Errhandler handler;
  MPI_Session_create_errhandler(note, &handler);
  CHECK_EQ(check::error_class(MPI_Session_init(info, handler, &session)), MPI_ERR_INFO_VALUE);
  CHECK_EQ(calls, 1);
  CHECK(called_for == MPI_SESSION_NULL);
  CHECK_EQ(called_with, MPI_ERR_INFO_VALUE);
  EXPECT_ERROR(MPI_ERR_ERRHANDLER, "errhandler", "",
               MPI_Comm_set_errhandler(MPI_COMM_SELF, handler));
  MPI_Errhandler_free(&handler);
  MPI_Info_free(&info);
}

// Errors of a session's calls go to its handler, whichever it has then.
void handlers() {
  check::set_case("the handler of the session");
  MPI_Errhandler handler, got;
  MPI_Session_create_errhandler(note, &handler);
  MPI_Session session = open(handler);
  MPI_Session_get_errhandler(session, &got);
  CHECK(got == handler);
  MPI_Errhandler_free(&got);
  MPI_Errhandler_free(&handler);  // the session keeps it
  calls = 0;
  CHECK_EQ(check::error_class(MPI_Session_flush_buffer(session)), MPI_ERR_BUFFER);
  CHECK_EQ(calls, 1);
  CHECK(called_for == session);
  CHECK_EQ(MPI_Session_call_errhandler(session, MPI_ERR_TAG), MPI_SUCCESS);
  CHECK_EQ(calls, 2);
  CHECK_EQ(called_with, MPI_ERR_TAG);
  MPI_Session_set_errhandler(session, MPI_ERRORS_RETURN);
  CHECK_EQ(MPI_Session_call_errhandler(session, MPI_ERR_TAG), MPI_SUCCESS);
  CHECK_EQ(check::error_class(MPI_Session_flush_buffer(session)), MPI_ERR_BUFFER);
  CHECK_EQ(calls, 2);
  MPI_Session_finalize(&session);
}

// A handler lives as long as the program or an object has it.
void lifetime_of_handlers() {
  MPI_Errhandler handler;
  MPI_Session_create_errhandler(note, &handler);
  const MPI_Errhandler stale = handler;
  MPI_Session session = open(handler);
  MPI_Errhandler_free(&handler);
  CHECK_EQ(MPI_Session_set_errhandler(session, stale), MPI_SUCCESS);
  MPI_Session_finalize(&session);
  session = open();
  EXPECT_ERROR(MPI_ERR_ERRHANDLER, "errhandler", "", MPI_Session_set_errhandler(session, stale));
  MPI_Session_finalize(&session);
}

void arguments() {
  MPI_Session session = open();
  errors::Untouched<MPI_Info> info;
  errors::Untouched<int> number;
  errors::Untouched<MPI_Group> group;
  char name[8];
  int count = -1, length = 8;
  MPI_Session_get_num_psets(session, MPI_INFO_NULL, &count);
  for (int n : {-1, count, 1000000}) {
    EXPECT_ERROR(MPI_ERR_ARG, "n", std::to_string(n),
                 MPI_Session_get_nth_pset(session, MPI_INFO_NULL, n, &length, name));
  }
  CHECK_EQ(length, 8);
  EXPECT_ERROR(MPI_ERR_ARG, "pset_name", "null",
               MPI_Session_get_nth_pset(session, MPI_INFO_NULL, 0, &length, nullptr));
  EXPECT_ERROR(MPI_ERR_ARG, "pset_len", "null",
               MPI_Session_get_nth_pset(session, MPI_INFO_NULL, 0, nullptr, name));
  length = -3;
  EXPECT_ERROR(MPI_ERR_ARG, "pset_len", "3",
               MPI_Session_get_nth_pset(session, MPI_INFO_NULL, 0, &length, name));
  EXPECT_ERROR(MPI_ERR_ARG, "pset_name", "mpi://MARS",
               MPI_Session_get_pset_info(session, "mpi://MARS", &info));
  EXPECT_ERROR(MPI_ERR_ARG, "pset_name", "null",
               MPI_Session_get_pset_info(session, nullptr, &info));
  EXPECT_ERROR(MPI_ERR_ARG, "pset_name", "null",
               MPI_Group_from_session_pset(session, nullptr, &group));
  EXPECT_ERROR(MPI_ERR_INFO, "info", "",
               MPI_Session_get_num_psets(session, errors::garbage<MPI_Info>(), &number));
  EXPECT_ERROR(MPI_ERR_ERRHANDLER, "errhandler", "MPI_ERRHANDLER_NULL",
               MPI_Session_set_errhandler(session, MPI_ERRHANDLER_NULL));
  EXPECT_ERROR(MPI_ERR_BUFFER, "buffer", "null", MPI_Session_attach_buffer(session, nullptr, 8));
  MPI_Session_finalize(&session);
}

// What comes from different sessions is not to be mixed (11.3).
void mixed() {
  MPI_Session session = open(), other = open();
  MPI_Group one, two, world;
  errors::Untouched<MPI_Group> none;
  errors::Untouched<MPI_Comm> comm;
  MPI_Group_from_session_pset(session, "mpi://SELF", &one);
  MPI_Group_from_session_pset(other, "mpi://SELF", &two);
  MPI_Comm_group(MPI_COMM_SELF, &world);
  for (MPI_Group group : {two, world}) {
    EXPECT_ERROR(MPI_ERR_GROUP, "group2", "", MPI_Group_union(one, group, &none));
    EXPECT_ERROR(MPI_ERR_GROUP, "group2", "", MPI_Group_intersection(one, group, &none));
    EXPECT_ERROR(MPI_ERR_GROUP, "group2", "", MPI_Group_difference(one, group, &none));
  }
  MPI_Group empty;
  CHECK_EQ(MPI_Group_difference(one, MPI_GROUP_EMPTY, &empty), MPI_SUCCESS);
  MPI_Group_free(&empty);
  EXPECT_ERROR(MPI_ERR_GROUP, "group", "", MPI_Comm_create_group(MPI_COMM_SELF, one, 0, &comm));
  EXPECT_ERROR(MPI_ERR_GROUP, "group", "", MPI_Comm_create(MPI_COMM_SELF, one, &comm));
  for (MPI_Group* group : {&one, &two, &world}) MPI_Group_free(group);
  MPI_Session_finalize(&session);
  MPI_Session_finalize(&other);
}

}  // namespace

#endif

int main(int argc, char** argv) {
  check::start(argc, argv);
  check::return_errors();
#if MPI_LEVEL >= 50
  bad_handle(MPI_SESSION_NULL, "MPI_SESSION_NULL");
  if (check::on_atoll()) {
    bad_handle(finalized_session(), "finalized");
    bad_handle(errors::garbage<MPI_Session>(), "");
    beginning();
    handlers();
    lifetime_of_handlers();
    arguments();
    mixed();
  }
#endif
  errors::check_all_is_well();
  return check::finish();
}
