"""Compares Atoll with Debian's MPICH and Open MPI, and with the machine's limits.

Every round runs every MPI in turn, so that what disturbs the machine disturbs
them alike; the best round of each counts. See README.md in this folder.
"""

import argparse
import json
import os
import pathlib
import platform
import re
import subprocess
import sys
import tempfile

import implementations
import report
import targets
from implementations import Failure

ROOT = pathlib.Path(__file__).parent.parent  # of the built files
# Two cores may change their distance while we measure (a virtual machine's do),
# and with it every time. A bare cache-line hop before and after a run tells: both
# ends of a run, and runs that are compared, are alike up to this factor.
ALIKE = 1.4
ATTEMPTS = 3  # at a run whose cores moved meanwhile


def arguments():
    parser = argparse.ArgumentParser(prog="compare", description=__doc__.split("\n")[0])
    parser.add_argument("--rounds", type=int, default=5, help="how often all is run (5)")
    parser.add_argument("--only", metavar="REGEX", default="", help="figures by name or title")
    parser.add_argument("--json", metavar="FILE", help="write every round and the table")
    parser.add_argument("--install-peers", action="store_true", help="install MPICH and Open MPI")
    parser.add_argument("--allow-missing", action="store_true", help="go on without a peer")
    names = ["atoll", "mpich", "openmpi"]
    parser.add_argument("--without", action="append", default=[], choices=names)
    parser.add_argument("--atoll", metavar="PREFIX", help="an installed Atoll, not this tree's")
    return parser.parse_args()


def choose(options, scratch, root=ROOT):
    """The MPIs to compare."""
    chosen = [mpi for mpi in implementations.peers() if mpi.key not in options.without]
    for mpi in list(chosen):
        why = mpi.missing()
        if why and not options.allow_missing:
            raise Failure(f"{why}; --install-peers installs it, --allow-missing goes on without it")
        if why:
            print(f"compare: {why}", file=sys.stderr)
            chosen.remove(mpi)
    if "atoll" not in options.without:
        chosen.insert(0, implementations.atoll(root, options.atoll, scratch))
    return chosen


def compile_all(mpis, runs, scratch, root=ROOT):
    """{(key, program): path}"""
    programs = {}
    for mpi in mpis:
        for name in sorted({run.program for run in runs if run.only in [None, mpi.key]}):
            programs[mpi.key, name] = scratch / f"{name}.{mpi.key}"
            mpi.compile(root / f"bench/{name}.c", programs[mpi.key, name])
    return programs


def limits(*words):
    """What limits.cc measures: {name: (best, median)}."""
    done = subprocess.run([ROOT / "bench/limits", *words], capture_output=True, text=True)
    if done.returncode != 0:
        raise Failure(implementations.first_line(done.stderr))
    return implementations.parse(done.stdout)


def alike(hops):
    return max(hops) <= ALIKE * min(hops)


