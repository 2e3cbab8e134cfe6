"""What libmpi_abi.so.1 exports: the implemented functions, under both names."""

import pathlib
import subprocess
import unittest

from generator import table

HERE = pathlib.Path(__file__).parent
LIBRARY = HERE.parent / "libmpi_abi.so.1"


class SymbolsTest(unittest.TestCase):

    def test_exported_symbols(self):
        with open(HERE / "functions.api", encoding="utf-8") as lines:
            forms = table.parse(lines).forms
        names = [form.name for form in forms if form.function.implementation]
        # nm's letters: T is a function, W a weak one.
        expected = {name: "W" for name in names} | {f"P{name}": "T" for name in names}
        self.assertEqual({name: kind for name, (_, kind) in exported().items()}, expected)

    def test_both_names_are_one_function(self):
        symbols = exported()
        for name, (address, kind) in symbols.items():
            if kind == "W":
                self.assertEqual(symbols[f"P{name}"][0], address, name)


def exported():
    """{name: (address, nm's letter)} of the library's dynamic symbols."""
    listing = subprocess.run(["nm", "--dynamic", "--defined-only", LIBRARY], check=True,
                             stdout=subprocess.PIPE, text=True, timeout=60).stdout
    rows = [line.split() for line in listing.splitlines()]
    return {name.split("@")[0]: (address, kind) for address, kind, name in rows}


if __name__ == "__main__":
    unittest.main()
