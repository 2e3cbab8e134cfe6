"""What is measured, and what is to be reached: the one table of both."""

import dataclasses

import onesided
from mpis import Run

PAIR, CROWD, BLOCKED = "pair", "crowd", "blocked"  # arguments of figures.c
COMMUNICATORS_2, COMMUNICATORS_8 = "communicators_2", "communicators_8"
START_2, START_8 = "start_2", "start_8"
MEMORY = "memory"
TYPES = "types"
COLLECTIVES = {ranks: f"collectives_{ranks}" for ranks in [2, 4, 8, 16]}
ONESIDED = {ranks: f"onesided_{ranks}" for ranks in [2, 8]}


@dataclasses.dataclass(frozen=True)
class Figure:
    """One row of the table. Lower is better in all of them."""

    name: str  # as the run's program prints it, and limits.cc
    title: str
    unit: str
    run: str  # which run prints it
    limits: tuple = ()  # names of limits; the best of them is the machine's
    of_peer: float = None  # to reach: at most this part of the better peer
    at_most: float = None  # to reach: at most this
    of_limit: float = None  # to reach: at most this multiple of the limit
    more: float = 0  # and so much more, in the figure's unit


def _large(size, title, of_peer):
    return Figure(
        f"latency_{size}",
        f"one-way time, {title}",
        "us",
        PAIR,
        (f"memcpy_{size}", f"halves_{size}", f"ring_{size}"),
        of_peer=of_peer,
    )


SIZES = {"8": "8 bytes", "1K": "1 KiB", "64K": "64 KiB", "1M": "1 MiB"}


def _collective(call, ranks, of_peer=None, limits=()):
    """`call`: barrier, or allreduce_64K, as collectives.c takes it."""
    operation, _, size = call.partition("_")
    title = f"MPI_{operation.capitalize()}" + (size and f", {SIZES[size]}")
    title += f", {ranks} ranks" + (" on 2 cores" if ranks > 2 else "")
    return Figure(f"coll_{call}_{ranks}", title, "us", COLLECTIVES[ranks], limits, of_peer)


def _collectives_of_two():
    operations = ["bcast", "reduce", "allreduce", "allgather", "alltoall"]
    calls = [f"{operation}_{size}" for operation in operations for size in SIZES]
    return [_collective(call, 2, of_peer=0.6) for call in calls]


def _collectives_of_many(ranks, **of_peer):
    calls = ["barrier", "allreduce_8", "allreduce_64K", "bcast_64K", "alltoall_1K", "allgather_64K"]
    return [_collective(call, ranks, of_peer.get(call)) for call in calls]


SAME = 1.1  # what two times of the same work may differ by

# What is to be reached of the figures of one-sided communication.
ONESIDED_TARGETS = {
    "put_8": dict(of_peer=0.6, of_limit=1, more=0.015),
    "get_8": dict(of_peer=0.6, of_limit=1, more=0.015),
    "fetch_and_op": dict(of_peer=0.4, of_limit=1.5, more=0.015),
    "compare_and_swap": dict(of_peer=0.4, of_limit=1.5, more=0.015),
    "accumulate_1": dict(of_peer=0.6),
    "accumulate_1000": dict(of_peer=0.8),
    "accumulate_1000000": dict(of_peer=0.8, of_limit=1.2),
    **{f"put_{size}": dict(of_peer=0.9, of_limit=SAME) for size in onesided.SIZES},
    **{f"get_{size}": dict(of_peer=0.9, of_limit=SAME) for size in onesided.SIZES},
    **{f"put_{size}_created": dict(of_peer=0.6, of_limit=SAME) for size in onesided.SIZES},
    **{f"get_{size}_created": dict(of_peer=0.6, of_limit=SAME) for size in onesided.SIZES},
    "put_column": dict(of_peer=0.4),
    "lock": dict(of_peer=0.3),
    "fence": dict(of_peer=0.6),
    "pscw": dict(of_peer=0.5),
    "allocate": dict(of_peer=0.1),
    "get_computing": dict(at_most=100),
    "get_computing_created": dict(at_most=100),
}
ONESIDED_TARGETS_8 = {
    "lock_all": dict(of_peer=0.1),
    "contended": dict(of_peer=0.5),
    "lock_wait_cpu": dict(at_most=0.05),
}


def _onesided(figures, ranks, to_reach):
    for figure in figures:
        title = figure.title + (f", {ranks} ranks on 2 cores" if ranks > 2 else "")
        name, wanted = f"rma_{figure.name}_{ranks}", to_reach.get(figure.name, {})
        yield Figure(name, title, figure.unit, ONESIDED[ranks], figure.limits, **wanted)


