import unittest

from generator import kinds
from generator.table import Parameter


def parameter(direction, kind, *lengths, words=(), role=""):
    return Parameter(direction, "x", kind, role, lengths, frozenset(words))


class DeclaratorTest(unittest.TestCase):

    def assert_declared(self, text, large_text, *arguments, **options):
        one = parameter(*arguments, **options)
        self.assertEqual(kinds.declarator(one, large=False), text)
        self.assertEqual(kinds.declarator(one, large=True), large_text)

    def test_values(self):
        self.assert_declared("int x", "int x", "in", "RANK")
        self.assert_declared("int *x", "int *x", "out", "RANK")
        self.assert_declared("MPI_Comm *x", "MPI_Comm *x", "inout", "COMMUNICATOR")
        self.assert_declared("MPI_Request *x", "MPI_Request *x", "in", "REQUEST",
                             words=["pointer"])

    def test_poly_kinds(self):
        self.assert_declared("int x", "MPI_Count x", "in", "POLYXFER_NUM_ELEM_NNI")
        self.assert_declared("MPI_Aint *x", "MPI_Count *x", "out", "POLYDISPLACEMENT_AINT_COUNT")
        self.assert_declared("const int x[]", "const MPI_Aint x[]", "in", "POLYDISPLACEMENT", "*")
        self.assert_declared("MPI_User_function *x", "MPI_User_function_c *x",
                             "in", "POLYFUNCTION", role="MPI_User_function")

    def test_arrays(self):
        self.assert_declared("const int x[]", "const int x[]", "in", "RANK", "n")
        self.assert_declared("int x[][3]", "int x[][3]", "in", "RANK", "n", "3",
                             words=["nonconst"])
        self.assert_declared("MPI_Request x[]", "MPI_Request x[]", "inout", "REQUEST", "count")

    def test_memory(self):
        self.assert_declared("const void *x", "const void *x", "in", "BUFFER")
        self.assert_declared("void *x", "void *x", "in", "BUFFER", words=["nonconst"])
        self.assert_declared("void *x", "void *x", "out", "BUFFER")
        self.assert_declared("char *x", "char *x", "out", "STRING", "MPI_MAX_OBJECT_NAME")
        self.assert_declared("void *x", "void *x", "in", "EXTRA_STATE")

    def test_the_odd_ones(self):
        self.assert_declared("const MPI_Status *x", "const MPI_Status *x", "in", "STATUS")
        self.assert_declared("char ***x", "char ***x", "inout", "ARGUMENT_LIST")
        self.assert_declared("...", "...", "in", "VARARGS")


class CheckTest(unittest.TestCase):

    def test_role_decides(self):
        self.assertEqual(kinds.check_of(parameter("in", "RANK", role="dest")).function,
                         "destination")
        self.assertIsNone(kinds.check_of(parameter("in", "RANK")))

    def test_outputs_must_not_be_null(self):
        self.assertEqual(kinds.check_of(parameter("out", "LOGICAL")).function, "address")
        self.assertEqual(kinds.check_of(parameter("out", "REQUEST", "count")).function, "array")

    def test_statuses_may_be_ignored_only_as_outputs(self):
        self.assertIsNone(kinds.check_of(parameter("out", "STATUS")))
        self.assertIsNone(kinds.check_of(parameter("out", "STATUS", "count")))
        self.assertEqual(kinds.check_of(parameter("in", "STATUS")).function, "address")

    def test_an_array_of_handles_is_no_handle(self):
        self.assertEqual(kinds.check_of(parameter("in", "DATATYPE", "n")).function, "array")

    def test_narrowing(self):
        count = parameter("out", "POLYXFER_NUM_ELEM")
        self.assertTrue(kinds.narrowed(count, large=False))
        self.assertFalse(kinds.narrowed(count, large=True))
        extent = parameter("out", "POLYDISPLACEMENT_AINT_COUNT")
        self.assertFalse(kinds.narrowed(extent, large=False))
        self.assertFalse(kinds.narrowed(parameter("in", "POLYXFER_NUM_ELEM"), large=False))

    def test_every_key_names_a_kind(self):
        for key in kinds.CHECKS:
            direction, kind = key.split("/")[0].split()
            self.assertIn(direction, ("in", "inout"))
            self.assertIn(kind, kinds.C_TYPES)


if __name__ == "__main__":
    unittest.main()
