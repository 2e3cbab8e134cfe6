"""Random jobs that end: none of them may be taken for a deadlock, or fail in any other way.

    bazel test //test/faults:alarms --test_arg=--runs=10000 --test_timeout=14400

Without arguments few are run, as a test. Ranks are stopped and continued from
outside as well. Each run has its seed, which is told when it fails.
"""

import argparse
import random
import signal
import sys
import threading
import time

from faults import Job, program

ANYTHING = program("test/faults/anything")
LONGEST_STOP = 0.6  # seconds: mpiexec looks several times meanwhile
SETTINGS = [{}, {}, {"ATOLL_WAIT": "sleep"}, {"ATOLL_CMA": "off"}]


def disturb(job, done):
    """Stops and continues single ranks, seldom all, until the job has ended."""
    while not done.wait(random.uniform(0, 0.02)):
        pids = list(job.ranks().values())
        chosen = pids if random.random() < 0.2 else random.sample(pids, min(len(pids), 1))
        for pid in chosen:
            job.signal(pid, signal.SIGSTOP)
        done.wait(random.uniform(0, LONGEST_STOP) if random.random() < 0.1 else 0.002)
        for pid in chosen:
            job.signal(pid, signal.SIGCONT)


def run(seed):
    """What is wrong with one run, or None."""
    random.seed(seed)
    ranks = random.choice([1, 2, 2, 3, 4, 6])
    settings = random.choice(SETTINGS)
    job = Job("--timeout", 60, "-n", ranks, ANYTHING, seed, env=settings)
    done = threading.Event()
    disturber = threading.Thread(target=disturb, args=(job, done))
    if random.random() < 0.2:
        disturber.start()
    try:
        status, output, errors = job.finish(120)
    finally:
        done.set()
        if disturber.ident:
            disturber.join()
        job.end()
    if (status, output, errors) == (0, "", ""):
        return None
    return f"FAILED: seed {seed}, {ranks} ranks, {settings}: status {status}\n{output}{errors}"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=40)
    parser.add_argument("--seed", type=int, default=0, help="of the first; 0: any")
    parser.add_argument("--minutes", type=float, default=0, help="no new run after these")
    arguments = parser.parse_args()
    first = arguments.seed or random.randrange(1 << 40)
    end = time.monotonic() + 60 * arguments.minutes if arguments.minutes else None
    done = failures = 0
    while done < arguments.runs and (end is None or time.monotonic() < end):
        problem = run(first + done)
        done += 1
        if problem is not None:
            failures += 1
            print(problem, flush=True)
    print(f"{done} runs from seed {first}, {failures} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
