// Ends in the way that its argument names. A second argument says which rank
// does so while the others wait for it; without one, all do.
#include <mpi.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <thread>

namespace {

void too_long_a_message() {
  int out[2] = {1, 2}, in = 0, rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Request request;
  MPI_Isend(out, 2, MPI_INT, rank, 5, MPI_COMM_WORLD, &request);
  MPI_Recv(&in, 1, MPI_INT, rank, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

void error_with(MPI_Errhandler handler) {
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_SELF, &comm);
  MPI_Comm_set_name(comm, "my own");
  MPI_Comm_set_errhandler(comm, handler);
  MPI_Send(nullptr, 0, MPI_INT, 3, 1, comm);
}

// A thread reads from a pipe into which nobody writes.
void sit_in_a_stream() {
  int ends[2];
  if (pipe(ends) != 0) return;
  std::FILE* stream = fdopen(ends[0], "r");
  std::thread([stream] { std::fgetc(stream); }).detach();
  while (ftrylockfile(stream) == 0) {
    funlockfile(stream);
    std::this_thread::yield();
  }
}

void recurse(volatile char* below) {
  volatile char frame[4096];
  frame[0] = below[0];
  if (frame[0] == 0) recurse(frame);  // always; the compiler is not to know
  below[0] = frame[1];
}

const std::map<std::string, std::function<void()>> kEnds = {
    {"exit-0", [] { std::exit(0); }},
    {"exit-3", [] { std::exit(3); }},
    {"_exit-4", [] { _exit(4); }},
    {"abort", [] { std::abort(); }},
    {"segfault", [] { std::raise(SIGSEGV); }},
    {"bad buffer",
     [] { MPI_Send(reinterpret_cast<void*>(0x10), 1000, MPI_INT, 0, 1, MPI_COMM_WORLD); }},
    {"late segfault",  // the others have gone to sleep
     [] {
       sleep(1);
       std::raise(SIGSEGV);
     }},
    {"stack overflow",
     [] {
       char bottom = 0;
       recurse(&bottom);
     }},
    {"terminated", [] { std::raise(SIGTERM); }},
    {"terminated after its child crashed",
     [] {
       const pid_t child = fork();
       if (child == 0) *static_cast<volatile int*>(nullptr) = 1;
       waitpid(child, nullptr, 0);
       std::raise(SIGTERM);
     }},
    {"killed", [] { std::raise(SIGKILL); }},
    {"MPI_Abort-42", [] { MPI_Abort(MPI_COMM_WORLD, 42); }},
    {"MPI_Abort-0", [] { MPI_Abort(MPI_COMM_WORLD, 0); }},
    {"MPI_Abort-256", [] { MPI_Abort(MPI_COMM_WORLD, 256); }},
    {"MPI_Abort-self", [] { MPI_Abort(MPI_COMM_SELF, 6); }},
    {"MPI_Abort while a thread reads",  // and so has the lock of that stream
     [] {
       std::fputs("printed before", stdout);
       sit_in_a_stream();
       MPI_Abort(MPI_COMM_WORLD, 42);
     }},
    {"bad rank while a thread writes an error",
     [] {
       flockfile(stderr);
       std::thread([] { MPI_Send(nullptr, 0, MPI_INT, 77, 1, MPI_COMM_WORLD); }).join();
     }},
    {"bad rank", [] { MPI_Send(nullptr, 0, MPI_INT, 77, 1, MPI_COMM_WORLD); }},
    {"truncated", too_long_a_message},
    {"errors are fatal", [] { error_with(MPI_ERRORS_ARE_FATAL); }},
    {"errors abort", [] { error_with(MPI_ERRORS_ABORT); }},
    {"handler called",
     [] {
       int error_class = 0, code = 0;
       MPI_Add_error_class(&error_class);
       MPI_Add_error_code(error_class, &code);
       MPI_Add_error_string(code, "the sky fell");
       MPI_Comm_call_errhandler(MPI_COMM_WORLD, code);
     }},
    {"attribute refused",
     [] {
       const auto refuse = [](MPI_Comm, int, void*, void*) { return int{MPI_ERR_NO_MEM}; };
       int keyval = 0;
       MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, refuse, &keyval, nullptr);
       MPI_Comm_set_attr(MPI_COMM_WORLD, keyval, nullptr);
       MPI_Comm_delete_attr(MPI_COMM_WORLD, keyval);
     }},
    {"second init", [] { MPI_Init(nullptr, nullptr); }},
};

// What happens when all have left MPI.
const std::map<std::string, std::function<void()>> kEndsAfterFinalize = {
    {"MPI_Comm_rank after finalize",
     [] {
       int rank = 0;
       MPI_Comm_rank(MPI_COMM_WORLD, &rank);
     }},
    {"exit-5 after finalize", [] { std::exit(5); }},
    {"session left open", [] {}},
    {"segfault after finalize", [] { std::raise(SIGSEGV); }},
};

}  // namespace

int main(int argc, char** argv) {
  const std::string how = argc > 1 ? argv[1] : "";
  if (how == "before init") {
    int size = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    return 0;
  }
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Barrier(MPI_COMM_WORLD);
  const bool chosen = argc < 3 || rank == std::atoi(argv[2]);
  if (chosen && kEnds.contains(how)) kEnds.at(how)();
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Session session;
  if (how == "session left open") MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
  MPI_Finalize();
  if (chosen) kEndsAfterFinalize.at(how)();
  return 0;
}
