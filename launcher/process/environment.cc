#include "launcher/process/environment.h"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include "shm/job.h"

namespace atl::launcher {
namespace {

// Programs read these before MPI_Init; other MPI implementations set them too.
constexpr std::string_view kRankNames[] = {"PMI_RANK", "MPI_LOCALRANKID", shm::kRankVariable};
constexpr std::string_view kSizeNames[] = {"PMI_SIZE", "MPI_LOCALNRANKS"};
// Open MPI's names, set when an option requests them.
constexpr std::string_view kOmpiRankNames[] = {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_LOCAL_RANK",
                                               "OMPI_COMM_WORLD_NODE_RANK"};
constexpr std::string_view kOmpiSizeNames[] = {"OMPI_COMM_WORLD_SIZE",
                                               "OMPI_COMM_WORLD_LOCAL_SIZE"};
// Variables of another process manager: libraries would try to connect to it.
constexpr std::string_view kForeignNames[] = {"PMI_FD", "PMI_PORT", "PMI_ID"};
constexpr std::string_view kForeignPrefixes[] = {"OMPI_COMM_WORLD_", "PMIX_"};

std::string_view name_of(std::string_view entry) { return entry.substr(0, entry.find('=')); }

bool describes_outer_job(std::string_view name) {
  const auto in = [name](const auto& names) {
    return std::find(std::begin(names), std::end(names), name) != std::end(names);
  };
  const bool foreign =
      std::any_of(std::begin(kForeignPrefixes), std::end(kForeignPrefixes),
                  [name](std::string_view prefix) { return name.starts_with(prefix); });
  return foreign || name == shm::kJobVariable || name == shm::kStopVariable ||
         name.starts_with(shm::kInfoVariables) || in(kRankNames) || in(kSizeNames) ||
         in(kForeignNames);
}

bool is_inherited(std::string_view name, const Inheritance& inheritance) {
  const auto& names = inheritance.names;
  return inheritance.all || std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

RankEnvironment::RankEnvironment(char** environment, const Plan& plan, const Part& part,
                                 const std::string& job) {
  const Inheritance& inheritance = part.inheritance ? *part.inheritance : plan.inheritance;
  for (char** entry = environment; *entry != nullptr; ++entry) {
    const std::string_view name = name_of(*entry);
    const bool kept = !describes_outer_job(name) && is_inherited(name, inheritance);
    if (kept) entries_.emplace_back(*entry);
  }
  // Fortran programs write their output at once, line by line.
  set("GFORTRAN_UNBUFFERED_PRECONNECTED", "y");
  for (const auto& [name, value] : plan.environment) set(name, value);
  for (const auto& [name, value] : part.environment) set(name, value);
  const std::string size = std::to_string(plan.ranks());
  for (const std::string_view name : kSizeNames) set(std::string(name), size);
  rank_names_.assign(std::begin(kRankNames), std::end(kRankNames));
  if (plan.ompi_variables) {
    for (const std::string_view name : kOmpiSizeNames) set(std::string(name), size);
    rank_names_.insert(rank_names_.end(), std::begin(kOmpiRankNames), std::end(kOmpiRankNames));
  }
  set(shm::kJobVariable, job);
  describe(part);
}

// For MPI_INFO_ENV: the keys of MPI 5.0, 11.5.
void RankEnvironment::describe(const Part& part) {
  const auto say = [&](const char* key, const std::string& value) {
    set(std::string(shm::kInfoVariables) + key, value);
  };
  say("command", part.command.front());
  say("argv", fmt::format("{}", fmt::join(part.command.begin() + 1, part.command.end(), " ")));
  say("maxprocs", std::to_string(part.most_ranks));
  if (!part.soft.empty()) say("soft", part.soft);
  if (!part.file.empty()) say("file", part.file);
  std::error_code unknown;
  const std::filesystem::path here = std::filesystem::current_path(unknown);
  say("wdir",
      part.directory.empty() ? here.string() : (here / part.directory).lexically_normal().string());
}

void RankEnvironment::set(const std::string& name, const std::string& value) {
  std::erase_if(entries_, [&](const std::string& entry) { return name_of(entry) == name; });
  entries_.push_back(name + '=' + value);
}

char* const* RankEnvironment::for_rank(int rank) {
  rank_entries_.clear();
  for (const std::string_view name : rank_names_) {
    rank_entries_.push_back(std::string(name) + '=' + std::to_string(rank));
  }
  pointers_.clear();
  for (std::string& entry : entries_) pointers_.push_back(entry.data());
  for (std::string& entry : rank_entries_) pointers_.push_back(entry.data());
  pointers_.push_back(nullptr);
  return pointers_.data();
}

}  // namespace atl::launcher
