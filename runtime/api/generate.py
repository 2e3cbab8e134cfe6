"""Writes the files that the build generates from the API table.

    generate.py INPUTS... --header FILE      mpi.h
    generate.py INPUTS... --coverage FILE    docs/coverage.md
    generate.py INPUTS... --entries FILE...  entry_<chapter>.cc, by name
    generate.py INPUTS... --fortran FILE...  fortran_<chapter>.cc, mpif.h, mpi.f90, mpi_f08.f90
    generate.py INPUTS... --cxx FILE         mpicxx.h
    generate.py INPUTS... --cxx-test FILE    a test of the functions in mpicxx.h

INPUTS are functions.api, constants.api and types.api, recognised by name, and for mpicxx.h the
files of cxx/.
"""

import argparse
import pathlib
import sys

from generator import (abi, coverage, cxx, entries, fortran_entries, fortran_header,
                       fortran_modules, header, table)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("inputs", nargs="+", type=pathlib.Path)
    parser.add_argument("--header", type=pathlib.Path)
    parser.add_argument("--coverage", type=pathlib.Path)
    parser.add_argument("--cxx", type=pathlib.Path)
    parser.add_argument("--cxx-test", type=pathlib.Path)
    parser.add_argument("--entries", nargs="+", type=pathlib.Path, default=[])
    parser.add_argument("--fortran", nargs="+", type=pathlib.Path, default=[])
    options = parser.parse_args()
    lines = {path.name: path.read_text().splitlines() for path in options.inputs}
    try:
        functions = table.parse(lines["functions.api"])
        constants = abi.parse_constants(lines["constants.api"])
        types = abi.parse_types(lines["types.api"])
        if options.header:
            options.header.write_text(header.emit(functions, constants, types))
        if options.cxx:
            options.cxx.write_text(cxx.emit(
                "\n".join(lines["mpicxx.h.in"]) + "\n", cxx.parse(lines["functions.cxx"], functions),
                cxx.parse_constants(lines["constants.cxx"])))
        if options.cxx_test:
            options.cxx_test.write_text(
                cxx.emit_test(cxx.parse(lines["functions.cxx"], functions)))
        if options.coverage:
            options.coverage.write_text(coverage.emit(functions))
        for path in options.entries:
            path.write_text(entries.emit(functions, path.stem.removeprefix("entry_")))
        for path in options.fortran:
            path.write_text(fortran(path, functions, constants, types))
    except table.TableError as error:
        sys.exit(str(error))


def fortran(path, functions, constants, types):
    """The text of one of the files of the Fortran binding."""
    if path.name == "mpif.h":
        return fortran_header.emit(functions, constants)
    if path.name == "mpi.f90":
        return fortran_modules.emit_mpi(functions, constants)
    if path.name == "mpi_f08.f90":
        return fortran_modules.emit_f08(functions, constants, types)
    return fortran_entries.emit(functions, path.stem.removeprefix("fortran_"))


if __name__ == "__main__":
    main()
