"""Every header of the C++ layers compiles alone.

A header that a source file includes before anything else has shown that when the file was
compiled. The others, mostly those without a source file, are compiled here.
"""

import concurrent.futures
import os
import pathlib
import subprocess
import unittest

from test.build import source_rules as rules

# The sources themselves, not the copies that Bazel makes for a test.
ROOT = os.path.dirname(os.path.realpath("WORKSPACE"))
LAYERS = ("base", "shm", "datatype", "launcher", "runtime")

# Text that its source files include inside a namespace.
NO_HEADERS = ["runtime/op/reduction_loops.h"]


def first_include(lines):
    """What is included first, when nothing but comments is before it; else None."""
    for line in lines:
        if line.strip() and not line.startswith("//"):
            match = rules.INCLUDE.match(line)
            return match and match[1]
    return None


def unproven(files):
    """The headers of the layers that no source file includes first."""
    proven = {first_include(lines) for path, lines in files.items() if path.endswith(".cc")}
    return [path for path in files
            if path.endswith(".h") and path.startswith(LAYERS) and path not in proven]


def complaints(path, root=ROOT):
    """What the compiler says of a header alone."""
    here = pathlib.Path.cwd()  # has the mpi.h that Bazel made
    command = ["g++", "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Werror",
               "-I", root, "-I", here, "-I", here / "runtime/api",
               "-include", path, "-x", "c++", "/dev/null"]
    return subprocess.run(command, capture_output=True, text=True).stderr


class HeadersTest(unittest.TestCase):

    def test_each_compiles_alone(self):
        headers = [path for path in unproven(rules.sources(ROOT)) if path not in NO_HEADERS]
        self.assertIn("base/shared.h", headers)
        with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
            for path, said in zip(headers, pool.map(complaints, headers)):
                with self.subTest(header=path):
                    self.assertEqual(said, "")


class WayTest(unittest.TestCase):

    def test_a_source_file_proves_only_what_it_includes_first(self):
        files = {
            "shm/a.h": [], "shm/b.h": [], "shm/c.h": [], "test/d.h": [],
            "shm/a.cc": ["// Comment.", "", '#include "shm/a.h"', '#include "shm/b.h"'],
            "shm/c.cc": ["#define BEFORE", '#include "shm/c.h"'],
        }
        self.assertEqual(unproven(files), ["shm/b.h", "shm/c.h"])

    def test_a_header_that_needs_another_is_found(self):
        root = pathlib.Path(os.environ["TEST_TMPDIR"])
        (root / "alone.h").write_text("#pragma once\n#include <vector>\nstd::vector<int> f();\n")
        (root / "needy.h").write_text("#pragma once\nstd::vector<int> f();\n")
        self.assertEqual(complaints("alone.h", root), "")
        self.assertIn("vector", complaints("needy.h", root))


if __name__ == "__main__":
    unittest.main()
