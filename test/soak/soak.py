"""Runs test/soak in all surroundings in turn, and says at the end how each of them went.

    bazel run //test/soak:long -- --minutes=60
    bazel run --config=small_rings //test/soak:long -- --minutes=60      rings of 8 slots

Each run has another seed. A run that fails is told with the command that repeats it; one that
hangs is ended by mpiexec, which prints what each rank waits for, and each rank prints which
operation of which round it was in.
"""

import argparse
import itertools
import os
import random
import re
import signal
import subprocess
import sys
import time

GRACE = 20  # seconds that mpiexec has to end a job after its own timeout
SLOWEST = 90  # seconds that a run may take longer than it is told to: its last rounds, and its end

# Names of settings, with what they set; BUILD adds those that all tests have.
SCARCITIES = {
    "usual": {},
    "eager": {"ATOLL_EAGER_BYTES": "1073741824"},
    "small_pieces": {"ATOLL_FRAGMENT_BYTES": "4096"},
    "few_transfers": {"ATOLL_RENDEZVOUS_RECORDS": "16"},
    "little_unexpected": {"ATOLL_UNEXPECTED_BYTES": "1048576"},
    "few_collective_buffers": {"ATOLL_COLLECTIVE_BYTES": "65536"},
    "all_scarce": {"ATOLL_RENDEZVOUS_RECORDS": "16", "ATOLL_UNEXPECTED_BYTES": "65536",
                   "ATOLL_COLLECTIVE_BYTES": "0", "ATOLL_FRAGMENT_BYTES": "4096",
                   "ATOLL_EAGER_BYTES": "1024", "ATOLL_WAIT": "sleep"},
}
# System calls that fail, as in a container.
FORBIDDEN = {
    "no_copies": "process_vm_readv,process_vm_writev",
    "no_membarrier": "membarrier",
}


class Line:
    """What the table says of one configuration."""

    def __init__(self):
        self.runs = self.rounds = self.operations = self.failures = 0


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mpiexec", default="launcher/mpiexec")
    parser.add_argument("--program", default="test/soak/soak_program")
    parser.add_argument("--forbid_calls", default="test/faults/forbid_calls")
    parser.add_argument("--setting", action="append", default=[], metavar="NAME:VARIABLE=VALUE")
    parser.add_argument("--minutes", type=float, default=1, help="for all runs together")
    parser.add_argument("--seconds", type=float, default=10, help="for one run")
    parser.add_argument("--ranks", default="2,3,4,8,16,33,64", help="counts, separated by commas")
    parser.add_argument("--threads", default="0,3", help="of each rank; 0: MPI_THREAD_SINGLE")
    parser.add_argument("--seeds", default="", help="of the first runs; then others each time")
    parser.add_argument("--only", default="", help="configurations, separated by commas")
    parser.add_argument("--once", action="store_true", help="each configuration, however long")
    parser.add_argument("arguments", nargs="*", help="of the program")
    return parser.parse_args()


def configurations(arguments):
    """name -> (what stands before mpiexec, environment)."""
    found = {name: ([], env) for name, env in SCARCITIES.items()}
    for setting in arguments.setting:
        name, assignment = setting.split(":", 1)
        variable, value = assignment.split("=", 1)
        found.setdefault(name, ([], {}))[1][variable] = value
    for name, calls in FORBIDDEN.items():
        found[name] = ([os.path.abspath(arguments.forbid_calls), calls], {})
    if arguments.only:
        found = {name: found[name] for name in arguments.only.split(",")}
    return found


def run(command, environment, seconds):
    """Status, standard output and standard error; the status is None for a killed run."""
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True, errors="replace",
                               env={**os.environ, **environment}, start_new_session=True)
    try:
        output, errors = process.communicate(timeout=seconds)
        return process.returncode, output, errors
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        output, errors = process.communicate()
        return None, output, errors


def take_turns(arguments):
    """(configuration, ranks, threads, seed), one after the other, without an end."""
    names = list(configurations(arguments))
    ranks = [int(count) for count in arguments.ranks.split(",")]
    threads = [int(count) for count in arguments.threads.split(",")]
    seeds = itertools.chain((int(seed) for seed in arguments.seeds.split(",") if seed),
                            iter(lambda: random.randrange(1, 1 << 31), 0))
    turn = 0
    while True:
        # Each configuration meets other counts each time.
        for name in names:
            yield name, ranks[turn % len(ranks)], threads[turn // len(ranks) % len(threads)], next(seeds)
            turn += 1
        if len(names) % len(ranks) == 0:
            turn += 1


def play(arguments, name, ranks, threads, seed, line):
    """One run. Whether it went well."""
    wrapper, environment = configurations(arguments)[name]
    timeout = int(arguments.seconds + SLOWEST)
    command = [*wrapper, os.path.abspath(arguments.mpiexec), "--timeout", str(timeout), "-n",
               str(ranks), os.path.abspath(arguments.program), f"--seed={seed}",
               f"--seconds={arguments.seconds}", f"--threads={threads}", *arguments.arguments]
    status, output, errors = run(command, environment, timeout + GRACE)
    line.runs += 1
    done = re.search(r"^(\d+) rounds, (\d+) operations$", output, re.MULTILINE)
    if done:
        line.rounds += int(done[1])
        line.operations += int(done[2])
    if status == 0 and not errors and re.search(r"^ok [1-9]\d* checks$", output, re.MULTILINE):
        return True
    line.failures += 1
    settings = " ".join(f"{variable}={value}" for variable, value in environment.items())
    print(f"FAILED ({name}): status {status}: {settings} {' '.join(command)}")
    print("--- standard output", output, "--- standard error", errors, "---", sep="\n", flush=True)
    return False


def print_table(lines):
    print(f"{'configuration':16}{'runs':>6}{'rounds':>10}{'operations':>12}{'failures':>10}")
    for name, line in lines.items():
        print(f"{name:16}{line.runs:6}{line.rounds:10}{line.operations:12}{line.failures:10}")
    print(f"{'all':16}{sum(line.runs for line in lines.values()):6}"
          f"{sum(line.rounds for line in lines.values()):10}"
          f"{sum(line.operations for line in lines.values()):12}"
          f"{sum(line.failures for line in lines.values()):10}", flush=True)


def main():
    arguments = parse_arguments()
    lines = {name: Line() for name in configurations(arguments)}
    end = time.monotonic() + 60 * arguments.minutes
    turns = take_turns(arguments)
    if arguments.once:
        turns = itertools.islice(turns, len(lines))
    for name, ranks, threads, seed in turns:
        if not arguments.once and time.monotonic() >= end:
            break
        good = play(arguments, name, ranks, threads, seed, lines[name])
        print(f"{time.strftime('%T')} {'passed' if good else 'FAILED'}: {name}, {ranks} ranks, "
              f"{threads} threads, seed {seed}", flush=True)
    print_table(lines)
    return 1 if any(line.failures for line in lines.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
