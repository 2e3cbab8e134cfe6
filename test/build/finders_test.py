"""Build systems find the installed Atoll, with another MPI before it in PATH."""

import os
import re
import shlex
import unittest

from test.build.installed import (HELLO, HELLO_FORTRAN, environment, install, must, other_mpi,
                                  scratch)

CMAKE_LISTS = """
cmake_minimum_required(VERSION 3.10)
project(uses_mpi C CXX Fortran)
find_package(MPI REQUIRED COMPONENTS C CXX Fortran)
add_executable(in_c hello.c)
target_link_libraries(in_c MPI::MPI_C)
add_executable(in_cxx hello.cc)
target_link_libraries(in_cxx MPI::MPI_CXX)
add_executable(in_fortran hello.f90)
target_link_libraries(in_fortran MPI::MPI_Fortran)
foreach(name IN ITEMS MPIEXEC_EXECUTABLE MPI_C_COMPILER MPI_CXX_COMPILER
                      MPI_C_INCLUDE_DIRS MPI_CXX_INCLUDE_DIRS MPI_C_LIBRARIES
                      MPI_CXX_LIBRARIES MPI_Fortran_COMPILER MPI_Fortran_HAVE_F08_MODULE
                      MPI_Fortran_HAVE_F90_MODULE MPI_Fortran_LIBRARIES)
  message(STATUS "${name}=${${name}}")
endforeach()
"""

MESON_BUILD = """
project('uses_mpi', 'c', 'cpp', 'fortran')
executable('in_c', 'hello.c', dependencies : dependency('mpi', language : 'c'))
executable('in_cxx', 'hello.cc', dependencies : dependency('mpi', language : 'cpp'))
executable('in_fortran', 'hello.f90', dependencies : dependency('mpi', language : 'fortran'))
"""

# The macro of the Autoconf Archive, for both languages.
CONFIGURE_AC = """
AC_INIT([uses_mpi], [1.0])
AC_PROG_CC
AC_PROG_CXX
AC_LANG([C])
AX_MPI([], [AC_MSG_ERROR([no MPI for C])])
AC_LANG([C++])
AX_MPI([], [AC_MSG_ERROR([no MPI for C++])])
AC_CONFIG_FILES([Makefile])
AC_OUTPUT
"""

MAKEFILE_IN = """
all: in_c in_cxx
in_c: hello.c
\t"@MPICC@" -o in_c hello.c @MPILIBS@
in_cxx: hello.cc
\t"@MPICXX@" -o in_cxx hello.cc @MPILIBS@
"""

# What hand-made configure scripts do with CC=mpicc: link a call without a library
# of their own, then ask the program.
CONFIGURE = """
set -e
cat > conftest.c <<END
char MPI_Init(void);
int main(void) { return MPI_Init(); }
END
$CC -o conftest conftest.c $LIBS
$CC -o in_c hello.c
$CXX -o in_cxx hello.cc
"""


