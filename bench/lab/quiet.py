"""Whether anybody else was at work on the machine while something was measured."""

import os
import pathlib
import resource
import time

STAT = pathlib.Path("/proc/stat")
TICK = 1 / os.sysconf("SC_CLK_TCK")  # seconds: the step in which the kernel counts

# More than that of one CPU's time disturbs.
LIMIT = 0.05


def counted(text):
    """Seconds that all CPUs together were busy, and that other machines on the same
    hardware took, from the first line of /proc/stat."""
    user, nice, system, _, _, irq, softirq, steal = map(int, text.split()[1:9])
    return (user + nice + system + irq + softirq) * TICK, steal * TICK


def own():
    """Seconds that this process and its ended children have used."""
    return sum(
        used.ru_utime + used.ru_stime
        for used in map(resource.getrusage, [resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN])
    )


def verdict(passed, others, stolen, cpus):
    """Why what was measured in so many seconds is not good, or None. The kernel counts
    in steps, each CPU for itself."""
    slack = TICK * (1 + cpus)
    if others > LIMIT * passed + slack:
        return f"other processes used {100 * others / passed:.0f}% of a CPU"
    if stolen > LIMIT * passed + slack:
        return f"other machines took {100 * stolen / passed:.0f}% of a CPU"
    return None


class Watch:
    """Looks from its making on."""

    def __init__(self):
        self.before = self._look()

    def _look(self):
        return (time.monotonic(), *counted(STAT.read_text()), own())

    def disturbed(self):
        passed, busy, stolen, ours = (b - a for a, b in zip(self.before, self._look()))
        return verdict(passed, busy - ours, stolen, os.cpu_count())
