import unittest

from generator import fortran_kinds, table

HEAD = ["namespace n  n.h", "chapter 3 p2p  Point-to-Point Communication"]


def forms(*lines):
    return table.parse(HEAD + list(lines)).forms


class FortranKindsTest(unittest.TestCase):

    def test_a_row_follows_from_the_c_type(self):
        form = forms("Send +c  since 1.0", "  in  count  POLYXFER_NUM_ELEM_NNI")
        plain, large = [fortran_kinds.row_of(f.parameters[0], f.large, "") for f in form]
        self.assertEqual(plain.f08, "INTEGER")
        self.assertEqual(large.f08, "INTEGER(KIND=MPI_COUNT_KIND)")

    def test_a_kind_with_more_to_it_has_its_own_row(self):
        form, = forms("Waitany  since 1.0", "  out  indx  INDEX/completed",
                      "  out  degree  INDEX", "  in  comm  COMMUNICATOR")
        rows = [fortran_kinds.row_of(p, False, "") for p in form.parameters]
        self.assertEqual([row.give for row in rows[:2]], ["OutIndex({x})", "{x}"])
        self.assertEqual((rows[2].mpi, rows[2].f08), ("INTEGER", "TYPE(MPI_Comm)"))

    def test_addresses_were_integers_in_what_was_removed(self):
        form, = forms("Address  since 1.0 deprecated 2.0 removed 3.0",
                      "  in  location  BUFFER", "  out  address  LOCATION_SMALL")
        row = fortran_kinds.row_of(form.parameters[1], False, form.function.removed)
        self.assertEqual(row.mpi, "INTEGER")
        self.assertTrue(fortran_kinds.in_fortran(form))
        self.assertFalse(fortran_kinds.in_f08(form))

    def test_what_c_alone_has(self):
        for lines in [("T_finalize  since 3.0",),
                      ("Comm_toint  since 5.0 returns int", "  in  comm  COMMUNICATOR"),
                      ("Comm_fromint  since 5.0 returns MPI_Comm", "  in  comm  INTEGER_HANDLE")]:
            with self.subTest(line=lines[0]):
                self.assertFalse(fortran_kinds.in_fortran(forms(*lines)[0]))

    def test_a_kind_without_a_row_is_not_in_fortran(self):
        form, = forms("Pvar  since 3.0", "  in  handle  PVAR")
        self.assertFalse(fortran_kinds.in_fortran(form))


if __name__ == "__main__":
    unittest.main()
