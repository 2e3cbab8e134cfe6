"""Counts the instructions that a message of 8 bytes takes, with callgrind.

Unlike a time, the count is the same on a busy machine. Needs valgrind.
"""

import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import mpis
import this_tree
from mpis import Failure
from this_tree import ROOT

RUN = mpis.Run("instructions", "instructions", (), 2)
MESSAGES = 32  # a batch, as in instructions.c
FEW, MANY = 3, 9  # batches: the difference has no start-up and no first contact in it

# What is counted, and which run of instructions.c has it. MPI_Waitall is the
# only one that both ranks call; its instructions are the sum.
CALLS = [
    ("MPI_Send", "blocking"),
    ("MPI_Recv", "blocking"),
    ("MPI_Isend", "window"),
    ("MPI_Irecv", "window"),
    ("MPI_Waitall", "window"),
]


def total(mpi, program, call, run, batches):
    """Instructions inside `call`, of both ranks, in a run of `batches`."""
    with tempfile.TemporaryDirectory(prefix="callgrind.") as folder:
        valgrind = [
            "valgrind",
            "--tool=callgrind",
            f"--callgrind-out-file={folder}/%p",
            f"--toggle-collect={call}",  # one function under two names: whichever
            f"--toggle-collect=P{call}",  # valgrind has chosen
        ]
        words = [mpi.mpiexec, *mpi.options(RUN), "-n", 2, *valgrind, program, run, batches]
        done = subprocess.run([str(w) for w in words], capture_output=True, text=True, timeout=300)
        if done.returncode != 0:
            raise Failure(f"{mpi.name} under valgrind: {mpis.first_line(done.stderr)}")
        records = [path.read_text() for path in pathlib.Path(folder).iterdir()]
    sums = [re.search(r"^(?:totals|summary): (\d+)", record, re.MULTILINE) for record in records]
    return sum(int(match[1]) for match in sums if match)


def instructions(mpi, program, call, run):
    """Instructions of `call` for each message."""
    few, many = (total(mpi, program, call, run, batches) for batches in [FEW, MANY])
    if many == few:
        raise Failure(f"callgrind saw no {call} of {mpi.name}")
    return (many - few) / (MANY - FEW) / MESSAGES


def count(options, scratch):
    if shutil.which("valgrind") is None:
        raise Failure("there is no valgrind (package valgrind)")
    chosen = [this_tree.atoll(options.atoll, scratch)]
    if options.peers:
        chosen += [mpi for mpi in this_tree.peers() if not mpi.missing()]
    programs = {}
    for mpi in chosen:
        programs[mpi.key] = scratch / f"instructions.{mpi.key}"
        mpi.compile(ROOT / "bench/instructions.c", programs[mpi.key], ROOT)
    print("instructions a message  " + "".join(f"{mpi.name:>10}" for mpi in chosen))
    for call, run in CALLS:
        counts = [instructions(mpi, programs[mpi.key], call, run) for mpi in chosen]
        print(f"{call:24}" + "".join(f"{number:10.0f}" for number in counts), flush=True)


def main():
    parser = argparse.ArgumentParser(prog="instructions", description=__doc__.split("\n")[0])
    parser.add_argument("--atoll", metavar="PREFIX", help="an installed Atoll, not this tree's")
    parser.add_argument("--peers", action="store_true", help="count for MPICH and Open MPI, too")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="atoll-instructions.") as scratch:
        try:
            count(options, pathlib.Path(scratch))
            return 0
        except Failure as failure:
            print(f"instructions: {failure}", file=sys.stderr)
            return 1


if __name__ == "__main__":
    sys.exit(main())
