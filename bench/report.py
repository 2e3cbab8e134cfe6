"""From measured values to the table: ratios and whether a target is reached."""

import dataclasses
import statistics

PEERS = ["mpich", "openmpi"]


@dataclasses.dataclass
class Row:
    """A figure's values; None is what was not measured."""

    figure: object
    values: dict  # by key of the MPI
    limit: float
    better_peer: float
    of_peer: float  # Atoll as a part of the better peer
    of_limit: float  # Atoll as a multiple of the limit
    met: bool  # None: no target, or not to be told


def values(records):
    """{name: (best, median)} of records; lower is better."""
    return {
        record["figure"]: (min(record["samples"]), statistics.median(record["samples"]))
        for record in records
        if record["samples"]
    }


def best(rounds, name):
    """The lowest best value of `name` in a list of {name: (best, median)}."""
    values = [measured[name][0] for measured in rounds if name in measured]
    return min(values, default=None)


def ratio(value, base):
    return value / base if value is not None and base else None


def row(figure, measured, limits):
    """`measured`: {key: [{name: (best, median)} of each round]}; `limits`: such a list."""
    values = {key: best(rounds, figure.name) for key, rounds in measured.items()}
    ours = values.get("atoll")
    peers = [values[key] for key in PEERS if values.get(key) is not None]
    better_peer = min(peers, default=None)
    bounds = [bound for name in figure.limits if (bound := best(limits, name)) is not None]
    limit = min(bounds, default=None)
    of_peer = ratio(ours, better_peer)
    met = reached(figure, ours, of_peer, limit)
    return Row(figure, values, limit, better_peer, of_peer, ratio(ours, limit), met)


def reached(figure, ours, of_peer, limit):
    """Whether all that is to be reached is; None when there is nothing, or one part cannot be told
    and no other is missed."""
    told = []
    if figure.at_most is not None:
        told.append(None if ours is None else ours <= figure.at_most)
    if figure.of_peer is not None:
        told.append(None if of_peer is None else of_peer <= figure.of_peer)
    if figure.of_limit is not None:
        unknown = ours is None or limit is None
        told.append(None if unknown else ours <= figure.of_limit * limit + figure.more)
    if False in told:
        return False
    return None if None in told or not told else True


def number(value):
    """Three or four digits that count, or a dash."""
    if value is None:
        return "-"
    return f"{value:.3f}" if value < 10 else f"{value:.1f}" if value < 1000 else f"{value:.0f}"


def goal(figure):
    parts = []
    if figure.at_most is not None:
        parts.append(f"{figure.at_most:g} {figure.unit}")
    if figure.of_peer is not None:
        parts.append(f"{figure.of_peer:g} peer")
    if figure.of_limit is not None:
        more = f" + {figure.more:g}" if figure.more else ""
        parts.append(f"{figure.of_limit:g} limit{more}")
    return "<= " + ", ".join(parts) if parts else "-"


HEAD = ["figure", "", "Atoll", "MPICH", "Open MPI", "limit", "/ peer", "/ limit", "to reach", "met"]


def cells(row):
    figure = row.figure
    values = [number(row.values.get(key)) for key in ["atoll", *PEERS]]
    ratios = ["-" if r is None else f"{r:.2f}" for r in [row.of_peer, row.of_limit]]
    met = {True: "yes", False: "NO", None: "-"}[row.met]
    return [figure.title, figure.unit, *values, number(row.limit), *ratios, goal(figure), met]


def table(rows):
    lines = [HEAD] + [cells(row) for row in rows]
    widths = [max(len(line[i]) for line in lines) for i in range(len(HEAD))]
    words = [0, 1, 8, 9]  # columns that are not numbers

    def text(line):
        sides = [str.ljust if i in words else str.rjust for i in range(len(HEAD))]
        return "  ".join(pad(c, w) for pad, c, w in zip(sides, line, widths)).rstrip()

    rule = "-" * (sum(widths) + 2 * len(HEAD) - 2)
    return "\n".join([text(lines[0]), rule, *(text(line) for line in lines[1:])])


def as_record(row):
    """What --json writes of a row."""
    record = dataclasses.asdict(row)
    record["figure"] = row.figure.name
    record.update(title=row.figure.title, unit=row.figure.unit, to_reach=goal(row.figure))
    return record
