"""atoll shows what the ranks of a running job do, and disturbs none."""

import os
import subprocess
import time
import unittest

from faults import WATCHDOG, FaultTest, Job, isolate, program

ATOLL = program("launcher/atoll")
WAITS = program("test/faults/waits")
RANKS = 8


def atoll(*words):
    return subprocess.run([ATOLL, *map(str, words)], capture_output=True, text=True,
                          timeout=WATCHDOG)


class Watched(FaultTest):
    def start(self, *words):
        self.job = Job(*words)
        self.addCleanup(self.job.end)

    def await_line(self, part):
        """The lines of `atoll ps`, once one of them has that part."""
        deadline = time.monotonic() + WATCHDOG
        while time.monotonic() < deadline:
            lines = atoll("ps", self.job.process.pid).stdout.splitlines()
            if any(part in line for line in lines):
                return lines
        self.fail(f"never: {part}")


class Atoll(Watched):
    def setUp(self):
        super().setUp()
        self.start("-n", RANKS, WAITS)

    def test_ps_says_who_waits(self):
        self.await_line("rank 7: sleeps outside MPI")
        lines = self.await_line("rank 0: MPI_Recv from 1, tag 7, communicator halo of size 8")
        self.assertEqual(lines[0], f"job {self.job.process.pid}: {RANKS} ranks")
        waits, kept = lines[1:RANKS + 1], lines[RANKS + 1:]
        self.assertEqual([line.split(":")[0] for line in waits],
                         [f"rank {rank}" for rank in range(RANKS)])
        for line in kept:
            self.assertRegex(line, r"^rank \d: keeps \d+ messages? that no receive has met, in ")
        self.assertTrue(kept)
        self.assertIsNone(self.job.process.poll())

    def test_top_has_a_line_for_each_rank(self):
        self.await_line("rank 0: MPI_Recv")
        done = atoll("top", "-n", 1, self.job.process.pid)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        _, heading, *lines = done.stdout.splitlines()
        self.assertRegex(heading, "rank .* unexpected")
        self.assertEqual([line.split()[0] for line in lines], [str(rank) for rank in range(RANKS)])
        self.assertIn("MPI_Recv from 1, tag 7", lines[0])

    def test_no_job(self):
        self.assertEqual(atoll("ps", 1).returncode, 1)
        self.assertEqual(atoll("pss").returncode, 2)


class NotInMpi(Watched):
    """The others wait for the last rank."""

    def test_a_rank_that_never_calls_mpi(self):
        self.start("-n", 1, WAITS, "last", ":", "-n", 1, "sleep", 100)
        lines = self.await_line("rank 0: MPI_Recv from 1, tag 7, communicator MPI_COMM_WORLD")
        self.assertEqual(lines[2:], ["rank 1: has not called MPI_Init"])

    def test_a_rank_that_has_finalized_but_runs(self):
        self.start("-n", 2, WAITS, "session")
        self.await_line("rank 1: has finalized MPI")
        lines = self.await_line("rank 0: MPI_Recv from 1, tag 7, communicator all of size 2")
        self.assertEqual(lines[2:], ["rank 1: has finalized MPI, but runs"])


class Cores(unittest.TestCase):
    def test_a_line_for_each_cpu_that_may_be_used(self):
        done = atoll("cores")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        heading, *lines = [line.split("\t") for line in done.stdout.splitlines()]
        self.assertEqual(heading, ["cpu", "core", "l3", "numa", "package"])
        self.assertEqual({int(line[0]) for line in lines}, os.sched_getaffinity(0))
        self.assertTrue(all(len(line) == len(heading) for line in lines))

    def test_it_takes_no_arguments(self):
        self.assertEqual(atoll("cores", 1).returncode, 2)


if __name__ == "__main__":
    isolate()
    unittest.main(verbosity=2)
