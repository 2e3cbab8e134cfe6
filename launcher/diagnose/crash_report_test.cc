#include "launcher/diagnose/crash_report.h"

#include <doctest/doctest.h>
#include <signal.h>

#include <cstring>

namespace atl::launcher {
namespace {

std::string no_source(const std::string&, std::uint64_t, bool) { return {}; }

std::string one_source(const std::string& file, std::uint64_t offset, bool returns) {
  if (file != "/home/x/heat") return {};
  return offset == 0x20 && returns ? "heat.c:42 (exchange)" : "heat.c:7 (main)";
}

void put(shm::CodePlace& place, std::uint64_t offset, const char* file, const char* function) {
  place.offset = offset;
  std::strcpy(place.file, file);
  std::strcpy(place.function, function);
}

struct Crash {
  shm::CrashRecord record{};

  Crash() { record.signal.store_release(SIGSEGV); }
  Crash& frame(std::uint64_t offset, const char* file, const char* function) {
    const std::uint32_t known = record.known.load_relaxed();
    put(record.frames[known], offset, file, function);
    record.known.store_release(known + 1);
    return *this;
  }
};

TEST_CASE("no description without a crash record") {
  CHECK(describe_crash(shm::CrashRecord{}, no_source) == "");
}

TEST_CASE("the instruction, with and without debug information") {
  Crash crash;
  crash.record.address = 0x10;
  crash.frame(0x1234, "/home/x/heat", "relax");
  CHECK(describe_crash(crash.record, no_source) == "at relax (heat+0x1234), at address 0x10");
  CHECK(describe_crash(crash.record, one_source) == "at heat.c:7 (main), at address 0x10");
}

TEST_CASE("after a crash in a system library the program's own caller is reported") {
  Crash crash;
  crash.frame(0x9, "/lib/libc.so.6", "raise").frame(0x8, "/lib/libc.so.6", "abort");
  CHECK(describe_crash(crash.record, one_source) == "at raise (libc.so.6+0x9)");
  crash.frame(0x20, "/home/x/heat", "");
  CHECK(describe_crash(crash.record, one_source) == "at heat.c:42 (exchange)");
}

TEST_CASE("the MPI call in which the rank crashed") {
  Crash crash;
  crash.record.address = 0x10;
  std::strcpy(crash.record.call, "MPI_Send");
  put(crash.record.site, 0x20, "/home/x/heat", "main");
  crash.frame(0x9, "/lib/libmpi_abi.so.1", "");
  CHECK(describe_crash(crash.record, one_source) ==
        "in MPI_Send called at heat.c:42 (exchange), at address 0x10");
}

TEST_CASE("code outside any file") {
  Crash crash;
  crash.frame(0x1234, "", "");
  CHECK(describe_crash(crash.record, no_source) == "at instruction 0x1234");
}

}  // namespace
}  // namespace atl::launcher
