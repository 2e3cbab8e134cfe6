"""Counts the instructions of MPI_Send and MPI_Recv of 8 bytes, with callgrind.

Unlike a time, the count is the same on a busy machine. Needs valgrind.
"""

import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import implementations
from implementations import Failure

ROOT = pathlib.Path(__file__).parent.parent  # of the built files
MESSAGES = 32  # a batch, as in instructions.c
FEW, MANY = 5, 15  # batches: the difference has no start-up and no first contact in it


def total(mpi, program, call, batches, folder):
    """Instructions inside `call`, by both ranks, in a run of `batches`."""
    valgrind = [
        "valgrind",
        "--tool=callgrind",
        f"--callgrind-out-file={folder}/{call}.{batches}.%p",
        f"--toggle-collect={call}",  # one function under two names: whichever
        f"--toggle-collect=P{call}",  # valgrind has chosen
    ]
    command = [mpi.mpiexec, *mpi.options(), "-n", "2", *valgrind, program, str(batches)]
    done = subprocess.run([str(w) for w in command], capture_output=True, text=True, timeout=300)
    if done.returncode != 0:
        raise Failure(f"{mpi.name} under valgrind: {implementations.first_line(done.stderr)}")
    found = 0
    for record in pathlib.Path(folder).glob(f"{call}.{batches}.*"):
        found += int(re.search(r"^(?:totals|summary): (\d+)", record.read_text(), re.MULTILINE)[1])
    return found


def instructions(mpi, program, call, folder):
    """Instructions of one call."""
    few, many = (total(mpi, program, call, batches, folder) for batches in [FEW, MANY])
    if many == few:
        raise Failure(f"callgrind saw no {call}")
    return (many - few) / (MANY - FEW) / MESSAGES


def main():
    parser = argparse.ArgumentParser(prog="instructions", description=__doc__.split("\n")[0])
    parser.add_argument("--atoll", metavar="PREFIX", help="an installed Atoll; else this source tree's")
    parser.add_argument("--peers", action="store_true", help="count for MPICH and Open MPI, too")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="atoll-instructions.") as folder:
        try:
            if shutil.which("valgrind") is None:
                raise Failure("there is no valgrind (package valgrind)")
            mpis = [implementations.atoll(ROOT, options.atoll, pathlib.Path(folder))]
            mpis += [m for m in implementations.peers() if options.peers and not m.missing()]
            for mpi in mpis:
                program = pathlib.Path(folder) / f"instructions.{mpi.key}"
                mpi.compile(ROOT / "bench/instructions.c", program)
                for call in ["MPI_Send", "MPI_Recv"]:
                    records = tempfile.mkdtemp(dir=folder)
                    print(f"{mpi.name} {call} {instructions(mpi, program, call, records):.0f}")
            return 0
        except Failure as failure:
            print(f"instructions: {failure}", file=sys.stderr)
            return 1


if __name__ == "__main__":
    sys.exit(main())
