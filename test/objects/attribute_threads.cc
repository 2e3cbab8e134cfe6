// Attributes at MPI_THREAD_MULTIPLE: threads set, copy and delete at once, and
// their callbacks call MPI; error codes and handlers are made meanwhile.
#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "test/check.h"

namespace {

constexpr int kThreads = 4;
constexpr int kRounds = 60;

std::atomic<int> copies{0}, deletions{0};

// Callbacks may call MPI: the library must not hold a lock of its own meanwhile.
int copy(MPI_Comm comm, int, void*, void* in, void* out, int* flag) {
  int size = 0;
  MPI_Comm_size(comm, &size);
  CHECK(size >= 1);
  ++copies;
  *static_cast<void**>(out) = in;
  *flag = 1;
  return MPI_SUCCESS;
}

int remove(MPI_Comm, int, void*, void*) {
  int flag = 0;
  MPI_Iprobe(MPI_ANY_SOURCE, 77, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE);
  CHECK_EQ(flag, 0);
  ++deletions;
  return MPI_SUCCESS;
}

void ignore(MPI_Comm*, int*, ...) {}

void codes_and_handlers() {
  int error_class = 0, code = 0;
  MPI_Add_error_class(&error_class);
  MPI_Add_error_code(error_class, &code);
  const std::string text = "code " + std::to_string(code);
  MPI_Add_error_string(code, text.c_str());
  CHECK_EQ(check::error_class(code), error_class);
  CHECK_EQ(check::error_text(code), text);
  MPI_Errhandler handler;
  MPI_Comm_create_errhandler(ignore, &handler);
  MPI_Errhandler_free(&handler);
}

// Each thread has a communicator of its own process alone.
void work(MPI_Comm comm) {
  int mine = 0;
  for (int i = 0; i < kRounds; ++i) {
    int keyval = MPI_KEYVAL_INVALID, flag = 0;
    MPI_Comm_create_keyval(copy, remove, &keyval, nullptr);
    MPI_Comm_set_attr(comm, keyval, &mine);
    MPI_Comm second;
    MPI_Comm_dup(comm, &second);
    void* value = nullptr;
    MPI_Comm_get_attr(second, keyval, &value, &flag);
    CHECK_EQ(flag, 1);
    CHECK(value == &mine);
    MPI_Comm_delete_attr(comm, keyval);
    MPI_Comm_free_keyval(&keyval);
    MPI_Comm_free(&second);
    codes_and_handlers();
  }
}

}  // namespace

int main(int argc, char** argv) {
  int provided = MPI_THREAD_SINGLE;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  check::set_rank_and_size();
  std::vector<MPI_Comm> comms(kThreads);
  for (MPI_Comm& comm : comms) MPI_Comm_dup(MPI_COMM_SELF, &comm);
  std::vector<std::thread> threads;
  if (provided == MPI_THREAD_MULTIPLE) {
    for (MPI_Comm comm : comms) threads.emplace_back(work, comm);
  }
  for (std::thread& thread : threads) thread.join();
  CHECK_EQ(copies.load(), int(threads.size()) * kRounds);
  CHECK_EQ(deletions.load(), 2 * int(threads.size()) * kRounds);
  for (MPI_Comm& comm : comms) MPI_Comm_free(&comm);
  return check::finish();
}
