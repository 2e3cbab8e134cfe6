import unittest

from generator import fortran_entries, table

HEAD = ["namespace n  n.h", "chapter 3 p2p  Point-to-Point Communication"]


def entries(*lines):
    """The entry points of all forms of one function, on one line each."""
    made = table.parse(HEAD + list(lines) + ["  = n::f"])
    return [" ".join(fortran_entries.entries(form).split()) for form in made.forms]


class FortranEntriesTest(unittest.TestCase):

    def test_converts_and_calls_the_public_name(self):
        text, = entries("Comm_dup  since 1.0", "  in  comm  COMMUNICATOR",
                        "  out  newcomm  COMMUNICATOR")
        self.assertIn("FORTRAN void FORTRAN_NAME(comm_dup_)(MPI_Fint* comm, MPI_Fint* newcomm, "
                      "MPI_Fint* ierror) {", text)
        self.assertIn("done(ierror, CALL_C(Comm_dup)(handle<MPI_Comm>(comm), "
                      "OutHandle<MPI_Comm>(newcomm)));", text)
        self.assertIn("FORTRAN_ALIAS(comm_dup__, comm_dup_)", text)
        self.assertIn("FORTRAN_ALIAS(comm_dup_f08_, comm_dup_)", text)

    def test_a_choice_buffer_comes_as_a_descriptor_in_f08(self):
        plain, large = entries("Send +c  since 1.0", "  in  buf  BUFFER",
                               "  in  count  POLYXFER_NUM_ELEM_NNI", "  in  datatype  DATATYPE")
        self.assertIn("FORTRAN_NAME(send_)(void* buf, MPI_Fint* count", plain)
        self.assertIn("FORTRAN_NAME(send_f08ts_)(const Descriptor* buf, MPI_Fint* count", plain)
        self.assertIn("Section buf_section(*buf, *count, handle<MPI_Datatype>(datatype), "
                      "Direction::in);", plain)
        self.assertIn("CALL_C(Send)(buf_section.address, buf_section.count, buf_section.datatype)",
                      plain)
        self.assertIn("FORTRAN_NAME(send_c_f08ts_)(const Descriptor* buf, MPI_Count* count", large)
        self.assertNotIn("FORTRAN_NAME(send_c_)", large)

    def test_a_reduction_gets_a_copy_that_outlives_the_call(self):
        text, = entries("Ireduce  since 3.0", "  in  sendbuf  BUFFER", "  out  recvbuf  BUFFER",
                        "  in  count  POLYXFER_NUM_ELEM_NNI", "  in  datatype  DATATYPE",
                        "  in  op  OPERATION", "  out  request  REQUEST")
        self.assertIn("Staged recvbuf_copy(*recvbuf, Direction::out, request, Lifetime::once);",
                      text)

    def test_the_length_of_a_string_comes_last(self):
        text, = entries("Comm_set_name  since 2.0", "  in  comm  COMMUNICATOR",
                        "  in  comm_name  STRING")
        self.assertIn("char* comm_name, MPI_Fint* ierror, std::size_t comm_name_length)", text)
        self.assertIn("String(comm_name, comm_name_length)", text)

    def test_callbacks_get_their_state(self):
        text, = entries("Comm_create_keyval  since 2.0",
                        "  in  copy_fn  FUNCTION/MPI_Comm_copy_attr_function",
                        "  in  delete_fn  FUNCTION/MPI_Comm_delete_attr_function",
                        "  out  keyval  KEYVAL", "  in  extra_state  EXTRA_STATE")
        self.assertIn("const auto callbacks = with_state<::MPI_Comm_copy_attr_function>(copy_fn, "
                      "delete_fn, extra_state);", text)
        self.assertIn("(callbacks.copy, callbacks.remove, keyval, callbacks.state)", text)

    def test_fortran_has_no_argc(self):
        text, = entries("Init  since 1.0", "  inout  argc  ARGUMENT_COUNT",
                        "  inout  argv  ARGUMENT_LIST")
        self.assertIn("FORTRAN_NAME(init_)(MPI_Fint* ierror)", text)
        self.assertIn("CALL_C(Init)(nullptr, nullptr)", text)

    def test_a_function_returns_its_value(self):
        text, = entries("Wtime  since 1.0 returns double")
        self.assertIn("FORTRAN double FORTRAN_NAME(wtime_)() { return CALL_C(Wtime)(); }", text)


if __name__ == "__main__":
    unittest.main()
