#include "launcher/environment.h"

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
  RankEnvironment environment(inherited, {{"A", "all"}, {"C", "all"}}, part, 4, "7:1:f");
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

}  // namespace
}  // namespace atl::launcher
