"""One-sided communication that waits for ever, and locks of ranks that are killed."""

import re
import unittest

from faults import FaultTest, isolate, program, run

WAITS = program("test/faults/window_waits")
DEADLOCK = 123
KILLED = 137
RANKS = 4


class WindowWaits(FaultTest):
    def causes(self, how, ranks):
        """The lines about a job that never ends, and what is said about its cause."""
        status, output, errors = run("-n", ranks, WAITS, how)
        self.assertEqual((status, output), (DEADLOCK, ""), errors)
        lines = re.sub(r"waits [\d.]+ s.*", "waits", errors).splitlines()
        causes = [line for line in lines if "likely cause" in line]
        return lines[1:1 + ranks], causes[0].removeprefix("mpiexec: likely cause: ")

    def test_a_cycle_of_locks(self):
        lines, cause = self.causes("cycle", 2)
        self.assertEqual(lines, [
            "rank 0: MPI_Win_lock for the exclusive lock of rank 1, window halo of size 2, held "
            "exclusively by rank 1, waits",
            "rank 1: MPI_Win_lock for the exclusive lock of rank 0, window halo of size 2, held "
            "exclusively by rank 0, waits"])
        self.assertIn("all ranks have to lock the targets in the same order", cause)
        self.causes("cycle", 5)

    def test_a_lock_that_is_kept(self):
        _, cause = self.causes("kept", 3)
        self.assertTrue(cause.startswith(
            "rank 0 holds the exclusive lock of rank 1 on window halo, for which ranks 1-2 wait, "
            "and is in MPI_Recv from 1"), cause)

    def test_starts_before_posts(self):
        lines, cause = self.causes("starts", 2)
        self.assertEqual(lines[0], "rank 0: MPI_Win_start for MPI_Win_post of 2 ranks, the first 0, "
                         "window halo of size 2, waits")
        self.assertIn("post first", cause)

    def test_a_rank_is_killed_at_any_time(self):
        """The others get an error, or never meet what it held; nobody hangs."""
        for microseconds in range(0, 10000, 500):
            status, output, errors = run("-disable-auto-cleanup", "-n", RANKS, WAITS, "killed",
                                         microseconds)
            # 1: the others had ended, without MPI_Finalize, before the signal came.
            self.assertIn(status, [KILLED, 1], errors)
            self.assertEqual(sorted(output.splitlines()),
                             [f"rank {rank} goes on" for rank in range(1, RANKS)])

    def test_a_killed_rank_ends_the_job(self):
        status, _, errors = run("-n", RANKS, WAITS, "killed", 100)
        self.assertEqual(status, KILLED)
        self.assertIn("was killed by signal 9, SIGKILL (Killed)", errors)


if __name__ == "__main__":
    isolate()
    unittest.main(verbosity=2)
