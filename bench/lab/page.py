"""The report: one HTML file with the pictures and tables, and all that they need."""

import html
import json
import pathlib

import figures
import node
import onesided
import tables
from mpis import Failure

HERE = pathlib.Path(__file__).resolve().parent
LIBRARY = "bench/chart.min.js"  # below the folder that is given; from Debian


def line(label, points, dashed=False):
    return {"label": label, "points": points, "dashed": dashed}


def plot(title, x, y, lines, marks=()):
    """Lines over logarithmic axes; `marks`: (label, x) where something changes."""
    drawn = [one for one in lines if one["points"]]
    return {"kind": "lines", "title": title, "x": x, "y": y, "lines": drawn, "marks": list(marks)}


def over_size(some, value):
    """Points of figures; sizes of 0 have no place on the axis."""
    found = [(figure.bytes, value(figure)) for figure in some]
    return sorted([size, y] for size, y in found if size and y)


def median(figure):
    return figure.median


def heat_maps(result):
    """A picture for the bare machine and for each MPI; axes in the order of the topology."""
    named = [("", "cache-line latency", "hop")]
    named += [(key, f"{name}, 8 bytes", "core_to_core") for key, name in result.names().items()]
    for key, title, name in named:
        some = result.of(key, figure=name)
        if not some:
            continue
        cpus = [cpu for cpu in ordered(result.plan.all) if any(cpu["cpu"] in f.cpus for f in some)]
        place = {cpu["cpu"]: i for i, cpu in enumerate(cpus)}
        cells = []
        for figure in some:
            a, b = (place[cpu] for cpu in figure.cpus)
            cells += [[a, b, figure.median], [b, a, figure.median]]
        yield {
            "kind": "heat",
            "title": f"One-way time between cores, us: {title}",
            "labels": [axis_label(cpu) for cpu in cpus],
            "breaks": breaks(cpus),
            "cells": cells,
        }


def ordered(cpus):
    return sorted(cpus, key=lambda cpu: [cpu[n] for n in ("package", "numa", "l3", "core", "cpu")])


def axis_label(cpu):
    where = [("P", "package"), ("N", "numa"), ("L", "l3")]
    places = "".join(f" {letter}{cpu[name]}" for letter, name in where if cpu[name] != -1)
    return f"{cpu['cpu']}{places}"


def breaks(cpus):
    """Before which cpus another L3, NUMA node or package begins."""
    kinds = ("package", "numa", "l3")
    pairs = list(zip(cpus, cpus[1:]))
    return [i for i, (a, b) in enumerate(pairs, 1) if any(a[k] != b[k] for k in kinds)]


def distance_plot(result):
    """Every pair's median, by class of distance: MPI beside the cache-line latency."""
    lines = []
    for key, name in [("", "cache line"), *result.names().items()]:
        classes = tables.by_class(result, key, "core_to_core" if key else "hop")
        points = [
            [kind, figure.median] for kind, pairs in classes.items() for figure in pairs
        ]
        lines.append(line(name, points))
    used = {point[0] for one in lines for point in one["points"]}
    classes = [kind for kind in node.CLASSES if kind in used]
    shown = [one for one in lines if one["points"]]
    title = "One-way time of every pair, by distance"
    return {"kind": "classes", "title": title, "y": "us", "classes": classes, "lines": shown}


def limit_lines(result, value):
    for name in ("memcpy", "process_vm_readv"):
        yield line(name, over_size(result.of("", figure=name), value), dashed=True)


def sweep_plots(result):
    marks = list(protocol_marks(result))

    def lines(name, variant, value):
        for key, mpi in result.names().items():
            some = result.of(key, figure=name, variant=variant)
            yield line(f"{mpi}, {variant}", over_size(some, value))

    def all_of(name, variants, value):
        return [one for variant in variants for one in lines(name, variant, value)]

    limits = list(limit_lines(result, median))
    speeds = list(limit_lines(result, tables.bandwidth))
    latency = all_of("latency", ["hot", "cold", "typed"], median)
    stream = all_of("stream", ["hot"], tables.bandwidth)
    both = all_of("bidirectional", ["hot"], tables.bandwidth)
    rate = all_of("stream", ["hot"], lambda figure: 1 / figure.median if figure.median else 0)
    size = "bytes of a message"
    yield plot("One-way time of a message", size, "us", latency + limits, marks)
    yield plot("Bandwidth", size, "GB/s", stream + speeds, marks)
    yield plot("Bandwidth of each way, both at once", size, "GB/s", both, marks)
    yield plot("Messages", size, "million messages/s", rate, marks)


