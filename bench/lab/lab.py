"""The latency lab: how fast messages and collectives are on this machine (atoll bench)."""

import argparse
import dataclasses
import pathlib
import shlex
import signal
import subprocess
import sys
import tempfile
import time

import figures
import files
import mpis
import node
import page
import plan
import quiet
import rounds
import tables
from mpis import Failure

HERE = pathlib.Path(__file__).resolve().parent
SHARE = HERE.parent.parent  # below which the programs name what they include
PREFIX = SHARE.parent.parent  # of the installed Atoll
LIMITS = PREFIX / "libexec/atoll/limits"

BAD = "Figures marked with ! are no good: others were at work, or the cores moved."

EPILOGUE = """Parts: cores (one-way time between all pairs of cores), sweep (messages of 0 B to 1 GiB
between two of them), threads (the same at MPI_THREAD_MULTIPLE), collectives (over size and
ranks), onesided (operations on windows, and their synchronisation), guidelines (what should not
be slower than what). Figures marked with ! were measured while others were at work. Exit status: 0, or 1
when something could not be measured, or 2 when the command line is wrong."""


def numbers(text):
    return [int(word) for word in text.split(",")]


def arguments(words):
    parser = argparse.ArgumentParser(
        prog="atoll bench",
        description="Measures how fast messages and collectives are on this machine.",
        epilog=EPILOGUE,
    )
    add = parser.add_argument
    add("--quick", action="store_true", help="less of all: half a minute on two cores")
    add(
        "--against",
        metavar="MPICC,...",
        default="",
        help="measure these MPIs in turn with Atoll, named by their compiler wrappers",
    )
    add("--only", metavar="PART,...", default=",".join(plan.PARTS), help="these parts alone")
    add("--ranks", metavar="N,...", type=numbers, help="of collectives (2, 4, ... up to the cores)")
    add("--rounds", metavar="N", type=int, help="how often all is run, every MPI in turn (3)")
    add("--seconds", metavar="S", type=float, help="about how long all runs take (150)")
    add("--json", metavar="FILE", help="write all samples, the machine and the command line")
    add("--csv", metavar="FILE", help="write a line for each figure")
    add("--html", metavar="FILE", help="write a report with pictures, one file")
    options = parser.parse_args(words)
    options.only = options.only.split(",")
    unknown = [part for part in options.only if part not in plan.PARTS]
    if unknown:
        parser.error(f"--only: '{unknown[0]}' is none of {', '.join(plan.PARTS)}")
    for name in ["rounds", "seconds"]:
        if getattr(options, name) is not None and getattr(options, name) <= 0:
            parser.error(f"--{name}: more than 0 is needed")
    if options.ranks and min(options.ranks) < 2:
        parser.error("--ranks: a collective needs two")
    return options


def effort_of(options):
    effort = plan.QUICK if options.quick else plan.DEFAULT
    changes = {name: getattr(options, name) for name in ["rounds", "seconds"]}
    return dataclasses.replace(effort, **{k: v for k, v in changes.items() if v is not None})


def chosen_mpis(against):
    found = [mpis.Atoll(PREFIX)]
    found += [mpis.from_wrapper(word) for word in filter(None, against.split(","))]
    missing = found[0].missing()
    if missing:
        raise Failure(missing)
    names = [mpi.name for mpi in found]
    for number, mpi in enumerate(found):  # the wrapper tells those of the same name apart
        if mpi.name in names[:number]:
            mpi.name = f"{mpi.name} ({mpi.key})"
    return found


def bare(*words):
    """Records of what the machine does without MPI."""
    done = subprocess.run([LIMITS, *map(str, words)], capture_output=True, text=True)
    if done.returncode != 0:
        raise Failure(f"limits {words[0]}: {mpis.first_line(done.stderr)}")
    return mpis.parse(done.stdout).records


class Progress:
    """A line on a terminal that says how far it is."""

    def __init__(self, starts):
        self.starts, self.seen, self.shown = starts, [], sys.stderr.isatty()

    def __call__(self, mpi, run, record):
        if not self.shown:
            return
        if (mpi.key, run.name) not in self.seen[-1:]:
            self.seen.append((mpi.key, run.name))
        part = 100 * (len(self.seen) - 1) // self.starts
        size = tables.size_name(record["bytes"]) if "bytes" in record else ""
        what = f"{part:3d}%  {mpi.name}: {run.name} {record.get('figure', '')} {size}"
        print(f"\r\033[K{what}", end="", file=sys.stderr, flush=True)

    def end(self):
        if self.shown:
            print("\r\033[K", end="", file=sys.stderr, flush=True)