class FindersTest(unittest.TestCase):

    def setUp(self):
        self.prefix = install(scratch() / "a prefix")
        self.other = other_mpi()
        self.folder = scratch()
        for name in ["hello.c", "hello.cc"]:
            (self.folder / name).write_text(HELLO)
        (self.folder / "hello.f90").write_text(HELLO_FORTRAN)
        os.chdir(self.folder)

    def path(self, *first):
        return ":".join([str(folder) for folder in first] + [os.environ["PATH"]])

    def assert_programs_are_ours(self, folder=".", names=("in_c", "in_cxx")):
        for name in names:
            self.assertRegex(must(f"{folder}/{name}"), r"^Atoll \d")

    def cmake(self, *options, **env):
        (self.folder / "CMakeLists.txt").write_text(CMAKE_LISTS)
        report = must("cmake", "-S", ".", "-B", "build", *options, env=environment(**env))
        found = dict(re.findall(r"^-- (MPI\w+)=(.*)$", report, re.MULTILINE))
        for name in ["MPIEXEC_EXECUTABLE", "MPI_C_COMPILER", "MPI_CXX_COMPILER",
                     "MPI_Fortran_COMPILER"]:
            self.assertTrue(found[name].startswith(f"{self.prefix}/bin/"), found)
        for module in ["F90", "F08"]:
            self.assertEqual(found[f"MPI_Fortran_HAVE_{module}_MODULE"], "TRUE")
        must("cmake", "--build", "build")
        self.assert_programs_are_ours("build", ["in_c", "in_cxx", "in_fortran"])
        return found

    def assert_files_are_ours(self, found):
        for language in ["C", "CXX"]:
            self.assertEqual(found[f"MPI_{language}_INCLUDE_DIRS"], f"{self.prefix}/include")
            self.assertEqual(found[f"MPI_{language}_LIBRARIES"], f"{self.prefix}/lib/libmpi.so")
        self.assertEqual(found["MPI_Fortran_LIBRARIES"],
                         f"{self.prefix}/lib/libatoll_fortran.so;{self.prefix}/lib/libmpi.so")

    def test_cmake_with_mpi_home(self):
        self.assert_files_are_ours(
            self.cmake(f"-DMPI_HOME={self.prefix}", PATH=self.path(self.other / "bin")))

    def test_cmake_with_mpi_home_in_the_environment(self):
        self.assert_files_are_ours(
            self.cmake(MPI_HOME=self.prefix, PATH=self.path(self.other / "bin")))

    def test_cmake_with_our_bin_first_in_path(self):
        self.assert_files_are_ours(
            self.cmake(PATH=self.path(self.prefix / "bin", self.other / "bin")))

    def test_cmake_with_the_wrappers_as_compilers(self):
        bin_folder = self.prefix / "bin"
        self.cmake(f"-DCMAKE_C_COMPILER={bin_folder}/mpicc",
                   f"-DCMAKE_CXX_COMPILER={bin_folder}/mpicxx",
                   f"-DCMAKE_Fortran_COMPILER={bin_folder}/mpifort",
                   f"-DMPI_HOME={self.prefix}", PATH=self.path(self.other / "bin"))

    def meson(self, **env):
        (self.folder / "meson.build").write_text(MESON_BUILD)
        must("meson", "setup", "build", env=environment(**env))
        must("ninja", "-C", "build")
        self.assert_programs_are_ours("build", ["in_c", "in_cxx", "in_fortran"])

    def test_meson_with_our_bin_first_in_path(self):
        # No package descriptions: Open MPI's would come before any mpicc.
        self.meson(PATH=self.path(self.prefix / "bin", self.other / "bin"), PKG_CONFIG_LIBDIR="")

    def test_meson_through_pkg_config(self):
        self.meson(PATH=self.path(self.other / "bin"),
                   PKG_CONFIG_PATH=self.prefix / "lib/pkgconfig")

    def test_pkg_config_knows_every_name(self):
        env = environment(PKG_CONFIG_PATH=self.prefix / "lib/pkgconfig")
        for module in ["atoll", "mpi", "mpi-c", "mpi-cxx", "ompi-c", "ompi-cxx"]:
            flags = shlex.split(must("pkg-config", "--cflags", "--libs", module, env=env))
            must("gcc", "hello.c", "-o", "in_c", *flags)
            must("g++", "hello.cc", "-o", "in_cxx", *flags)
            self.assert_programs_are_ours()
        for module in ["atoll-fortran", "mpi-fort", "ompi-fort"]:
            flags = shlex.split(must("pkg-config", "--cflags", "--libs", module, env=env))
            must("gfortran", "hello.f90", "-o", "in_fortran", *flags)
            self.assert_programs_are_ours(names=["in_fortran"])

    def test_autoconf_with_ax_mpi(self):
        (self.folder / "configure.ac").write_text(CONFIGURE_AC)
        (self.folder / "Makefile.in").write_text(MAKEFILE_IN)
        must("autoreconf", "--install", "--include=/usr/share/aclocal")
        env = environment(PATH=self.path(self.prefix / "bin", self.other / "bin"))
        must("./configure", env=env)
        must("make", env=env)
        self.assert_programs_are_ours()

    def test_configure_scripts(self):
        env = environment(CC="mpicc", CXX="mpicxx", LIBS="-lm",
                          PATH=self.path(self.prefix / "bin", self.other / "bin"))
        must("sh", "-c", CONFIGURE, env=env)
        self.assert_programs_are_ours()


if __name__ == "__main__":
    unittest.main()
