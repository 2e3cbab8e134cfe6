// Inquiries and start-up (chapters 9 and 11): what may be asked before
// MPI_Init and after MPI_Finalize, versions, clock, names, memory.
#include <unistd.h>

#include <string>
#include <vector>

#include "test/check.h"
#include "test/pattern.h"

namespace {

int initialized() {
  int flag = -1;
  CHECK_EQ(MPI_Initialized(&flag), MPI_SUCCESS);
  return flag;
}

int finalized() {
  int flag = -1;
  CHECK_EQ(MPI_Finalized(&flag), MPI_SUCCESS);
  return flag;
}

// 11.4.1: allowed at any time, and the same at any time.
std::string versions() {
  int version = -1, subversion = -1, length = -1;
  CHECK_EQ(MPI_Get_version(&version, &subversion), MPI_SUCCESS);
  CHECK_EQ(version, MPI_VERSION);
  CHECK_EQ(subversion, MPI_SUBVERSION);
  char library[MPI_MAX_LIBRARY_VERSION_STRING];
  CHECK_EQ(MPI_Get_library_version(library, &length), MPI_SUCCESS);
  CHECK(length > 0);
  CHECK_EQ(std::strlen(library), std::size_t(length));
#if MPI_LEVEL >= 50
  int major = -1, minor = -1;
  CHECK_EQ(MPI_Abi_get_version(&major, &minor), MPI_SUCCESS);
  CHECK_EQ(major, MPI_ABI_VERSION);
  CHECK_EQ(minor, MPI_ABI_SUBVERSION);
#endif
  return library;
}

// Error classes and their texts (9.4).
void errors() {
  for (int error = MPI_SUCCESS; error <= MPI_ERR_REQUEST; ++error) {
    int its_class = -1, length = -1;
    char text[MPI_MAX_ERROR_STRING];
    CHECK_EQ(MPI_Error_class(error, &its_class), MPI_SUCCESS);
    CHECK_EQ(its_class, error);
    CHECK_EQ(MPI_Error_string(error, text, &length), MPI_SUCCESS);
    CHECK(length > 0);
    CHECK_EQ(std::strlen(text), std::size_t(length));
  }
}

void elapsed_time() {
  const double tick = MPI_Wtick();
  CHECK(tick > 0 && tick < 0.1);
  double last = MPI_Wtime();
  bool moved = false;
  for (int i = 0; i < 200000 || !moved; ++i) {
    const double time = MPI_Wtime();
    if (time < last) CHECK(time >= last);
    moved = moved || time > last;
    last = time;
  }
  CHECK(moved);
}

// Time passes from the one who sends to the one who receives: the clocks of a
// node's ranks are one, or the message would arrive before it was sent.
void clock_is_global() {
  if (!check::on_atoll()) return;
  const int right = (check::rank + 1) % check::size;
  const int left = (check::rank + check::size - 1) % check::size;
  for (int i = 0; i < 20; ++i) {
    const double sent = MPI_Wtime();
    double theirs = 0;
    MPI_Sendrecv(&sent, 1, MPI_DOUBLE, right, 1, &theirs, 1, MPI_DOUBLE, left, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    CHECK(MPI_Wtime() >= theirs);
  }
}

void processor_name() {
  char name[MPI_MAX_PROCESSOR_NAME], host[256] = "";
  int length = -1;
  MPI_Get_processor_name(name, &length);
  CHECK(length > 0);
  CHECK_EQ(std::strlen(name), std::size_t(length));
  gethostname(host, sizeof host - 1);
  CHECK_EQ(std::string(name), std::string(host));
}

void memory() {
  for (MPI_Aint bytes : {0, 1, 100, 1 << 20}) {
    void* block = nullptr;
    CHECK_EQ(MPI_Alloc_mem(bytes, MPI_INFO_NULL, &block), MPI_SUCCESS);
    if (bytes > 0) {
      CHECK(block != nullptr);
      check::fill(block, bytes, 3);
      // It serves as a message buffer like any other.
      MPI_Sendrecv_replace(block, int(bytes), MPI_BYTE, check::rank, 1, check::rank, 1,
                           MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      CHECK_PATTERN(block, bytes, 3);
    }
    CHECK_EQ(MPI_Free_mem(block), MPI_SUCCESS);
  }
}

// 5.1.5: addresses and their arithmetic.
void addresses() {
  char block[100];
  MPI_Aint first = 0, last = 0;
  MPI_Get_address(&block[0], &first);
  MPI_Get_address(&block[99], &last);
  CHECK_EQ(MPI_Aint_diff(last, first), 99);
  CHECK_EQ(MPI_Aint_add(first, 99), last);
  CHECK(reinterpret_cast<char*>(first) == block);
}

void threads() {
  int provided = -1, is_main = -1;
  MPI_Query_thread(&provided);
  CHECK(provided >= MPI_THREAD_SINGLE && provided <= MPI_THREAD_MULTIPLE);
  MPI_Is_thread_main(&is_main);
  CHECK_EQ(is_main, 1);
}

// It does nothing, also with arguments of whatever profiles a program (15.2.4).
void profiling() {
  CHECK_EQ(MPI_Pcontrol(1), MPI_SUCCESS);
  CHECK_EQ(MPI_Pcontrol(7, "an argument", 2.0), MPI_SUCCESS);
}

// 11.8.2: of a process that nobody has spawned.
void parent() {
  MPI_Comm parent = MPI_COMM_WORLD;
  CHECK_EQ(MPI_Comm_get_parent(&parent), MPI_SUCCESS);
  CHECK(parent == MPI_COMM_NULL);
}

}  // namespace

int main(int argc, char** argv) {
  CHECK_EQ(initialized(), 0);
  CHECK_EQ(finalized(), 0);
  const std::string library = versions();
  if (check::on_atoll()) errors();  // other MPIs of this age need MPI_Init for it

  // The arguments of main() are the program's own, and may be absent.
  std::vector<std::string> arguments(argv, argv + argc);
  if (argc > 1 && arguments[1] == "--no-arguments") {
    MPI_Init(nullptr, nullptr);
  } else {
    MPI_Init(&argc, &argv);
  }
  CHECK(arguments == std::vector<std::string>(argv, argv + argc));
  check::set_rank_and_size();
  CHECK(check::rank >= 0 && check::rank < check::size);
  CHECK_EQ(initialized(), 1);
  CHECK_EQ(finalized(), 0);
  CHECK_EQ(versions(), library);
  errors();
  elapsed_time();
  clock_is_global();
  processor_name();
  memory();
  addresses();
  threads();
  profiling();
  parent();

  const int status = check::finish();
  CHECK_EQ(initialized(), 1);
  CHECK_EQ(finalized(), 1);
  CHECK_EQ(versions(), library);
  if (check::on_atoll()) errors();
  return status;
}
