"""Storms of messages while ranks are stopped and continued at random moments.

    bazel test //test/faults:stress --test_arg=--minutes=30 --test_timeout=3600

Each storm has a new seed, rank count and way to wait, and is told with them
when it fails, so that it can be repeated. A stopped rank is one that the kernel
took the processor from in the middle of anything: of publishing a message, of
going to sleep, of waking another.
"""

import argparse
import random
import signal
import sys
import threading
import time

from faults import Job, program

STORM = program("test/p2p/storm_program")
LONGEST_STOP = 0.03  # seconds
SETTINGS = [
    {},
    {"ATOLL_CMA": "off"},
    {"ATOLL_EAGER_BYTES": "0"},
    {"ATOLL_WAIT": "sleep"},
    {"ATOLL_WAIT": "sleep", "ATOLL_CMA": "off"},
]


def disturb(job, ranks, done):
    """Stops and continues ranks until the job has ended."""
    pids = []
    while not done.is_set():
        if len(pids) < ranks:
            pids = list(job.ranks().values())
        for pid in random.sample(pids, random.randint(0, len(pids))):
            job.signal(pid, signal.SIGSTOP)
        done.wait(random.uniform(0, LONGEST_STOP))
        for pid in pids:
            job.signal(pid, signal.SIGCONT)
        done.wait(random.uniform(0, LONGEST_STOP))


def storm(seconds):
    """Runs one; what is wrong with it, or None."""
    seed = random.randrange(1 << 48)
    ranks = random.choice([2, 3, 4, 8])
    settings = random.choice(SETTINGS)
    told = f"{ranks} ranks, seed {seed}, {settings}"
    print(time.strftime("%T"), told, flush=True)
    job = Job("--timeout", seconds, "-n", ranks, STORM, seed, env=settings)
    done = threading.Event()
    disturber = threading.Thread(target=disturb, args=(job, ranks, done))
    disturber.start()
    try:
        status, output, errors = job.finish(seconds + 30)
    finally:
        done.set()
        disturber.join()
        job.end()
    if status == 0 and not errors and output.rstrip().endswith("checks"):
        return None
    return f"FAILED: {told}\nstatus {status}\n{output}\n{errors}"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=5)
    parser.add_argument("--seconds", type=int, default=120, help="for one storm")
    arguments = parser.parse_args()
    end = time.monotonic() + 60 * arguments.minutes
    failures = 0
    while time.monotonic() < end:
        problem = storm(arguments.seconds)
        if problem is not None:
            failures += 1
            print(problem, flush=True)
    print(f"{failures} storms failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
