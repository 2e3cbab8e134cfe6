// What this machine can do without any MPI, for compare.py: a line for each
// limit, in the format of figures.c (name, best, median, unit; here both are
// the best). `limits hop` prints the first line alone, in a tenth of a second.
#include <cstdio>
#include <cstring>
#include <string>

#include "bench/copies.h"

namespace atl::bench {
namespace {

void print(const std::string& name, double us) {
  std::printf("%s %.4f %.4f us\n", name.c_str(), us, us);
  std::fflush(stdout);
}

void print_hop() {
  Hop two(false);
  Hop one(true);
  print("hop", std::min(one_way_us(two, 2000), one_way_us(one, 2000)));
}

// One copy of the kernel, half by each side, and two copies through a ring
// that is large enough not to meet its own end soon.
void print_copies(std::size_t bytes) {
  const std::string size = std::to_string(bytes / kKiB) + "K";
  const int round_trips = bytes < kMiB ? 20 : 2;
  print("memcpy_" + size, copy_out_us(bytes));
  SystemCopy halves(bytes, SystemCopy::Who::halves);
  print("halves_" + size, one_way_us(halves, round_trips));
  RingCopy ring(bytes, kMiB, 16 * kKiB);
  print("ring_" + size, one_way_us(ring, round_trips));
}

}  // namespace
}  // namespace atl::bench

int main(int argc, char** argv) {
  atl::bench::print_hop();
  if (argc == 2 && std::strcmp(argv[1], "hop") == 0) return 0;
  for (std::size_t kib : {64, 256, 1024, 4096, 16384}) {
    atl::bench::print_copies(kib * atl::bench::kKiB);
  }
}
