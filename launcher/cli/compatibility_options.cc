// Options that scripts pass because another launcher needs them.
#include <sys/utsname.h>

#include <cerrno>
#include <fstream>
#include <iterator>
#include <system_error>

#include <fmt/format.h>

#include "launcher/base/hosts.h"
#include "launcher/cli/option_table.h"

namespace atl::launcher {
namespace {

void check_host(const std::string& host, const OptionWords& words) {
  if (is_this_node(host, own_host_name())) return;
  words.fail(
      fmt::format("'{}' is another machine, and Atoll runs on one node: start mpiexec on "
                  "that machine, or use an MPI for clusters",
                  host));
}

void check_hosts(OptionWords& words, Plan&, Part&) {
  for (const std::string& host : hosts_in_list(words.next())) check_host(host, words);
}

void check_host_file(OptionWords& words, Plan&, Part&) {
  const std::string name = words.next();
  std::ifstream file(name);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!file) {
    words.fail(fmt::format("cannot read '{}': {}", name, std::system_category().message(errno)));
  }
  for (const std::string& host : hosts_in_file(text)) check_host(host, words);
}

void check_architecture(OptionWords& words, Plan&, Part&) {
  utsname system{};
  ::uname(&system);
  const std::string word = words.next();
  if (word != system.machine) {
    words.fail(fmt::format("this machine is not {}, but {}", word, system.machine));
  }
}

void set_ranks_per_node(OptionWords& words, Plan& plan, Part&) {
  plan.ranks_per_node = words.next_number(1, "a number of ranks (1 or more)");
}

void change_nothing(OptionWords&, Plan&, Part&) {}

void pass_by_one(OptionWords& words, Plan&, Part&) { words.next(); }

void pass_by_two(OptionWords& words, Plan&, Part&) {
  words.next();
  words.next();
}

constexpr Option kOptions[] = {
    {"-host -hosts -H", "NAMES", "Accepted when all names are this machine.", check_hosts},
    {"-hostfile -f -machinefile", "FILE", "Accepted when all names in it are this machine.",
     check_host_file},
    {"-arch", "NAME", "Accepted when it is the architecture of this machine.", check_architecture},
    {"-ppn -perhost --npernode -N", "N",
     "Accepted: there is one node. Without -n there are N ranks.", set_ranks_per_node},
    {"-memory-alloc-kinds", "KINDS",
     "Accepted: mpi_memory_alloc_kinds is what there is, system and mpi.", pass_by_one},
    {"--mca --pmixmca --prtemca", "NAME VALUE", "Accepted: Atoll has no such settings.",
     pass_by_two},
    {"--prefix -bootstrap -launcher -rmk -iface", "NAME",
     "Accepted: no daemon is started, and no network is used.", pass_by_one},
    {"--oversubscribe --nooversubscribe", "",
     "Accepted: there may always be more ranks than cores.", change_nothing},
    {"--allow-run-as-root", "", "Accepted: anybody may run a job.", change_nothing},
    {"--use-hwthread-cpus", "", "Accepted: ranks are never counted against hardware threads.",
     change_nothing},
};

}  // namespace

std::span<const Option> compatibility_options() { return kOptions; }

}  // namespace atl::launcher
