"""What is told of ranks that wait for ever, and what they cost meanwhile."""

import re
import resource
import unittest

from faults import FaultTest, isolate, program, run

WAITS = program("test/faults/waits")
RANKS = 8

TABLE = """\
mpiexec: the job did not end within 1 s (--timeout); it was waiting so:
rank 0: MPI_Recv from 1, tag 7, communicator halo of size 8, 4 bytes, waits N s
rank 1: MPI_Recv from any source, any tag, communicator MPI_COMM_WORLD of size 8, 4 bytes, waits N s
rank 2: MPI_Ssend to 3, tag 8, communicator halo of size 8, 4 bytes, waits N s
rank 3: MPI_Probe from 0, tag 9, communicator MPI_COMM_WORLD of size 8, waits N s
rank 4: MPI_Send to 5, tag 10, communicator MPI_COMM_WORLD of size 8, 1048577 bytes, waits N s
rank 5: MPI_Waitall for 3 requests, the first a receive from 0, tag 11, communicator MPI_COMM_WORLD of size 8, 4 bytes, waits N s
rank 6: MPI_Barrier, communicator halo of size 8, waits N s
rank 7: sleeps outside MPI
"""


def processor_seconds():
    """Used by all children that have ended, theirs included."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class Waits(FaultTest):
    def test_each_rank_says_what_it_waits_for(self):
        status, output, errors = run("--timeout", 1, "-n", RANKS, WAITS)
        self.assertEqual((status, output), (124, ""))
        errors = re.sub(r"waits [\d.]+ s(, at main)?", "waits N s", errors)
        self.assertEqual(errors, TABLE)

    def lines(self, *words):
        """The table of a job of which a rank is not in MPI."""
        status, output, errors = run("--timeout", 1, *words)
        self.assertEqual((status, output), (124, ""), errors)
        return re.sub(r"waits [\d.]+ s(, at \w+)?", "waits N s", errors).splitlines()[1:]

    def test_a_rank_that_never_calls_mpi(self):
        """The others wait for it, and it may begin at any time: no deadlock."""
        receive = "MPI_Recv from 2, tag 7, communicator MPI_COMM_WORLD of size 3, 4 bytes"
        self.assertEqual(self.lines("-n", 2, WAITS, "last", ":", "-n", 1, "sleep", 100), [
            f"rank 0: {receive}, waits N s",
            f"rank 1: {receive}, waits N s",
            "rank 2: has not called MPI_Init"])

    def test_a_rank_that_has_finalized_but_runs(self):
        receive = "MPI_Recv from 2, tag 7, communicator all of size 3, 4 bytes"
        self.assertEqual(self.lines("-n", 3, WAITS, "session"), [
            f"rank 0: {receive}, waits N s",
            f"rank 1: {receive}, waits N s",
            "rank 2: has finalized MPI, but runs"])

    def test_waiting_ranks_leave_the_processor_to_others(self):
        """Eight ranks for two seconds: a busy wait would use all the time there is."""
        before = processor_seconds()
        run("--timeout", 2, "-n", RANKS, WAITS)
        self.assertLess(processor_seconds() - before, 0.7)


if __name__ == "__main__":
    isolate()
    unittest.main(verbosity=2)
