#include "launcher/cli/help.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <string_view>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "launcher/base/hosts.h"
#include "launcher/base/text.h"
#include "launcher/cli/option_table.h"
#include "launcher/hardware/allowed_cpus.h"
#include "launcher/hardware/topology.h"
#include "launcher/placement/leases.h"

namespace atl::launcher {
namespace {

constexpr std::string_view kAbout =
    "mpiexec starts an MPI program as several processes, called ranks, on this machine, and waits "
    "for them. There is no daemon, no host file and no limit of slots: any number of ranks runs "
    "on any number of cores.";

constexpr std::string_view kWriting =
    "An option may be written with one dash or two, and its argument after a blank or after '='. "
    "Options end at the first word that is not one.";

struct Example {
  std::string_view command;
  std::string_view meaning;
};

constexpr Example kExamples[] = {
    {"mpiexec -n 4 ./hello", "four ranks of ./hello"},
    {"mpiexec -n 1 ./master : -n 3 ./worker", "two programs in one job: ranks 0 and 1 to 3"},
    {"mpiexec -n 4 -l ./hello", "each line of output tells its rank"},
    {"mpiexec -n 2 --map-by socket:PE=4 ./hybrid", "four cores a rank, for four threads each"},
    {"mpiexec -n 4 --report-bindings ./hello", "shows which rank runs where"},
    {"mpiexec -n 8 --dry-run --topology big.xml",
     "shows where ranks would run on the machine of which lstopo wrote big.xml"},
    {"mpiexec -n 4 --timeout 60 ./solver", "ends a job that hangs, and says who waits for whom"},
};

struct Topic {
  std::string_view title;
  std::string_view text;
};

constexpr Topic kTopics[] = {
    {"Output",
     "Lines of different ranks are never mixed within a line. A line longer than 1 MiB may be "
     "broken, and at a terminal a line that stays unfinished, such as a question, is shown as it "
     "is. With one rank the program has the input and output of mpiexec itself."},
    {"Exit status",
     "0 when all ranks returned 0; otherwise that of the first rank that failed: what it "
     "returned, 128 and the signal that killed it, or what it gave to MPI_Abort. 124: the time "
     "was up. 127 and 126: the program was not found, or could not be run. 2: the command line "
     "is wrong. When a rank fails, the others are asked to end (SIGTERM) and after two seconds "
     "killed."},
    {"Signals",
     "SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGTSTP and SIGCONT reach the ranks and "
     "what they started. A second SIGINT kills the job. At SIGQUIT (Ctrl-\\) mpiexec also says "
     "what each rank does or waits for, and ranks that have no handler for it go on. When mpiexec "
     "itself is killed, the ranks are killed by the system."},
    {"Cores and other jobs",
     "Cores that ranks are bound to belong to their job until mpiexec ends: other jobs of any user "
     "are bound to others, or to none where not enough are left. In a container, which does not "
     "see the jobs outside, and which may use all cores, ranks are bound only when an option asks "
     "for it. ATOLL_LEASES=off binds regardless of other jobs."},
    {"Environment of the ranks",
     "That of mpiexec, with what the options set, and PMI_RANK, PMI_SIZE, MPI_LOCALRANKID, "
     "MPI_LOCALNRANKS, ATOLL_RANK and ATOLL_JOB."},
};

// `text` in lines of at most kWidth, each after `indent` blanks.
std::string wrapped(std::string_view text, std::size_t indent) {
  constexpr std::size_t kWidth = 79;
  const std::string blanks(indent, ' ');
  std::string result;
  std::string line;
  for (const std::string& word : split(text, ' ')) {
    if (!line.empty() && indent + line.size() + 1 + word.size() > kWidth) {
      result += blanks + line + '\n';
      line.clear();
    }
    line += line.empty() ? word : ' ' + word;
  }
  return result + blanks + line + '\n';
}

// "-n, -np, -c N"
std::string heading(const Option& option) {
  std::string names;
  for (const std::string& name : split(option.names, ' ')) {
    names += (names.empty() ? "" : ", ") + name;
  }
  if (option.argument.empty()) return names;
  return fmt::format("{}{}{}", names, option.may_lack_argument() ? "" : " ", option.argument);
}

// In mdoc a word that starts with a dot or a quote would be a request, and a
// backslash starts an escape.
std::string escaped(std::string_view text) {
  std::string result;
  for (const char letter : text) {
    if (letter == '\\')
      result += "\\e";
    else if (letter == '-')
      result += "\\-";
    else
      result += letter;
  }
  return result.starts_with('.') || result.starts_with('\'') ? "\\&" + result : result;
}

// Each sentence starts a line, as mdoc wants it.
std::string manual_text(std::string_view text) {
  std::string lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(". "), text.size() - 1);
    lines += wrapped(escaped(text.substr(0, end + 1)), 0);
    text.remove_prefix(std::min(end + 2, text.size()));
  }
  return lines;
}

