"""Runs of several MPIs in turn, and which of them may be compared.

Every round starts every MPI in turn (A B C A B C ...), so that what disturbs the machine
disturbs all of them.
"""

import sys

import mpis
import quiet

# Two cores may change their distance while we measure (a virtual machine's do), and every
# time with it. The cache-line latency before and after a run tells: both ends of a run,
# and runs that are compared, are alike up to this factor.
ALIKE = 1.4
ATTEMPTS = 3  # at a run whose cores moved meanwhile


def compile_all(chosen, runs, scratch, source_of, root):
    """{(key, program): path}; `source_of` tells the path of a program's source."""
    programs = {}
    for number, mpi in enumerate(chosen):
        for name in sorted({run.program for run in runs if run.only in [None, mpi.key]}):
            programs[mpi.key, name] = scratch / f"{name}.{number}"
            mpi.compile(source_of(name), programs[mpi.key, name], root)
    return programs


class Rounds:
    """`hop(run)` measures the cache-line latency, in us, before a run, and hop(None) after it."""

    def __init__(self, chosen, runs, programs, hop, saw=None):
        self.mpis, self.runs, self.programs = chosen, runs, programs
        self.hop = hop
        self.saw = saw  # called with an MPI, a run and each record
        self.results = []  # one for each start of a run, in time order
        self.failures = []  # sentences

    def round(self):
        for run in self.runs:
            for mpi in self.mpis:
                if run.only in [None, mpi.key] and not (run.once and self._is_done(mpi, run)):
                    self._measure(mpi, run)

    def _is_done(self, mpi, run):
        return any((r["mpi"], r["run"]) == (mpi.key, run.name) for r in self.results)

    def _measure(self, mpi, run):
        for attempt in range(ATTEMPTS):
            hops = [self.hop(run)] if run.near_or_far else []
            watch = quiet.Watch()
            saw = (lambda record: self.saw(mpi, run, record)) if self.saw else None
            failed = False
            try:
                output = mpi.measure(run, self.programs[mpi.key, run.program], saw)
            except mpis.Failure as failure:
                failed, output = True, failure.output
                self.failures.append(str(failure))
                print(f"\r{failure}", file=sys.stderr)
            disturbed = watch.disturbed()
            hops += [self.hop(None)] if run.near_or_far and not failed else []
            self.results.append(
                {
                    "mpi": mpi.key,
                    "run": run.name,
                    "hops_us": hops,
                    "disturbed": disturbed,
                    "records": output.records,
                    "others": output.others,
                }
            )
            if failed or not hops or alike(hops):
                return

    def distance(self, run):
        """The shortest cache-line latency, in us, with which every MPI has been measured that
        could be; None when there is none, or when it does not matter to this run."""
        results = [r for r in self.results if r["run"] == run.name and r["hops_us"]]
        everybody = {r["mpi"] for r in results}
        for hop in sorted(min(r["hops_us"]) for r in results):
            if {r["mpi"] for r in results if within(r["hops_us"], hop)} == everybody:
                return hop
        return None

    def comparable(self, run):
        """The results of a run that may be compared; all when none may."""
        results = [r for r in self.results if r["run"] == run.name]
        hop = self.distance(run)
        return results if hop is None else [r for r in results if within(r["hops_us"], hop)]

    def notes(self):
        """Sentences on how far apart the cores were, and on who else was at work."""
        for run in self.runs:
            hop = self.distance(run)
            if hop is not None:
                hops = f"{hop:.3f} to {ALIKE * hop:.3f} us"
                yield f"{run.name}: compared where a cache line took {hops}"
            elif run.near_or_far and len(self.mpis) > 1:
                yield f"{run.name}: the cores were never alike for all; do not trust it"
        busy = [r for r in self.results if r["disturbed"]]
        if busy:
            how = f"{len(busy)} of {len(self.results)} runs"
            yield f"the machine was busy in {how} ({busy[0]['disturbed']}): no good figures"


def alike(hops):
    return max(hops) <= ALIKE * min(hops)


def within(hops, shortest):
    return min(hops) >= shortest and max(hops) <= ALIKE * shortest
