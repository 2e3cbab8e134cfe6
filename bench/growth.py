"""How the cost of collectives grows with the ranks, as a table and a picture.

Twice as many ranks with each step, all on two cores; every MPI in turn, so that what
disturbs the machine disturbs them alike. See README.md in this folder.
"""

import argparse
import csv
import pathlib
import subprocess
import sys
import tempfile

import mpis
import rounds
import this_tree
from mpis import Failure, Run
from this_tree import ROOT

CALLS = ["barrier", "bcast_8", "allreduce_8", "allreduce_64K", "allgather_1K", "alltoall_1K"]


def arguments():
    parser = argparse.ArgumentParser(prog="growth", description=__doc__.split("\n")[0])
    parser.add_argument("--most", type=int, default=128, metavar="RANKS", help="how far (128)")
    parser.add_argument("--rounds", type=int, default=1, help="how often; the best counts (1)")
    parser.add_argument("--without", action="append", default=[], choices=["mpich", "openmpi"])
    parser.add_argument("--atoll", metavar="PREFIX", help="an installed Atoll, not this tree's")
    parser.add_argument("--csv", metavar="FILE", default="growth.csv", help="the table")
    parser.add_argument("--svg", metavar="FILE", default="growth.svg", help="the picture")
    return parser.parse_args()


def ranks_up_to(most):
    ranks = 2
    while ranks <= most:
        yield ranks
        ranks *= 2


def measure(chosen, programs, options):
    """{(call, ranks, MPI's name): us}; what fails is said and left out."""
    best = {}
    for _ in range(options.rounds):
        for ranks in ranks_up_to(options.most):
            run = Run("growth", "collectives", tuple(CALLS), ranks, two_cores=True)
            for mpi in chosen:
                print(f"{ranks} ranks, {mpi.name}", file=sys.stderr, flush=True)
                try:
                    records = mpi.measure(run, programs[mpi.key, run.program]).records
                except Failure as failure:
                    print(f"growth: {failure}", file=sys.stderr)
                    continue
                for call, record in zip(CALLS, records):
                    key = call, ranks, mpi.name
                    us = min(record["samples"])
                    best[key] = min(us, best.get(key, us))
    return best


def write_table(best, names, file):
    with file.open("w", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(["call", "ranks", *(f"{name} (us)" for name in names)])
        for call, ranks in dict.fromkeys((call, ranks) for call, ranks, _ in best):
            writer.writerow([call, ranks, *(best.get((call, ranks, name), "") for name in names)])


def title_of(call):
    name, _, size = call.partition("_")
    size = size if size.endswith(("K", "M")) or not size else f"{size} B"
    return f"MPI_{name.capitalize()} {size}".strip()


def picture(best, names):
    """Commands for gnuplot: a plot for each call, a line in it for each MPI."""
    yield "set terminal svg noenhanced size 1100,700 font 'sans,12' background 'white'"
    yield "set multiplot layout 2,3 title 'Collectives of many ranks on two cores, us a call'"
    yield "set logscale xy 2; set logscale y 10; set grid; set key top left"
    yield "set xlabel 'ranks'; set xtics 2; set xrange [1.8:]; set format y '%g'"
    for call in CALLS:
        drawn = [name for name in names if any(key[0] == call and key[2] == name for key in best)]
        for number, name in enumerate(drawn):
            yield f"$data{number} << END"
            yield from (f"{key[1]} {us}" for key, us in best.items() if key[0::2] == (call, name))
            yield "END"
        lines = [f"$data{n} with linespoints title '{name}'" for n, name in enumerate(drawn)]
        yield f"set title '{title_of(call)}'"
        yield "plot " + ", ".join(lines)


def draw(best, names, file):
    commands = "\n".join(picture(best, names)) + "\n"
    try:
        done = subprocess.run(["gnuplot"], input=commands, capture_output=True, text=True)
    except FileNotFoundError:
        raise Failure("the table is written, but there is no gnuplot to draw it") from None
    if done.returncode != 0:
        raise Failure(f"gnuplot: {mpis.first_line(done.stderr)}")
    file.write_text(done.stdout)


def grow(options, scratch):
    chosen = this_tree.choose(options.without, True, options.atoll, scratch)
    run = Run("growth", "collectives", (), 2)
    programs = rounds.compile_all(chosen, [run], scratch, this_tree.source_of, ROOT)
    best = measure(chosen, programs, options)
    names = [mpi.name for mpi in chosen]
    write_table(best, names, mpis.user_path(options.csv))
    draw(best, names, mpis.user_path(options.svg))


def main():
    try:
        with tempfile.TemporaryDirectory(prefix="atoll-growth.") as scratch:
            grow(arguments(), pathlib.Path(scratch))
    except Failure as failure:
        sys.exit(f"growth: {failure}")


if __name__ == "__main__":
    main()
