// Measures the machine without any MPI, and prints records like those of the programs for
// MPI (bench/lab/measure.h):
//
//   limits                            all limits that compare.py prints
//   limits messages                   those of messages: the cache-line latency and copies
//   limits hop                        the cache-line latency, alone, in a tenth of a second
//   limits onesided                   the cache-line latency, and accesses to shared memory
//   limits onesided CPU CPU           these accesses alone, between these cpus
//   limits hops SECONDS CPU CPU...    the latency between all pairs of these cpus
//   limits copies CPU CPU SIZE...     a copy by memcpy and by process_vm_readv
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "bench/accesses.h"
#include "bench/copies.h"

namespace atl::bench {
namespace {

constexpr int kRoundTrips = 2000;  // round trips per batch

using Json = nlohmann::ordered_json;

// Prints `record`, which names a figure, with what was measured, on a line of its own.
// Digits beyond the clock's are left out: there may be a sample for each of many pairs.
void print(Json record, std::span<const double> us) {
  record["unit"] = "us";
  Json& samples = record["samples"] = Json::array();
  for (const double time : us) samples.push_back(std::round(time * 1e5) / 1e5);
  std::puts(record.dump().c_str());
  std::fflush(stdout);
}

void print_best(const std::string& name, double us) { print({{"figure", name}}, {&us, 1}); }

void print_line_latency() {
  CacheLineExchange two(false);
  CacheLineExchange one(true);
  print_best("hop", std::min(one_way_us(two, kRoundTrips), one_way_us(one, kRoundTrips)));
}

// Single copy by the kernel, half by each side, and two copies through a ring
// that is large enough not to wrap around soon.
void print_copies(std::size_t bytes) {
  const std::string size = std::to_string(bytes / kKiB) + "K";
  const int round_trips = bytes < kMiB ? 20 : 2;
  print_best("memcpy_" + size, copy_out_us(bytes));
  SystemCopy halves(bytes, SystemCopy::Who::halves);
  print_best("halves_" + size, one_way_us(halves, round_trips));
  RingCopy ring(bytes, kMiB, 16 * kKiB);
  print_best("ring_" + size, one_way_us(ring, round_trips));
}

void print_messages() {
  print_line_latency();
  for (std::size_t kib : {64, 256, 1024, 4096, 16384}) print_copies(kib * kKiB);
}

// Under the names that lab/onesided.py has.
void print_onesided() {
  print_best("store", store_us());
  print_best("load", load_us());
  print_best("atomic", atomic_us());
  print_best("atomic_held", held_atomic_us());
  for (std::size_t doubles : {1, 1000, 1000000}) {
    print_best("add_" + std::to_string(doubles), add_us(doubles));
  }
  print_best("column", column_us(1024));
  for (std::size_t kib : {64, 1024, 16384}) {
    const std::string size =
        kib < 1024 ? std::to_string(kib) + "K" : std::to_string(kib / 1024) + "M";
    print_best("copy_in_" + size, copy_in_us(kib * kKiB));
    print_best("copy_back_" + size, copy_back_us(kib * kKiB));
    print_best("writev_" + size, system_write_us(kib * kKiB));
    print_best("readv_" + size, system_read_us(kib * kKiB));
  }
}

// Batches are short: a pair may have some milliseconds.
void print_line_latencys(double seconds, const std::vector<int>& cpus) {
  constexpr int kShortBatch = 100;
  const double pairs = static_cast<double>(cpus.size() * (cpus.size() - 1)) / 2;
  for (std::size_t a = 0; a < cpus.size(); ++a) {
    for (std::size_t b = a + 1; b < cpus.size(); ++b) {
      use_cpus(cpus[a], cpus[b]);
      CacheLineExchange two(false);
      print({{"figure", "hop"}, {"cpus", {cpus[a], cpus[b]}}},
            one_way_batches(two, kShortBatch, seconds * 1e6 / pairs));
    }
  }
}

void print_copies_of(std::span<const char* const> sizes) {
  for (const char* word : sizes) {
    const std::size_t bytes = std::strtoull(word, nullptr, 10);
    if (bytes == 0) continue;
    const double copied = copy_out_us(bytes);
    print({{"figure", "memcpy"}, {"bytes", bytes}}, {&copied, 1});
    SystemCopy by_receiver(bytes, SystemCopy::Who::receiver);
    const double read = one_way_us(by_receiver, bytes < kMiB ? 20 : 1);
    print({{"figure", "process_vm_readv"}, {"bytes", bytes}}, {&read, 1});
  }
}

int run(std::span<const char* const> words) {
  const std::string_view what = words.empty() ? "" : words[0];
  if (words.empty()) {
    print_messages();
    print_onesided();
  } else if (what == "messages" && words.size() == 1) {
    print_messages();
  } else if (what == "onesided" && (words.size() == 1 || words.size() == 3)) {
    if (words.size() == 3) {
      use_cpus(std::atoi(words[1]), std::atoi(words[2]));
    } else {
      print_line_latency();
    }
    print_onesided();
  } else if (what == "hop" && words.size() == 1) {
    print_line_latency();
  } else if (what == "hops" && words.size() >= 4) {
    std::vector<int> cpus;
    for (const char* word : words.subspan(2)) cpus.push_back(std::atoi(word));
    print_line_latencys(std::strtod(words[1], nullptr), cpus);
  } else if (what == "copies" && words.size() >= 3) {
    use_cpus(std::atoi(words[1]), std::atoi(words[2]));
    print_copies_of(words.subspan(3));
  } else {
    std::fprintf(
        stderr,
        "usage: limits [messages | hop | onesided [CPU CPU] | hops SECONDS CPU... | copies "
        "CPU CPU SIZE...]\n");
    return 2;
  }
  return 0;
}

}  // namespace
}  // namespace atl::bench

int main(int argc, char** argv) {
  return atl::bench::run({argv + 1, static_cast<std::size_t>(argc - 1)});
}
