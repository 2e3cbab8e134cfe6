"""Finds the reference facts of the MPI standard, which tests compare with.

They are not part of this repository: a folder shared/mpi-standard beside it, or
the one that ATOLL_MPI_STANDARD names, holds them as tables.
"""

import csv
import json
import os
import pathlib
import unittest

BESIDE = "shared/mpi-standard"  # from the folder that holds the repository


def folder():
    """The reference folder; skips the test that asks where there is none."""
    named = os.environ.get("ATOLL_MPI_STANDARD")
    # A test sees this file through a link into the repository.
    repository = pathlib.Path(__file__).resolve().parents[2]
    path = pathlib.Path(named) if named else repository.parent / BESIDE
    if not path.is_dir():
        raise unittest.SkipTest(f"no reference facts of the MPI standard in {path}")
    return path


def rows(name):
    """The rows of a reference table as dictionaries."""
    with open(folder() / name, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def procedures():
    """The Forum's procedure data of MPI 4.1."""
    return json.loads((folder() / "parameters-4.1.json").read_text(encoding="utf-8"))
