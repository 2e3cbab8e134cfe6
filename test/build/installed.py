"""An installed Atoll for the tests of this folder, and another MPI in its way."""

import os
import pathlib
import subprocess
import tempfile

HELLO = """
#include <mpi.h>
#include <stdio.h>
int main(int argc, char** argv) {
  char text[MPI_MAX_LIBRARY_VERSION_STRING];
  int length;
  MPI_Init(&argc, &argv);
  MPI_Get_library_version(text, &length);
  puts(text);
  return MPI_Finalize();
}
"""

HELLO_FORTRAN = """
program hello
  use mpi_f08
  implicit none
  character(len=MPI_MAX_LIBRARY_VERSION_STRING) :: text
  integer :: length
  call MPI_Init()
  call MPI_Get_library_version(text, length)
  print '(a)', text(1:length)
  call MPI_Finalize()
end program hello
"""

# What another MPI's wrapper says to every query: enough to be believed.
OTHER_WRAPPER = """#!/bin/sh
echo "-I{root}/include -L{root}/lib -lmpi"
"""


def scratch():
    """A new empty folder below the one that Bazel gives the test."""
    return pathlib.Path(tempfile.mkdtemp(dir=os.environ["TEST_TMPDIR"]))


def install(prefix):
    """Installs Atoll under `prefix` as a user does."""
    must(os.path.join(os.environ["TEST_SRCDIR"], "atoll/install"), prefix)
    return pathlib.Path(prefix)


def other_mpi():
    """A folder with another MPI, whose bin comes before ours in PATH."""
    root = scratch()
    (root / "bin").mkdir()
    (root / "include").mkdir()
    (root / "include/mpi.h").write_text("#error The other MPI was taken\n")
    for name in ["mpicc", "mpicxx", "mpic++", "mpiCC", "mpifort", "mpif90", "mpif77",
                 "mpiexec", "mpirun"]:
        wrapper = root / "bin" / name
        wrapper.write_text(OTHER_WRAPPER.format(root=root))
        wrapper.chmod(0o755)
    return root


def run(*words, **more):
    """Runs a command; its result has both streams as text."""
    return subprocess.run(
        [str(word) for word in words],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **more,
    )


def must(*words, **more):
    """Runs a command that has to succeed; returns its standard output."""
    result = run(*words, **more)
    if result.returncode != 0:
        raise AssertionError(f"{words} failed:\n{result.stdout}\n{result.stderr}")
    return result.stdout


def environment(**changes):
    """This process's environment with some variables set."""
    return {**os.environ, **{name: str(value) for name, value in changes.items()}}
