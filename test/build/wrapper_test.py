"""The contract of mpicc, mpicxx and mpifort with build tools and people."""

import os
import shlex
import shutil
import unittest

from test.build.installed import HELLO, HELLO_FORTRAN, environment, install, must, run, scratch

QUERIES = """-show -showme --showme -showme:compile --showme:compile -showme:link --showme:link
    -showme:command -showme:incdirs -showme:libdirs -showme:libs -showme:version
    --showme:version -compile-info -compile_info -link-info -link_info
    -show-compile-info -show-link-info -show_compile_info -show_link_info""".split()

# Another Fortran compiler, as far as its version tells.
OTHER_FORTRAN = """#!/bin/sh
[ "$1" = --version ] || exec gfortran "$@"
echo "Other Fortran (Somebody 7.1.0-3) 7.1.0"
"""


# One procedure of mpif.h with buffers of two types.
MISMATCH = """\
      program mismatch
      include 'mpif.h'
      integer ierr, j, request, self
      real y
      call MPI_Init(ierr)
      self = MPI_COMM_SELF
      call MPI_Irecv(j, 1, MPI_INTEGER, 0, 1, self, request, ierr)
      call MPI_Send(7, 1, MPI_INTEGER, 0, 1, self, ierr)
      call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
      call MPI_Irecv(y, 1, MPI_REAL, 0, 1, self, request, ierr)
      call MPI_Send(2.5, 1, MPI_REAL, 0, 1, self, ierr)
      call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
      print '(i1, f4.1)', j, y
      call MPI_Finalize(ierr)
      end
"""


