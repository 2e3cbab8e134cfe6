import unittest

from generator import abi, fortran_header, fortran_modules, table

TABLE = table.parse([
    "namespace n  n.h", "chapter 3 p2p  Point-to-Point Communication",
    "Send +c  since 1.0", "  in  buf  BUFFER", "  in  count  POLYXFER_NUM_ELEM_NNI",
    "  in  comm  COMMUNICATOR", "  = n::send",
    "Recv  since 1.0", "  out  buf  BUFFER", "  out  status  STATUS", "  = n::recv",
    "Type_get_extent +c  since 2.0", "  in  datatype  DATATYPE",
    "  out  lb  POLYDISPLACEMENT_AINT_COUNT", "  = n::extent",
    "Attr_put  since 1.0 deprecated 2.0", "  in  attribute_val  ATTRIBUTE_VAL_10", "  = n::put",
    "Wtime  since 1.0 returns double", "  = n::wtime",
    "Absent  since 1.0",
])
CONSTANTS = abi.parse_constants([
    "", "# Some", "MPI_COMM_WORLD MPI_Comm 0x101", "MPI_MAX_OBJECT_NAME int 128",
    "MPI_T_SCOPE_ALL int 6", "MPI_COMM_DUP_FN MPI_Comm_copy_attr_function* 1",
    "", "# Removed in MPI 3.0", "MPI_UB MPI_Datatype 0x206"])
TYPES = abi.parse_types([
    "", "# Callbacks",
    "int MPI_Comm_delete_attr_function(MPI_Comm comm, int keyval, void *value, void *extra_state)"])


class FortranHeaderTest(unittest.TestCase):

    def test_both_forms_of_source(self):
        for line in fortran_header.emit(TABLE, CONSTANTS).splitlines():
            if not line.startswith("!"):
                self.assertTrue(line.startswith("      ") and len(line) <= 72, line)

    def test_constants(self):
        text = fortran_header.emit(TABLE, CONSTANTS)
        self.assertIn("PARAMETER (MPI_COMM_WORLD=257)", text)
        self.assertIn("PARAMETER (MPI_MAX_OBJECT_NAME=127)", text)
        self.assertIn("PARAMETER (MPI_UB=518)", text)
        self.assertIn("EXTERNAL MPI_COMM_DUP_FN", text)
        self.assertIn("DOUBLE PRECISION MPI_WTIME", text)
        self.assertNotIn("MPI_T_", text)


class FortranModulesTest(unittest.TestCase):

    def test_mpi(self):
        text = fortran_modules.emit_mpi(TABLE, CONSTANTS)
        self.assertIn("subroutine MPI_Send(buf, count, comm, ierror)", text)
        self.assertIn("integer :: status(MPI_STATUS_SIZE)", text)
        self.assertIn("subroutine PMPI_Attr_put(attribute_val, ierror)", text)
        self.assertNotIn("Absent", text)

    def test_f08(self):
        text = fortran_modules.emit_f08(TABLE, CONSTANTS, TYPES)
        self.assertIn("type(MPI_Comm), parameter :: MPI_COMM_WORLD = MPI_Comm(257)", text)
        self.assertIn('subroutine MPI_Send_f08ts(buf, count, comm, ierror) '
                      'bind(C, name="mpi_send_f08ts_")', text)
        self.assertIn("integer, optional, intent(out) :: ierror", text)
        self.assertIn("TYPE(MPI_Status) :: status\n", text)  # it may be MPI_STATUS_IGNORE
        self.assertIn("subroutine MPI_Comm_delete_attr_function(comm, keyval, value, extra_state, "
                      "ierror)", text)
        self.assertNotIn("Attr_put", text)
        self.assertNotIn("MPI_UB", text)

    def test_forms_are_overloaded_where_arguments_tell_them_apart(self):
        text = fortran_modules.emit_f08(TABLE, CONSTANTS, TYPES)
        self.assertIn("subroutine MPI_Send_c_f08ts(", text)
        self.assertNotIn("subroutine MPI_Type_get_extent_c_f08(", text)


if __name__ == "__main__":
    unittest.main()
