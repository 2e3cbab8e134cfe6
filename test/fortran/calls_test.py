"""Every function that the standard gives Fortran, and that C has, can be called from each of the
three forms: compiled with its arguments checked, and linked. What is wrong is refused."""

import os
import pathlib
import subprocess
import tempfile
import unittest

from generator import kinds, table
from runtime.api import reference
from test.fortran import calls

ROOT = pathlib.Path(os.environ["TEST_SRCDIR"], "atoll")
LIBRARIES = [ROOT / "runtime/fortran/libatoll_fortran.so.1", ROOT / "runtime/libmpi_abi.so.1"]

REFUSED = {
    "mpi": ["integer :: r\n call MPI_Comm_rank(MPI_COMM_WORLD, r)",
            "real :: r\n integer :: e\n call MPI_Comm_rank(MPI_COMM_WORLD, r, e)",
            "integer :: e\n call MPI_Comm_rank(MPI_COMM_WORLD, e, e, e)"],
    "mpi_f08": ["integer :: r, c\n call MPI_Comm_rank(c, r)",
                "integer :: r\n call MPI_Comm_rank(MPI_INT, r)",
                "real :: r\n call MPI_Comm_rank(MPI_COMM_WORLD, r)",
                "integer :: s(8)\n call MPI_Probe(0, 0, MPI_COMM_WORLD, s)",
                "integer :: b(3)\n call MPI_Send(b, 1_2, MPI_INTEGER, 0, 0, MPI_COMM_WORLD)",
                "external f\n type(MPI_Op) :: o\n call MPI_Op_create(f, 1, o)",
                "if (MPI_COMM_WORLD == MPI_INT) stop"],
}


def compiled(source, *options):
    """Compiles a program in a folder of its own; the result, and the folder."""
    folder = pathlib.Path(tempfile.mkdtemp(dir=os.environ["TEST_TMPDIR"]))
    (folder / "program.f90").write_text(source)
    words = ["gfortran", "-O0", f"-I{ROOT}/runtime/fortran", folder / "program.f90", *options]
    return subprocess.run(words, cwd=folder, capture_output=True, text=True), folder


class CallsTest(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        lines = (ROOT / "runtime/api/functions.api").read_text().splitlines()
        cls.table = table.parse(lines)
        cls.programs = calls.programs(cls.table, kinds.c_type)

    def test_every_function_compiles_and_links(self):
        paths = ":".join(str(library.parent) for library in LIBRARIES)
        for program in self.programs:
            with self.subTest(form=program.form, calls=len(program.calls)):
                options = ["-fallow-argument-mismatch"] if program.form == "mpif.h" else []
                result, folder = compiled(program.text(), "-w", "-o", "program", *options,
                                          *LIBRARIES, f"-Wl,-rpath,{paths}")
                self.assertEqual((result.returncode, result.stderr), (0, ""))
                output = subprocess.run([folder / "program"], capture_output=True, text=True)
                self.assertEqual(output.stdout, "linked\n")
                self.assertGreater(len(program.calls), 600)

    def test_what_is_wrong_is_refused(self):
        for module, bodies in REFUSED.items():
            for body in bodies:
                with self.subTest(module=module, body=body):
                    result, _ = compiled(f"use {module}\nimplicit none\n{body}\nend\n",
                                         "-w", "-fsyntax-only")
                    self.assertNotEqual(result.returncode, 0)

    def test_all_that_the_standard_gives_fortran_is_called(self):
        forms = {form.name: form for form in self.table.forms
                 if form.function.implementation and not form.large}
        for name, procedure in reference.procedures().items():
            if name not in forms:
                continue
            with self.subTest(name=name):
                attributes = procedure["attributes"]
                self.assertEqual(calls.in_fortran(forms[name]),
                                 attributes.get("f90_expressible", False))
                self.assertEqual(calls.in_f08(forms[name]),
                                 attributes.get("f08_expressible", False))
                wanted = [p["name"] for p in procedure["parameters"]
                          if "f08_parameter" not in p.get("suppress", "")
                          and p["name"] != "ierror" and not p.get("large_only")
                          and p["kind"] not in calls.ABSENT]
                self.assertEqual([calls.keyword(p) for p in forms[name].parameters
                                  if p.kind not in calls.ABSENT], wanted)


if __name__ == "__main__":
    unittest.main()
