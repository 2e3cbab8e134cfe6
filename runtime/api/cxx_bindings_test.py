"""The C++ bindings have all functions of MPI-2 that Atoll has, and only constants of mpi.h."""

import pathlib
import re
import unittest

from generator import abi, cxx, table

FOLDER = pathlib.Path(__file__).parent


def lines(name):
    return (FOLDER / name).read_text().splitlines()


class CxxBindingsTest(unittest.TestCase):

    def test_every_function_of_mpi_2_is_bound(self):
        functions = table.parse(lines("functions.api"))
        classes = cxx.parse(lines("cxx/functions.cxx"), functions)
        bound = {method.form.name for class_ in classes for method in class_.methods}
        bound |= set(re.findall(r"&?\b(MPI_\w+)\b", (FOLDER / "cxx/mpicxx.h.in").read_text()))
        # Functions that MPI-2 deprecates have no C++ bindings.
        expected = {f"MPI_{f.name}" for f in functions.functions
                    if f.implementation and f.since < "3" and not f.removed
                    and f.chapter.id != "deprecated"}
        self.assertGreater(len(expected), 150)
        self.assertEqual(expected - bound, set())

    def test_every_constant_is_one_of_mpi_h(self):
        known = {constant.name for group in abi.parse_constants(lines("constants.api"))
                 for constant in group.members}
        constants = cxx.parse_constants(lines("cxx/constants.cxx"))
        self.assertGreater(len(constants), 150)
        self.assertEqual({c_name for _, _, c_name in constants} - known, set())
        names = [name for _, name, _ in constants]
        self.assertEqual(len(names), len(set(names)))


if __name__ == "__main__":
    unittest.main()
