"""The figures of one-sided communication: their names, titles and limits."""

import dataclasses


@dataclasses.dataclass(frozen=True)
class Figure:
    name: str  # as onesided.c takes it
    title: str
    limits: tuple = ()  # names that limits.cc prints; the best of them is the machine's
    unit: str = "us"


SIZES = {"64K": "64 KiB", "1M": "1 MiB", "16M": "16 MiB"}


def _copies(call, size):
    """Of a put or get: into the memory of another process, or out of it."""
    return f"copy_in_{size}" if call == "put" else f"copy_back_{size}"


def _created(call, size):
    return f"writev_{size}" if call == "put" else f"readv_{size}"


def _large():
    calls = [(call, size) for size in SIZES for call in ["put", "get"]]
    for call, size in calls:
        title = f"MPI_{call.capitalize()}, {SIZES[size]}"
        yield Figure(f"{call}_{size}", title, (_copies(call, size),))
    for call, size in calls:
        title = f"MPI_{call.capitalize()}, {SIZES[size]}, created window"
        yield Figure(f"{call}_{size}_created", title, (_created(call, size),))


# Of two ranks.
PAIR = [
    Figure("put_8", "MPI_Put, 8 bytes", ("store",)),
    Figure("get_8", "MPI_Get, 8 bytes", ("store",)),
    Figure("fetch_and_op", "MPI_Fetch_and_op", ("atomic",)),
    Figure("compare_and_swap", "MPI_Compare_and_swap", ("atomic",)),
    Figure("accumulate_1", "MPI_Accumulate, 1 double", ("atomic",)),
    Figure("accumulate_1000", "MPI_Accumulate, 1000 doubles", ("add_1000",)),
    Figure("accumulate_1000000", "MPI_Accumulate, 1,000,000 doubles", ("add_1000000",)),
    *_large(),
    Figure("put_column", "MPI_Put, column of a matrix, 8 KiB", ("column",)),
    Figure("lock", "MPI_Win_lock and unlock", ("atomic",)),
    Figure("lock_all", "MPI_Win_lock_all and unlock_all"),
    Figure("fence", "MPI_Win_fence", ("hop",)),
    Figure("pscw", "post, start, MPI_Put, complete, wait", ("hop",)),
    Figure("allocate", "MPI_Win_allocate and free"),
    Figure("get_computing", "MPI_Get from a rank that computes"),
    Figure("get_computing_created", "the same, created window"),
]

# Of many, which may share cores.
CROWD = [
    Figure("lock_all", "MPI_Win_lock_all and unlock_all"),
    Figure("contended", "lock that all contend for, get, put, unlock"),
    Figure("lock_wait_cpu", "waiting for a lock: processors used (not us)", unit="cpus"),
]
