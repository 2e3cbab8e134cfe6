"""Writes what the build generates from the API table.

    generate.py INPUTS... --header FILE      mpi.h
    generate.py INPUTS... --coverage FILE    docs/coverage.md
    generate.py INPUTS... --entries FILE...  entry_<chapter>.cc, by name

INPUTS are functions.api, constants.api and types.api, recognised by name.
"""

import argparse
import pathlib
import sys

from generator import abi, coverage, entries, header, table


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("inputs", nargs="+", type=pathlib.Path)
    parser.add_argument("--header", type=pathlib.Path)
    parser.add_argument("--coverage", type=pathlib.Path)
    parser.add_argument("--entries", nargs="+", type=pathlib.Path, default=[])
    options = parser.parse_args()
    lines = {path.name: path.read_text().splitlines() for path in options.inputs}
    try:
        functions = table.parse(lines["functions.api"])
        if options.header:
            constants = abi.parse_constants(lines["constants.api"])
            types = abi.parse_types(lines["types.api"])
            options.header.write_text(header.emit(functions, constants, types))
        if options.coverage:
            options.coverage.write_text(coverage.emit(functions))
        for path in options.entries:
            path.write_text(entries.emit(functions, path.stem.removeprefix("entry_")))
    except table.TableError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
