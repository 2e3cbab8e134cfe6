import unittest

from generator import table

HEAD = ["namespace p2p  runtime/p2p/send.h", "chapter 3 p2p  Point-to-Point Communication"]


def parse(*lines):
    return table.parse(HEAD + list(lines), "test.api")


class TableTest(unittest.TestCase):

    def assert_refused(self, message, *lines):
        with self.assertRaisesRegex(table.TableError, message):
            parse(*lines)

    def test_function(self):
        function = parse("Send +c  since 1.0  # as ever",
                         "  in  buf  BUFFER",
                         "  in  count  POLYXFER_NUM_ELEM_NNI",
                         "  in  dest  RANK/dest",
                         "  = p2p::send").functions[0]
        self.assertEqual(function.name, "Send")
        self.assertEqual(function.chapter.number, 3)
        self.assertEqual(function.since, "1.0")
        self.assertEqual(function.implementation, "p2p::send")
        self.assertEqual([form.name for form in function.forms], ["MPI_Send", "MPI_Send_c"])
        self.assertEqual(function.parameters[2].full_kind, "RANK/dest")

    def test_words_of_a_function(self):
        function = parse("Wtime  since 1.0 deprecated 4.0 removed 5.0 returns double anytime"
                         ).functions[0]
        self.assertEqual((function.deprecated, function.removed), ("4.0", "5.0"))
        self.assertEqual((function.returns, function.returns_error), ("double", False))
        self.assertTrue(function.anytime)
        self.assertEqual(function.implementation, "")

    def test_lengths_and_words_of_a_parameter(self):
        parameter = parse("Group_range_incl  since 1.0",
                          "  in  n  ARRAY_LENGTH",
                          "  in  ranges  RANK[n][3] nonconst").functions[0].parameters[1]
        self.assertEqual(parameter.lengths, ("n", "3"))
        self.assertEqual(parameter.words, {"nonconst"})

    def test_parameters_of_the_large_form(self):
        plain, large = parse("Type_get_envelope +c  since 2.0",
                             "  out  num_integers  POLYNUM_PARAM_VALUES",
                             "  out  num_large_counts  POLYNUM_PARAM_VALUES large").forms
        self.assertEqual([p.name for p in plain.parameters], ["num_integers"])
        self.assertEqual([p.name for p in large.parameters], ["num_integers", "num_large_counts"])

    def test_headers_add_up(self):
        namespaces = parse("namespace p2p runtime/p2p/receive.h").namespaces
        self.assertEqual(namespaces["p2p"], ["runtime/p2p/send.h", "runtime/p2p/receive.h"])

    def test_refusals_name_the_line(self):
        self.assert_refused(r"test\.api:4: unknown kind 'BOFFER'",
                            "Send  since 1.0", "  in  buf  BOFFER")
        self.assert_refused("test.api:3: lacks 'since': Send", "Send")
        self.assert_refused("'1' is no version", "Send  since 1")
        self.assert_refused("unknown word 'large'", "Send large  since 1.0")
        self.assert_refused("unknown direction 'into'", "Send  since 1.0", "  into  a  BUFFER")
        self.assert_refused("unknown word 'const'", "Send  since 1.0", "  in  a  BUFFER const")
        self.assert_refused("unknown namespace 'q2q'", "Send  since 1.0", "  = q2q::send")
        self.assert_refused("unknown word 'forms'", "Send  since 1.0", "  = p2p::send forms")
        self.assert_refused("cannot read 'RANK/'", "Send  since 1.0", "  in  a  RANK/")

    def test_refuses_what_is_there_twice(self):
        self.assert_refused("is there twice", "Send  since 1.0", "Send  since 1.0")
        self.assert_refused("'a' is there twice",
                            "Send  since 1.0", "  in  a  BUFFER", "  in  a  BUFFER")

    def test_refuses_what_has_no_place(self):
        with self.assertRaisesRegex(table.TableError, "belongs to no chapter"):
            table.parse(["Send  since 1.0"])
        self.assert_refused("belongs to no function", "  in  a  BUFFER")
        self.assert_refused("no large-count form", "Send  since 1.0", "  in  a  BUFFER large")

    def test_a_length_is_a_parameter_or_a_constant(self):
        self.assert_refused("MPI_Waitall: .* length 'n'",
                            "Waitall  since 1.0", "  out  statuses  STATUS[n]")
        parse("Comm_get_name  since 2.0", "  out  name  STRING[MPI_MAX_OBJECT_NAME]")


if __name__ == "__main__":
    unittest.main()
