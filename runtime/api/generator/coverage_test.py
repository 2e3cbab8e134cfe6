import unittest

from generator import coverage, table

TEXT = coverage.emit(table.parse([
    "namespace p2p runtime/p2p/send.h",
    "chapter 3 p2p  Point-to-Point Communication",
    "Send +c  since 1.0", "  = p2p::send", "Start  since 1.0", "Psend +c  since 4.0",
    "chapter 13 external  External Interfaces",
    "Grequest_start  since 2.0", "  = p2p::grequest_start",
    "chapter 17 removed  Removed Interfaces",
    "Address  since 1.0 removed 3.0", "  = p2p::address", "Type_ub  since 1.0 removed 3.0",
]))


class CoverageTest(unittest.TestCase):

    def test_counts_both_forms(self):
        self.assertIn("| 3 Point-to-Point Communication | 2 | 5 |", TEXT)
        self.assertIn("| 13 External Interfaces | 1 | 1 |", TEXT)
        self.assertIn("| **all** | 3 | 6 |", TEXT)

    def test_counts_removed_functions_apart(self):
        self.assertIn("| removed before MPI 5.0 | 1 | 2 |", TEXT)
        self.assertNotIn("| 17 ", TEXT)

    def test_lists_what_is_missing(self):
        missing = TEXT[TEXT.index("## Not implemented"):]
        self.assertIn("### Point-to-Point Communication\n\n- MPI_Start\n- MPI_Psend and _c\n",
                      missing)
        self.assertNotIn("External Interfaces", missing)
        self.assertNotIn("MPI_Send", missing)


if __name__ == "__main__":
    unittest.main()
