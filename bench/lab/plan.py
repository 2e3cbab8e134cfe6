"""What the lab measures, and how long each part of it may take."""

import dataclasses

import node
import onesided
from mpis import Run

PARTS = ["cores", "sweep", "threads", "collectives", "onesided", "guidelines"]
# Of the time.
SHARES = {"cores": 0.1, "sweep": 0.35, "threads": 0.05, "collectives": 0.2, "onesided": 0.1}
SHARES["guidelines"] = 0.2
KIB, MIB, GIB = 1 << 10, 1 << 20, 1 << 30

# A run that takes much longer than it should hangs, or shares cores with somebody.
PATIENCE = 10
LEAST_PATIENCE = 120  # seconds
LONG = 16 * MIB  # messages above it are measured once
THREAD_SIZES = (0, 8, KIB, 64 * KIB, MIB)
LEAST_PAIR = 2e-3  # seconds for each pair of cores
COMPUTE = 0.5  # seconds that a target computes, at most


@dataclasses.dataclass(frozen=True)
class Effort:
    """How much is measured."""

    seconds: float  # of measuring, in all
    rounds: int
    step: int  # from one size of a message to the next
    largest: int  # bytes of a message
    operations: tuple  # collectives
    lengths: tuple  # bytes of theirs
    guideline_sizes: tuple
    least_ranks: int  # up to so many the collectives have, also where there are fewer cores


ALL = ("bcast", "reduce", "allreduce", "allgather", "alltoall", "gather", "scatter", "scan")
LENGTHS = (8, 256, KIB, 8 * KIB, 64 * KIB, MIB)
DEFAULT = Effort(150, 3, 2, GIB, ALL, LENGTHS, (16, KIB, 64 * KIB), 4)
QUICK = Effort(14, 1, 8, 16 * MIB, ALL[:5], (8, KIB, 64 * KIB), (16, 64 * KIB), 2)


def sizes(step, largest):
    """0, 1, and from there on in steps, up to the largest and with it; long ones, of which
    each takes long, in steps of at least 4."""
    found, size = [0], 1
    while size < largest:
        found.append(size)
        size *= step if size < LONG else max(step, 4)
    return found + [largest]