FIGURES = [
    Figure("latency_8", "one-way time, 8 bytes", "us", PAIR, ("hop",), of_peer=0.75),
    Figure("wildcard_8", "the same, wildcard receive", "us", PAIR, ("hop",), of_peer=0.8),
    Figure("window_8", "time a message, 64 in flight", "us", PAIR, of_peer=0.6),
    _large("64K", "64 KiB", 0.75),
    _large("256K", "256 KiB", 0.6),
    _large("1024K", "1 MiB", 0.6),
    _large("4096K", "4 MiB", 0.6),
    _large("16384K", "16 MiB", 0.6),
    Figure("type_column", "column of a matrix, 8 KiB", "us", TYPES, of_peer=0.6),
    Figure("type_blocks", "4096 blocks of 16 doubles", "us", TYPES, of_peer=0.6),
    Figure("type_x_face", "x face of 128^3 doubles", "us", TYPES, of_peer=0.6),
    Figure("type_y_face", "y face of 128^3 doubles", "us", TYPES, of_peer=0.6),
    Figure("type_particles", "1000 structs of 59 in 64 bytes", "us", TYPES, of_peer=0.6),
    Figure("type_ragged", "10,000 ragged blocks, 314 KiB", "us", TYPES, of_peer=0.6),
    Figure("type_transpose", "transpose of 512 x 512 doubles", "us", TYPES, of_peer=0.6),
    Figure("crowd_8", "8 ranks on 2 cores, 8 bytes", "us", CROWD, ("hop",), of_peer=1.0),
    Figure("dup_2", "MPI_Comm_dup and free, 2 ranks", "us", COMMUNICATORS_2, of_peer=0.4),
    Figure("split_2", "MPI_Comm_split and free, 2 ranks", "us", COMMUNICATORS_2, of_peer=0.4),
    Figure("dup_8", "MPI_Comm_dup and free, 8 ranks on 2 cores", "us", COMMUNICATORS_8, of_peer=0.3),
    Figure("split_8", "MPI_Comm_split and free, the same", "us", COMMUNICATORS_8, of_peer=0.3),
    _collective("barrier", 2, of_peer=0.6, limits=("hop",)),
    *_collectives_of_two(),
    *_collectives_of_many(4),
    *_collectives_of_many(
        8, barrier=0.5, allreduce_8=0.5, allreduce_64K=0.6, bcast_64K=0.6, allgather_64K=0.6
    ),
    *_collectives_of_many(16),
    *_onesided(onesided.PAIR, 2, ONESIDED_TARGETS),
    *_onesided(onesided.CROWD, 8, ONESIDED_TARGETS_8),
    Figure("blocked_cpu", "CPU of 7 ranks blocked 1 s", "s", BLOCKED, at_most=0.05),
    Figure("start_2", "mpiexec -n 2, empty program", "ms", START_2),
    Figure("start_8", "mpiexec -n 8, empty program", "ms", START_8, of_peer=0.2),
    Figure("memory_128", "shared memory of 128 ranks", "MiB", MEMORY, at_most=128),
]


RUNS = [
    Run(PAIR, "figures", ("pair",), 2, bound=True, near_or_far=True),
    Run(TYPES, "types", (), 2, bound=True, near_or_far=True),
    Run(CROWD, "figures", ("crowd",), 8, two_cores=True, near_or_far=True),
    Run(COMMUNICATORS_2, "figures", ("communicators",), 2, bound=True, near_or_far=True),
    Run(COMMUNICATORS_8, "figures", ("communicators",), 8, two_cores=True, near_or_far=True),
    Run(COLLECTIVES[2], "collectives", (), 2, bound=True, near_or_far=True),
    Run(COLLECTIVES[4], "collectives", (), 4, two_cores=True, near_or_far=True),
    Run(COLLECTIVES[8], "collectives", (), 8, two_cores=True, near_or_far=True),
    Run(COLLECTIVES[16], "collectives", (), 16, two_cores=True, near_or_far=True),
    Run(ONESIDED[2], "onesided", (), 2, bound=True, near_or_far=True, optional=True),
    Run(ONESIDED[8], "onesided", (), 8, two_cores=True, near_or_far=True, optional=True),
    Run(BLOCKED, "figures", ("blocked",), 8, two_cores=True),
    Run(START_2, "figures", ("empty",), 2, wall=True),
    Run(START_8, "figures", ("empty",), 8, wall=True),
    Run(MEMORY, "memory", (), 128, only="atoll"),
]


def selected(pattern):
    """The figures whose name or title the regular expression finds."""
    return [f for f in FIGURES if pattern.search(f.name) or pattern.search(f.title)]


def runs_for(figures):
    """The runs that print them, in order. Those of programs that take names print nothing else."""
    wanted = {figure.run for figure in figures}
    runs = [run for run in RUNS if run.name in wanted]
    return [_with_calls(run, figures) if run.program in PREFIXES else run for run in runs]


# Programs that take names of figures, and what they print before these.
PREFIXES = {"collectives": "coll_", "onesided": "rma_"}


def _with_calls(run, figures):
    names = [figure.name for figure in figures if figure.run == run.name]
    prefix = PREFIXES[run.program]
    calls = [name.removeprefix(prefix).removesuffix(f"_{run.ranks}") for name in names]
    return dataclasses.replace(run, arguments=tuple(calls))
