"""Looks at a report in a browser: every plot shows every point of its data."""

import html.parser
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

import figures
import mpis
import node
import page
import plan
import tables

# Where Bazel has it, or Debian.
FOLDERS = [pathlib.Path(os.environ.get("TEST_SRCDIR", "."), "chart_js")]
FOLDERS += [pathlib.Path("/usr/share/javascript/chart.js")]

# Runs in the page: how many points of each data set lie where pixels have its colour.
PROBE = """
<script>
function pixels(chart, x, y, radius) {
  const ratio = chart.currentDevicePixelRatio;
  const left = Math.max(0, Math.round((x - radius) * ratio));
  const top = Math.max(0, Math.round((y - radius) * ratio));
  const side = Math.max(1, Math.round(2 * radius * ratio));
  return chart.ctx.getImageData(left, top, side, side).data;
}
function rgb(colour) {
  const canvas = document.createElement("canvas").getContext("2d");
  canvas.fillStyle = colour;
  canvas.fillRect(0, 0, 1, 1);
  return canvas.getImageData(0, 0, 1, 1).data;
}
function visible(chart, set, index) {
  const point = chart.getDatasetMeta(set).data[index];
  if (Number.isNaN(point.x) || Number.isNaN(point.y)) return false;
  const wanted = rgb(point.options.backgroundColor), seen = pixels(chart, point.x, point.y, 3);
  for (let i = 0; i < seen.length; i += 4) {
    if ([0, 1, 2].every(k => Math.abs(seen[i + k] - wanted[k]) < 40) && seen[i + 3] > 200) return true;
  }
  return false;
}
const seen = plots.map((plot, i) => {
  const chart = Chart.getChart(document.querySelectorAll("canvas")[i]);
  return chart.data.datasets.map((data, set) => ({
    label: data.label ?? "",
    points: data.data.length,
    visible: data.data.filter((_, index) => visible(chart, set, index)).length,
  }));
});
const text = document.body.appendChild(document.createElement("pre"));
text.id = "probe";
text.textContent = JSON.stringify(seen);
</script>
"""


class Text(html.parser.HTMLParser):
    """The text of the element that the probe made."""

    def __init__(self):
        super().__init__()
        self.inside, self.text = False, ""

    def handle_starttag(self, tag, attributes):
        self.inside = ("id", "probe") in attributes

    def handle_endtag(self, tag):
        self.inside = False

    def handle_data(self, data):
        self.text += data if self.inside else ""