def largest_message(effort, memory):
    """Two ranks have two buffers of it, and the bare copies nearly as much."""
    return min(effort.largest, 1 << (memory // 8).bit_length() - 1)


def in_short(size):
    """As the programs take it: 8, 64K, 1M."""
    for unit, name in [(MIB, "M"), (KIB, "K")]:
        if size >= unit and size % unit == 0:
            return f"{size // unit}{name}"
    return str(size)


def _batch(seconds, places):
    """Seconds of a batch; ranks that share cores need long ones for everybody to have had them."""
    return min(max(seconds / 100, 5e-5), 1e-2) if places else 1e-2


def rank_counts(cores, least):
    """2, 4, 8, ... up to the cores, or to the least where cores are fewer; and all cores."""
    counts, count = [], 2
    while count <= max(cores, least):
        counts.append(count)
        count *= 2
    return sorted({*counts, cores})


class Plan:
    """The runs of one round. `cpus` are those of node.topology()."""

    def __init__(self, effort, parts, cpus, facts, mpis, ranks=None):
        self.effort, self.parts = effort, parts
        self.all = cpus
        self.cores = node.one_cpu_a_core(cpus)
        self.pair = tuple(cpu["cpu"] for cpu in self.cores[:2])
        self.ranks = ranks or rank_counts(len(self.cores), effort.least_ranks)
        self.memory = facts["memory_available"]
        self.sizes = sizes(effort.step, largest_message(effort, self.memory))
        self.cold = min(4 * facts["last_cache"], self.memory // 8)
        self.starts = effort.rounds * mpis
        chosen = sum(SHARES[part] for part in parts)
        self.seconds = {part: effort.seconds * SHARES[part] / chosen for part in parts}

    def matrix(self):
        """The CPUs between whose pairs is measured: all, or some of those of every kind."""
        some = self.all
        while len(some) > 2 and self._pairs_time(some) > self.seconds["cores"]:
            some = node.one_cpu_a_core(some) if len(some) > len(self.cores) else some[::2]
        return tuple(cpu["cpu"] for cpu in some)

    def _pairs_time(self, cpus):
        return len(cpus) * (len(cpus) - 1) / 2 * LEAST_PAIR * self.starts

    def runs(self):
        made = {
            "cores": self._cores,
            "sweep": self._sweep,
            "threads": self._threads,
            "collectives": self._collectives,
            "onesided": self._onesided,
            "guidelines": self._guidelines,
        }
        return [run for part in self.parts for run in made[part]()]

    def _seconds(self, part, runs=1):
        """Of each of so many runs that a part has in a round."""
        return self.seconds[part] / self.starts / runs

    def _run(self, name, program, seconds, *arguments, ranks, **more):
        words = [f"seconds={seconds:.4g}", *arguments]
        timeout = max(PATIENCE * self.seconds[name.split("_")[0]], LEAST_PATIENCE)
        return Run(name, program, tuple(words), ranks, timeout=timeout, **more)

    def _cores(self):
        cpus = self.matrix()
        yield self._run("cores", "cores", self._seconds("cores"), ranks=len(cpus), cpus=cpus)

    def _sweep(self):
        short = [size for size in self.sizes if size <= LONG]
        long = self.sizes[len(short) :]
        yield self._messages("sweep", 1 if long == [] else 2, short, shows=("protocols",))
        if long:
            yield self._messages("sweep_long", 2 / self.effort.rounds, long, once=True)

    def _messages(self, name, part, some, *arguments, **more):
        """Messages of some sizes, in a part of the time that there is for them."""
        return self._run(
            name,
            "sweep",
            self._seconds(name.split("_")[0], part),
            "sizes=" + ",".join(map(str, some)),
            f"cold={self.cold}",
            *arguments,
            ranks=2,
            cpus=self.pair,
            near_or_far=True,
            **more,
        )

    def _threads(self):
        """A sweep at MPI_THREAD_MULTIPLE: what being ready for threads costs."""
        yield self._messages("threads", 1, THREAD_SIZES, "level=multiple", "prefix=threads_")

    def _places(self, ranks):
        """A CPU for each rank, each on its core while these suffice."""
        own = [cpu["cpu"] for cpu in self.cores]
        return tuple(own[rank] for rank in range(ranks)) if ranks <= len(own) else ()

    def _collectives(self):
        for ranks in self.ranks:
            names = ["barrier"] + [
                f"{operation}_{in_short(length)}"
                for operation in self.effort.operations
                for length in self.effort.lengths
                if 2 * length * ranks * ranks <= self.memory // 4
            ]
            seconds = self._seconds("collectives", len(self.ranks)) / len(names)
            places = self._places(ranks)
            yield self._run(
                f"collectives_{ranks}",
                "collectives",
                seconds,
                f"batch={_batch(seconds, places):.4g}",
                *names,
                ranks=ranks,
                cpus=places,
                two_cores=not places and len(self.cores) == 2,
            )

    def _onesided(self):
        most = max(self.ranks)
        some = {2: onesided.PAIR, **({most: onesided.CROWD} if most > 2 else {})}
        seconds = self._seconds("onesided") / sum(map(len, some.values()))
        for ranks, of_it in some.items():
            places = self._places(ranks)
            yield self._run(
                f"onesided_{ranks}",
                "onesided",
                seconds,
                f"batch={_batch(seconds, places):.4g}",
                f"compute={min(seconds / 3, COMPUTE):.4g}",
                *(figure.name for figure in of_it),
                ranks=ranks,
                cpus=places,
                two_cores=not places and len(self.cores) == 2,
                optional=True,
            )

    def _guidelines(self):
        ranks = max(count for count in [2, *self.ranks] if count <= len(self.cores))
        listed = "sizes=" + ",".join(map(str, self.effort.guideline_sizes))
        yield self._run(
            "guidelines",
            "guidelines",
            self._seconds("guidelines"),
            listed,
            ranks=ranks,
            cpus=self._places(ranks),
        )
