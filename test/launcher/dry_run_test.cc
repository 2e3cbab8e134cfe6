// Where `mpiexec --dry-run --topology` places ranks, compared with what hwloc says of that machine.
#include <doctest/doctest.h>
#include <hwloc.h>
#include <stdlib.h>

#include <cstdio>
#include <filesystem>
#include <regex>
#include <string>
#include <vector>

namespace {

constexpr const char* kMachine = "package:2 numa:2 core:4 pu:2";
constexpr unsigned kNodes = 4;
constexpr unsigned kCoresOfANode = 4;

// Standard output of mpiexec with these words, which ends well.
std::string output_of(const std::string& words) {
  const std::string command = "launcher/mpiexec --dry-run " + words;
  FILE* pipe = ::popen(command.c_str(), "r");
  REQUIRE(pipe != nullptr);
  std::string text;
  for (int letter = 0; (letter = std::fgetc(pipe)) != EOF;) text += static_cast<char>(letter);
  REQUIRE(::pclose(pipe) == 0);
  return text;
}

std::string dry_run(const std::string& words, const std::string& machine) {
  return output_of("--topology '" + machine + "' " + words);
}

// The processing units of each rank, from lines "rank 0: core 3, cpus 6-7".
std::vector<std::string> cpus_of_ranks(const std::string& text) {
  std::vector<std::string> cpus;
  const std::regex line("rank +(\\d+): cores? ([\\d,-]+), cpus? ([\\d,-]+)");
  for (std::sregex_iterator at(text.begin(), text.end(), line), end; at != end; ++at) {
    CHECK(std::stoul((*at)[1]) == cpus.size());
    cpus.push_back((*at)[3]);
  }
  return cpus;
}

// That machine, as hwloc knows it.
class Machine {
 public:
  Machine() {
    hwloc_topology_init(&topology_);
    REQUIRE(hwloc_topology_set_synthetic(topology_, kMachine) == 0);
    REQUIRE(hwloc_topology_load(topology_) == 0);
  }
  ~Machine() { hwloc_topology_destroy(topology_); }
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  // "0-7": the processing units of an object.
  std::string cpus(hwloc_obj_type_t type, unsigned index) const {
    hwloc_obj_t object = hwloc_get_obj_by_type(topology_, type, index);
    REQUIRE(object != nullptr);
    return text_of(object->cpuset);
  }

  // Parts of the machine that hwloc gives to each of so many, cores as a whole.
  std::vector<std::string> distributed(unsigned parts) const {
    std::vector<hwloc_cpuset_t> sets(parts);
    hwloc_obj_t root = hwloc_get_root_obj(topology_);
    const int depth = hwloc_get_type_depth(topology_, HWLOC_OBJ_CORE);
    REQUIRE(hwloc_distrib(topology_, &root, 1, sets.data(), parts, depth, 0) == 0);
    std::vector<std::string> texts;
    for (hwloc_cpuset_t set : sets) {
      texts.push_back(text_of(set));
      hwloc_bitmap_free(set);
    }
    return texts;
  }

  void write(const std::string& file) const {
    REQUIRE(hwloc_topology_export_xml(topology_, file.c_str(), 0) == 0);
  }

 private:
  static std::string text_of(hwloc_const_bitmap_t set) {
    char text[256];
    hwloc_bitmap_list_snprintf(text, sizeof text, set);
    return text;
  }

  hwloc_topology_t topology_ = nullptr;
};

TEST_CASE("equal blocks of neighbours are those that hwloc distributes") {
  const Machine machine;
  for (const unsigned ranks : {2u, 4u, 8u, 16u}) {
    CAPTURE(ranks);
    const std::string text = dry_run("-n " + std::to_string(ranks), kMachine);
    CHECK(cpus_of_ranks(text) == machine.distributed(ranks));
  }
}

TEST_CASE("a rank on each core, and ranks that go round the memories") {
  const Machine machine;
  const auto side_by_side = cpus_of_ranks(dry_run("-n 16 --bind-to core", kMachine));
  const auto round = cpus_of_ranks(dry_run("-n 16 --bind-to core --map-by numa", kMachine));
  REQUIRE(side_by_side.size() == 16);
  REQUIRE(round.size() == 16);
  for (unsigned rank = 0; rank < 16; ++rank) {
    CHECK(side_by_side[rank] == machine.cpus(HWLOC_OBJ_CORE, rank));
    const unsigned core = rank % kNodes * kCoresOfANode + rank / kNodes;
    CHECK(round[rank] == machine.cpus(HWLOC_OBJ_CORE, core));
  }
}

TEST_CASE("ranks on whole memories and packages, as many as there are") {
  const Machine machine;
  const auto on_memories = cpus_of_ranks(dry_run("--map-by ppr:1:numa --bind-to numa", kMachine));
  REQUIRE(on_memories.size() == kNodes);
  for (unsigned rank = 0; rank < kNodes; ++rank) {
    CHECK(on_memories[rank] == machine.cpus(HWLOC_OBJ_NUMANODE, rank));
  }
  const auto on_packages =
      cpus_of_ranks(dry_run("--map-by ppr:1:socket --bind-to socket", kMachine));
  CHECK(on_packages ==
        std::vector{machine.cpus(HWLOC_OBJ_PACKAGE, 0), machine.cpus(HWLOC_OBJ_PACKAGE, 1)});
}

TEST_CASE("a file and hwloc's variables say the same as the description") {
  const std::string expected = dry_run("-n 8", kMachine);
  CHECK(expected.starts_with(
      "8 ranks on 16 cores with 32 hardware threads, 4 NUMA nodes, 2 packages\n"
      "package 0\n"
      "  NUMA 0          [0][0][1][1]\n"
      "  NUMA 1          [2][2][3][3]\n"
      "package 1\n"));
  std::string file = (std::filesystem::temp_directory_path() / "machine.XXXXXX").string();
  REQUIRE(::mkstemp(file.data()) >= 0);
  Machine().write(file);
  CHECK(dry_run("-n 8", file) == expected);
  ::setenv("HWLOC_XMLFILE", file.c_str(), 1);
  CHECK(output_of("-n 8") == expected);
  ::unsetenv("HWLOC_XMLFILE");
  std::filesystem::remove(file);
  ::setenv("HWLOC_SYNTHETIC", kMachine, 1);
  CHECK(output_of("-n 8") == expected);
  ::unsetenv("HWLOC_SYNTHETIC");
}

}  // namespace