std::string manual_options(const OptionGroup& group) {
  std::string page = fmt::format(".Ss {}\n.Bl -tag -width Ds\n", group.title);
  for (const Option& option : group.options) {
    page += ".It";
    std::string_view comma;
    for (const std::string& name : split(option.names, ' ')) {
      page += fmt::format("{} Fl {}", comma, escaped(name.substr(1)));
      comma = " ,";
    }
    if (option.may_lack_argument()) {
      page += fmt::format(" Ns Op Li = Ns Ar {}",
                          option.argument.substr(2, option.argument.size() - 3));
    } else if (!option.argument.empty()) {
      page += fmt::format(" Ar {}", escaped(option.argument));
    }
    page += '\n' + manual_text(option.help);
  }
  return page + ".El\n";
}

std::string upper_case(std::string_view text) {
  std::string result(text);
  for (char& letter : result) {
    letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  }
  return result;
}

}  // namespace

std::string help_text() {
  std::string text = wrapped(kAbout, 0);
  text +=
      "\nUsage:  mpiexec [options] program [arguments]\n"
      "                [: [options] program [arguments]]...\n\n";
  for (const Example& example : kExamples) {
    text += fmt::format("  {}\n{}", example.command, wrapped(example.meaning, 6));
  }
  text += '\n' + wrapped(kWriting, 0);
  for (const OptionGroup& group : option_groups()) {
    text += fmt::format("\n{}:\n", group.title);
    for (const Option& option : group.options) {
      text += fmt::format("  {}\n{}", heading(option), wrapped(option.help, 6));
    }
  }
  for (const Topic& topic : kTopics) {
    text += fmt::format("\n{}:\n{}", topic.title, wrapped(topic.text, 2));
  }
  return text;
}

std::string manual_page() {
  std::string page = ".Dd $Mdocdate$\n.Dt MPIEXEC 1\n.Os Atoll " ATOLL_VERSION "\n";
  page += ".Sh NAME\n.Nm mpiexec ,\n.Nm mpirun\n.Nd run an MPI program on this machine\n";
  page +=
      ".Sh SYNOPSIS\n.Nm\n.Op Ar options\n.Ar program Op Ar arguments\n"
      ".Op : Oo Ar options Oc Ar program Oo Ar arguments Oc ...\n";
  page += fmt::format(".Sh DESCRIPTION\n{}.Pp\n{}", manual_text(kAbout), manual_text(kWriting));
  for (const OptionGroup& group : option_groups()) page += manual_options(group);
  for (const Topic& topic : kTopics) {
    page += fmt::format(".Sh {}\n{}", upper_case(topic.title), manual_text(topic.text));
  }
  page += ".Sh EXAMPLES\n.Bl -tag -width Ds\n";
  for (const Example& example : kExamples) {
    page += fmt::format(".It Li {}\n{}\n", escaped(example.command), escaped(example.meaning));
  }
  return page + ".El\n";
}

std::string node_text() {
  const AllowedCpus allowed = read_allowed_cpus();
  const auto read = read_machine("", allowed.cpus);
  std::string text = version_text();
  text += fmt::format("host: {}\n", own_host_name());
  if (const auto* machine = std::get_if<Machine>(&read)) {
    text += fmt::format("cores: {}, with processing units {}\n", machine->cores.size(),
                        machine->allowed.to_string());
  } else {
    text += fmt::format("cores: unknown: {}\n", std::get<std::string>(read));
  }
  if (allowed.quota > 0) text += fmt::format("time: that of {}\n", allowed.quota);
  text += fmt::format("other jobs: {}\n", leases_cover_the_node()
                                              ? "seen, their cores are left to them"
                                              : "perhaps in other containers, not seen");
  return text;
}

std::string version_text() {
  return "atoll " ATOLL_VERSION "\nmpiexec of Atoll, MPI for one node\n";
}

}  // namespace atl::launcher
