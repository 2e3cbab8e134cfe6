"""Every function of mpi.h that can be called wrongly is called wrongly in test/errors."""

import pathlib
import re
import sys
import unittest

# Nothing can be wrong with the arguments of these, or nobody can tell.
EXEMPT = {
    "MPI_Aint_add": "any address and displacement is right",
    "MPI_Aint_diff": "any two addresses are right",
    "MPI_Buffer_flush": "no argument",
    "MPI_Finalize": "no argument",
    "MPI_Pcontrol": "any level is right",
    "MPI_Wtick": "no argument",
    "MPI_Wtime": "no argument",
} | {
    f"MPI_Status_{conversion}": "any numbers are right"
    for conversion in ["c2f", "f2c", "c2f08", "f082c", "f082f", "f2f08"]
}
# What is no handle gives no handle: MPI_Comm_toint, MPI_Comm_fromint, ...
CONVERSIONS = ("_toint", "_fromint")

HEADER, *SOURCES = map(pathlib.Path, sys.argv[1:])
del sys.argv[1:]


def functions():
    """Names of all functions that mpi.h declares."""
    text = HEADER.read_text()
    return set(re.findall(r"^(?!typedef)\w[\w ]*\b(MPI_[A-Z]\w*)\(", text, re.MULTILINE))


class CoverageTest(unittest.TestCase):
    def test_mpi_h_is_understood(self):
        self.assertLessEqual({"MPI_Send", "MPI_Wtime", "MPI_Aint_add"}, functions())

    def test_exemptions_exist(self):
        self.assertLessEqual(set(EXEMPT), functions())

    def test_every_function_is_called_wrongly(self):
        called = set()
        for source in SOURCES:
            called.update(re.findall(r"\bMPI_[A-Z]\w*\b", source.read_text()))
        missing = functions() - called - set(EXEMPT)
        self.assertEqual([name for name in sorted(missing) if not name.endswith(CONVERSIONS)], [])


if __name__ == "__main__":
    unittest.main()