class Comparison:
    """All rounds of a comparison."""

    def __init__(self, mpis, figures, programs):
        self.mpis, self.figures, self.programs = mpis, figures, programs
        self.runs = targets.runs_for(figures)
        self.records = []  # one for each start of a run, in time order
        self.limits = []  # each time they were measured
        self.failures = []  # sentences

    def round(self):
        for run in self.runs:
            for mpi in self.mpis:
                if run.only in [None, mpi.key]:
                    self._measure(mpi, run)

    def _measure(self, mpi, run):
        for attempt in range(ATTEMPTS):
            hops = [self._hop(run)] if run.near_or_far else []
            try:
                figures = mpi.measure(run, self.programs[mpi.key, run.program])
            except Failure as failure:
                self.failures.append(str(failure))
                print(f"compare: {failure}", file=sys.stderr)
                return
            hops += [self._hop()] if run.near_or_far else []
            record = {"mpi": mpi.key, "run": run.name, "hops_us": hops, "figures": figures}
            self.records.append(record)
            if not hops or alike(hops):
                return

    def _hop(self, run=None):
        """Measures a hop, and the other limits that the figures of `run` have."""
        names = {name for f in self.figures if run and f.run == run.name for name in f.limits}
        self.limits.append(limits() if names - {"hop"} else limits("hop"))
        return self.limits[-1]["hop"][0]

    def distance(self, run):
        """The shortest hop, in us, with which every MPI has been measured that
        could be; None when there is none, or when it does not matter to this run."""
        records = [r for r in self.records if r["run"] == run.name and r["hops_us"]]
        everybody = {r["mpi"] for r in records}
        for hop in sorted(min(r["hops_us"]) for r in records):
            if {r["mpi"] for r in records if within(r["hops_us"], hop)} == everybody:
                return hop
        return None

    def row(self, figure):
        run = next(run for run in self.runs if run.name == figure.run)
        hop = self.distance(run)
        records = [r for r in self.records if r["run"] == run.name]
        bounds = self.limits
        if hop is not None:
            records = [r for r in records if within(r["hops_us"], hop)]
            bounds = [limit for limit in bounds if within(limit["hop"], hop)]
        measured = {
            mpi.key: [r["figures"] for r in records if r["mpi"] == mpi.key] for mpi in self.mpis
        }
        return report.row(figure, measured, bounds)

    def notes(self):
        """Sentences on how far apart the cores were."""
        for run in self.runs:
            hop = self.distance(run)
            if hop is not None:
                hops = f"{hop:.3f} to {ALIKE * hop:.3f} us"
                yield f"{run.name}: compared where a cache-line hop took {hops}"
            elif run.near_or_far and len(self.mpis) > 1:
                yield f"{run.name}: the cores were never alike for all; do not trust it"


def within(hops, shortest):
    return min(hops) >= shortest and max(hops) <= ALIKE * shortest


def machine():
    """What the figures were measured on."""
    cpu = re.search(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text())
    return {
        "processor": cpu[1] if cpu else platform.machine(),
        "cpus": len(os.sched_getaffinity(0)),
        "cores": len(implementations.first_cores(os.cpu_count())),
        "kernel": platform.release(),
        "load_before": os.getloadavg()[0],
    }


def describe(facts, versions):
    about = "{processor}, {cores} cores, Linux {kernel}".format(**facts)
    return "\n".join([about, *(f"{name} {version}" for name, version in versions.items())])


def compare(options, scratch):
    figures = targets.selected(re.compile(options.only))
    if not figures:
        raise Failure(f"--only '{options.only}' selects no figure")
    if options.install_peers:
        if subprocess.run([ROOT / "tools/install_packages", "bench"]).returncode != 0:
            raise Failure("the peers could not be installed")
    facts = machine()
    mpis = choose(options, scratch)
    comparison = Comparison(mpis, figures, compile_all(mpis, targets.runs_for(figures), scratch))
    versions = {mpi.name: mpi.version() for mpi in mpis}
    for number in range(options.rounds):
        print(f"round {number + 1} of {options.rounds}", file=sys.stderr, flush=True)
        comparison.round()
    rows = [comparison.row(figure) for figure in figures]
    print(describe(facts, versions), report.table(rows), sep="\n\n")
    print("", *comparison.notes(), sep="\n")
    if options.json:
        record = {
            "machine": facts,
            "versions": versions,
            "table": [report.as_record(row) for row in rows],
            "limits": comparison.limits,
            "runs": comparison.records,
            "failures": comparison.failures,
        }
        implementations.user_path(options.json).write_text(json.dumps(record, indent=1) + "\n")
    return 1 if comparison.failures else 0


def main():
    options = arguments()
    with tempfile.TemporaryDirectory(prefix="atoll-compare.") as scratch:
        try:
            return compare(options, pathlib.Path(scratch))
        except Failure as failure:
            print(f"compare: {failure}", file=sys.stderr)
        except KeyboardInterrupt:
            pass
        return 1


if __name__ == "__main__":
    sys.exit(main())
