"""ATOLL_LEFTOVERS: what a program leaves behind when MPI ends is counted and listed."""

import unittest

from faults import FaultTest, program, run

LEFTOVERS = program("test/faults/leftovers")
SUMMARY = ("rank 0: left when MPI ended: 1 message not received, 2 requests not completed or freed, "
           "1 communicator not freed, 1 group not freed, 1 datatype not freed, "
           "1 info object not freed")
LIST = """\
rank 0:   message from rank 1, tag 7, 4 bytes, MPI_COMM_WORLD
rank 0:   receive from rank 1, tag 8, MPI_COMM_WORLD: not complete
rank 0:   receive from any source, any tag, MPI_COMM_WORLD: not freed
rank 0:   forgotten of size 1
rank 0:   group of size 2
rank 0:   datatype: triple
rank 0:   info object
"""


class Leftovers(FaultTest):
    def said(self, mode, *words):
        status, output, errors = run("-n", 2, LEFTOVERS, *words, env={"ATOLL_LEFTOVERS": mode})
        self.assertEqual((status, output), (0, ""))
        return errors

    def test_nothing_is_said_unless_asked_for(self):
        self.assertEqual(self.said("no", "forget"), "")

    def test_a_tidy_program(self):
        self.assertEqual(self.said("list"), "")

    def test_counted(self):
        self.assertEqual(self.said("count", "forget"), SUMMARY + "\n")

    def test_listed(self):
        summary, _, items = self.said("list", "forget").partition("\n")
        self.assertEqual(summary, SUMMARY)
        self.assertEqual(items, LIST)


if __name__ == "__main__":
    unittest.main(verbosity=2)
