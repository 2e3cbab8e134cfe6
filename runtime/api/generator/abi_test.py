import unittest

from generator import abi
from generator.table import TableError


class AbiTest(unittest.TestCase):

    def test_constants(self):
        groups = abi.parse_constants(["# about the file", "", "# Communicators",
                                      "MPI_COMM_WORLD  MPI_Comm  0x101", "# not a group",
                                      "MPI_COMM_SELF   MPI_Comm  0x102", "",
                                      "# Ranks", "MPI_PROC_NULL  int  -3"])
        self.assertEqual([group.title for group in groups], ["Communicators", "Ranks"])
        self.assertEqual(groups[0].members[0], abi.Constant("MPI_COMM_WORLD", "MPI_Comm", "0x101"))
        self.assertEqual(len(groups[0].members), 2)

    def test_refusals_name_the_line(self):
        for line in ["MPI_VERSION int", "MPI_VERSION int 5 6", "MPI_VERSION int five"]:
            with self.subTest(line=line), self.assertRaisesRegex(TableError, "constants.api:3: "):
                abi.parse_constants(["", "# Versions", line])

    def test_a_constant_needs_a_group(self):
        with self.assertRaises(TableError):
            abi.parse_constants(["# about the file", "MPI_VERSION int 5"])

    def test_typedef_name(self):
        self.assertEqual(abi.typedef_name("struct MPI_ABI_Comm *MPI_Comm"), "MPI_Comm")
        self.assertEqual(abi.typedef_name("void MPI_User_function(void *a, int *len)"),
                         "MPI_User_function")
        self.assertEqual(abi.typedef_name("struct S { int a[5]; } MPI_Status"), "MPI_Status")


if __name__ == "__main__":
    unittest.main()