class WrapperTest(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        cls.prefix = install(scratch() / "plain")
        cls.mpicc = cls.prefix / "bin/mpicc"
        cls.mpicxx = cls.prefix / "bin/mpicxx"
        cls.mpifort = cls.prefix / "bin/mpifort"

    def setUp(self):
        self.folder = scratch()
        (self.folder / "a.c").write_text(HELLO)
        (self.folder / "a.f90").write_text(HELLO_FORTRAN)
        os.chdir(self.folder)

    def assert_is_ours(self, program):
        self.assertRegex(must(program), r"^Atoll \d")

    def test_queries_answer_with_one_line_on_standard_output(self):
        for wrapper in ["mpicc", "mpicxx", "mpic++", "mpiCC", "mpifort", "mpif90", "mpif77"]:
            for query in QUERIES:
                with self.subTest(wrapper=wrapper, query=query):
                    result = run(self.prefix / "bin" / wrapper, query)
                    self.assertEqual(result.returncode, 0)
                    self.assertEqual(result.stderr, "")
                    self.assertRegex(result.stdout, r"\A[^\n]+\n\Z")

    def test_queries_nobody_knows_fail(self):
        for query in ["-showme:colour", "--showme:colour", "--cray-print-opts=cflags"]:
            self.assertNotEqual(run(self.mpicc, query).returncode, 0, query)

    def test_each_query_says_what_its_name_says(self):
        lib = f"{self.prefix}/lib"
        compile_words = [f"-I{self.prefix}/include"]
        link_words = [f"-L{lib}", f"-Wl,-rpath,{lib},--enable-new-dtags", "-lmpi"]
        answers = {
            "-showme:compile": compile_words,
            "-showme:link": link_words,
            "-compile-info": ["gcc"] + compile_words,
            "-link-info": ["gcc"] + link_words,
            "-show": ["gcc"] + compile_words + link_words,
            "-showme:command": ["gcc"],
            "-showme:incdirs": [f"{self.prefix}/include"],
            "-showme:libdirs": [lib],
            "-showme:libs": ["mpi"],
        }
        for query, words in answers.items():
            self.assertEqual(shlex.split(must(self.mpicc, query)), words, query)

    def test_version_queries(self):
        self.assertRegex(must(self.mpicc, "--showme:version"), r"^mpicc: Atoll \d+\.\d+\.\d+ ")
        self.assertRegex(must(self.mpicc, "-v"), r"^mpicc for Atoll version \d+\.\d+\.\d+\n")
        self.assertRegex(must(self.mpicxx, "-v"), r"^mpicxx for Atoll version \d+\.\d+\.\d+\n")

    def test_there_is_one_version(self):
        must(self.mpicc, "a.c", "-o", "program")
        version = must(self.mpicc, "--showme:version").split()[2]
        self.assertIn(f"atoll {version}\n", must(self.prefix / "bin/mpiexec", "--version"))
        self.assertIn(f"Atoll {version},", must("./program"))
        self.assertIn(f"Version: {version}\n",
                      (self.prefix / "lib/pkgconfig/atoll.pc").read_text())

    def test_options_alone_reach_the_compiler(self):
        for option in ["--version", "-dumpmachine", "-print-search-dirs"]:
            self.assertEqual(must(self.mpicc, option), must("gcc", option))
        self.assertIn("gcc version", run(self.mpicc, "-v").stderr)

    def test_compiles_and_links(self):
        must(self.mpicc, "a.c", "-o", "program")
        self.assert_is_ours("./program")

    def test_compiles_cxx(self):
        shutil.copy("a.c", "a.cc")
        for wrapper in ["mpicxx", "mpic++", "mpiCC"]:
            must(self.prefix / "bin" / wrapper, "a.cc", "-o", wrapper)
            self.assert_is_ours(f"./{wrapper}")

    def test_compiles_fortran(self):
        for wrapper in ["mpifort", "mpif90", "mpif77"]:
            must(self.prefix / "bin" / wrapper, "a.f90", "-o", wrapper)
            self.assert_is_ours(f"./{wrapper}")
        must("sh", "-c", must(self.mpifort, "-show", "a.f90", "-o", "by hand"))
        self.assert_is_ours("./by hand")
        self.assertNotIn("-lmpi", must(self.mpifort, "-show", "-c", "a.f90"))

    def test_fortran_programs_may_pass_different_types_to_one_procedure(self):
        """What gfortran refuses from version 10 on where there is no interface."""
        option = "-fallow-argument-mismatch"
        (self.folder / "b.f").write_text(MISMATCH)
        must(self.mpifort, "-w", "b.f", "-o", "program")
        self.assertEqual(must(self.prefix / "bin/mpiexec", "-n", 1, "./program").split(), ["7", "2.5"])
        for wrapper in ["mpifort", "mpif90", "mpif77"]:
            shown = must(self.prefix / "bin" / wrapper, "-show", "-c", "b.f").split()
            self.assertIn(option, shown)
            self.assertLess(shown.index(option), shown.index("-c"))  # the program's come later
            self.assertIn(option, must(self.prefix / "bin" / wrapper, "-showme:compile"))
            self.assertNotIn(option, must(self.prefix / "bin" / wrapper, "-showme:link"))
        self.assertNotIn(option, must(self.mpicc, "-show"))
        pc = (self.prefix / "lib/pkgconfig/atoll-fortran.pc").read_text()
        self.assertIn(option, pc)
        for version, wanted in [("9.4.0", False), ("9", False), ("10.1.0", True), ("14", True)]:
            compiler = self.folder / f"gfortran-{version}"
            compiler.write_text("#!/bin/sh\n"
                                f'[ "$1" != -dumpversion ] || {{ echo {version} && exit; }}\n'
                                "echo 'GNU Fortran (crosstool-NG 1.24.0) and so on'\n")
            compiler.chmod(0o755)
            shown = must(self.mpifort, f"-fc={compiler}", "-show", "-c", "b.f")
            self.assertEqual(option in shown, wanted, version)

    def test_each_fortran_compiler_has_module_files_of_its_own(self):
        other = self.folder / "otherfort"
        other.write_text(OTHER_FORTRAN)
        other.chmod(0o755)
        folder = self.prefix / "include/fortran/Other-Fortran-7"
        self.assertNotIn("include/fortran", must(self.mpifort, f"-fc={other}", "-showme:compile"))
        must(self.prefix / "bin/atoll-fortran-modules", other)
        self.assertIn(f"-I{folder}\n", must(self.mpifort, f"-fc={other}", "-showme:compile"))
        must(self.mpifort, f"-fc={other}", "a.f90", "-o", "program")
        self.assert_is_ours("./program")
        shutil.rmtree(folder)
        result = run(self.prefix / "bin/atoll-fortran-modules", "no-such-fc")
        self.assertEqual(result.returncode, 1)
        self.assertIn("no-such-fc", result.stderr)

    def test_static_programs(self):
        """They need nothing of the tree, and are ranks of a job all the same."""
        with open("b.cc", "w") as source:  # with a C++ runtime of its own beside the library's
            source.write("#include <iostream>\n#define main hello\n" + HELLO + "#undef main\n"
                         "int main(int argc, char** argv) {\n"
                         "  const int status = hello(argc, argv);\n"
                         "  std::cout.imbue(std::locale(\"C\"));\n"
                         "  std::cout << 3.5 << std::endl;\n"
                         "  return status;\n}\n")
        for wrapper, source in [("mpicc", "a.c"), ("mpicxx", "b.cc")]:
            must(self.prefix / "bin" / wrapper, "-static", source, "-o", "fixed")
            self.assertNotIn("INTERP", must("readelf", "--program-headers", "fixed"))
            self.assert_is_ours("./fixed")
            output = must(self.prefix / "bin/mpiexec", "-n", 2, "./fixed")
            self.assertEqual(output.count("Atoll"), 2)
        symbols = must("nm", "--defined-only", "--extern-only", self.prefix / "lib/libmpi.a")
        names = [line.split()[2] for line in symbols.splitlines() if len(line.split()) == 3]
        self.assertGreater(len(names), 500)
        self.assertEqual([name for name in names if not name.startswith(("MPI_", "PMPI_", "atoll_"))], [])

    def test_show_is_the_command_that_would_run(self):
        must("sh", "-c", must(self.mpicc, "-show", "a.c", "-o", "by hand"))
        self.assert_is_ours("./by hand")
        self.assertNotIn("-lmpi", must(self.mpicc, "-show", "-c", "a.c"))

    def test_compiling_only_does_not_link(self):
        must(self.mpicc, "-c", "a.c", "-o", "b.o")
        self.assertTrue(os.path.exists("b.o"))
        must(self.mpicc, "-r", "b.o", "-o", "c.o")
        self.assertIn("MPI_Init", must(self.mpicc, "-E", "a.c"))
        must(self.mpicc, "-S", "a.c", "-o", "a.s")
        self.assertIn("mpi.h", must(self.mpicc, "-M", "a.c"))
        for option in ["-c", "-S", "-E", "-M", "-MM", "-fsyntax-only"]:
            self.assertNotIn("-lmpi", must(self.mpicc, "-show", option, "a.c"))

    def test_compiling_only_is_silent_with_a_compiler_that_reports_unused_arguments(self):
        result = run(self.mpicc, "-Wall", "-Wextra", "-Werror", "-c", "a.c")
        self.assertEqual((result.returncode, result.stderr), (0, ""))

    def test_an_option_of_the_linker_is_not_mistaken_for_the_compiler_s(self):
        must(self.mpicc, "a.c", "-Xlinker", "-E", "-o", "program")
        self.assert_is_ours("./program")

    def test_arguments_keep_their_spaces_and_order(self):
        (self.folder / "two words.c").write_text('const char* text = TEXT; int main() {}')
        must(self.mpicc, '-DTEXT="a  b"', "two words.c", "-o", "two words")
        source = must(self.mpicc, "-E", '-DTEXT="a  b"', "two words.c")
        self.assertIn('text = "a  b";', source)
        self.assertIn('"a  b"', must(self.mpicc, "-E", "-DTEXT=1", '-UTEXT', '-DTEXT="a  b"', "two words.c"))

    def test_environment_replaces_the_compiler(self):
        inner = self.folder / "other compiler"
        inner.write_text("#!/bin/sh\nfor word; do echo \"[$word]\"; done\n")
        inner.chmod(0o755)
        (self.folder / "inner").symlink_to(inner)
        for wrapper, variable in [(self.mpicc, "ATOLL_CC"), (self.mpicxx, "ATOLL_CXX"),
                                  (self.mpifort, "ATOLL_FC")]:
            env = environment(**{variable: "./inner -first"})
            self.assertTrue(must(wrapper, "-show", env=env).startswith("./inner -first -I"))
            printed = must(wrapper, "a b.c", "-c", env=env).splitlines()
            self.assertEqual(printed[0], "[-first]")
            self.assertEqual(printed[-2:], ["[a b.c]", "[-c]"])

    def test_option_replaces_the_compiler(self):
        self.assertTrue(must(self.mpicc, "-cc=clang", "-show").startswith("clang "))
        self.assertTrue(must(self.mpicxx, "-cxx=clang++", "-show").startswith("clang++ "))
        env = environment(ATOLL_CC="icx")
        self.assertTrue(must(self.mpicc, "-show", "-cc=clang", env=env).startswith("clang "))

    def test_a_wrapper_that_calls_itself_says_so(self):
        for env in [{"ATOLL_CC": self.mpicc}, {"ATOLL_CC": f"env {self.mpicc}"}]:
            result = run(self.mpicc, "a.c", env=environment(**env), timeout=60)
            self.assertEqual(result.returncode, 1)
            self.assertIn("ATOLL_CC", result.stderr)
        result = run(self.mpifort, "a.f90", env=environment(ATOLL_FC=self.mpifort), timeout=60)
        self.assertEqual(result.returncode, 1)
        self.assertIn("ATOLL_FC", result.stderr)

    def test_a_compiler_that_does_not_exist_is_named(self):
        result = run(self.mpicc, "a.c", env=environment(ATOLL_CC="no-such-cc"))
        self.assertEqual(result.returncode, 1)
        self.assertIn("no-such-cc", result.stderr)

    def test_the_status_of_the_compiler_is_ours(self):
        self.assertEqual(run(self.mpicc, "missing.c").returncode, 1)
        (self.folder / "exit7").write_text("#!/bin/sh\nexit 7\n")
        (self.folder / "exit7").chmod(0o755)
        self.assertEqual(run(self.mpicc, "a.c", env=environment(ATOLL_CC="./exit7")).returncode, 7)

    def test_prefix_with_spaces_and_a_moved_prefix(self):
        first = install(scratch() / "first place")
        moved = first.parent / "a second place"
        first.rename(moved)
        must(moved / "bin/mpicc", "a.c", "-o", "program")
        self.assert_is_ours("./program")
        must("sh", "-c", must(moved / "bin/mpicc", "-show", "a.c", "-o", "shown"))
        self.assert_is_ours("./shown")

    def test_found_through_a_symbolic_link(self):
        link = self.folder / "cc-for-mpi"
        link.symlink_to(self.mpicc)
        self.assertEqual(must(link, "-show"), must(self.mpicc, "-show"))

    def test_a_wrapper_outside_its_tree_says_so(self):
        shutil.copy(self.mpicc, self.folder / "mpicc")
        result = run(self.folder / "mpicc", "-show")
        self.assertEqual(result.returncode, 1)
        self.assertIn("outside", result.stderr)

    def test_ours_wins_over_folders_of_another_mpi_in_the_arguments(self):
        (self.folder / "other").mkdir()
        (self.folder / "other/mpi.h").write_text("#error The other MPI was taken\n")
        (self.folder / "other/libmpi.so").write_text("not a library")
        must(self.mpicc, "-Iother", "-Lother", "a.c", "-o", "program")
        self.assert_is_ours("./program")


if __name__ == "__main__":
    unittest.main()
