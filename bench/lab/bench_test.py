"""atoll bench as it is installed: what it prints and writes, never how fast it is."""

import csv
import io
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

SCRATCH = os.environ.get("TEST_TMPDIR")
if SCRATCH:
    os.environ["TMPDIR"] = SCRATCH  # other tests look for what is left in /tmp
FEW = ["--quick", "--seconds", "1", "--ranks", "2"]

# Rank 1 of what is compiled with it is killed a moment after its start.
DEATH = """
#include <stdlib.h>
#include <sys/time.h>
__attribute__((constructor)) static void die(void) {
  const char* rank = getenv("PMI_RANK");
  const struct itimerval moment = {{0, 0}, {0, 150000}};
  if (rank != NULL && atoi(rank) == 1) setitimer(ITIMER_REAL, &moment, NULL);
}
"""


def folder():
    return pathlib.Path(tempfile.mkdtemp(dir=SCRATCH))


def installed():
    prefix = folder() / "atoll"
    given = os.environ.get("LAB_PREFIX")  # by hand, without Bazel
    if given:
        return pathlib.Path(given)
    install = os.path.join(os.environ["TEST_SRCDIR"], "atoll/install")
    subprocess.run([install, prefix], check=True, capture_output=True)
    return prefix


class Bench(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.prefix = installed()

    def bench(self, *words, start=(), **more):
        command = [*start, self.prefix / "bin/atoll", "bench", *words]
        done = subprocess.run(
            [str(word) for word in command],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            **more,
        )
        return done.returncode, done.stdout, done.stderr

    def test_everything_is_measured_and_written(self):
        names = {kind: folder() / f"report.{kind}" for kind in ["json", "csv", "html"]}
        words = [word for kind, name in names.items() for word in (f"--{kind}", name)]
        status, said, errors = self.bench(*FEW, *words)
        self.assertEqual((status, errors), (0, ""))
        for title in ["Core to core", "Messages between two cores: Atoll",
                      "One-way time at MPI_THREAD_MULTIPLE", "Collectives", "Guidelines"]:
            self.assertIn(f"\n{title}", said)
        self.assertIn("copied once", said)
        self.check_record(json.loads(names["json"].read_text()))
        rows = list(csv.DictReader(io.StringIO(names["csv"].read_text())))
        self.assertLess({"core_to_core", "latency", "hop", "memcpy"}, {row["figure"] for row in rows})
        self.assertIn("new Chart", names["html"].read_text())

    def check_record(self, record):
        self.assertIn("atoll bench --quick", record["command"])
        self.assertTrue(record["machine"]["kernel"].startswith("Linux"))
        self.assertEqual([mpi["name"] for mpi in record["mpis"]], ["Atoll"])
        by_name = {}
        for figure in record["figures"]:
            self.assertLessEqual(figure["min"], figure["median"])
            self.assertLessEqual(figure["median"], figure["p99"])
            by_name.setdefault((figure["figure"], figure.get("variant")), []).append(figure)
        sizes = [figure["bytes"] for figure in by_name["latency", "hot"]]
        self.assertEqual(sizes[:4], [0, 1, 8, 64])
        self.assertEqual(len(by_name["stream", "hot"]), len(sizes))
        self.assertEqual(by_name["guideline", None][0]["ranks"], 2)
        runs = {run["run"]: run for run in record["runs"]}
        self.assertLess({"limits", "cores", "sweep", "threads", "guidelines"}, set(runs))
        samples = [record["samples"] for record in runs["sweep"]["records"]]
        self.assertTrue(all(samples))

    def test_another_mpi_takes_turns(self):
        wrapper = folder() / "mpicc.twin"
        for name in ["mpicc", "mpiexec"]:
            twin = wrapper.with_name(f"{name}.twin")
            twin.write_text(f'#!/bin/sh\nexec "{self.prefix}/bin/{name}" "$@"\n')
            twin.chmod(0o755)
        status, said, errors = self.bench(*FEW, "--only", "sweep", "--against", wrapper)
        self.assertEqual((status, errors), (0, ""))
        self.assertIn(f"Messages between two cores: Atoll ({wrapper})\n", said)
        self.assertIn("Times of Atoll as parts of the others'", said)

    def test_a_rank_that_dies_is_said_and_the_rest_is_kept(self):
        made, source = folder(), folder() / "death.c"
        source.write_text(DEATH)
        (made / "mpicc").write_text(f'#!/bin/sh\nexec "{self.prefix}/bin/mpicc" "$@" {source}\n')
        (made / "mpiexec").write_text(f'#!/bin/sh\nexec "{self.prefix}/bin/mpiexec" "$@"\n')
        for name in ["mpicc", "mpiexec"]:
            (made / name).chmod(0o755)
        output = made / "kept.json"
        status, said, errors = self.bench(
            "--quick", "--seconds", "3", "--only", "sweep", "--against", made / "mpicc",
            "--json", output,
        )
        self.assertEqual(status, 1)
        self.assertIn("signal 14", errors)
        self.assertIn("signal 14", said)
        figures = json.loads(output.read_text())["figures"]
        whole = [f for f in figures if f["mpi"] == "atoll" and f["figure"] == "latency"]
        part = [f for f in figures if f["mpi"] == str(made / "mpicc")]
        self.assertGreater(len(part), 0)
        self.assertGreater(len(whole), sum(f["figure"] == "latency" for f in part))

    def test_one_core(self):
        cpu = min(os.sched_getaffinity(0))
        status, said, errors = self.bench(*FEW, start=["taskset", "-c", cpu])
        self.assertEqual((status, said), (1, ""))
        self.assertEqual(
            errors, "atoll bench: only one core may be used here: messages between cores need two\n"
        )

    def test_output_that_cannot_be_written(self):
        status, said, errors = self.bench("--csv", "/nowhere/at/all.csv")
        self.assertEqual((status, said), (1, ""))
        self.assertEqual(
            errors, "atoll bench: cannot write /nowhere/at/all.csv: No such file or directory\n"
        )

    def test_no_such_mpi(self):
        status, said, errors = self.bench("--against", "mpicc.nowhere")
        self.assertEqual((status, said), (1, ""))
        self.assertEqual(errors, "atoll bench: there is no MPI compiler 'mpicc.nowhere'\n")

    def test_without_python(self):
        status, _, errors = self.bench(env={"PATH": "/nowhere"})
        self.assertEqual(status, 1)
        self.assertEqual(errors, "atoll: bench needs python3: No such file or directory\n")

    def test_an_incomplete_installation(self):
        alone = folder() / "bin"
        alone.mkdir()
        shutil.copy(self.prefix / "bin/atoll", alone)
        done = subprocess.run([alone / "atoll", "bench"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn("bench is not installed: there is no ", done.stderr)

    def test_help(self):
        status, said, _ = self.bench("--help")
        self.assertEqual(status, 0)
        for option in ["--quick", "--against", "--json", "--csv", "--html", "--only", "--ranks"]:
            self.assertIn(option, said)


if __name__ == "__main__":
    unittest.main(verbosity=2)
