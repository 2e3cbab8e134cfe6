// Options about how a job runs, is looked at and ends.
#include <algorithm>

#include <fmt/format.h>

#include "launcher/cli/config_file.h"
#include "launcher/cli/option_table.h"
#include "shm/job.h"

namespace atl::launcher {
namespace {

void set_timeout(OptionWords& words, Plan& plan, Part&) {
  plan.timeout = parse_seconds(words.next(), words);
}

void set_keep_deadlock(OptionWords&, Plan& plan, Part&) { plan.keep_deadlock = true; }
void set_keep_going(OptionWords&, Plan& plan, Part&) { plan.keep_going = true; }
void set_print_exit_codes(OptionWords&, Plan& plan, Part&) { plan.print_exit_codes = true; }
void set_verbose(OptionWords&, Plan& plan, Part&) { plan.verbose = true; }

void set_wait(OptionWords& words, Plan& plan, Part&) {
  const std::string word = words.next();
  if (word == "auto") return;
  if (word != "spin" && word != "sleep") {
    words.fail(fmt::format("'{}' is none of auto, spin, sleep", word));
  }
  plan.environment.emplace_back("ATOLL_WAIT", word);
}

// MPI 5.0, 11.5.
void set_errhandler(OptionWords& words, Plan& plan, Part&) {
  const std::string word = words.next();
  for (const char* name : {shm::kErrorsAreFatal, shm::kErrorsAbort, shm::kErrorsReturn}) {
    if (word != name) continue;
    plan.environment.emplace_back(shm::kErrhandlerVariable, word);
    return;
  }
  words.fail(fmt::format("'{}' is none of {}, {}, {}", word, shm::kErrorsAreFatal,
                         shm::kErrorsAbort, shm::kErrorsReturn));
}

// MPI 5.0, 11.5.
void set_thread_level(OptionWords& words, Plan& plan, Part&) {
  const std::string word = words.next();
  for (const char* name : shm::kThreadLevels) {
    if (word != name) continue;
    plan.environment.emplace_back(shm::kThreadLevelVariable, word);
    return;
  }
  words.fail(fmt::format("'{}' is none of {}", word, fmt::join(shm::kThreadLevels, ", ")));
}

void set_algorithms(OptionWords& words, Plan& plan, Part&) {
  plan.environment.emplace_back("ATOLL_ALGORITHMS", words.next());
}
void show_algorithms(OptionWords&, Plan& plan, Part&) {
  plan.environment.emplace_back("ATOLL_SHOW_ALGORITHMS", "1");
}

void show_protocols(OptionWords&, Plan& plan, Part&) {
  plan.environment.emplace_back("ATOLL_SHOW_PROTOCOLS", "1");
}

void stop_ranks(OptionWords& words, Plan& plan, Part&) {
  plan.waits_at_init = words.more() ? OptionWords(words).next_ranks() : RankSet();
  plan.environment.emplace_back(shm::kStopVariable, words.more() ? words.next() : "all");
}

void debug_ranks(OptionWords& words, Plan& plan, Part& part) {
  stop_ranks(words, plan, part);
  plan.debug = true;
}

// "valgrind -q:0,3"; a colon behind which there are no ranks belongs to the command.
void add_wrap(OptionWords& words, Plan& plan, Part&) {
  const std::string text = words.next();
  const std::size_t cut = text.find_last_of(":@");
  const auto ranks = cut == std::string::npos ? std::nullopt : RankSet::parse(text.substr(cut + 1));
  Wrap wrap;
  if (ranks) wrap.ranks = *ranks;
  wrap.command = words_of_text(ranks ? text.substr(0, cut) : text);
  if (wrap.command.empty()) words.fail(fmt::format("'{}' names no command", text));
  plan.wraps.push_back(std::move(wrap));
}

constexpr Option kOptions[] = {
    {"--timeout", "SECONDS",
     "End the job after this time with status 124, and say what each rank was waiting for. The "
     "variable MPIEXEC_TIMEOUT does the same.",
     set_timeout},
    {"--keep-deadlock", "",
     "Leave a deadlocked job as it is, for a debugger. Without the option mpiexec tells who waits "
     "for whom and ends the job with status 123.",
     set_keep_deadlock},
    {"-disable-auto-cleanup --enable-recovery", "", "Leave the other ranks alone when one fails.",
     set_keep_going},
    {"-print-all-exitcodes", "", "Say at the end how each rank ended, on standard error.",
     set_print_exit_codes},
    {"--wrap -gtool", "COMMAND[:RANKS]",
     "Start ranks through COMMAND: --wrap 'valgrind -q:0,3'. Without RANKS all of them. The option "
     "may be given again, and the next command stands inside.",
     add_wrap},
    {"--stop-at-init", "[=RANKS]",
     "Ranks wait in MPI_Init until a debugger attaches to them or SIGCONT comes; all, or these.",
     stop_ranks},
    {"--debug", "[=RANKS]",
     "The same, and mpiexec starts gdb for each, in a new window of tmux or of the desktop "
     "(xterm); where there is neither, it says how. ATOLL_DEBUGGER names another debugger, to "
     "which the process id is added: lldb -p.",
     debug_ranks},
    {"--wait", "HOW",
     "How ranks wait in MPI: auto (as without the option: poll for a moment, then sleep), spin "
     "(never sleep) or sleep (at once).",
     set_wait},
    {"-initial-errhandler", "NAME",
     "The error handler that MPI's objects begin with: mpi_errors_are_fatal (without the option), "
     "mpi_errors_abort or mpi_errors_return. The variable ATOLL_ERRHANDLER does the same.",
     set_errhandler},
    {"-thread-level", "LEVEL",
     "The thread level that MPI_Init gives at least: MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED, "
     "MPI_THREAD_SERIALIZED or MPI_THREAD_MULTIPLE. The variable ATOLL_THREAD_LEVEL does the same.",
     set_thread_level},
    {"--algorithms", "LIST",
     "The algorithms that collectives take where they can: --algorithms "
     "allreduce=pipelined,bcast=binomial. "
     "The variable ATOLL_ALGORITHMS does the same.",
     set_algorithms},
    {"--show-algorithms", "",
     "Rank 0 prints in MPI_Init, on standard output, the algorithms of each collective and when "
     "it takes which; later a line when a collective takes one of them for the first time.",
     show_algorithms},
    {"--show-protocols", "",
     "Rank 0 prints in MPI_Finalize, on standard output, which way messages take by their length.",
     show_protocols},
    {"-v --verbose", "", "Say what is started, and how each rank ended.", set_verbose},
};

}  // namespace

std::span<const Option> control_options() { return kOptions; }

}  // namespace atl::launcher
