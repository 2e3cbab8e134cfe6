"""Runs of several MPIs in turn, and which of them may be compared.

Every round starts every MPI in turn (A B C A B C ...), so that what disturbs the machine
disturbs all of them.

A run may be optional: an MPI that cannot compile its program has no part in it, and when it
fails at a figure, it goes on behind that figure and is not asked for it again. That is a failure
of Atoll, and a note for the others, some of which are known not to do everything.
"""

import dataclasses
import sys

import mpis
import quiet

# Two cores may change their distance while we measure (a virtual machine's do), and every
# time with it. The cache-line latency before and after a run tells: both ends of a run,
# and runs that are compared, are alike up to this factor.
ALIKE = 1.4
ATTEMPTS = 3  # at a run whose cores moved meanwhile


def compile_all(chosen, runs, scratch, source_of, root):
    """{(key, program): path, or why there is none, a Failure, if its runs are optional};
    `source_of` tells the path of a program's source."""
    programs = {}
    for number, mpi in enumerate(chosen):
        own = [run for run in runs if run.only in [None, mpi.key]]
        for name in sorted({run.program for run in own}):
            programs[mpi.key, name] = scratch / f"{name}.{number}"
            try:
                mpi.compile(source_of(name), programs[mpi.key, name], root)
            except mpis.Failure as failure:
                if not all(run.optional for run in own if run.program == name):
                    raise
                programs[mpi.key, name] = failure
    return programs


class Rounds:
    """`hop(run)` measures the cache-line latency, in us, before a run, and hop(None) after it."""

    def __init__(self, chosen, runs, programs, hop, saw=None):
        self.mpis, self.runs, self.programs = chosen, runs, programs
        self.hop = hop
        self.saw = saw  # called with an MPI, a run and each record
        self.results = []  # one for each start of a run, in time order
        self.failures = []  # sentences
        self.given_up = set()  # (key, figure, ranks) that failed in optional runs
        self.absences = []  # sentences on what other MPIs than Atoll did not do, or none compiled

    def round(self):
        for run in self.runs:
            for mpi in self.mpis:
                if run.only in [None, mpi.key] and not (run.once and self._is_done(mpi, run)):
                    self._measure(mpi, run)

    def _is_done(self, mpi, run):
        return any((r["mpi"], r["run"]) == (mpi.key, run.name) for r in self.results)

    def _measure(self, mpi, run):
        program = self.programs[mpi.key, run.program]
        if isinstance(program, mpis.Failure):
            if str(program) not in self.absences:
                self.absences.append(str(program))
            return
        for attempt in range(ATTEMPTS):
            hops = [self.hop(run)] if run.near_or_far else []
            watch = quiet.Watch()
            output, failed = self._start(mpi, run, program)
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

    def _start(self, mpi, run, program):
        """The Output, and whether the run failed as a whole."""
        saw = (lambda record: self.saw(mpi, run, record)) if self.saw else None
        if run.optional:
            return self._each_figure(mpi, run, program, saw), False
        try:
            return mpi.measure(run, program, saw), False
        except mpis.Failure as failure:
            self._failed(failure)
            return failure.output, True

    def _failed(self, failure):
        self.failures.append(str(failure))
        print(f"\r{failure}", file=sys.stderr)

    def _each_figure(self, mpi, run, program, saw):
        """The Output of an optional run: behind a figure that fails a new start goes on."""
        options = [word for word in run.arguments if "=" in word]
        names = [
            word
            for word in run.arguments
            if "=" not in word and (mpi.key, word, run.ranks) not in self.given_up
        ]
        output = mpis.Output()
        while names:
            rest = dataclasses.replace(run, arguments=(*options, *names))
            try:
                part, failure = mpi.measure(rest, program, saw), None
            except mpis.Failure as caught:
                part, failure = caught.output, caught
            output.records += part.records
            output.others += part.others
            if failure is None:
                break
            done = len(part.records)
            self._give_up(mpi, run, names[done] if done < len(names) else "the end", failure)
            names = names[done + 1 :]
        return output

    def _give_up(self, mpi, run, name, failure):
        self.given_up.add((mpi.key, name, run.ranks))
        if mpi.key == "atoll":
            self._failed(failure)
        else:
            self.absences.append(f"{mpi.name} {failure.reason} at {name} of {run.ranks} ranks")

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
        yield from self.absences
        busy = [r for r in self.results if r["disturbed"]]
        if busy:
            how = f"{len(busy)} of {len(self.results)} runs"
            yield f"the machine was busy in {how} ({busy[0]['disturbed']}): no good figures"


def alike(hops):
    return max(hops) <= ALIKE * min(hops)


def within(hops, shortest):
    return min(hops) >= shortest and max(hops) <= ALIKE * shortest
