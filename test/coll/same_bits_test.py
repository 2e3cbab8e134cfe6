"""Reductions give the same bits in each run of a job with as many ranks."""

import os
import subprocess
import unittest

MPIEXEC = os.path.abspath("launcher/mpiexec")
PROGRAM = os.path.abspath("test/coll/bits")
RUNS = 100


def bits(ranks, number, **environment):
    """What run `number` prints."""
    done = subprocess.run(
        [MPIEXEC, "--timeout", "30", "-n", str(ranks), PROGRAM, str(number)],
        capture_output=True, text=True, env={**os.environ, **environment})
    if done.returncode != 0 or done.stderr:
        raise AssertionError(f"run {number} on {ranks} ranks: {done.returncode}\n{done.stderr}")
    return done.stdout


class SameBits(unittest.TestCase):
    def test_each_run(self):
        for ranks in [2, 3, 5]:
            with self.subTest(ranks=ranks):
                first = bits(ranks, 0)
                self.assertGreater(len(first.splitlines()), 40)
                for number in range(1, RUNS):
                    waiting = {"ATOLL_WAIT": "sleep"} if number % 4 == 0 else {}
                    self.assertEqual(bits(ranks, number, **waiting), first, f"run {number}")

    def test_in_place_or_not(self):
        lines = dict(line.rsplit(": ", 1) for line in bits(3, 0).splitlines() if ": " in line)
        for call in lines:
            # Of a scattered sum another part of the buffer is the result.
            if not call.endswith(", in place") and not call.startswith(("reduce", "iexscan")):
                self.assertEqual(lines[call], lines[call + ", in place"], call)


if __name__ == "__main__":
    unittest.main()
