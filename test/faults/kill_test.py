"""kill -9 of a rank, of mpiexec, and of everything, at random moments of a busy job.

200 jobs in total. Nothing may be left in /dev/shm or /tmp, no process may be
left, and mpiexec's status and message must be right.
"""

import os
import random
import signal
import time
import unittest

from faults import FaultTest, Job, files, isolate, kill, program

PROGRAMS = [
    [program("test/faults/busy")],  # messages
    [program("test/faults/makers"), "0", "0"],  # communicators made and freed
]
SEED = int(os.environ.get("FAULTS_SEED", time.time_ns()))
LATEST = 0.15  # seconds after the start of mpiexec; the ranks are at work long before


class Kill(FaultTest):
    def jobs(self, count):
        """Busy jobs of several sizes, each left alone for a random time."""
        for _ in range(count):
            job = Job("-n", random.choice([1, 2, 3, 4, 8]), *random.choice(PROGRAMS))
            try:
                time.sleep(random.uniform(0, LATEST))
                yield job
                self.assertEqual(job.leftovers(), [])
                self.assertEqual(files() - self.before, set())
            finally:
                job.end()

    def test_a_rank(self):
        for job in self.jobs(80):
            while not (ranks := job.ranks()):
                self.assertIsNone(job.process.poll())
            rank, pid = random.choice(sorted(ranks.items()))
            self.assertTrue(kill(pid))
            status, output, errors = job.finish()
            self.assertEqual(output, "")
            told, *others = errors.splitlines()
            self.assertLessEqual(len(others), 1, errors)
            self.assertTrue(all(line.startswith("mpiexec: meanwhile: ") for line in others), errors)
            self.assertRegex(told, rf"^mpiexec: rank {rank} \(.*pid {pid}.*SIGKILL")
            self.assertEqual(status, 128 + signal.SIGKILL)

    def test_mpiexec(self):
        for job in self.jobs(60):
            kill(job.process.pid)
            status, output, errors = job.finish()
            self.assertEqual((status, output, errors), (-signal.SIGKILL, "", ""))

    def test_everything_at_once(self):
        for job in self.jobs(60):
            pids = list(job.processes())
            random.shuffle(pids)
            for pid in pids:
                kill(pid)
            job.process.wait()


if __name__ == "__main__":
    isolate()
    print(f"FAULTS_SEED={SEED}")
    random.seed(SEED)
    unittest.main(verbosity=2)
