"""Tests of the lab's parts on made-up input; nothing is measured here."""

import contextlib
import csv
import io
import json
import os
import pathlib
import tempfile
import unittest
from unittest import mock

import figures
import files
import lab
import mpis
import node
import plan
import quiet
import rounds
import samples
import tables

TWO_PACKAGES = """cpu\tcore\tl3\tnuma\tpackage
0\t0\t0\t0\t0
4\t0\t0\t0\t0
1\t1\t0\t0\t0
2\t2\t1\t0\t0
3\t3\t2\t1\t1
"""
FACTS = {"memory_available": 16 << 30, "last_cache": 32 << 20}


class Samples(unittest.TestCase):
    def test_percentiles_are_values_that_were_seen(self):
        values = list(range(1, 101))
        self.assertEqual([samples.percentile(values, p) for p in (0.5, 0.99, 1)], [50, 99, 100])
        self.assertEqual(samples.percentile([7], 0.01), 7)

    def test_summary(self):
        made = samples.summary([4, 1, 3, 2, 100])
        self.assertEqual((made["n"], made["min"], made["median"], made["p99"]), (5, 1, 3, 100))
        self.assertAlmostEqual(made["spread"], 2 / 3)

    def test_of_zeros(self):
        self.assertEqual(samples.summary([0, 0])["spread"], 0)

    def test_ratio_of_nothing(self):
        self.assertIsNone(samples.ratio(None, 1))
        self.assertIsNone(samples.ratio(1, 0))


class Lines(unittest.TestCase):
    def test_records_others_and_what_was_cut_off(self):
        text = 'bcast takes flat\n{"figure": "a", "samples": [1]}\neager  up to 9\n{"figure": "b", "sa'
        output = mpis.parse(text)
        self.assertEqual(output.records, [{"figure": "a", "samples": [1]}])
        self.assertEqual(output.others, [(0, "bcast takes flat"), (1, "eager  up to 9")])

    def test_algorithms_hold_until_the_next(self):
        output = mpis.Output(
            [{"collective": "bcast", "bytes": b, "ranks": 2} for b in (8, 64, 128)],
            [(0, "bcast"), (0, "  flat   a slot"), (0, "bcast takes flat"), (2, "bcast takes binomial")],
        )
        self.assertEqual(
            figures.algorithms(output),
            {("bcast", 8, 2): "flat", ("bcast", 64, 2): "flat", ("bcast", 128, 2): "binomial"},
        )

    def test_protocols(self):
        others = ["inline        up to 40 bytes: x", "eager         up to 900 bytes", "copied once   above"]
        rows = figures.protocols([{"others": [(0, line) for line in others]}])
        self.assertEqual(rows, [("inline", 40), ("eager", 900), ("copied once", None)])
        said = [figures.protocol_of(rows, size) for size in (0, 40, 41, 900, 901)]
        self.assertEqual(said, ["inline", "inline", "eager", "eager", "copied once"])


class Quiet(unittest.TestCase):
    def test_proc_stat(self):
        busy, stolen = quiet.counted("cpu  100 10 50 1000 7 3 2 9 0 0\ncpu0 1 1 1 1 1 1 1 1 0 0")
        self.assertAlmostEqual(busy, 165 * quiet.TICK)
        self.assertAlmostEqual(stolen, 9 * quiet.TICK)

    def test_verdict(self):
        self.assertIsNone(quiet.verdict(10, 0.3, 0.1, 2))
        self.assertIn("80% of a CPU", quiet.verdict(10, 8, 0, 2))
        self.assertIn("other machines", quiet.verdict(10, 0, 2, 2))

    def test_steps_of_the_kernels_clock_are_no_disturbance(self):
        self.assertIsNone(quiet.verdict(0.01, 2 * quiet.TICK, 0, 2))

    def test_own_work_does_not_disturb(self):
        watch = quiet.Watch()
        own = watch.before[-1]
        for _ in range(10**6):
            pass
        self.assertGreater(quiet.own(), own)


