// Messages from and to memory of all kinds: read-only memory, mappings shared with other
// processes, stacks, pages never touched.
#include <sys/mman.h>
#include <unistd.h>

#include <vector>

#include "test/check.h"
#include "test/pattern.h"

namespace {

constexpr std::size_t kBytes = 400000;
constexpr int kSeed = 9;

int left() { return (check::rank + check::size - 1) % check::size; }
int right() { return (check::rank + 1) % check::size; }

void* mapped(int protection, int flags, int descriptor) {
  void* memory = mmap(nullptr, kBytes, protection, flags, descriptor, 0);
  CHECK(memory != MAP_FAILED);
  return memory;
}

// A file in memory that holds the pattern.
int file() {
  const int descriptor = memfd_create("test", MFD_CLOEXEC);
  CHECK(descriptor >= 0);
  std::vector<char> data(kBytes);
  check::fill(data.data(), kBytes, kSeed);
  CHECK_EQ(write(descriptor, data.data(), kBytes), ssize_t(kBytes));
  return descriptor;
}

void exchange(const char* name, const void* out, void* in) {
  check::set_case("%s", name);
  // One size for each path through the transport.
  for (std::size_t bytes : {std::size_t{8}, std::size_t{3000}, std::size_t{60000}, kBytes}) {
    std::memset(in, 0, kBytes);
    MPI_Sendrecv(out, int(bytes), MPI_BYTE, right(), 1, in, int(bytes), MPI_BYTE, left(), 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK_PATTERN(in, bytes, kSeed);
  }
}

void sources() {
  std::vector<char> in(kBytes);
  const int descriptor = file();
  void* read_only = mapped(PROT_READ, MAP_PRIVATE, descriptor);
  exchange("from a read-only mapping", read_only, in.data());
  void* shared = mapped(PROT_READ, MAP_SHARED, descriptor);
  exchange("from a shared read-only mapping", shared, in.data());
  munmap(read_only, kBytes);
  munmap(shared, kBytes);
  close(descriptor);

  // Pages that no process has ever touched read as zero.
  void* untouched = mapped(PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1);
  in.assign(kBytes, 1);
  MPI_Sendrecv(untouched, kBytes, MPI_BYTE, right(), 1, in.data(), kBytes, MPI_BYTE, left(), 1,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  CHECK_EQ(check::checksum(in.data(), kBytes), std::uint64_t{0});
  munmap(untouched, kBytes);
}

void targets(const void* out) {
  char stack[kBytes];
  exchange("into the stack", out, stack);
  void* shared = mapped(PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1);
  exchange("into a shared mapping", out, shared);
  munmap(shared, kBytes);
  const int descriptor = file();
  void* of_file = mapped(PROT_READ | PROT_WRITE, MAP_PRIVATE, descriptor);
  exchange("into a private mapping of a file", out, of_file);
  munmap(of_file, kBytes);
  close(descriptor);
  void* allocated = nullptr;
  MPI_Alloc_mem(kBytes, MPI_INFO_NULL, &allocated);
  exchange("into memory of MPI_Alloc_mem", out, allocated);
  MPI_Free_mem(allocated);
}

// Memory is unmapped and mapped again between messages, at the same address.
void reused_addresses() {
  check::set_case("reused addresses");
  for (int i = 0; i < 20; ++i) {
    void* out = mapped(PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1);
    void* in = mapped(PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1);
    check::fill(out, kBytes, i);
    MPI_Sendrecv(out, kBytes, MPI_BYTE, right(), 2, in, kBytes, MPI_BYTE, left(), 2, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    CHECK_PATTERN(in, kBytes, i);
    munmap(out, kBytes);
    munmap(in, kBytes);
  }
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  std::vector<char> out(kBytes);
  check::fill(out.data(), kBytes, kSeed);
  sources();
  targets(out.data());
  reused_addresses();
  return check::finish();
}