class Lab:
    """One measurement, from the plan to the tables."""

    def __init__(self, options, chosen, cpus, facts):
        self.options, self.mpis, self.facts = options, chosen, facts
        self.plan = plan.Plan(
            effort_of(options), options.only, cpus, facts, len(chosen), options.ranks
        )
        self.runs = self.plan.runs()
        self.limits = []  # [(records, why they are not good)] of the bare machine
        self.measured = []  # words of each of these
        self.algorithms = {}
        self.failures = []

    def hop(self, run):
        """Between the two cores of the sweep."""
        (record,) = bare("hops", 0.03, *self.plan.pair)
        return min(record["samples"])

    def measure_limits(self):
        if "cores" in self.plan.parts:
            seconds = self.plan.seconds["cores"] / 4 / self.plan.effort.rounds
            self._limit("hops", seconds, *self.plan.matrix())
        if "sweep" in self.plan.parts:
            again = any(words[0] == "copies" for words in self.measured)
            sizes = [size for size in self.plan.sizes if size <= plan.LONG or not again]
            self._limit("copies", *self.plan.pair, *sizes)
        if "onesided" in self.plan.parts:
            self._limit("onesided", *self.plan.pair)

    def _limit(self, *words):
        watch = quiet.Watch()
        records = bare(*words)
        self.measured.append(words)
        self.limits.append((records, watch.disturbed()))

    def learn_algorithms(self, programs):
        """Which collective Atoll does how: a few calls of each, since telling takes time."""
        for run in (run for run in self.runs if run.program == "collectives"):
            quickly = [word for word in run.arguments if "=" not in word]
            few = ("batch=1e-7", "seconds=1e-7", *quickly)
            told = dataclasses.replace(run, arguments=few, shows=("algorithms",))
            output = self.mpis[0].measure(told, programs[self.mpis[0].key, run.program])
            self.algorithms.update(figures.algorithms(output))

    def measure(self, scratch):
        """Runs all; what fails is said and left out."""
        source = lambda name: HERE / f"{name}.c"
        programs = rounds.compile_all(self.mpis, self.runs, scratch, source, SHARE)
        progress = Progress(len(self.runs) * len(self.mpis) * self.plan.effort.rounds)
        self.rounds = rounds.Rounds(self.mpis, self.runs, programs, self.hop, progress)
        try:
            self.attempt(self.learn_algorithms, programs)
            for _ in range(self.plan.effort.rounds):
                self.attempt(self.measure_limits)
                self.attempt(self.rounds.round)
        except KeyboardInterrupt:
            self.failures.append("interrupted: not all was measured")
        progress.end()

    def attempt(self, step, *words):
        try:
            step(*words)
        except Failure as failure:
            self.failures.append(str(failure))

    def result(self):
        found = figures.gather(self.rounds) + figures.bare(self.limits, "limits")
        protocols = {}
        for mpi in self.mpis:
            rows = figures.protocols([r for r in self.rounds.results if r["mpi"] == mpi.key])
            if rows:
                protocols[mpi.key] = rows
        return tables.Result(self.mpis, found, self.plan, protocols, self.algorithms)

    def said(self, found):
        """What has to be known of the figures: first what failed."""
        notes = [*self.failures, *self.rounds.failures, *self.rounds.notes()]
        if not all(figure.good for figure in found):
            notes.append(BAD)
        return notes

    def all_runs(self):
        """With every sample."""
        bare = [
            {"mpi": "", "run": "limits", "disturbed": disturbed, "records": records}
            for records, disturbed in self.limits
        ]
        return bare + self.rounds.results

    def head(self, command, found):
        """What the figures were measured on, and how."""
        return {
            "command": command,
            "time": time.strftime("%Y-%m-%d %H:%M:%S %z"),
            "machine": {**self.facts, "cpus": self.plan.all},
            "mpis": [
                {"key": mpi.key, "name": mpi.name, "version": mpi.version(), "mpicc": mpi.mpicc}
                for mpi in self.mpis
            ],
            "notes": self.said(found),
        }


def report(lab, options, command):
    """The tables, and the files that were asked for."""
    result = lab.result()
    head = lab.head(command, result.found)
    shown = tables.tables(result)
    versions = [f"{mpi['name']} {mpi['version']}" for mpi in head["mpis"]]
    print("\n".join([node.describe(lab.facts), *versions]))
    for table in shown:
        print("\n" + table.text())
    print("", *head["notes"], sep="\n")
    if options.json:
        files.write_json(options.json, head, result.found, lab.all_runs())
    if options.csv:
        files.write_csv(options.csv, result.found)
    if options.html:
        mpis.user_path(options.html).write_text(page.page(head, result, shown, SHARE))


def bench(options, command):
    files.check_writable([options.json, options.csv, options.html])
    cpus = node.topology(PREFIX / "bin/atoll")
    if len(node.one_cpu_a_core(cpus)) < 2:
        raise Failure("only one core may be used here: messages between cores need two")
    lab = Lab(options, chosen_mpis(options.against), cpus, node.facts())
    with tempfile.TemporaryDirectory(prefix="atoll-bench.") as scratch:
        lab.measure(pathlib.Path(scratch))
    report(lab, options, command)
    return 1 if lab.failures or lab.rounds.failures else 0


def main(words):
    options = arguments(words)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        return bench(options, shlex.join(["atoll", "bench", *words]))
    except Failure as failure:
        print(f"atoll bench: {failure}", file=sys.stderr)
    except KeyboardInterrupt:
        pass
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
