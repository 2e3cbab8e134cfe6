import unittest

from generator import entries, table

HEAD = ["namespace x  runtime/x.h", "namespace y  runtime/y.h", "chapter 3 p2p  Point-to-Point"]


def parse(*lines):
    return table.parse(HEAD + list(lines))


def entry(*lines, large=False):
    return entries.entry(parse(*lines).functions[0].forms[large])


class EntriesTest(unittest.TestCase):

    def test_send(self):
        text = entry("Send  since 1.0", "  in buf BUFFER", "  in count POLYXFER_NUM_ELEM_NNI",
                     "  in datatype DATATYPE", "  in dest RANK/dest", "  in tag TAG/send",
                     "  in comm COMMUNICATOR", "  = x::send")
        self.assertEqual(text, """\
extern "C" ATL_EXPORT int PMPI_Send(const void *buf, int count, MPI_Datatype datatype, int dest,
    int tag, MPI_Comm comm) {
  Entry entry("MPI_Send");
  const Datatype* datatype_object = nullptr;
  Communicator* comm_object = nullptr;
  Error failure = entry.open();
  if (!failure) failure = check::communicator(comm, "comm", comm_object);
  if (!failure) failure = check::count(count, "count");
  if (!failure) failure = check::committed_datatype(datatype, "datatype", datatype_object);
  if (!failure) failure = check::buffer(buf, "buf", count, *datatype_object);
  if (!failure) failure = check::destination(dest, "dest", *comm_object);
  if (!failure) failure = check::send_tag(tag, "tag");
  if (!failure) failure = guarded([&] { return x::send(buf, count, *datatype_object, dest, tag,
      *comm_object); });
  return entry.close(failure, comm_object);
}
extern "C" ATL_EXPORT int MPI_Send(const void *buf, int count, MPI_Datatype datatype, int dest,
    int tag, MPI_Comm comm)
    __attribute__((weak, alias("PMPI_Send")));
""")

    def test_types_that_move_no_data_need_no_commit(self):
        text = entry("Type_dup  since 2.0", "  in oldtype DATATYPE", "  = x::f")
        self.assertIn('check::datatype(oldtype, "oldtype", oldtype_object)', text)

    def test_packed_data_is_no_buffer_of_elements(self):
        text = entry("Unpack  since 1.0", "  in inbuf BUFFER/packed", "  out outbuf BUFFER",
                     "  in outcount POLYDTYPE_NUM_ELEM/count", "  in datatype DATATYPE", "  = x::f")
        self.assertIn('check::buffer(outbuf, "outbuf", outcount, *datatype_object)', text)
        self.assertNotIn("check::buffer(inbuf", text)

    def test_the_form_is_told_where_it_is_asked_for(self):
        lines = ["Type_contiguous +c  since 1.0", "  in oldtype DATATYPE", "  = x::f form"]
        self.assertIn("x::f(*oldtype_object, datatype::Form::plain)", entry(*lines))
        self.assertIn("x::f(*oldtype_object, datatype::Form::large)", entry(*lines, large=True))

    def test_a_position_is_widened_and_narrowed(self):
        lines = ["Pack +c  since 1.0", "  inout position POLYDISPLACEMENT_COUNT", "  = x::f"]
        self.assertIn("""\
  if (!failure) position_large = *position;
  if (!failure) failure = guarded([&] { return x::f(&position_large); });
  if (!failure) failure = check::narrow(position_large, "position", position);
""", entry(*lines))
        self.assertIn("x::f(position)", entry(*lines, large=True))

    def test_each_buffer_has_its_count_and_type(self):
        text = entry("Sendrecv  since 1.0", "  in sendbuf BUFFER",
                     "  in sendcount POLYXFER_NUM_ELEM_NNI", "  in sendtype DATATYPE",
                     "  out recvbuf BUFFER", "  in recvcount POLYXFER_NUM_ELEM_NNI",
                     "  in recvtype DATATYPE", "  = x::sendrecv")
        self.assertIn('check::buffer(sendbuf, "sendbuf", sendcount, *sendtype_object)', text)
        self.assertIn('check::buffer(recvbuf, "recvbuf", recvcount, *recvtype_object)', text)

    def test_two_buffers_of_one_count(self):
        text = entry("Allreduce  since 1.0", "  in sendbuf BUFFER", "  out recvbuf BUFFER",
                     "  in count POLYXFER_NUM_ELEM_NNI", "  in datatype DATATYPE", "  = x::f")
        self.assertIn('check::buffer(sendbuf, "sendbuf", count, *datatype_object)', text)
        self.assertIn('check::buffer(recvbuf, "recvbuf", count, *datatype_object)', text)

    def test_a_buffer_alone_is_not_checked(self):
        text = entry("Buffer_attach  since 1.0", "  in buffer BUFFER nonconst",
                     "  in size POLYNUM_BYTES_NNI", "  = x::buffer_attach")
        self.assertNotIn("check::buffer", text)
        self.assertIn('check::size(size, "size")', text)

    def test_an_int_result_is_narrowed_after_the_call(self):
        lines = ["Get_count +c  since 1.0", "  out count POLYXFER_NUM_ELEM", "  = x::get_count"]
        plain = entry(*lines)
        self.assertIn("MPI_Count count_large = 0;", plain)
        call = plain.index("x::get_count(&count_large)")
        self.assertLess(call, plain.index(
            'if (!failure) failure = check::narrow_or_undefined(count_large, "count", count);'))
        self.assertIn("x::get_count(count)", entry(*lines, large=True))

    def test_other_kinds_do_not_become_undefined(self):
        text = entry("Buffer_detach +c  since 1.0", "  out size POLYNUM_BYTES", "  = x::detach")
        self.assertIn('check::narrow(size_large, "size", size)', text)

    def test_a_handle_to_be_changed_stays_a_pointer(self):
        text = entry("Comm_free  since 1.0", "  inout comm COMMUNICATOR", "  = x::free")
        self.assertIn('check::communicator_at(comm, "comm", comm_object)', text)
        self.assertIn("x::free(comm)", text)
        self.assertIn("entry.close(failure, comm_object)", text)

    def test_array_with_its_length(self):
        text = entry("Startall  since 1.0", "  in count ARRAY_LENGTH_NNI",
                     "  inout array_of_requests REQUEST[count]", "  = x::startall")
        self.assertIn('check::array(array_of_requests, "array_of_requests", count)', text)

    def test_without_a_communicator(self):
        text = entry("Free_mem  since 2.0", "  in base BUFFER nonconst", "  = x::free_mem")
        self.assertIn("entry.close(failure)", text)

    def test_a_session_is_looked_up_before_anything_else(self):
        text = entry("Session_get_info  since 4.0", "  in session SESSION", "  out info INFO",
                     "  = x::f")
        self.assertIn("""\
  Error failure = check::session(session, "session", session_object);
  if (!failure) failure = entry.open();
  if (!failure) failure = check::address(info, "info");
  if (!failure) failure = guarded([&] { return x::f(*session_object, info); });
  return entry.close(failure, session_object);
""", text)

    def test_an_error_handler_for_the_call_itself(self):
        text = entry("Session_init  since 4.0 anytime", "  in info INFO",
                     "  in errhandler ERRHANDLER/session", "  out session SESSION", "  = x::f")
        self.assertLess(text.index("(errhandler,"), text.index("(info,"))
        self.assertIn("entry.close(failure, errhandler_object, MPI_SESSION_NULL)", text)

    def test_anytime(self):
        text = entry("Initialized  since 1.0 anytime", "  out flag LOGICAL", "  = x::initialized")
        self.assertNotIn("entry.open", text)
        self.assertIn('Error failure = check::address(flag, "flag");', text)

    def test_a_value_is_returned_as_it_is(self):
        text = entry("Wtime  since 1.0 returns double", "  = x::wtime")
        self.assertIn('extern "C" ATL_EXPORT double PMPI_Wtime(void) {\n  return x::wtime();\n}',
                      text)


class ChapterTest(unittest.TestCase):

    def test_includes_what_is_called(self):
        text = entries.emit(parse("A  since 1.0", "  = x::a"), "p2p")
        self.assertIn('#include "runtime/x.h"', text)
        self.assertNotIn("runtime/y.h", text)

    def test_only_what_is_implemented(self):
        text = entries.emit(parse("A  since 1.0", "  = x::a", "B  since 1.0"), "p2p")
        self.assertIn("PMPI_A(", text)
        self.assertNotIn("PMPI_B(", text)

    def test_empty_chapter(self):
        self.assertNotIn("{", entries.emit(parse("B  since 1.0"), "p2p"))

    def test_unknown_chapter(self):
        with self.assertRaisesRegex(table.TableError, "no chapter 'q2q'"):
            entries.emit(parse("B  since 1.0"), "q2q")


if __name__ == "__main__":
    unittest.main()
