#include "launcher/placement/leases.h"

#include <doctest/doctest.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <thread>
#include <vector>

namespace atl::launcher {
namespace {

// A folder with the form of the kernel's.
class Node {
 public:
  explicit Node(int cpus) {
    std::string name = (std::filesystem::temp_directory_path() / "leases.XXXXXX").string();
    REQUIRE(::mkdtemp(name.data()) != nullptr);
    folder_ = name;
    for (int cpu = 0; cpu < cpus; ++cpu) {
      std::filesystem::create_directory(folder_ / ("cpu" + std::to_string(cpu)));
      all_.add(cpu);
    }
  }
  ~Node() { std::filesystem::remove_all(folder_); }
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  std::string folder() const { return folder_.string(); }
  const CpuSet& all() const { return all_; }

 private:
  std::filesystem::path folder_;
  CpuSet all_;
};

CpuSet cpus(std::initializer_list<int> numbers) {
  CpuSet set;
  for (const int cpu : numbers) set.add(cpu);
  return set;
}

TEST_CASE("the next job does not get the units that one job keeps") {
  const Node node(4);
  Leases one(node.folder());
  CHECK(one.take(node.all()) == node.all());
  one.keep(cpus({1, 2}));
  Leases other(node.folder());
  CHECK(other.take(node.all()) == cpus({0, 3}));
  other.keep(cpus({3}));
  Leases third(node.folder());
  CHECK(third.take(cpus({1, 2, 3})).empty());
}

TEST_CASE("a job that never calls keep() does not block the others") {
  const Node node(2);
  Leases one(node.folder());
  CHECK(one.take(cpus({0})) == cpus({0}));  // without keep()
  Leases other(node.folder());
  CHECK(other.take(node.all()) == cpus({1}));
}

TEST_CASE("leases end with their owner") {
  const Node node(2);
  {
    Leases one(node.folder());
    one.take(node.all());
    one.keep(node.all());
  }
  Leases other(node.folder());
  CHECK(other.take(node.all()) == node.all());
}

TEST_CASE("the kernel drops the leases of a process that is killed") {
  const Node node(2);
  int ready[2];
  REQUIRE(::pipe(ready) == 0);
  const pid_t child = ::fork();
  if (child == 0) {
    Leases mine(node.folder());
    mine.take(node.all());
    mine.keep(node.all());
    if (::write(ready[1], "", 1) != 1) ::_exit(1);
    for (;;) ::pause();
  }
  char byte = 0;
  REQUIRE(::read(ready[0], &byte, 1) == 1);
  {
    Leases early(node.folder());
    CHECK(early.take(node.all()).empty());
  }
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  Leases late(node.folder());
  CHECK(late.take(node.all()) == node.all());
}

TEST_CASE("jobs that choose at the same time get different units, and all units in total") {
  constexpr int kJobs = 8;
  const Node node(2 * kJobs);
  std::vector<Leases> jobs;
  for (int job = 0; job < kJobs; ++job) jobs.emplace_back("");
  std::vector<CpuSet> chosen(kJobs);
  std::vector<std::thread> threads;
  for (int job = 0; job < kJobs; ++job) {
    threads.emplace_back([&, job] {
      jobs[job] = Leases(node.folder());
      const std::vector<int> free = jobs[job].take(node.all()).cpus();
      if (free.size() >= 2) chosen[job] = cpus({free[0], free[1]});
      jobs[job].keep(chosen[job]);
    });
  }
  for (std::thread& thread : threads) thread.join();
  CpuSet all;
  for (const CpuSet& set : chosen) {
    for (const int cpu : set.cpus()) all.add(cpu);
  }
  CHECK(all == node.all());
}

TEST_CASE("without a folder, or where it cannot be seen, all units are free") {
  Leases off("");
  CHECK(off.take(cpus({0, 7})) == cpus({0, 7}));
  Leases blind("/no/such/folder");
  CHECK(blind.take(cpus({0, 7})) == cpus({0, 7}));
  blind.keep(cpus({0}));
  Leases other("/no/such/folder");
  CHECK(other.take(cpus({0})) == cpus({0}));
}

}  // namespace
}  // namespace atl::launcher
