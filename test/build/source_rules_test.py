"""The tree keeps the rules of source_rules.py, and each rule can tell."""

import os
import pathlib
import unittest

from test.build import source_rules as rules

# The sources themselves, not the copies that Bazel makes for a test.
ROOT = os.path.dirname(os.path.realpath("WORKSPACE"))


class TreeTest(unittest.TestCase):

    def test_the_tree_keeps_every_rule(self):
        files = rules.sources(ROOT)
        self.assertIn("shm/ring.h", files)
        for rule in rules.RULES:
            with self.subTest(rule=rule.__name__):
                self.assertEqual("\n".join(rule(files)), "")

    def test_the_tree_uses_the_words_of_the_glossary(self):
        glossary = pathlib.Path(ROOT, "docs/glossary.md").read_text()
        self.assertNotEqual(list(rules.words_to_avoid(glossary)), [])
        complaints = rules.avoided_words(rules.sources(ROOT), glossary)
        self.assertEqual("\n".join(complaints), "")


class RuleTest(unittest.TestCase):

    def assert_breaks(self, rule, path, text):
        self.assertNotEqual(list(rule({path: text.splitlines()})), [], f"{path}: {text}")

    def assert_keeps(self, rule, path, text):
        self.assertEqual(list(rule({path: text.splitlines()})), [], f"{path}: {text}")

    def test_a_layer_includes_only_layers_below(self):
        for path, name in [
            ("shm/ring.h", "runtime/core/error.h"),
            ("base/copy.h", "shm/base/line_latency.h"),
            ("base/copy.h", "datatype/datatype.h"),
            ("shm/base/line_latency.h", "shm/ring.h"),
            ("datatype/datatype.h", "shm/base/line_latency.h"),
            ("datatype/datatype.h", "shm/ring.h"),
            ("shm/ring.h", "datatype/datatype.h"),
            ("launcher/mpiexec.cc", "runtime/core/error.h"),
            ("runtime/core/error.h", "runtime/comm/communicator.h"),
            ("runtime/p2p/send.cc", "runtime/coll/bcast/bcast.h"),
            ("runtime/coll/bcast/bcast.cc", "runtime/api/generated.h"),
            ("runtime/p2p/send.cc", "test/check.h"),
            ("bench/latency.cc", "runtime/p2p/send.h"),
            ("new_layer/a.h", "shm/ring.h"),
        ]:
            self.assert_breaks(rules.wrong_order, path, f'#include "{name}"')
        for path, name in [
            ("shm/base/line_latency.h", "base/clock.h"),
            ("datatype/datatype.h", "base/copy.h"),
            ("launcher/mpiexec.cc", "base/check.h"),
            ("runtime/p2p/send.cc", "shm/ring.h"),
            ("runtime/p2p/send.cc", "datatype/datatype.h"),
            ("runtime/api/entries.cc", "runtime/coll/bcast/bcast.h"),
            ("launcher/mpiexec.cc", "shm/job.h"),
            ("shm/ring_test.cc", "shm/testing/two_threads.h"),
            ("test/p2p/send.cc", "runtime/p2p/send.h"),
        ]:
            self.assert_keeps(rules.wrong_order, path, f'#include "{name}"')

    def test_includes_start_at_the_root(self):
        self.assert_breaks(rules.unknown_include, "shm/ring.h", '#include "segment.h"')
        self.assert_keeps(rules.unknown_include, "shm/ring.h", "#include <vector>")

    def test_raw_atomics_are_for_listed_files(self):
        self.assert_breaks(rules.raw_atomics, "shm/ring.h", "#include <atomic>")
        self.assert_breaks(rules.raw_atomics, "shm/ring.h", "std::atomic<int> word;")
        self.assert_keeps(rules.raw_atomics, "base/shared.h", "std::atomic<T> word_;")
        self.assert_keeps(rules.raw_atomics, "shm/ring_test.cc", "std::atomic<int> done;")

    def test_there_is_one_clock(self):
        for text in ["__builtin_ia32_rdtsc();", "::clock_gettime(CLOCK_MONOTONIC, &now);"]:
            self.assert_breaks(rules.other_clocks, "runtime/p2p/a.cc", text)
            self.assert_keeps(rules.other_clocks, "base/clock.h", text)
            self.assert_keeps(rules.other_clocks, "shm/a_test.cc", text)
        self.assert_keeps(rules.other_clocks, "runtime/p2p/a.cc", "clock_gettime(CLOCK_REALTIME, &t);")

    def test_hwloc_is_for_the_hardware_layer(self):
        for path in ["runtime/core/a.cc", "shm/a.h", "launcher/a.cc", "launcher/placement/a.cc"]:
            self.assert_breaks(rules.hwloc_elsewhere, path, "#include <hwloc.h>")
        for path in ["launcher/hardware/a.cc", "launcher/a_test.cc"]:
            self.assert_keeps(rules.hwloc_elsewhere, path, "#include <hwloc/helper.h>")

    def test_the_library_has_no_streams(self):
        for path in ["runtime/core/a.cc", "shm/a.cc", "datatype/a.h"]:
            self.assert_breaks(rules.streams_in_library, path, "#include <fstream>")
        for path in ["launcher/a.cc", "shm/a_test.cc", "datatype/tool/a.cc"]:
            self.assert_keeps(rules.streams_in_library, path, "#include <sstream>")

    def test_every_order_names_its_partner_nearby(self):
        store, relaxed = "word.store_release(1);\n", "word.store_relaxed(1);\n"
        partner = "// Pairs with b().\n"
        for text in [
            store, relaxed, "// Far from it.\n" + store, "// Published.\n" + relaxed,
            partner + "a;\nb;\nc;\n" + store, "// Relaxed: a count.\n" + store,
        ]:
            self.assert_breaks(rules.unexplained_orders, "shm/a.cc", text)
        for text in [
            partner + store,
            "word.store_release(1);  // pairs with b()\n",
            partner + "a;\nb;\n" + store,
            partner + store * 6,
            "// Stores the word. Pairs with\n// b(), which reads it.\n" + store,
            "// Relaxed: a count.\n" + relaxed,
            "word.store_relaxed(1);  // ordered by publish()\n",
            "// word.store_release(1);\n",
        ]:
            self.assert_keeps(rules.unexplained_orders, "shm/a.cc", text)

    def test_headers_have_names_of_their_own(self):
        empty = {"shm/a.h": [], "shm/a.cc": [], "shm/b.h": [], "test/a.h": []}
        self.assertEqual(list(rules.repeated_header_names(empty)), [])
        complaints = list(rules.repeated_header_names(empty | {"runtime/p2p/b.h": []}))
        self.assertEqual(complaints, ["runtime/p2p/b.h:1: shm/b.h has the same name"])

    def test_words_for_which_the_glossary_has_another(self):
        glossary = (f"| word | meaning |\n| hop | none |\n{rules.AVOIDED_WORDS}\n| not | but | in |\n"
                    "| --- | --- | --- |\n| inflow, piece | reassembly | runtime/p2p, shm |\n")

        def complaints(path, line):
            return list(rules.avoided_words({path: [line]}, glossary))

        for line in ["Inflow inflow_;", "kMaxPiece", "// the next pieces", "first_piece()", "PIECE"]:
            self.assertEqual(len(complaints("shm/a.h", line)), 2 if "inflow" in line else 1, line)
            self.assertEqual(complaints("runtime/core/a.h", line), [])
        self.assertEqual(complaints("shm/a.h", "a hop, piecewise, reassembly"), [])
        self.assertIn("not 'piece' but 'reassembly'", complaints("runtime/p2p/a.cc", "piece")[0])


if __name__ == "__main__":
    unittest.main()
