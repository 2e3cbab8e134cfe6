"""Tests of Fortran programs that run on several ranks."""

load("//test:mpi_test.bzl", "run_program")

LIBRARIES = [
    "//runtime/fortran:libatoll_fortran.so.1",
    "//runtime:libmpi_abi.so.1",
]

def fortran_program(name, srcs, deps = [], copts = []):
    """A program linked as mpifort does it, with test/fortran/check.f90.

    Args:
      name: of the program.
      srcs: sources in the order in which they need each other's modules.
      deps: libraries to link before MPI.
      copts: options of the compiler.
    """
    needed = [
        "//runtime/fortran:mpif.h",
        "//runtime/fortran:mpi.mod",
        "//runtime/fortran:mpi_f08.mod",
        "check.f90",
    ]
    locations = " ".join(["$(locations %s)" % label for label in srcs + ["check.f90"] + deps + LIBRARIES])
    native.genrule(
        name = name + "_link",
        testonly = True,
        srcs = srcs + deps + needed + LIBRARIES,
        outs = [name],
        # The folders of the libraries, seen from the program's and, when linking, the library's.
        cmd = "mkdir -p $@.modules && gfortran -g -O1 -Wall -Werror %s -J$@.modules " % " ".join(copts) +
              "-I$$(dirname $(location //runtime/fortran:mpif.h)) %s -o $@ " % locations +
              "-Wl,-rpath,'$$ORIGIN/../../runtime:$$ORIGIN/../../runtime/fortran' " +
              "-Wl,-rpath-link,$$(dirname $(location //runtime:libmpi_abi.so.1))",
        executable = True,
    )

def fortran_test(name, srcs, ranks = [1, 2, 4], deps = [], copts = [], seconds = 60, size = "medium"):
    """A Fortran program that prints "ok N checks", run with each rank count."""
    fortran_program(name + "_program", srcs, deps, copts)
    run_program(name, name + "_program", ranks = ranks, seconds = seconds, size = size, data = LIBRARIES)
