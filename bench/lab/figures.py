"""The figures of a measurement: every MPI's records of the same thing put together."""

import dataclasses
import re

import samples

# What tells one figure from another, besides its run and MPI.
FIELDS = ["figure", "variant", "collective", "onesided", "guideline", "side"]
FIELDS += ["bytes", "ranks", "cpus"]


@dataclasses.dataclass
class Figure:
    """One figure of one MPI, or of the bare machine (no MPI)."""

    mpi: str
    run: str
    fields: dict
    unit: str
    values: list  # all samples, of good rounds if there were any
    good: bool  # nobody disturbed
    numbers: dict = None

    def __post_init__(self):
        self.numbers = samples.summary(self.values)

    def __getattr__(self, name):
        """min, median, p99, spread; figure, bytes, ..."""
        for source in ("numbers", "fields"):
            found = self.__dict__.get(source) or {}
            if name in found:
                return found[name]
        if name in FIELDS:
            return None
        raise AttributeError(name)


def gather(rounds):
    """The Figures of Rounds, in the order in which they were first seen."""
    found = {}
    for run in rounds.runs:
        fit = {id(result) for result in rounds.comparable(run)}
        for result in (r for r in rounds.results if r["run"] == run.name):
            good = id(result) in fit and not result["disturbed"]
            for record in result["records"]:
                add(found, result["mpi"], run.name, record, good)
    return list(found.values())


def bare(results, run):
    """The Figures of the bare machine, from [(records, why they are not good)]."""
    found = {}
    for records, disturbed in results:
        for record in records:
            add(found, "", run, record, not disturbed)
    return list(found.values())


def add(found, mpi, run, record, good):
    """Good samples take the place of others, and are joined by others that are good."""
    if not record.get("samples"):
        return
    fields = {name: record[name] for name in FIELDS if name in record}
    key = (mpi, run, *(str(fields.get(name)) for name in FIELDS))
    there = found.get(key)
    if there is not None and there.good != good:
        if there.good:
            return
        there = None
    values = (there.values if there else []) + record["samples"]
    found[key] = Figure(mpi, run, fields, record["unit"], values, good)


def algorithms(output):
    """{(collective, bytes, ranks): algorithm}, from an Output with lines "bcast takes
    flat". Such a line comes when that is the first time, and calls get longer: it holds
    from the next record of the collective on."""
    found, current, lines = {}, {}, list(output.others)
    for number, record in enumerate(output.records):
        while lines and lines[0][0] <= number:
            collective, takes, algorithm = lines.pop(0)[1].partition(" takes ")
            if takes:
                current[collective] = algorithm
        key = record["collective"], record["bytes"], record["ranks"]
        found[key] = current.get(record["collective"], "")
    return found


def protocols(results):
    """[(name, largest bytes or None)], from the lines of --show-protocols."""
    for result in reversed(results):
        rows = []
        for _, line in result["others"]:
            match = re.match(r"(inline|eager|copied once|copied twice) +(?:up to (\d+)|above)", line)
            if match:
                rows.append((match[1], int(match[2]) if match[2] else None))
        if rows:
            return rows
    return []


def protocol_of(rows, size):
    for name, most in rows:
        if most is None or size <= most:
            return name
    return ""
