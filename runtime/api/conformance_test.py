"""Compares the table and mpi.h with the reference facts of the MPI standard."""

import pathlib
import re
import subprocess
import tempfile
import unittest

import reference
from generator import abi, header, table

HERE = pathlib.Path(__file__).parent
STRICT = ["-pedantic-errors", "-Werror", "-Wall", "-Wextra"]
LANGUAGES = {"c": ["gcc", "-std=c99"], "cc": ["g++", "-std=c++11"]}


def normal(prototype):
    """The prototype with pointers and spaces normalized."""
    prototype = re.sub(r"(\w+)\[\](?!\[)", r"*\1", prototype)
    return " ".join(re.sub(r"([*(),])", r" \1 ", prototype).split())


def functions():
    """The rows of functions.tsv, and the functions missing there: those that return a handle."""
    rows = reference.rows("functions.tsv")
    for row in [row for row in rows if row["name"].endswith("_toint")]:
        handle, name = row["parameters"].split()
        rows.append({"name": row["name"].replace("_toint", "_fromint"), "returns": handle,
                     "parameters": f"int {name}", "note": ""})
    return rows


class TableTest(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        cls.reference = {row["name"]: row for row in functions()}
        with open(HERE / "functions.api", encoding="utf-8") as lines:
            cls.forms = {form.name: form for form in table.parse(lines).forms
                         if not form.function.removed}

    def test_names(self):
        self.assertEqual(sorted(self.forms), sorted(self.reference))

    def test_prototypes(self):
        for name, row in self.reference.items():
            expected = f"{row['returns']} {name}({row['parameters'] or 'void'})"
            self.assertEqual(normal(header.prototype(self.forms[name])), normal(expected))

    def test_deprecation(self):
        for name, row in self.reference.items():
            deprecated = self.forms[name].function.deprecated
            self.assertEqual(f"deprecated: MPI-{deprecated}" if deprecated else "", row["note"],
                             name)

    def test_kinds(self):
        """Kinds and directions are those of 4.1 if the function existed then."""
        compared = 0
        for name, procedure in reference.procedures().items():
            if name not in self.forms or name in CHANGED_SINCE_4_1:
                continue
            expected = [(p["kind"], p["param_direction"]) for p in procedure["parameters"]
                        if "c_parameter" not in (p.get("suppress") or "")]
            ours = [(p.kind, p.direction) for p in self.forms[name].function.parameters]
            self.assertEqual(ours, expected, name)
            compared += 1
        self.assertGreater(compared, 400)


# Where the table differs from the procedure data of 4.1, and why.
CHANGED_SINCE_4_1 = {
    "MPI_Info_create_env",  # argc and argv are inputs, not inout
    "MPI_Precv_init",  # has a large-count form since 5.0, so the count is POLY
    "MPI_Psend_init",
    "MPI_Status_set_elements",
}


class HeaderTest(unittest.TestCase):
    """Programs that do not compile, or fail, when mpi.h differs from the ABI."""

    def compile_and_run(self, source):
        for suffix, compiler in LANGUAGES.items():
            with self.subTest(language=suffix), tempfile.TemporaryDirectory() as scratch:
                path = pathlib.Path(scratch) / f"check.{suffix}"
                path.write_text("#include <stddef.h>\n#include <stdio.h>\n#include <mpi.h>\n"
                                + source, encoding="utf-8")
                program = path.with_suffix("")
                self.run_quietly(compiler + STRICT + ["-I", HERE, path, "-o", program])
                self.run_quietly([program])

    def run_quietly(self, command):
        result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                text=True, timeout=120, check=False)
        self.assertEqual((result.returncode, result.stdout), (0, ""))

    def test_constants(self):
        lines = "".join(f'  wrong += differs("{row["name"]}", (intptr_t){row["name"]}, '
                        f'(intptr_t){row["value"]});\n'
                        for row in reference.rows("constants.tsv"))
        self.compile_and_run(f"{DIFFERS}\nint main(void) {{\n  int wrong = 0;\n{lines}"
                             "  return wrong;\n}\n")

    def test_constants_have_their_types(self):
        """An address or handle of one type does not initialize a variable of another."""
        lines = "".join(f'  {{ {row["type"]} value = {row["name"]}; (void)value; }}\n'
                        for row in reference.rows("constants.tsv") if row["type"] != "#define")
        self.compile_and_run(f"int main(void) {{\n{lines}  return 0;\n}}\n")

    def test_integers_serve_the_preprocessor(self):
        lines = "".join(f'#if {row["name"]} != {row["value"]}\n#error {row["name"]}\n#endif\n'
                        for row in reference.rows("constants.tsv")
                        if row["type"] == "#define" and row["value"].isdigit())
        self.assertIn("MPI_VERSION", lines)
        self.compile_and_run(lines + "int main(void) { return 0; }\n")

    # The next three redeclare what mpi.h declares: a different type is a compile error.

    def test_types(self):
        rows = [row for row in reference.rows("types.tsv") if row["name"] != "MPI_Status"]
        self.declare_again(f'extern {type_} *object_{i};\n' for i, row in enumerate(rows)
                           for type_ in (row["name"], row["definition"]))

    def test_callbacks(self):
        rows = reference.rows("callbacks.tsv")
        self.declare_again(f'extern {row["name"]} function_{i};\n'
                           f'{row["returns"]} function_{i}({row["parameters"]});\n'
                           for i, row in enumerate(rows))

    def test_prototypes(self):
        names = self.names_in_header()
        rows = [row for row in functions() if row["name"] in names]
        self.assertIn("MPI_Send", [row["name"] for row in rows])
        self.declare_again(f'{row["returns"]} {prefix}{row["name"]}({row["parameters"]});\n'
                           for row in rows for prefix in ("", "P"))

    def declare_again(self, lines):
        self.compile_and_run('#ifdef __cplusplus\nextern "C" {\n#endif\n' + "".join(lines)
                             + "#ifdef __cplusplus\n}\n#endif\nint main(void) { return 0; }\n")

    def test_status(self):
        self.compile_and_run(f"int main(void) {{\n  return {STATUS_DIFFERS};\n}}\n")

    def test_mpi_h_has_nothing_else(self):
        known = {row["name"] for name in ("constants", "callbacks", "types")
                 for row in reference.rows(f"{name}.tsv")}
        known |= {row["name"] for row in functions()}
        known |= {name.replace("_" + old, "_" + new) for name in known
                  for old, new in (("toint", "c2f"), ("fromint", "f2c"))}  # MPI 5.0, 19.3.4
        known |= {"MPI_Fint", "MPI_F08_status"}  # 19.3.5
        known |= {f"MPI_Status_{pair}"
                  for pair in ("c2f", "f2c", "c2f08", "f082c", "f2f08", "f082f")}
        known |= {f"MPI_{form}_{ignored}_IGNORE"
                  for form in ("F", "F08") for ignored in ("STATUS", "STATUSES")}
        known |= {"P" + name for name in known}
        known |= {"MPI_SOURCE", "MPI_TAG", "MPI_ERROR", "MPI_internal"}  # fields of MPI_Status
        known |= {"MPI_T_cb_safety", "MPI_T_source_order"}  # MPI 5.0, 15.3.8
        extra = {name for name in self.names_in_header() - known
                 if not name.startswith("MPI_ABI_")}  # tags of the structures behind handles
        self.assertEqual(extra, {"MPI_H_INCLUDED"})

    def names_in_header(self):
        text = (HERE / "mpi.h").read_text(encoding="utf-8")
        text, legacy = re.subn(r"#ifndef ATOLL_NO_LEGACY\n.*\n#endif", "", text, flags=re.S)
        self.assertEqual(legacy, 1)
        return set(re.findall(r"\bP?MPI_\w+", re.sub(r"/\*.*?\*/", "", text, flags=re.S)))


DIFFERS = """\
static int differs(const char *name, intptr_t value, intptr_t expected) {
  if (value == expected) return 0;
  printf("%s is %ld, not %ld\\n", name, (long)value, (long)expected);
  return 1;
}
"""

STATUS_DIFFERS = """sizeof(MPI_Status) != 32 ||
         offsetof(MPI_Status, MPI_SOURCE) != 0 || offsetof(MPI_Status, MPI_TAG) != 4 ||
         offsetof(MPI_Status, MPI_ERROR) != 8 || offsetof(MPI_Status, MPI_internal) != 12"""


if __name__ == "__main__":
    unittest.main(verbosity=2)  # prints why tests are skipped