def protocol_marks(result):
    """Where Atoll's messages begin to take another way."""
    for rows in result.protocols.values():
        for (_, most), (name, _) in zip(rows, rows[1:]):
            yield [f"Atoll: {name} above {most} bytes", most]


def threads_plot(result):
    lines = []
    for key, name in result.names().items():
        for figure, level in [("threads_latency", "multiple"), ("latency", "single")]:
            some = result.of(key, figure=figure, variant="hot")
            sizes = {f.bytes for f in result.of(key, figure="threads_latency")}
            points = over_size([f for f in some if f.bytes in sizes], median)
            lines.append(line(f"{name}, {level}", points))
    return plot("One-way time by thread level", "bytes of a message", "us", lines)


def collective_plots(result):
    some = [figure for figure in result.found if figure.collective]
    for operation in dict.fromkeys(figure.collective for figure in some):
        if operation == "barrier":
            continue
        lines = []
        for ranks in sorted({figure.ranks for figure in some}):
            for key, name in result.names().items():
                of_it = result.of(key, collective=operation, ranks=ranks)
                lines.append(line(f"{name}, {ranks} ranks", over_size(of_it, median)))
        yield plot(f"MPI_{operation.capitalize()}", "bytes a rank", "us", lines)


def onesided_plot(result):
    """Puts and gets, over their size."""
    lines = []
    for key, name in result.names().items():
        some = [f for f in result.of(key, ranks=2) if f.onesided]
        for call in ["put", "get"]:
            for ending, kind in [("", "allocated"), ("_created", "created")]:
                names = [f"{call}_{size}{ending}" for size in ["8", *onesided.SIZES]]
                of_it = [figure for figure in some if figure.onesided in names]
                lines.append(line(f"{name}, {call}, {kind}", over_size(of_it, median)))
    return plot("One-sided: a put or get, and a flush", "bytes", "us", lines)


def guideline_plot(result):
    lines = []
    for key, name in result.names().items():
        points = [
            [guideline, ratio]
            for guideline, ratios, _ in tables.verdicts(result, key)
            for _, ratio in ratios
        ]
        lines.append(line(name, points))
    classes = list(dict.fromkeys(point[0] for one in lines for point in one["points"]))
    title = "Guidelines: time of the call as a part of what does the same; above 1.1 is a violation"
    lines = [one for one in lines if one["points"]]
    return {"kind": "classes", "title": title, "y": "ratio", "classes": classes, "lines": lines}


def plots(result):
    made = [*heat_maps(result), distance_plot(result), *sweep_plots(result)]
    made += [threads_plot(result), *collective_plots(result), onesided_plot(result)]
    made.append(guideline_plot(result))
    return [one for one in made if one.get("cells") or one.get("lines")]


def html_table(table):
    def row(tag, cells):
        return "<tr>" + "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in cells) + "</tr>"

    body = "\n".join(row("td", cells) for cells in table.rows)
    head = f"<h2>{html.escape(table.title)}</h2>\n<table class='w{table.words}'>"
    return f"{head}\n<thead>{row('th', table.head)}</thead>\n<tbody>{body}</tbody></table>"


def facts_list(head):
    machine = {k: v for k, v in head["machine"].items() if k != "cpus"}
    lines = {"command": head["command"], "time": head["time"], **machine}
    lines.update((mpi["name"], f"{mpi['version']} ({mpi['mpicc']})") for mpi in head["mpis"])
    escaped = ((html.escape(str(k)), html.escape(str(v))) for k, v in lines.items())
    return "\n".join(f"<dt>{name}</dt><dd>{value}</dd>" for name, value in escaped)


def inside_script(value):
    """JSON that does not end the script it stands in."""
    return json.dumps(value).replace("</", "<\\/")


def page(head, result, shown, share):
    """The text of the report. `share` is the folder with the library."""
    library = pathlib.Path(share) / LIBRARY
    if not library.exists():
        raise Failure(f"the report needs Chart.js, which is not in {library}")
    parts = {
        "LIBRARY": library.read_text(),
        "DRAWING": (HERE / "page.js").read_text(),
        "PLOTS": inside_script(plots(result)),
        "TABLES": "\n".join(map(html_table, shown)),
        "NOTES": "\n".join(f"<li>{html.escape(note)}</li>" for note in head["notes"]),
        "FACTS": facts_list(head),
    }
    text = (HERE / "page.html").read_text()
    before, *rest = text.split("@@")
    return before + "".join(
        parts[piece] if number % 2 == 0 else piece for number, piece in enumerate(rest)
    )
