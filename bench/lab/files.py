"""What is written to files: everything as JSON, a line for each figure as CSV."""

import csv
import json

from mpis import Failure, user_path


def check_writable(names):
    """Fails for the first file that cannot be written: now, not after minutes."""
    for name in filter(None, names):
        try:
            with user_path(name).open("a"):
                pass
        except OSError as error:
            raise Failure(f"cannot write {name}: {error.strerror}") from None


def as_record(figure):
    numbers = {name: figure.numbers[name] for name in ("n", "min", "median", "p99", "spread")}
    return {
        "mpi": figure.mpi,
        "run": figure.run,
        **figure.fields,
        "unit": figure.unit,
        "good": figure.good,
        **numbers,
    }


def write_json(name, head, found, runs):
    """`runs`: every start of every program with all its samples, also of no good ones."""
    record = {**head, "figures": [as_record(figure) for figure in found], "runs": runs}
    user_path(name).write_text(json.dumps(record) + "\n")


COLUMNS = ["mpi", "run", "figure", "variant", "collective", "onesided", "guideline", "side"]
COLUMNS += ["bytes", "ranks", "cpus", "unit", "n", "min", "median", "p99", "spread", "good"]


def write_csv(name, found):
    with user_path(name).open("w", newline="") as out:
        writer = csv.DictWriter(out, COLUMNS, restval="", extrasaction="ignore")
        writer.writeheader()
        for figure in found:
            record = as_record(figure)
            if "cpus" in record:
                record["cpus"] = "-".join(map(str, record["cpus"]))
            writer.writerow(record)
