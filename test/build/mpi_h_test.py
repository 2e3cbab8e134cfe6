"""mpi.h is clean in every language it may be compiled as."""

import os
import unittest

from test.build.installed import install, run, scratch

STRICT = ["-Wall", "-Wextra", "-pedantic", "-pedantic-errors", "-Werror"]


class MpiHeaderTest(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        cls.prefix = install(scratch() / "prefix")

    def assert_clean(self, wrapper, suffix, options):
        os.chdir(scratch())
        with open(f"alone.{suffix}", "w") as source:
            # Alone, and twice: it needs nothing before it and guards itself.
            source.write("#include <mpi.h>\n#include <mpi.h>\n")
        result = run(self.prefix / "bin" / wrapper, *STRICT, *options, "-c", f"alone.{suffix}")
        self.assertEqual((result.returncode, result.stderr), (0, ""))

    def test_c(self):
        for standard in ["c99", "c11", "c17", "gnu99"]:
            with self.subTest(standard=standard):
                self.assert_clean("mpicc", "c", [f"-std={standard}", "-Wstrict-prototypes"])

    def test_cxx(self):
        for standard in ["c++11", "c++17", "c++20"]:
            with self.subTest(standard=standard):
                self.assert_clean("mpicxx", "cc", [f"-std={standard}", "-Wold-style-cast"])


if __name__ == "__main__":
    unittest.main()
