"""Compares Atoll with Debian's MPICH and Open MPI, and with the machine's limits.

Every round runs every MPI in turn, so that what disturbs the machine disturbs
them alike; the best round of each counts. See README.md in this folder.
"""

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import mpis
import node
import report
import rounds
import targets
import this_tree
from mpis import Failure
from this_tree import ROOT


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


def limits(*words):
    """What limits.cc measures when given these words: {name: (best, median)}."""
    done = subprocess.run([ROOT / "bench/limits", *words], capture_output=True, text=True)
    if done.returncode != 0:
        raise Failure(mpis.first_line(done.stderr))
    return report.values(mpis.parse(done.stdout).records)


class Comparison(rounds.Rounds):
    """All rounds of a comparison, and the limits of the machine meanwhile."""

    def __init__(self, chosen, figures, programs):
        super().__init__(chosen, targets.runs_for(figures), programs, self._hop)
        self.figures = figures
        self.limits = []  # each time they were measured

    def _hop(self, run):
        """Measures the cache-line latency, and the other limits that the figures of `run` have."""
        names = {name for f in self.figures if run and f.run == run.name for name in f.limits}
        kind = "onesided" if run and run.program == "onesided" else "messages"
        self.limits.append(limits(kind if names - {"hop"} else "hop"))
        return self.limits[-1]["hop"][0]

    def row(self, figure):
        run = next(run for run in self.runs if run.name == figure.run)
        results = self.comparable(run)
        hop = self.distance(run)
        bounds = self.limits
        if hop is not None:
            bounds = [limit for limit in bounds if rounds.within(limit["hop"], hop)]
        measured = {
            mpi.key: [report.values(r["records"]) for r in results if r["mpi"] == mpi.key]
            for mpi in self.mpis
        }
        return report.row(figure, measured, bounds)


def machine():
    """What the figures were measured on."""
    cores = mpis.first_cores(os.cpu_count())
    return {**node.facts(), "cpus": len(os.sched_getaffinity(0)), "cores": len(cores)}


def describe(facts, versions):
    about = "{processor}, {cores} cores, {kernel}".format(**facts)
    return "\n".join([about, *(f"{name} {version}" for name, version in versions.items())])


def compare(options, scratch):
    figures = targets.selected(re.compile(options.only))
    if not figures:
        raise Failure(f"--only '{options.only}' selects no figure")
    if options.install_peers:
        if subprocess.run([ROOT / "tools/install_packages", "bench"]).returncode != 0:
            raise Failure("the peers could not be installed")
    facts = machine()
    chosen = this_tree.choose(options.without, options.allow_missing, options.atoll, scratch)
    runs = targets.runs_for(figures)
    programs = rounds.compile_all(chosen, runs, scratch, this_tree.source_of, ROOT)
    comparison = Comparison(chosen, figures, programs)
    versions = {mpi.name: mpi.version() for mpi in chosen}
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
            "runs": comparison.results,
            "failures": comparison.failures,
            "absences": comparison.absences,
        }
        mpis.user_path(options.json).write_text(json.dumps(record, indent=1) + "\n")
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
