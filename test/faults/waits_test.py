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
rank 4: MPI_Send to 5, tag 10, communicator MPI_COMM_WORLD of size 8, 1048576 bytes, waits N s
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

    def test_waiting_ranks_leave_the_processor_to_others(self):
        """Eight ranks for two seconds: a busy wait would use all the time there is."""
        before = processor_seconds()
        run("--timeout", 2, "-n", RANKS, WAITS)
        self.assertLess(processor_seconds() - before, 0.7)


if __name__ == "__main__":
    isolate()
    unittest.main(verbosity=2)
