import unittest

from generator import cxx, table

TABLE = [
    "namespace x  runtime/x.h", "chapter 3 p2p  Point-to-Point",
    "Send  since 1.0", "  in buf BUFFER", "  in count POLYXFER_NUM_ELEM_NNI", "  in comm COMMUNICATOR",
    "  = x::send",
    "Probe  since 1.0", "  in source RANK", "  in comm COMMUNICATOR", "  out status STATUS",
    "  = x::probe",
    "Topo_test  since 1.0", "  in comm COMMUNICATOR", "  out status TOPOLOGY_TYPE", "  = x::topo",
    "Is_it  since 1.0", "  in comm COMMUNICATOR", "  out flag LOGICAL", "  = x::is_it",
    "Comm_dup  since 1.0", "  in comm COMMUNICATOR", "  out newcomm COMMUNICATOR", "  = x::dup",
    "Cart_get  since 1.0", "  in comm COMMUNICATOR", "  in maxdims ARRAY_LENGTH",
    "  out periods LOGICAL[maxdims]", "  = x::cart_get",
    "Comm_free  since 1.0", "  inout comm COMMUNICATOR", "  = x::free",
    "Missing  since 1.0", "  in comm COMMUNICATOR",
    "Wtime  since 1.0 returns double", "  = x::wtime",
]


def parse(*lines):
    return cxx.parse(["class Comm MPI_Comm", *lines], table.parse(TABLE))


def definition(line):
    """The body of a member of Comm."""
    return cxx._definition(parse(line)[0].methods[0])


class CxxTest(unittest.TestCase):

    def test_arguments_of_the_same_name_are_passed_on(self):
        self.assertEqual(definition("Send  void Send(const void* buf, int count) const"), """\
inline void Comm::Send(const void* buf, int count) const {
  detail::check(MPI_Send(buf, count, handle_));
}
""")

    def test_a_status_may_be_left_out(self):
        self.assertIn("MPI_Probe(source, handle_, MPI_STATUS_IGNORE)",
                      definition("Probe  void Probe(int source) const"))
        self.assertIn("MPI_Probe(source, handle_, status.address())",
                      definition("Probe  void Probe(int source, Status& status) const"))

    def test_results(self):
        self.assertIn("return result;", definition("Topo_test  int Get_topology() const"))
        self.assertIn("return result != 0;", definition("Is_it  bool Is_it() const"))
        self.assertIn("MPI_Comm result;\n", definition("Comm_dup  Intracomm Dup() const"))
        self.assertIn("return Intracomm(result);", definition("Comm_dup  Intracomm Dup() const"))

    def test_logical_arrays_are_copied(self):
        self.assertEqual(definition("Cart_get  void Get(int maxdims, bool periods[]) const"), """\
inline void Comm::Get(int maxdims, bool periods[]) const {
  detail::Flags periods_(maxdims);
  detail::check(MPI_Cart_get(handle_, maxdims, periods_));
  periods_.copy_to(periods);
}
""")

    def test_the_object_is_passed_by_address_where_c_changes_it(self):
        self.assertIn("MPI_Comm_free(&handle_)", definition("Comm_free  void Free()"))

    def test_what_is_missing_in_c_is_missing(self):
        self.assertEqual(parse("Missing  void Missing() const")[0].methods, [])

    def test_functions_outside_of_classes(self):
        classes = parse("class", "Wtime  double Wtime()")
        self.assertEqual(cxx._definition(classes[1].methods[0]),
                         "inline double Wtime() {\n  return MPI_Wtime();\n}\n")

    def test_addresses_name_the_type(self):
        method = parse("Send  void Send(const void* buf, int count) const")[0].methods[0]
        self.assertEqual(method.address,
                         "static_cast<void (Comm::*)(const void*, int) const>(&Comm::Send)")

    def test_mistakes_are_found(self):
        for line, mistake in [
                ("Send  void Send(const void* buf, int number) const", "has no number"),
                ("Send  void Send(const void* buf) const", "lacks count"),
                ("Send  int Send(const void* buf, int count) const", "has no parameter for the result"),
                ("Wtime  double Wtime() const", "has no parameter for the object"),
                ("Nothing  void Nothing()", "Nothing"),
                ("Send  void", "is no prototype")]:
            with self.assertRaisesRegex(table.TableError, mistake):
                parse(line)

    def test_constants(self):
        constants = cxx.parse_constants(["# text", "type Op", "MAX MIN", "type int", "A = MPI_B"])
        self.assertEqual(constants, [("Op", "MAX", "MPI_MAX"), ("Op", "MIN", "MPI_MIN"),
                                     ("int", "A", "MPI_B")])

    def test_the_template_is_filled_in(self):
        classes = parse("Comm_free  void Free()")
        text = cxx.emit("a\n@Comm@\nb\n@definitions@\n@constants@\n", classes, [("int", "A", "MPI_A")])
        self.assertTrue(text.startswith("a\n  void Free();\nb\ninline void Comm::Free() {\n"))
        self.assertTrue(text.endswith("static const int A = MPI_A;\n"))
        with self.assertRaisesRegex(table.TableError, "@Comm@"):
            cxx.emit("@definitions@\n@constants@\n", classes, [])


if __name__ == "__main__":
    unittest.main()
