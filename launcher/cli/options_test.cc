#include "launcher/cli/options.h"

#include <doctest/doctest.h>

#include <set>

#include "launcher/base/text.h"
#include "launcher/cli/option_table.h"

namespace atl::launcher {
namespace {

using Words = std::vector<std::string>;

Plan parse(const Words& words, const char* timeout = nullptr) {
  const auto parsed = parse_options(words, timeout);
  if (const auto* error = std::get_if<UsageError>(&parsed)) FAIL(error->text);
  return std::get<Plan>(parsed);
}

std::string error_of(const Words& words, const char* timeout = nullptr) {
  const auto parsed = parse_options(words, timeout);
  const auto* error = std::get_if<UsageError>(&parsed);
  return error != nullptr ? error->text : "no error";
}

TEST_CASE("options end at the first word that is not one") {
  const Plan plan = parse({"-n", "3", "./a", "-n", "5", "--help"});
  REQUIRE(plan.parts.size() == 1);
  CHECK(plan.parts[0].ranks == 3);
  CHECK(plan.parts[0].command == Words{"./a", "-n", "5", "--help"});
}

TEST_CASE("two dashes alone end the options") {
  const Plan plan = parse({"-n", "2", "--", "-odd-name", "x"});
  CHECK(plan.parts[0].command == Words{"-odd-name", "x"});
}

TEST_CASE("without -n there is one rank") { CHECK(parse({"./a"}).ranks() == 1); }

TEST_CASE("every name takes one dash or two, and its argument with or without '='") {
  for (const Words& words : std::vector<Words>{{"-np", "4", "a"},
                                               {"--np", "4", "a"},
                                               {"-c", "4", "a"},
                                               {"--n=4", "a"},
                                               {"-n=4", "a"}}) {
    CHECK(parse(words).ranks() == 4);
  }
  for (const Words& words : std::vector<Words>{
           {"-bind-to", "numa", "a"}, {"--bind-to", "NUMA", "a"}, {"--bind-to=numa", "a"}}) {
    CHECK(parse(words).placement.bind == BindTo::numa);
  }
}

TEST_CASE("names are not abbreviated, nor written together") {
  CHECK(error_of({"--timestamp", "a"}).starts_with("unknown option '--timestamp'"));
  CHECK(error_of({"-n4", "a"}) == "unknown option '-n4'; did you mean -n?");
  CHECK(error_of({"-lv", "a"}).starts_with("unknown option '-lv'"));
  CHECK(error_of({"---n", "4", "a"}).starts_with("unknown option '---n'"));
  CHECK(error_of({"-", "a"}) == "unknown option '-'");
}

TEST_CASE("an argument may look like an option or a colon, or be empty") {
  CHECK(parse({"-wdir", "n", "a"}).parts[0].directory == "n");
  CHECK(parse({"-wdir", "-n", "a"}).parts[0].directory == "-n");
  const Plan plan = parse({"-genv", "FLAGS", "-O2", "-env", "SEPARATOR", ":", "-path=", "a"});
  CHECK(plan.environment == Variables{{"FLAGS", "-O2"}});
  CHECK(plan.parts[0].environment == Variables{{"SEPARATOR", ":"}});
  CHECK(plan.parts[0].command == Words{"a"});
}

TEST_CASE("a colon starts another program with options of its own") {
  const Plan plan = parse({"-n", "1", "-env", "A", "1", "-wdir", "/x", "./m", "arg", ":", "-n", "3",
                           "-genv", "G", "g", "./w", "b"});
  REQUIRE(plan.parts.size() == 2);
  CHECK(plan.ranks() == 4);
  CHECK(plan.parts[0].command == Words{"./m", "arg"});
  CHECK(plan.parts[0].directory == "/x");
  CHECK(plan.parts[0].environment == Variables{{"A", "1"}});
  CHECK(plan.parts[1].command == Words{"./w", "b"});
  CHECK(plan.parts[1].directory.empty());
  CHECK(plan.parts[1].environment.empty());
  CHECK(plan.environment == Variables{{"G", "g"}});
}

TEST_CASE("variables come as two words, as one, or are exported by name") {
  const Plan plan = parse({"-genv", "A", "a b", "-genv", "B=x=y", "-x", "C=", "-x", "PATH", "./a"});
  CHECK(plan.environment == Variables{{"A", "a b"}, {"B", "x=y"}, {"C", ""}});
}

TEST_CASE("what is inherited can be listed, for one program or for all") {
  const Plan plan = parse({"-genvlist", "A,B", "-x", "C", "-envnone", "./a", ":", "-envlist", "D",
                           "./b", ":", "-envall", "./c", ":", "./d"});
  CHECK_FALSE(plan.inheritance.all);
  CHECK(plan.inheritance.names == Words{"A", "B", "C"});
  REQUIRE(plan.parts[0].inheritance);
  CHECK_FALSE(plan.parts[0].inheritance->all);
  CHECK(plan.parts[0].inheritance->names.empty());
  CHECK(plan.parts[1].inheritance->names == Words{"D"});
  CHECK(plan.parts[2].inheritance->all);
  CHECK_FALSE(plan.parts[3].inheritance);
  CHECK(parse({"-genvnone", "-genvall", "a"}).inheritance.all);
}

TEST_CASE("-soft says which numbers of ranks will do") {
  const Plan plan = parse({"-soft", "1:8:3", "-n", "6", "a"});
  CHECK(plan.parts[0].ranks == 4);
  CHECK(plan.parts[0].most_ranks == 6);
  CHECK(parse({"-soft", "1", "a"}).ranks() == 1);
  CHECK(error_of({"-n", "2", "-soft", "3", "a"}) == "-soft: '3' allows no number of ranks up to 2");
  CHECK(error_of({"-soft", "1:2:0", "a"}) ==
        "-soft: '1:2:0' is not a list like 2:8:2,16 (first:last:stride)");
}

TEST_CASE("the universe has as many processes as it is told") {
  CHECK(parse({"a"}).universe_size == 0);
  CHECK(parse({"-usize", "SYSTEM", "a"}).universe_size == 0);
  CHECK(parse({"-usize", "12", "a"}).universe_size == 12);
  CHECK(parse({"-usize", "infinite", "a"}).universe_size == 1024);
}

TEST_CASE("what MPI begins with travels in the environment") {
  CHECK(parse({"-initial-errhandler", "mpi_errors_return", "a"}).environment ==
        Variables{{"ATOLL_ERRHANDLER", "mpi_errors_return"}});
  CHECK(parse({"-thread-level", "MPI_THREAD_MULTIPLE", "a"}).environment ==
        Variables{{"ATOLL_THREAD_LEVEL", "MPI_THREAD_MULTIPLE"}});
  CHECK(error_of({"-thread-level", "multiple", "a"}) ==
        "-thread-level: 'multiple' is none of MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED, "
        "MPI_THREAD_SERIALIZED, MPI_THREAD_MULTIPLE");
  CHECK(error_of({"--initial-errhandler", "return", "a"}) ==
        "--initial-errhandler: 'return' is none of mpi_errors_are_fatal, mpi_errors_abort, "
        "mpi_errors_return");
}

TEST_CASE("mapping takes an object and a number of cores") {
  CHECK(parse({"--map-by", "socket:PE=4", "a"}).placement ==
        PlacementOptions{.map = MapBy::package, .cores_per_rank = 4});
  CHECK(parse({"--map-by", "slot", "a"}).placement.map == MapBy::core);
  CHECK(parse({"--map-by", ":OVERSUBSCRIBE", "a"}).placement == PlacementOptions{});
  CHECK(parse({"--map-by", "l3cache:pe=2", "a"}).placement.cores_per_rank == 2);
}

TEST_CASE("ranks on each object") {
  const Plan plan = parse({"--map-by", "ppr:2:socket:PE=3", "a"});
  CHECK(plan.placement.ranks_per_object == 2);
  CHECK(plan.placement.map == MapBy::package);
  CHECK(plan.placement.cores_per_rank == 3);
  CHECK_FALSE(plan.counted);
  CHECK(parse({"--map-by", "ppr:3:node", "a"}).ranks() == 3);
  CHECK(parse({"-n", "5", "--map-by", "ppr:3:node", "a"}).ranks() == 5);
  CHECK(parse({"-N", "4", "a"}).ranks() == 4);
  CHECK(error_of({"--map-by", "ppr:2", "a"}) == "--map-by: ppr:N:OBJECT is expected");
}

TEST_CASE("binding to a list of processing units") {
  using List = std::vector<std::vector<int>>;
  const PlacementOptions options = parse({"--bind-to", "list:0-2,8", "a"}).placement;
  CHECK(options.bind == BindTo::list);
  CHECK(options.list == List{{0}, {1}, {2}, {8}});
  CHECK(parse({"-bind-to", "user:0+1,2+3", "a"}).placement.list == List{{0, 1}, {2, 3}});
  CHECK(error_of({"--bind-to", "list:0,x", "a"}) ==
        "--bind-to: '0,x' is not a list of processing units");
}

TEST_CASE("other ways to say where ranks go") {
  CHECK(parse({"--bind-to", "core:4", "a"}).placement ==
        PlacementOptions{.bind = BindTo::core, .cores_per_rank = 4});
  CHECK(parse({"--bind-to", "auto", "a"}).placement == PlacementOptions{});
  CHECK(parse({"--bind-to", "l2", "a"}).placement.bind == BindTo::l2cache);
  CHECK(parse({"--rank-by", "slot", "a"}).placement.rank_by_core);
  CHECK_FALSE(parse({"--rank-by", "numa", "a"}).placement.rank_by_core);
  CHECK(parse({"--cpu-kind", "fast", "a"}).placement.kind == CpuKind::fast);
  CHECK(parse({"--cpus-per-proc", "2", "a"}).placement.cores_per_rank == 2);
  CHECK(parse({"--display", "map,bind", "a"}).report_bindings);
  CHECK(error_of({"--cpu-kind", "slow", "a"}) == "--cpu-kind: 'slow' is neither all nor fast");
}

TEST_CASE("a dry run needs no program, and may be of another machine") {
  const Plan plan = parse({"--dry-run", "-n", "4", "--topology", "core:4 pu:2"});
  CHECK(plan.dry_run);
  CHECK(plan.topology == "core:4 pu:2");
  CHECK(plan.ranks() == 4);
  CHECK(parse({"--do-not-launch", "a", ":", "-n", "2", "b"}).ranks() == 3);
  CHECK_FALSE(parse({"--topology=m.xml", "a"}).dry_run);
  CHECK(error_of({"--topology", "core:4 pu:2"}) == "no program to run");
  CHECK(error_of({"--topology=", "a"}) ==
        "--topology: '' is neither a file nor a synthetic topology");
}

TEST_CASE("output is labelled, timed, merged and written to files") {
  CHECK(parse({"-l", "a"}).output.label == "[%r] ");
  CHECK(parse({"-prepend-pattern", "%h:", "a"}).output.label == "%h:");
  const OutputChoice choice = parse({"--output", "tag,timestamp,merge,file=a%b", "a"}).output;
  CHECK(choice.label == "[%r] ");
  CHECK(choice.time);
  CHECK(choice.merge);
  CHECK(choice.output_files == "a%%b.%r.out");
  CHECK(choice.error_files == "a%%b.%r.err");
  CHECK(parse({"-outfile-pattern", "o.%r", "a"}).output.output_files == "o.%r");
  CHECK(error_of({"--output", "xml", "a"}) ==
        "--output: 'xml' is none of tag, timestamp, merge, file=BASE, dir=FOLDER");
  const OutputChoice folder = parse({"--output", "dir=a%b", "a"}).output;
  CHECK(folder.output_files == "a%%b/1/rank.%r/stdout");
  CHECK(folder.error_files == "a%%b/1/rank.%r/stderr");
}

TEST_CASE("commands are wrapped around ranks") {
  const Plan plan = parse({"--wrap", "valgrind -q --log='a b':0,3-4", "-gtool", "x:1", "--wrap",
                           "y@2", "--wrap", "a:b", "p"});
  REQUIRE(plan.wraps.size() == 4);
  CHECK(plan.wraps[0].command == Words{"valgrind", "-q", "--log=a b"});
  CHECK(plan.wraps[0].ranks.contains(4));
  CHECK_FALSE(plan.wraps[0].ranks.contains(1));
  CHECK(plan.wraps[1].command == Words{"x"});
  CHECK_FALSE(plan.wraps[2].ranks.contains(1));
  CHECK(plan.wraps[3].command == Words{"a:b"});
  CHECK(plan.wraps[3].ranks.contains(99));
  CHECK(error_of({"--wrap", ":3", "p"}) == "--wrap: ':3' names no command");
}

TEST_CASE("an argument that may be missing stands behind '='") {
  const Plan plan = parse({"--stop-at-init", "0,3", "p"});
  CHECK(plan.parts[0].command == Words{"0,3", "p"});
  CHECK(plan.environment == Variables{{"ATOLL_STOP", "all"}});
  CHECK_FALSE(plan.debug);
  const Plan some = parse({"--debug=0,3-4", "p"});
  CHECK(some.environment == Variables{{"ATOLL_STOP", "0,3-4"}});
  CHECK(some.debug);
  CHECK(error_of({"--debug=x", "p"}) == "--debug: 'x' is not a list of ranks, as 0,3-5");
}

TEST_CASE("how ranks wait travels in the environment") {
  CHECK(parse({"--wait=sleep", "a"}).environment == Variables{{"ATOLL_WAIT", "sleep"}});
  CHECK(parse({"--wait", "auto", "a"}).environment.empty());
  CHECK(error_of({"--wait", "busy", "a"}) == "--wait: 'busy' is none of auto, spin, sleep");
}

TEST_CASE("standard input goes to a rank, to all or to none") {
  CHECK(parse({"a"}).input.rank == 0);
  CHECK(parse({"-n", "3", "-s", "2", "a"}).input.rank == 2);
  CHECK(parse({"--stdin", "all", "a"}).input.kind == InputChoice::Kind::all);
  CHECK(parse({"--stdin", "none", "a"}).input.kind == InputChoice::Kind::none);
  CHECK(error_of({"-n", "3", "--stdin", "3", "a"}) ==
        "--stdin: rank 3 does not exist in a job of 3");
}

TEST_CASE("the time limit comes from the option, or else from the environment") {
  CHECK(parse({"a"}).timeout == 0);
  CHECK(parse({"--timeout", "1.5", "a"}).timeout == 1.5);
  CHECK(parse({"a"}, "20").timeout == 20);
  CHECK(parse({"--timeout", "3", "a"}, "20").timeout == 3);
  CHECK(parse({"a"}, "").timeout == 0);
  CHECK(error_of({"a"}, "soon") == "MPIEXEC_TIMEOUT: 'soon' is not a number of seconds above 0");
  CHECK(error_of({"--timeout", "inf", "a"}) ==
        "--timeout: 'inf' is not a number of seconds above 0");
  CHECK(error_of({"--timeout", "nan", "a"}) ==
        "--timeout: 'nan' is not a number of seconds above 0");
}

TEST_CASE("hosts are accepted when they are this node") {
  CHECK(parse({"-host", "localhost", "a"}).ranks() == 1);
  CHECK(parse({"-hosts", "localhost:4,127.0.0.1", "-n", "2", "a"}).ranks() == 2);
  CHECK(error_of({"-H", "localhost,elsewhere.example", "a"}) ==
        "-H: 'elsewhere.example' is another machine, and Atoll runs on one node: start mpiexec on "
        "that machine, or use an MPI for clusters");
  CHECK(error_of({"--hostfile", "/no/such/file", "a"}) ==
        "--hostfile: cannot read '/no/such/file': No such file or directory");
}

TEST_CASE("what scripts pass out of habit changes nothing") {
  CHECK(parse({"--oversubscribe", "--allow-run-as-root", "--use-hwthread-cpus", "a"}).placement ==
        PlacementOptions{});
  const Plan plan = parse({"-ppn", "2", "-N", "4", "--mca", "btl", "self", "-envall", "-genvall",
                           "-memory-alloc-kinds", "system,cuda", "-bootstrap", "ssh", "--prefix",
                           "/usr", "-n", "3", "a", "b"});
  CHECK(plan.ranks() == 3);
  CHECK(plan.parts[0].command == Words{"a", "b"});
}

TEST_CASE("another architecture is another machine") {
  CHECK(error_of({"-arch", "pdp11", "a"}).starts_with("-arch: this machine is not pdp11, but "));
}

TEST_CASE("mistakes are named") {
  CHECK(error_of({}) == "no program to run");
  CHECK(error_of({"-n", "2"}) == "no program to run");
  CHECK(error_of({"a", ":"}) == "no program to run in part 2");
  CHECK(error_of({"a", ":", "-n", "2"}) == "no program to run in part 2");
  CHECK(error_of({"-n"}) == "-n: N is missing");
  CHECK(error_of({"-env", "A"}) == "-env: NAME VALUE is missing");
  CHECK(error_of({"-n", "0", "a"}) == "-n: '0' is not a number of ranks (1 or more)");
  CHECK(error_of({"-n", "4x", "a"}) == "-n: '4x' is not a number of ranks (1 or more)");
  CHECK(error_of({"-n", "99999999999", "a"}) ==
        "-n: '99999999999' is not a number of ranks (1 or more)");
  CHECK(error_of({"-n", "2000000000", "a", ":", "-n", "2000000000", "b"}) ==
        "-n: 4000000000 ranks are more than the 4096 that a job may have");
  CHECK(
      error_of({"--bind-to", "cores", "a"}) ==
      "--bind-to: 'cores' is none of auto, none, hwthread, core, l2, l3, numa, socket, list:CPUS");
  CHECK(error_of({"--map-by", "rack", "a"}) ==
        "--map-by: 'rack' is none of core, l2, l3, numa, socket, node, slot");
  CHECK(error_of({"--map-by", "core:PE=0", "a"}) ==
        "--map-by: '0' is not a number of cores (1 or more)");
  CHECK(error_of({"-l=3", "a"}) == "-l: takes no argument");
}

TEST_CASE("an unknown option is answered with the one that looks most like it") {
  CHECK(error_of({"--bindto", "core", "a"}) ==
        "unknown option '--bindto'; did you mean --bind-to?");
  CHECK(error_of({"-oversubcribe", "a"}) ==
        "unknown option '-oversubcribe'; did you mean --oversubscribe?");
  CHECK(error_of({"--time-out=4", "a"}) ==
        "unknown option '--time-out=4'; did you mean --timeout?");
  CHECK(error_of({"--quux-frobnicate", "a"}) == "unknown option '--quux-frobnicate'");
}

TEST_CASE("questions are answered without a program") {
  CHECK(parse({"--help"}).action == Plan::Action::help);
  CHECK(parse({"-h"}).action == Plan::Action::help);
  CHECK(parse({"-n", "4", "--version"}).action == Plan::Action::version);
  CHECK(parse({"-V"}, "nonsense").action == Plan::Action::version);
  CHECK(parse({"--man"}).action == Plan::Action::manual);
}

TEST_CASE("no two options share a name, and each explains itself") {
  std::set<std::string> seen;
  for (const OptionGroup& group : option_groups()) {
    for (const Option& option : group.options) {
      CHECK(option.help.ends_with('.'));
      for (const std::string& name : split(option.names, ' ')) {
        CHECK(seen.insert(name.substr(name.find_first_not_of('-'))).second);
      }
    }
  }
}

}  // namespace
}  // namespace atl::launcher