def cpus(count):
    """Half of them in each of two packages."""
    half = count // 2
    return [
        {"cpu": i, "core": i, "l3": i // half, "numa": i // half, "package": i // half}
        for i in range(count)
    ]


def figure(mpi, run, us, **fields):
    return figures.Figure(mpi, run, fields, "us", [us, us * 1.1, us * 1.3], True)


def pairs(mpi, name, base):
    for a in range(8):
        for b in range(a + 1, 8):
            yield figure(mpi, "cores", base + (a < 4 <= b), figure=name, cpus=[a, b], bytes=8)


def swept(mpi, base):
    for size in [0, 1, 64, 4096, 1 << 20]:
        us = base * (1 + size / 1e4)
        for variant in ["hot", "cold", "typed"]:
            factor = {"hot": 1, "cold": 2, "typed": 4}[variant]
            yield figure(
                mpi, "sweep", us * factor, figure="latency", variant=variant, bytes=size
            )
        yield figure(
            mpi, "threads", us * 1.15, figure="threads_latency", variant="hot", bytes=size
        )
        yield figure(mpi, "sweep", us / 2, figure="stream", variant="hot", bytes=size)
        yield figure(mpi, "sweep", us / 3, figure="bidirectional", variant="hot", bytes=size)


def called(mpi, base):
    for name in ["bcast", "allreduce"]:
        for size in [8, 1024, 65536]:
            us = base * (1 + size / 1e3)
            yield figure(
                mpi, "collectives_2", us, figure="x", collective=name, bytes=size, ranks=2
            )
    for number, name in enumerate(["put_8", "put_64K", "get_64K", "put_64K_created"], 1):
        size = 8 if name == "put_8" else 65536
        fields = {"figure": f"rma_{name}_2", "onesided": name, "bytes": size, "ranks": 2}
        yield figure(mpi, "onesided_2", base * number, **fields)
    for side, us in [("call", base), ("mimic", 1.0)]:
        fields = {"guideline": "a <= b", "side": side, "bytes": 16, "ranks": 2}
        yield figure(mpi, "guidelines", us, figure="guideline", **fields)


def made_up_result():
    facts = {"memory_available": 8 << 30, "last_cache": 32 << 20}
    found = [*pairs("", "hop", 0.1)]
    found += [figure("", "limits", s / 1e5, figure="memcpy", bytes=s) for s in (64, 4096, 1 << 20)]
    chosen = []
    for key, base in [("atoll", 0.4), ("other", 0.55)]:
        mpi = mpis.Mpi()
        mpi.key, mpi.name = key, key.capitalize()
        chosen.append(mpi)
        found += [*pairs(key, "core_to_core", base), *swept(key, base), *called(key, base)]
    made = plan.Plan(plan.QUICK, plan.PARTS, cpus(8), facts, 2)
    rows = {"atoll": [("inline", 40), ("eager", 50000), ("copied once", None)]}
    return tables.Result(chosen, found, made, rows, {})


def report(result, share):
    """`share` becomes what the installed folder of that name is."""
    found = next(path for path in (folder / "chart.min.js" for folder in FOLDERS) if path.exists())
    (share / "bench").mkdir()
    shutil.copy(found, share / "bench")
    head = {
        "command": "atoll bench --html '</script>'",
        "time": "now",
        "machine": {"processor": "a <fast> one", "cpus": result.plan.all},
        "mpis": [],
        "notes": ["a note with </script> in it"],
    }
    return page.page(head, result, tables.tables(result), share)


class InABrowser(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.result = made_up_result()
        folder = tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR"))
        cls.addClassCleanup(folder.cleanup)
        file = pathlib.Path(folder.name, "report.html")
        cls.text = report(cls.result, pathlib.Path(folder.name))
        file.write_text(cls.text.replace("</body>", PROBE + "</body>"))
        command = [
            shutil.which("chromium") or "chromium",
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--host-resolver-rules=MAP * ~NOTFOUND",  # a report needs no network
            "--window-size=1200,900",
            f"--user-data-dir={folder.name}/browser",
            "--dump-dom",
            file.as_uri(),
        ]
        environment = {**os.environ, "HOME": folder.name}
        done = subprocess.run(command, capture_output=True, text=True, env=environment)
        dom = Text()
        dom.feed(done.stdout)
        assert dom.text, f"the page did not run:\n{done.stderr}"
        cls.seen = json.loads(dom.text)
        cls.plots = page.plots(cls.result)

    def test_every_plot_is_there(self):
        kinds = [plot["kind"] for plot in self.plots]
        self.assertEqual(kinds, 3 * ["heat"] + ["classes"] + 8 * ["lines"] + ["classes"])
        self.assertEqual(len(self.seen), len(self.plots))

    def test_every_point_is_seen(self):
        for plot, sets in zip(self.plots, self.seen):
            with self.subTest(plot["title"]):
                if plot["kind"] == "heat":
                    (cells,) = [s for s in sets if s["points"] == 56]
                    self.assertEqual(cells["visible"], 56)
                    continue
                by_label = {s["label"]: s for s in sets}
                for line in plot["lines"]:
                    shown = by_label[line["label"]]
                    self.assertEqual(shown["points"], len(line["points"]))
                    # Of two points at one place the later one hides the other.
                    self.assertGreaterEqual(shown["visible"], least(plot, line))

    def test_protocols_are_marked(self):
        title = "One-way time of a message"
        (sets,) = [s for p, s in zip(self.plots, self.seen) if p["title"] == title]
        labels = [s["label"] for s in sets]
        self.assertIn("Atoll: eager above 40 bytes", labels)
        self.assertIn("Atoll: copied once above 50000 bytes", labels)

    def test_it_needs_nothing_else(self):
        self.assertIsNone(re.search(r"<(?:link|img|script)[^>]*(?:src|href)=", self.text))

    def test_text_stays_text(self):
        self.assertIn("a &lt;fast&gt; one", self.text)
        self.assertIn("a note with &lt;/script&gt; in it", self.text)


def least(plot, line):
    """How many points of a line no other may hide: in plots of pairs they lie in heaps."""
    return len({tuple(p) for p in line["points"]}) if plot["kind"] == "lines" else 1


if __name__ == "__main__":
    unittest.main()
