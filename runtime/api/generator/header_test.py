import unittest

from generator import abi, header, table
from generator.text import WIDTH, wrap_c

FUNCTIONS = table.parse([
    "namespace p2p runtime/p2p/send.h",
    "chapter 3 p2p  Point-to-Point Communication",
    "Send +c  since 1.0", "  in  buf  BUFFER", "  in  count  POLYXFER_NUM_ELEM_NNI",
    "  = p2p::send",
    "Finish  since 1.0", "  = p2p::finish",
    "Psend  since 4.0", "  in  buf  BUFFER",
    "chapter 4 rma  One-Sided Communications",
    "Put  since 2.0", "  in  buf  BUFFER",
    "chapter 17 removed  Removed Interfaces",
    "Address  since 1.0 removed 3.0", "  = p2p::address",
    "Type_ub  since 1.0 removed 3.0",
])
CONSTANTS = abi.parse_constants([
    "", "# Some", "MPI_VERSION  int  5", "MPI_PROC_NULL  int  -3", "MPI_COMM_SELF  MPI_Comm  0x102",
    "MPI_C_COMPLEX  MPI_Datatype  MPI_C_FLOAT_COMPLEX", "MPI_T_SOURCE_ORDERED  MPI_T_source_order  1",
    "", "# Removed in MPI 3.0", "MPI_UB  MPI_Datatype  0x2ff",
])
TYPES = abi.parse_types(["", "# Integers", "intptr_t MPI_Aint",
                         "", "# Removed in MPI 3.0", "int MPI_Old"])


class HeaderTest(unittest.TestCase):

    def setUp(self):
        self.text = header.emit(FUNCTIONS, CONSTANTS, TYPES)

    def macro(self, name):
        values = [line.split(None, 2)[2] for line in self.text.splitlines()
                  if line.startswith(f"#define {name} ")]
        self.assertEqual(len(values), 1, name)
        return values[0]

    def test_constants(self):
        self.assertEqual(self.macro("MPI_VERSION"), "5")
        self.assertEqual(self.macro("MPI_PROC_NULL"), "(-3)")
        self.assertEqual(self.macro("MPI_COMM_SELF"), "((MPI_Comm)0x102)")
        self.assertEqual(self.macro("MPI_C_COMPLEX"), "MPI_C_FLOAT_COMPLEX")

    def test_enumerators_are_no_macros(self):
        self.assertNotIn("#define MPI_T_SOURCE_ORDERED", self.text)
        self.assertIn("typedef enum MPI_T_source_order {\n  MPI_T_SOURCE_ORDERED = 1\n}", self.text)

    def test_types(self):
        self.assertIn("\n/* Integers */\ntypedef intptr_t MPI_Aint;\n", self.text)

    def test_both_names_of_both_forms(self):
        for prefix in "MPI_", "PMPI_":
            self.assertIn(f"\nint {prefix}Send(const void *buf, int count);\n"
                          f"int {prefix}Send_c(const void *buf, MPI_Count count);\n", self.text)
            self.assertIn(f"\nint {prefix}Finish(void);\n", self.text)

    def test_what_is_not_implemented_is_absent(self):
        self.assertNotIn("MPI_Psend", self.text)
        self.assertNotIn("One-Sided", self.text)

    def test_what_was_removed_can_be_left_out(self):
        start = self.text.index("#ifndef ATOLL_NO_LEGACY")
        end = self.text.index("#endif /* ATOLL_NO_LEGACY */")
        for line in ("typedef int MPI_Old;", "#define MPI_UB ", "int MPI_Address(void);",
                     "int PMPI_Address(void);"):
            self.assertEqual(self.text.count(f"\n{line}"), 1, line)
            self.assertTrue(start < self.text.index(f"\n{line}") < end, line)
        self.assertNotIn("MPI_Type_ub", self.text)
        for name in "MPI_VERSION", "MPI_Aint", "MPI_Send", "PMPI_Finish":
            self.assertNotIn(f" {name}", self.text[start:end])

    def test_fortran_has_the_handles_that_have_integers(self):
        self.assertNotIn("MPI_Fint", self.text)
        functions = table.parse([
            "namespace env runtime/env/integers.h", "chapter 20 abi  ABI",
            "Win_toint  since 5.0 returns int", "  in  win  WINDOW",
            "Comm_toint  since 5.0 returns int", "  in  comm  COMMUNICATOR", "  = env::to_int",
        ])
        self.text = header.emit(functions, CONSTANTS, TYPES)
        self.assertIn("typedef int MPI_Fint;", self.text)
        for prefix in "MPI_", "PMPI_":
            self.assertEqual(self.macro(f"{prefix}Comm_c2f"), f"{prefix}Comm_toint")
            self.assertEqual(self.macro(f"{prefix}Comm_f2c"), f"{prefix}Comm_fromint")
        self.assertNotIn("MPI_Win_", self.text)

    def test_lines_break_after_commas(self):
        line = "int MPI_Long(" + ", ".join(f"int argument_{i}" for i in range(20)) + ");"
        wrapped = wrap_c(line)
        self.assertLessEqual(max(map(len, wrapped.splitlines())), WIDTH)
        self.assertEqual(wrapped.replace("\n   ", ""), line)


if __name__ == "__main__":
    unittest.main()
