"""Tests of Fortran programs that run on several ranks."""

load("//test:mpi_test.bzl", "run_program")

LIBRARIES = [
    "//runtime/fortran:libatoll_fortran.so.1",
    "//runtime:libmpi_abi.so.1",
]

# What a compiler reads of ours.
MODULES = [
    "//runtime/fortran:mpif.h",
    "//runtime/fortran:mpi.mod",
    "//runtime/fortran:mpi_f08.mod",
]

# Folders of the libraries, seen from that of a program.
RUNPATH = ":".join(["$$ORIGIN" + folder for folder in [
    "",
    "/../../runtime",
    "/../../runtime/fortran",
]])

def fortran_test(name, srcs, ranks = [1, 2, 4], libraries = [], optimise = "-O1"):
    """A Fortran program that prints "ok N checks", run with each rank count.

    Args:
      name: of the test.
      srcs: of the program, besides check.f90.
      ranks: rank counts.
      libraries: shared libraries that are linked before MPI.
      optimise: option of the compiler.
    """
    program = name + "_program"
    inputs = srcs + ["check.f90"] + libraries + LIBRARIES
    native.genrule(
        name = program + "_link",
        testonly = True,
        srcs = inputs + MODULES,
        outs = [program],
        # The module files of the program itself are nobody else's.
        cmd = " ".join([
            "modules=$$(mktemp -d) &&",
            "gfortran -g %s -Wall -Wno-unused-dummy-argument -Werror -J$$modules" % optimise,
            "-I$$(dirname $(location //runtime/fortran:mpif.h))",
            " ".join(["$(location %s)" % label for label in inputs]),
            "-o $@ -Wl,-rpath,'%s'" % RUNPATH,
            "-Wl,-rpath-link,$$(dirname $(location //runtime:libmpi_abi.so.1))",
            "&& rm -r $$modules",
        ]),
        executable = True,
    )
    run_program(name, program, ranks, data = libraries + LIBRARIES)
