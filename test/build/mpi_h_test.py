"""mpi.h and mpicxx.h are clean in every language they may be compiled as."""

import os
import shutil
import unittest

from test.build.installed import install, run, scratch

CXX_STANDARDS = ["c++11", "c++14", "c++17", "c++20", "c++23"]
STRICT = ["-Wall", "-Wextra", "-pedantic", "-pedantic-errors", "-Werror"]


class MpiHeaderTest(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        cls.prefix = install(scratch() / "prefix")

    def assert_clean(self, wrapper, suffix, options, header="mpi.h"):
        os.chdir(scratch())
        with open(f"alone.{suffix}", "w") as source:
            # Alone, and twice: it needs nothing before it and guards itself.
            source.write(f"#include <{header}>\n#include <{header}>\n")
        result = run(self.prefix / "bin" / wrapper, *STRICT, *options, "-c", f"alone.{suffix}")
        self.assertEqual((result.returncode, result.stderr), (0, ""))

    def test_c(self):
        for standard in ["c89", "gnu89", "c99", "c11", "c17", "gnu99"]:
            with self.subTest(standard=standard):
                self.assert_clean("mpicc", "c", [f"-std={standard}", "-Wstrict-prototypes"])
        self.assert_clean("mpicc", "c", ["-ansi"])

    def test_integers_by_the_names_of_the_forum_s_header(self):
        os.chdir(scratch())
        with open("names.c", "w") as source:
            source.write("#include <mpi.h>\n"
                         "extern MPI_Aint aint; extern MPI_ABI_Aint aint;\n"
                         "extern MPI_Count count; extern MPI_ABI_Count count;\n"
                         "extern MPI_Offset offset; extern MPI_ABI_Offset offset;\n")
        result = run(self.prefix / "bin/mpicc", *STRICT, "-c", "names.c")
        self.assertEqual((result.returncode, result.stderr), (0, ""))

    def test_what_was_removed_can_be_left_out(self):
        os.chdir(scratch())
        with open("old.c", "w") as source:
            source.write("#include <mpi.h>\n"
                         "int main(void) { return MPI_Errhandler_set(MPI_COMM_SELF, "
                         "MPI_ERRORS_RETURN); }\n")
        command = [self.prefix / "bin/mpicc", *STRICT, "-c", "old.c"]
        result = run(*command)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        result = run(*command, "-DATOLL_NO_LEGACY")
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("MPI_Errhandler_set", result.stderr)

    def test_cxx(self):
        for standard in CXX_STANDARDS:
            with self.subTest(standard=standard):
                self.assert_clean("mpicxx", "cc", [f"-std={standard}", "-Wold-style-cast"])

    def test_mpicxx_h(self):
        for standard in CXX_STANDARDS:
            with self.subTest(standard=standard):
                self.assert_clean("mpicxx", "cc", [f"-std={standard}"], "mpicxx.h")

    @unittest.skipUnless(shutil.which("clang++"), "clang++ is not installed")
    def test_mpicxx_h_with_another_compiler(self):
        for standard in ["c++11", "c++20"]:
            with self.subTest(standard=standard):
                self.assert_clean("mpicxx", "cc", ["-cxx=clang++", f"-std={standard}"], "mpicxx.h")

    def test_mpi_h_has_no_cxx_bindings(self):
        os.chdir(scratch())
        with open("plain.cc", "w") as source:
            source.write("#include <mpi.h>\n")
        result = run(self.prefix / "bin/mpicxx", "-E", "plain.cc")
        self.assertEqual(result.returncode, 0)
        self.assertNotRegex(result.stdout, "namespace MPI {")


if __name__ == "__main__":
    unittest.main()
