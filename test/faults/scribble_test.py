"""A rank that writes at random into the job's shared memory ends its job at worst: no rank
follows what it finds there to a crash.

    bazel test //test/faults:scribble_test --test_arg=--seeds=500 --test_timeout=3600
"""

import argparse
import re
import sys
import unittest

from faults import FaultTest, isolate, program, run

SCRIBBLE = program("test/faults/scribble")
RANKS = 4
SECONDS = 10  # a rank may be left asleep when the damage met its doorbell
SEEDS = 24

CRASH = re.compile(r"was killed by signal|terminate called|runtime error:")


class Scribble(FaultTest):
    seeds = SEEDS

    def test_no_rank_crashes(self):
        ended_with = {}
        for seed in range(1, self.seeds + 1):
            status, _, errors = run("-n", RANKS, "--timeout", SECONDS, SCRIBBLE, seed)
            self.assertIsNone(CRASH.search(errors), f"seed {seed}:\n{errors}")
            # No silence: who does not end well says why.
            self.assertTrue(status == 0 or errors.strip(), f"seed {seed}: status {status}")
            ended_with[status] = ended_with.get(status, 0) + 1
        print("statuses and how often:", ended_with)
        # Else nothing was damaged, and the test tests nothing.
        self.assertGreater(len(ended_with), 1)


if __name__ == "__main__":
    isolate()
    parser = argparse.ArgumentParser()
    parser.add_argument("--seeds", type=int, default=SEEDS)
    options, rest = parser.parse_known_args()
    Scribble.seeds = options.seeds
    unittest.main(argv=[sys.argv[0], *rest])
