"""The table of algorithms, and asking for others."""

import unittest

from faults import FaultTest, isolate, program, run

PROGRAM = program("test/faults/fatal_errors")


class Algorithms(FaultTest):
    def test_the_table_is_printed_once(self):
        status, output, errors = run("-n", 2, "--show-algorithms", PROGRAM, "none")
        self.assertEqual((status, errors), (0, ""))
        self.assertEqual(output.count("allreduce\n"), 1)
        rows = output.split("allreduce\n")[1].split("\nreduce_scatter")[0].splitlines()
        self.assertEqual([row.split()[0] for row in rows],
                         ["flat", "hierarchical", "pipelined", "reduce_scatter_allgather", "binomial"])
        for row in rows:
            self.assertGreater(len(row.split()), 1, row)

    def test_what_is_taken_is_printed_once(self):
        status, output, _ = run("-n", 2, "--show-algorithms", PROGRAM, "none")
        self.assertEqual(status, 0)
        self.assertEqual(output.count("barrier takes flat\n"), 1)
        status, output, _ = run("-n", 2, "--algorithms", "barrier=dissemination",
                                "--show-algorithms", PROGRAM, "none")
        self.assertIn("barrier takes dissemination\n", output)

    def test_protocols(self):
        status, output, errors = run("-n", 2, "--show-protocols", PROGRAM, "none")
        self.assertEqual((status, errors), (0, ""))
        rows = [row.split() for row in output.splitlines()]
        self.assertEqual(rows[0][:4], ["inline", "up", "to", "40"])
        self.assertEqual(rows[1][:3], ["eager", "up", "to"])
        self.assertGreaterEqual(int(rows[1][3]), 32 * 1024)
        self.assertIn(" ".join(rows[2][:2]), ["copied once", "copied twice"])
        self.assertEqual(len(rows), 3)

    def test_it_says_what_was_asked_for(self):
        status, output, _ = run("-n", 2, "--algorithms", "bcast=binomial,scan=linear",
                                "--show-algorithms", PROGRAM, "none")
        self.assertEqual(status, 0)
        self.assertIn("bcast, where possible binomial\n", output)
        self.assertIn("scan, where possible linear\n", output)
        self.assertIn("barrier\n", output)

    def test_a_wrong_request_names_what_there_is(self):
        for wrong, said in [
                ("bcast=ring", "ATOLL_ALGORITHMS: 'ring' is no algorithm of bcast: flat, hierarchical, "
                               "pipelined, binomial"),
                ("broadcast=binomial", "ATOLL_ALGORITHMS: 'broadcast' is no collective with a choice: "
                                   "barrier, bcast, gather, "),
                ("bcast", "ATOLL_ALGORITHMS: '' is no algorithm of bcast: "),
        ]:
            with self.subTest(wrong):
                status, _, errors = run("-n", 2, "--algorithms", wrong, PROGRAM, "none")
                self.assertNotEqual(status, 0)
                self.assertIn(said, errors)
                self.assertIn("MPI_Init", errors)


if __name__ == "__main__":
    isolate()
    unittest.main(verbosity=2)
