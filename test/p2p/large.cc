// Messages above 2 GiB: counts above INT_MAX through the _c calls, and int
// counts whose bytes do not fit an int. Costs 2.1 GiB of memory: the sender's
// pages are never written, except for a stamp in each megabyte.
#include <sys/mman.h>

#include <climits>

#include "test/check.h"
#include "test/pattern.h"

namespace {

constexpr std::size_t kMegabyte = 1 << 20;
constexpr std::size_t kBytes = (std::size_t{1} << 31) + 48;  // a multiple of 16
constexpr std::size_t kGuard = 4096;

// The offset of the stamp in a megabyte; the last word of the message has a stamp too.
std::size_t stamp_offset(std::size_t megabyte) {
  const std::size_t start = megabyte * kMegabyte;
  if (start + kMegabyte > kBytes) return kBytes - sizeof(std::uint64_t);
  return start + check::pattern_word(5, megabyte) % (kMegabyte / 8) * 8;
}

std::uint64_t stamp(std::size_t megabyte, std::uint64_t seed) {
  return check::pattern_word(seed, megabyte) | 1;
}

// Address space without memory behind it until it is written.
class Pages {
 public:
  explicit Pages(std::size_t bytes)
      : bytes_(bytes),
        memory_(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {
    CHECK(memory_ != MAP_FAILED);
  }
  ~Pages() { munmap(memory_, bytes_); }

  char* data() { return static_cast<char*>(memory_); }

 private:
  std::size_t bytes_;
  void* memory_;
};

void write_stamps(char* data, std::uint64_t seed) {
  for (std::size_t i = 0; i * kMegabyte < kBytes; ++i) {
    const std::uint64_t word = stamp(i, seed);
    std::memcpy(data + stamp_offset(i), &word, sizeof word);
  }
}

// Every byte: the stamps where they belong, zero elsewhere.
void check_stamps(const char* data, std::uint64_t seed) {
  for (std::size_t i = 0; i * kMegabyte < kBytes; ++i) {
    const std::size_t at = stamp_offset(i);
    const std::size_t end = std::min((i + 1) * kMegabyte, kBytes);
    std::uint64_t word = 0;
    std::memcpy(&word, data + at, sizeof word);
    check::set_case("megabyte %zu", i);
    CHECK_EQ(word, stamp(i, seed));
    CHECK_EQ(check::checksum(data + i * kMegabyte, end - i * kMegabyte), word);
  }
  CHECK_EQ(check::checksum(data + kBytes, kGuard), std::uint64_t{0});
}

void check_status(const MPI_Status& status, MPI_Datatype type, std::size_t size) {
  const MPI_Count elements = kBytes / size;
  int count = -1;
  MPI_Count count_c = -1, elements_x = -1;
  MPI_Get_count_c(&status, type, &count_c);
  CHECK_EQ(count_c, elements);
  MPI_Get_elements_x(&status, type, &elements_x);
  CHECK_EQ(elements_x, elements);
  MPI_Get_count(&status, type, &count);
  CHECK_EQ(count, elements > INT_MAX ? MPI_UNDEFINED : int(elements));
}

void send_all() {
  Pages pages(kBytes);
  write_stamps(pages.data(), 1);
  MPI_Send_c(pages.data(), kBytes, MPI_BYTE, 1, 1, MPI_COMM_WORLD);
  write_stamps(pages.data(), 2);
  MPI_Ssend(pages.data(), int(kBytes / 8), MPI_DOUBLE, 1, 2, MPI_COMM_WORLD);
}

void receive_all() {
  Pages pages(kBytes + kGuard);
  MPI_Status status;
  MPI_Probe(0, 1, MPI_COMM_WORLD, &status);
  check_status(status, MPI_BYTE, 1);
  MPI_Recv_c(pages.data(), kBytes + kGuard, MPI_BYTE, 0, 1, MPI_COMM_WORLD, &status);
  check_status(status, MPI_BYTE, 1);
  check_stamps(pages.data(), 1);
  MPI_Recv(pages.data(), int(kBytes / 8), MPI_DOUBLE, 0, 2, MPI_COMM_WORLD, &status);
  check_status(status, MPI_DOUBLE, 8);
  check_stamps(pages.data(), 2);
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  CHECK_EQ(check::size, 2);
  check::rank == 0 ? send_all() : receive_all();
  return check::finish();
}