class Node(unittest.TestCase):
    def setUp(self):
        self.cpus = {cpu["cpu"]: cpu for cpu in node.parse_topology(TWO_PACKAGES)}

    def test_classes(self):
        pairs = {(0, 4): 0, (0, 1): 1, (0, 2): 2, (0, 3): 3}
        for (a, b), kind in pairs.items():
            said = node.distance_class(self.cpus[a], self.cpus[b])
            self.assertEqual(said, node.CLASSES[kind])

    def test_what_is_unknown_is_not_shared(self):
        unknown = {"core": 0, "l3": -1, "numa": -1, "package": -1}
        self.assertEqual(node.distance_class(unknown, {**unknown, "core": 1}), "across packages")

    def test_one_cpu_a_core(self):
        chosen = node.one_cpu_a_core(list(self.cpus.values()))
        self.assertEqual([cpu["cpu"] for cpu in chosen], [0, 1, 2, 3])

    def test_kernel_options(self):
        said = node.kernel_options("quiet isolcpus=2-3 root=/dev/x mitigations=off")
        self.assertEqual(said, "isolcpus=2-3 mitigations=off")


def grid(count):
    return [{"cpu": i, "core": i, "l3": 0, "numa": 0, "package": 0} for i in range(count)]


class Plans(unittest.TestCase):
    def plan(self, cores=2, effort=plan.DEFAULT, parts=plan.PARTS, mpis=1, **facts):
        return plan.Plan(effort, parts, grid(cores), {**FACTS, **facts}, mpis)

    def test_sizes(self):
        self.assertEqual(plan.sizes(8, 64), [0, 1, 8, 64])
        self.assertEqual(plan.sizes(2, 5), [0, 1, 2, 4, 5])
        mib = 1 << 20
        self.assertEqual(plan.sizes(2, 128 * mib)[-4:], [8 * mib, 16 * mib, 64 * mib, 128 * mib])

    def test_memory_bounds_the_largest(self):
        self.assertEqual(self.plan().sizes[-1], 1 << 30)
        self.assertEqual(self.plan(memory_available=1 << 30).sizes[-1], 1 << 27)

    def test_ranks(self):
        self.assertEqual(plan.rank_counts(2, 4), [2, 4])
        self.assertEqual(plan.rank_counts(2, 2), [2])
        self.assertEqual(plan.rank_counts(8, 4), [2, 4, 8])
        self.assertEqual(plan.rank_counts(6, 4), [2, 4, 6])

    def test_all_parts_together_take_the_seconds_that_there_are(self):
        for mpis in [1, 3]:
            made = self.plan(mpis=mpis)
            planned = 0
            for run in made.runs():
                words = dict(word.split("=", 1) for word in run.arguments if "=" in word)
                seconds = float(words["seconds"])
                figures = sum("=" not in word for word in run.arguments)
                each = seconds * figures if figures else seconds
                planned += each * mpis * (1 if run.once else made.effort.rounds)
            self.assertAlmostEqual(planned, plan.DEFAULT.seconds, delta=1)

    def test_names_of_collectives(self):
        (run,) = [run for run in self.plan().runs() if run.name == "collectives_2"]
        self.assertIn("barrier", run.arguments)
        self.assertIn("allreduce_64K", run.arguments)
        self.assertIn("bcast_1M", run.arguments)

    def test_onesided_figures_of_two_ranks_and_of_the_most(self):
        runs = {run.name: run for run in self.plan(8).runs() if run.program == "onesided"}
        self.assertEqual(list(runs), ["onesided_2", "onesided_8"])
        self.assertIn("put_64K_created", runs["onesided_2"].arguments)
        self.assertIn("contended", runs["onesided_8"].arguments)
        of_two = [r for r in self.plan(2, plan.QUICK).runs() if r.program == "onesided"]
        self.assertEqual([run.ranks for run in of_two], [2])

    def test_all_pairs_are_measured_or_as_many_as_there_is_time_for(self):
        self.assertEqual(len(self.plan(64).matrix()), 64)
        some = self.plan(256, plan.QUICK).matrix()
        self.assertLess(len(some), 64)
        self.assertGreater(len(some), 8)

    def test_ranks_have_cores_of_their_own_while_these_suffice(self):
        runs = {run.name: run for run in self.plan(2).runs()}
        self.assertEqual(runs["collectives_2"].cpus, (0, 1))
        self.assertEqual(runs["collectives_4"].cpus, ())
        self.assertTrue(runs["collectives_4"].two_cores)

    def test_of_two_hardware_threads_messages_use_one(self):
        cpus = [dict(cpu, core=cpu["cpu"] // 2) for cpu in grid(4)]
        made = plan.Plan(plan.DEFAULT, plan.PARTS, cpus, FACTS, 1)
        self.assertEqual(made.pair, (0, 2))
        self.assertEqual(made.matrix(), (0, 1, 2, 3))


RUN = mpis.Run("sweep", "sweep", (), 2)


class Made(rounds.Rounds):
    """Rounds that nothing has run."""

    def __init__(self, *results, keys=("atoll",)):
        super().__init__([mock.Mock(key=key) for key in keys], [RUN], {}, None)
        for mpi, us, disturbed in results:
            record = {"figure": "latency", "variant": "hot", "bytes": 8, "unit": "us", "samples": us}
            self.results.append(
                {"mpi": mpi, "run": "sweep", "hops_us": [], "disturbed": disturbed,
                 "records": [record], "others": []}
            )


class Figures(unittest.TestCase):
    def test_rounds_are_pooled(self):
        (one,) = figures.gather(Made(("atoll", [1, 2], None), ("atoll", [3], None)))
        self.assertEqual((one.values, one.good, one.min), ([1, 2, 3], True, 1))

    def test_good_rounds_count_and_others_do_not(self):
        for order in (1, -1):
            results = [("atoll", [9, 9], "busy"), ("atoll", [1], None)][::order]
            (one,) = figures.gather(Made(*results))
            self.assertEqual((one.values, one.good), ([1], True))

    def test_a_busy_machine_has_no_good_figures(self):
        (one,) = figures.gather(Made(("atoll", [1], "busy"), ("atoll", [2], "busy")))
        self.assertEqual((one.values, one.good), ([1, 2], False))
        self.assertEqual(tables.cell(one), "1!")

    def test_a_record_without_samples_is_none(self):
        self.assertEqual(figures.gather(Made(("atoll", [], None))), [])


def started(key, *figures_that_fail):
    """An MPI whose program ends at some figures, and the names that each start was given."""
    starts = []

    def measure(run, program, saw):
        starts.append(run.arguments[1:])
        output = mpis.Output()
        for name in run.arguments[1:]:
            if name in figures_that_fail:
                raise mpis.Failure(f"{key} failed: {name}", output, "failed with status 139")
            output.records.append({"figure": name, "samples": [1]})
        return output

    mpi = mock.Mock(key=key, measure=measure)
    mpi.name = key
    return mpi, starts


OPTIONAL = mpis.Run("onesided_2", "onesided", ("seconds=1", "a", "b", "c"), 2, optional=True)


class OptionalRuns(unittest.TestCase):
    def rounds(self, mpi, program="program"):
        made = rounds.Rounds([mpi], [OPTIONAL], {(mpi.key, "onesided"): program}, None)
        with contextlib.redirect_stderr(io.StringIO()):
            made.round()
            made.round()
        return made

    def test_it_goes_on_behind_what_fails_and_does_not_try_it_again(self):
        mpi, starts = started("other", "b")
        made = self.rounds(mpi)
        self.assertEqual(starts, [("a", "b", "c"), ("c",), ("a", "c")])
        seen = [[record["figure"] for record in r["records"]] for r in made.results]
        self.assertEqual(seen, [["a", "c"], ["a", "c"]])
        self.assertEqual(made.failures, [])
        self.assertIn("other failed with status 139 at b of 2 ranks", list(made.notes()))

    def test_the_end_of_the_program_may_fail(self):
        mpi, _ = started("other")
        mpi.measure = mock.Mock(
            side_effect=mpis.Failure("", mpis.Output([{"figure": n, "samples": []} for n in "abc"]), "ended")
        )
        self.assertEqual(self.rounds(mpi).absences[0], "other ended at the end of 2 ranks")

    def test_of_atoll_it_is_a_failure(self):
        mpi, _ = started("atoll", "a", "c")
        made = self.rounds(mpi)
        self.assertEqual(made.failures, ["atoll failed: a", "atoll failed: c"])
        self.assertEqual(made.absences, [])

    def test_what_does_not_compile_has_no_part(self):
        mpi, starts = started("other")
        made = self.rounds(mpi, mpis.Failure("other cannot compile onesided.c"))
        self.assertEqual((starts, made.results), ([], []))
        self.assertEqual(made.absences, ["other cannot compile onesided.c"])

    def test_compiling(self):
        mpi = mock.Mock(key="other", compile=mock.Mock(side_effect=mpis.Failure("no")))
        words = [pathlib.Path("."), lambda name: name, "."]
        programs = rounds.compile_all([mpi], [OPTIONAL], *words)
        self.assertIsInstance(programs["other", "onesided"], mpis.Failure)
        with self.assertRaises(mpis.Failure):
            rounds.compile_all([mpi], [RUN], *words)


class Tables(unittest.TestCase):
    def test_numbers(self):
        said = [tables.number(value) for value in (None, 0, 0.01234, 1.234, 12.34, 123.4, 12345)]
        self.assertEqual(said, ["-", "0", "0.0123", "1.23", "12.3", "123", "12345"])

    def test_verdicts(self):
        self.assertEqual(tables.verdict([(8, 0.9), (64, 1.05)], True), "holds")
        self.assertEqual(
            tables.verdict([(8, 1.5), (64, 1.05)], True), "violated: 1.50 times as long at 8 B"
        )
        self.assertIn("busy", tables.verdict([(8, 1.5)], False))
        self.assertEqual(tables.verdict([], True), "not measured")

    def test_text_has_columns(self):
        table = tables.Table("T", ["a", "b"], [["x", "1"], ["yy", "23"]])
        self.assertEqual(table.text().splitlines()[2:], ["a    b", "------", "x    1", "yy  23"])


class Files(unittest.TestCase):
    def test_csv_and_json(self):
        found = figures.gather(Made(("atoll", [1, 2, 3], None)))
        with tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR")) as folder:
            path = pathlib.Path(folder)
            files.write_csv(path / "t.csv", found)
            (line,) = csv.DictReader(io.StringIO((path / "t.csv").read_text()))
            self.assertEqual((line["bytes"], line["median"], line["good"]), ("8", "2", "True"))
            files.write_json(path / "t.json", {"command": "c"}, found, ["a run"])
            record = json.loads((path / "t.json").read_text())
            self.assertEqual((record["command"], record["runs"]), ("c", ["a run"]))
            self.assertEqual((record["figures"][0]["n"], record["figures"][0]["p99"]), (3, 3))

    def test_what_cannot_be_written_is_said_before_anything_is_measured(self):
        with self.assertRaisesRegex(mpis.Failure, "cannot write /nowhere/x: No such file"):
            files.check_writable([None, "/nowhere/x"])


class Words(unittest.TestCase):
    def wrong(self, *words):
        with contextlib.redirect_stderr(io.StringIO()) as errors:
            with self.assertRaises(SystemExit) as ended:
                lab.arguments(words)
        self.assertEqual(ended.exception.code, 2)
        return errors.getvalue()

    def test_wrong_ones(self):
        self.assertIn("'swep' is none of cores, sweep, threads", self.wrong("--only", "swep"))
        self.assertIn("--rounds: more than 0", self.wrong("--rounds", "0"))
        self.assertIn("--ranks: a collective needs two", self.wrong("--ranks", "1,2"))
        self.assertIn("--ranks", self.wrong("--ranks", "two"))

    def test_no_such_mpi(self):
        with self.assertRaisesRegex(mpis.Failure, "no MPI compiler 'mpicc.nowhere'"):
            mpis.from_wrapper("mpicc.nowhere")

    def test_a_wrapper_without_a_launcher(self):
        with tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR")) as folder:
            wrapper = pathlib.Path(folder, "mpicc.alone")
            wrapper.write_text("#!/bin/sh\n")
            wrapper.chmod(0o755)
            with self.assertRaisesRegex(mpis.Failure, "no mpiexec.alone beside"):
                mpis.from_wrapper(str(wrapper))


if __name__ == "__main__":
    unittest.main()
