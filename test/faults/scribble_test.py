"""A rank that writes at random into the job's shared memory ends its job at worst: no rank
follows what it finds there to a crash, and neither do mpiexec and atoll.

    bazel test //test/faults:scribble_test --test_arg=--seeds=500 --test_timeout=3600

--records=N: so many seeds for what mpiexec reads; --first=N: the first seed.
"""

import argparse
import collections
import re
import subprocess
import sys
import unittest

from faults import WATCHDOG, FaultTest, Job, isolate, program, run

SCRIBBLE = program("test/faults/scribble")
RECORDS = program("test/faults/scribble_records")
ATOLL = program("launcher/atoll")
RANKS = 4
SECONDS = 10  # a rank may be left asleep when the damage met its doorbell
SEEDS = 24
RECORD_SEEDS = 2

CRASH = re.compile(r"was killed by signal|terminate called|runtime error:|Sanitizer")


class Scribble(FaultTest):
    first = 1
    seeds = SEEDS

    def test_no_rank_crashes(self):
        ended_with = collections.Counter()
        for seed in range(self.first, self.first + self.seeds):
            status, _, errors = run("-n", RANKS, "--timeout", SECONDS, SCRIBBLE, seed)
            self.assertIsNone(CRASH.search(errors), f"seed {seed}:\n{errors}")
            # No silence: who does not end well says why.
            self.assertTrue(status == 0 or errors.strip(), f"seed {seed}: status {status}")
            ended_with[status] += 1
        print("statuses and how often:", dict(ended_with))
        # Else nothing was damaged, and the test tests nothing.
        self.assertGreater(len(ended_with), 1)


class ScribbleRecords(FaultTest):
    """What ranks say of themselves: mpiexec says less, and how the job ends is as it was."""

    first = 1
    seeds = RECORD_SEEDS

    def ends(self, end, what, expected, seconds=SECONDS):
        for seed in range(self.first, self.first + self.seeds):
            job = Job("-n", RANKS, "--timeout", seconds, RECORDS, end, what, seed, errors="replace")
            try:
                if end == "stay":
                    self.look_at(job.process.pid)
                status, _, errors = job.finish()
            finally:
                job.end()
            said = f"{end} {what} {seed}: status {status}\n{errors}"
            self.assertGreaterEqual(status, 0, said)
            own = [line for line in errors.splitlines() if not line.startswith("mpiexec: rank 1 ")]
            self.assertIsNone(CRASH.search("\n".join(own)), said)
            if what == "told":
                self.assertIn(status, expected, said)
            if what == "told" and end == "crash":
                self.assertRegex(errors, r"mpiexec: rank 1 .* was killed by signal 11, SIGSEGV")

    def look_at(self, mpiexec):
        for words in [["ps"], ["top", "-n", "1"], ["ps"]]:
            done = subprocess.run([ATOLL, *words, str(mpiexec)], capture_output=True, text=True,
                                  errors="replace", timeout=WATCHDOG)
            self.assertIn(done.returncode, [0, 1], done.stderr)  # 1: mpiexec has just begun

    def test_ranks_end_well(self):
        self.ends("end", "told", [0])
        self.ends("end", "all", None)

    def test_deadlock(self):
        # The other where a rank seems not to wait, because the name of its call was damaged.
        self.ends("deadlock", "told", [123, 124])
        self.ends("deadlock", "all", None, seconds=3)

    def test_crash(self):
        self.ends("crash", "told", [128 + 11])
        self.ends("crash", "all", None)

    def test_a_job_that_is_looked_at(self):
        self.ends("stay", "told", [124], seconds=2)
        self.ends("stay", "all", None, seconds=2)


if __name__ == "__main__":
    isolate()
    parser = argparse.ArgumentParser()
    parser.add_argument("--seeds", type=int, default=SEEDS)
    parser.add_argument("--records", type=int, default=RECORD_SEEDS)
    parser.add_argument("--first", type=int, default=1)
    options, rest = parser.parse_known_args()
    Scribble.seeds, Scribble.first = options.seeds, options.first
    ScribbleRecords.seeds, ScribbleRecords.first = options.records, options.first
    unittest.main(argv=[sys.argv[0], *rest])
