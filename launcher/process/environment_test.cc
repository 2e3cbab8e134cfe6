#include "launcher/process/environment.h"

#include <doctest/doctest.h>

#include <algorithm>

namespace atl::launcher {
namespace {

std::vector<std::string> as_list(char* const* entries) {
  std::vector<std::string> list;
  for (; *entries != nullptr; ++entries) list.emplace_back(*entries);
  std::sort(list.begin(), list.end());
  return list;
}

TEST_CASE("ranks get the environment without an outer job, options, and our own") {
  char* inherited[] = {const_cast<char*>("HOME=/h"),
                       const_cast<char*>("ATOLL_JOB=old"),
                       const_cast<char*>("PMI_RANK=9"),
                       const_cast<char*>("PMI_FD=6"),
                       const_cast<char*>("OMPI_COMM_WORLD_SIZE=9"),
                       const_cast<char*>("PMIX_RANK=9"),
                       const_cast<char*>("A=inherited"),
                       const_cast<char*>("B=inherited"),
                       const_cast<char*>("ATOLL_WAIT=sleep"),
                       const_cast<char*>("ATOLL_INFO_file=old"),
                       nullptr};
  const Part part{.ranks = 3,
                  .most_ranks = 5,
                  .soft = "1:3",
                  .file = "",
                  .command = {"./a", "x", "y z"},
                  .directory = "/w/./v",
                  .search_path = "",
                  .environment = {{"C", "part"}}};
  const Plan plan{.parts = {part, {.ranks = 1}}, .environment = {{"A", "all"}, {"C", "all"}}};
  RankEnvironment environment(inherited, plan, part, "7:1:f");
  CHECK(as_list(environment.for_rank(2)) ==
        std::vector<std::string>{
            "A=all", "ATOLL_INFO_argv=x y z", "ATOLL_INFO_command=./a", "ATOLL_INFO_maxprocs=5",
            "ATOLL_INFO_soft=1:3", "ATOLL_INFO_wdir=/w/v", "ATOLL_JOB=7:1:f", "ATOLL_RANK=2",
            "ATOLL_WAIT=sleep", "B=inherited", "C=part", "GFORTRAN_UNBUFFERED_PRECONNECTED=y",
            "HOME=/h", "MPI_LOCALNRANKS=4", "MPI_LOCALRANKID=2", "PMI_RANK=2", "PMI_SIZE=4"});
  const auto next = as_list(environment.for_rank(3));
  CHECK(std::count(next.begin(), next.end(), "PMI_RANK=3") == 1);
  CHECK(std::count(next.begin(), next.end(), "PMI_RANK=2") == 0);
}

TEST_CASE("the names of Open MPI, when they are asked for") {
  char* nothing[] = {nullptr};
  const Part part{.ranks = 2, .command = {"a"}};
  const Plan plan{.parts = {part}, .ompi_variables = true};
  RankEnvironment environment(nothing, plan, part, "7:1:f");
  const auto entries = as_list(environment.for_rank(1));
  for (const char* entry :
       {"OMPI_COMM_WORLD_RANK=1", "OMPI_COMM_WORLD_SIZE=2", "OMPI_COMM_WORLD_LOCAL_RANK=1",
        "OMPI_COMM_WORLD_LOCAL_SIZE=2", "OMPI_COMM_WORLD_NODE_RANK=1", "PMI_RANK=1"}) {
    CHECK(std::count(entries.begin(), entries.end(), entry) == 1);
  }
}

// The variables out of A, B and C that ranks get.
std::string inherited_by(const Plan& plan, const Part& part) {
  char* outer[] = {const_cast<char*>("A=1"), const_cast<char*>("B=2"), const_cast<char*>("C=3"),
                   nullptr};
  RankEnvironment environment(outer, plan, part, "7:1:f");
  std::string names;
  for (const std::string& entry : as_list(environment.for_rank(0))) {
    if (entry[1] == '=') names += entry[0];
  }
  return names;
}

TEST_CASE("ranks inherit all, or what their program's options say, or those of all programs") {
  const Part part{.ranks = 1, .command = {"a"}};
  CHECK(inherited_by({}, part) == "ABC");
  const Plan listed{.inheritance = {.all = false, .names = {"C", "A", "Z"}}};
  CHECK(inherited_by(listed, part) == "AC");
  Part own = part;
  own.inheritance = Inheritance{.all = false, .names = {"B"}};
  CHECK(inherited_by(listed, own) == "B");
  own.inheritance = Inheritance{};
  CHECK(inherited_by(listed, own) == "ABC");
}

}  // namespace
}  // namespace atl::launcher
