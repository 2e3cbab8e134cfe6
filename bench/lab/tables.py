"""Tables for people, of figures."""

import dataclasses

import figures
import node
import onesided
from samples import ratio

TOLERANCE = 1.1  # a guideline is violated when a call takes that much longer


@dataclasses.dataclass
class Table:
    title: str
    head: list
    rows: list  # of cells, which are text
    notes: list = dataclasses.field(default_factory=list)
    words: int = 1  # so many columns, the first, are no numbers

    def text(self):
        lines = [self.head, *self.rows]
        widths = [max(len(line[i]) for line in lines) for i in range(len(self.head))]

        def joined(line):
            sides = [str.ljust if i < self.words else str.rjust for i in range(len(line))]
            return "  ".join(pad(c, w) for pad, c, w in zip(sides, line, widths)).rstrip()

        shown = [self.title, "", joined(self.head), "-" * (sum(widths) + 2 * len(widths) - 2)]
        return "\n".join([*shown, *map(joined, self.rows), *self.notes])


def number(value, good=True):
    """Three digits that count, a dash for nothing, and a mark behind what is not good."""
    if value is None:
        return "-"
    text = f"{value:.0f}" if abs(value) >= 100 else f"{value:.3g}"
    return text + ("" if good else "!")


def size_name(size):
    for unit, name in [(1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")]:
        if size >= unit and size % unit == 0:
            return f"{size // unit} {name}"
    return f"{size} B"


class Result:
    """All figures, by what they are."""

    def __init__(self, mpis, found, plan, protocols, algorithms):
        self.mpis, self.found, self.plan = mpis, found, plan
        self.protocols, self.algorithms = protocols, algorithms  # of Atoll
        self.places = {cpu["cpu"]: cpu for cpu in plan.all}

    def of(self, mpi, **fields):
        """The figures of an MPI ("": of none) that have these fields."""
        return [
            figure
            for figure in self.found
            if figure.mpi == mpi
            and all(getattr(figure, name) == value for name, value in fields.items())
        ]

    def one(self, mpi, **fields):
        return next(iter(self.of(mpi, **fields)), None)

    def names(self):
        return {mpi.key: mpi.name for mpi in self.mpis}


def median_of(figure):
    return None if figure is None else figure.median


def cell(figure, value=None):
    if figure is None:
        return "-"
    return number(figure.median if value is None else value, figure.good)


def pooled(some):
    """One figure with the samples of all, or None."""
    if not some:
        return None
    values = [value for figure in some for value in figure.values]
    good = all(figure.good for figure in some)
    return figures.Figure(some[0].mpi, some[0].run, {}, some[0].unit, values, good)


def by_class(result, mpi, name):
    """{distance class: figures of pairs}"""
    found = {kind: [] for kind in node.CLASSES}
    for figure in result.of(mpi, figure=name):
        a, b = (result.places[cpu] for cpu in figure.cpus)
        found[node.distance_class(a, b)].append(figure)
    return found


def core_table(result):
    rows = []
    hops = by_class(result, "", "hop")
    for mpi, name in result.names().items():
        for kind, pairs in by_class(result, mpi, "core_to_core").items():
            one, hop = pooled(pairs), pooled(hops[kind])
            if one is None:
                continue
            adds = None if hop is None else one.median - hop.median
            values = [cell(one, value) for value in (one.min, one.median, one.p99)]
            more = [cell(hop), number(adds, one.good)]
            rows.append([name, kind, str(len(pairs)), *values, *more])
    head = ["MPI", "pairs", "", "min", "median", "p99", "cache line", "software adds"]
    return Table("Core to core: one-way time of 8 bytes, us", head, rows, words=2)


def bandwidth(figure):
    """GB/s each way."""
    return figure.bytes / figure.median / 1e3 if figure and figure.median else None


def sweep_row(result, mpi, size):
    def one(name, variant):
        return result.one(mpi, figure=name, variant=variant, bytes=size)

    hot, stream, both = one("latency", "hot"), one("stream", "hot"), one("bidirectional", "hot")
    rate = 1 / stream.median if stream and stream.median else None
    spread = "-" if hot is None else f"{100 * hot.spread:.0f}%"
    limits = [result.one("", figure=name, bytes=size) for name in ("memcpy", "process_vm_readv")]
    latencies = [cell(hot), spread, cell(one("latency", "cold")), cell(one("latency", "typed"))]
    speeds = [bandwidth(stream), bandwidth(both), rate]
    owners = [stream, both, stream]
    return [
        size_name(size),
        *latencies,
        *(number(value, owner is None or owner.good) for value, owner in zip(speeds, owners)),
        *map(cell, limits),
    ]


def sweep_table(result, mpi, name):
    head = ["size", "hot us", "spread", "cold us", "typed us", "GB/s", "GB/s both ways"]
    head += ["messages/us", "memcpy us", "vm_readv us"]
    sizes = sorted({f.bytes for f in result.of(mpi, figure="latency")})
    rows = [sweep_row(result, mpi, size) for size in sizes]
    words = 1
    if mpi in result.protocols:
        head.insert(1, "protocol")
        words = 2
        for row, size in zip(rows, sizes):
            row.insert(1, figures.protocol_of(result.protocols[mpi], size))
    return Table(f"Messages between two cores: {name}", head, rows, words=words)


SWEPT = [("latency", "hot"), ("latency", "cold"), ("latency", "typed"), ("stream", "hot")]
SWEPT += [("bidirectional", "hot")]


def ratio_table(result):
    """The first MPI's times as parts of the others'."""
    first, *others = result.mpis
    rows = []
    for size in sorted({f.bytes for f in result.of(first.key, figure="latency")}):
        row = [size_name(size)]
        for other in others:
            for name, variant in SWEPT:
                fields = {"figure": name, "variant": variant, "bytes": size}
                ours, theirs = result.one(first.key, **fields), result.one(other.key, **fields)
                good = ours is not None and theirs is not None and ours.good and theirs.good
                row.append(number(ratio(median_of(ours), median_of(theirs)), good))
        rows.append(row)
    short = {"latency": "", "stream": "stream", "bidirectional": "both ways"}
    head = ["size"]
    for other in others:
        for name, variant in SWEPT:
            head.append(f"{other.name} {short[name] or variant}")
    return Table(f"Times of {first.name} as parts of the others'", head, rows)


def threads_table(result):
    """Hot latencies, and how many times those without threads they are where both were
    measured."""
    rows = []
    for size in sorted({f.bytes for f in result.found if f.run == "threads"}):
        row = [size_name(size)]
        for mpi in result.mpis:
            fields = {"variant": "hot", "bytes": size}
            ready = result.one(mpi.key, figure="threads_latency", **fields)
            plain = result.one(mpi.key, figure="latency", **fields)
            good = ready is not None and plain is not None and ready.good and plain.good
            times = ratio(median_of(ready), median_of(plain))
            row += [cell(ready), number(times, good)]
        rows.append(row)
    head = ["size"]
    for mpi in result.mpis:
        head += [f"{mpi.name} us", "/ single"]
    return Table("One-way time at MPI_THREAD_MULTIPLE, hot", head, rows)


def collective_table(result):
    first = result.mpis[0]
    rows = []
    for ours in [f for f in result.of(first.key) if f.collective]:
        key = (ours.collective, ours.bytes, ours.ranks)
        fields = dict(zip(["collective", "bytes", "ranks"], key))
        all_of_it = [ours, *(result.one(mpi.key, **fields) for mpi in result.mpis[1:])]
        row = [f"MPI_{ours.collective.capitalize()}", size_name(ours.bytes), str(ours.ranks)]
        if result.algorithms:
            row.insert(1, result.algorithms.get(key, ""))
        row += [*map(cell, all_of_it), f"{100 * ours.spread:.0f}%"]
        row += [number(ratio(ours.median, median_of(other))) for other in all_of_it[1:]]
        rows.append(row)
    head = ["call", *(["algorithm"] if result.algorithms else []), "bytes a rank", "ranks"]
    head += [f"{mpi.name} us" for mpi in result.mpis] + ["spread"]
    head += [f"/ {mpi.name}" for mpi in result.mpis[1:]]
    words = 2 if result.algorithms else 1
    return Table("Collectives", head, rows, words=words)


def onesided_table(result):
    """Of all MPIs: the first may not do all."""
    limits = {figure.name: figure.limits for figure in onesided.PAIR}
    titles = {figure.name: figure.title for figure in onesided.PAIR + onesided.CROWD}
    some = [figure for figure in result.found if figure.onesided]
    rows = []
    for name, ranks in dict.fromkeys((figure.onesided, figure.ranks) for figure in some):
        all_of_it = [result.one(mpi.key, onesided=name, ranks=ranks) for mpi in result.mpis]
        ours = all_of_it[0]
        bare = [result.one("", figure=limit) for limit in limits.get(name, ())]
        spread = "-" if ours is None else f"{100 * ours.spread:.0f}%"
        row = [titles.get(name, name), str(ranks), *map(cell, all_of_it), spread]
        row.append(cell(min(filter(None, bare), key=median_of, default=None)))
        row += [number(ratio(median_of(ours), median_of(other))) for other in all_of_it[1:]]
        rows.append(row)
    head = ["operation", "ranks", *(f"{mpi.name} us" for mpi in result.mpis), "spread", "bare us"]
    head += [f"/ {mpi.name}" for mpi in result.mpis[1:]]
    return Table("One-sided communication", head, rows)


def verdicts(result, mpi):
    """(guideline, [(size, ratio of the medians)], verdict) for each guideline."""
    calls = result.of(mpi, figure="guideline", side="call")
    for name in dict.fromkeys(figure.guideline for figure in calls):
        ratios, good = [], True
        for call in (figure for figure in calls if figure.guideline == name):
            fields = {"guideline": name, "side": "mimic", "bytes": call.bytes}
            mimic = result.one(mpi, figure="guideline", **fields)
            if mimic is None or not mimic.median:
                continue
            # Both the best and the middle batch have to say so: one may be chance.
            best = ratio(call.min, mimic.min) or 0
            ratios.append((call.bytes, min(ratio(call.median, mimic.median), max(best, 1e-9))))
            good = good and call.good and mimic.good
        yield name, ratios, verdict(ratios, good)


def verdict(ratios, good):
    worst = max(ratios, key=lambda pair: pair[1], default=None)
    if worst is None:
        return "not measured"
    if not good:
        return "not told: the machine was busy"
    if worst[1] <= TOLERANCE:
        return "holds"
    return f"violated: {worst[1]:.2f} times as long at {size_name(worst[0])}"


def guideline_table(result):
    rows = []
    for mpi, name in result.names().items():
        for guideline, ratios, said in verdicts(result, mpi):
            shown = ", ".join(f"{size_name(size)}: {value:.2f}" for size, value in ratios)
            rows.append([name, guideline, said, shown])
    return Table("Guidelines", ["MPI", "not slower than", "verdict", "ratios"], rows, words=4)


def tables(result):
    made = []
    if result.of("", figure="hop") or any(f.figure == "core_to_core" for f in result.found):
        made.append(core_table(result))
    for mpi, name in result.names().items():
        made.append(sweep_table(result, mpi, name))
    if len(result.mpis) > 1:
        made.append(ratio_table(result))
    made += [threads_table(result), collective_table(result), onesided_table(result)]
    made.append(guideline_table(result))
    return [table for table in made if table.rows]
