"""Tests of the comparison on made-up measurements; no MPI runs here."""

import contextlib
import io
import pathlib
import re
import unittest
from unittest import mock

import compare
import mpis
import report
import targets
import this_tree

LATENCY = next(f for f in targets.FIGURES if f.name == "latency_8")
CPU = next(f for f in targets.FIGURES if f.name == "blocked_cpu")
START_2 = next(f for f in targets.FIGURES if f.name == "start_2")


def rounds(name, *values):
    return [{name: (value, value + 1)} for value in values]


class Rows(unittest.TestCase):
    def test_best_of_rounds_against_better_peer_and_limit(self):
        measured = {
            "atoll": rounds("latency_8", 0.13, 0.12),
            "mpich": rounds("latency_8", 0.30, 0.31),
            "openmpi": rounds("latency_8", 0.25, 0.20),
        }
        row = report.row(LATENCY, measured, rounds("hop", 0.08, 0.06))
        self.assertEqual(row.better_peer, 0.20)
        self.assertAlmostEqual(row.of_peer, 0.6)
        self.assertAlmostEqual(row.of_limit, 2.0)
        self.assertIs(row.met, True)

    def test_a_target_is_missed(self):
        measured = {"atoll": rounds("latency_8", 0.16), "mpich": rounds("latency_8", 0.2)}
        self.assertIs(report.row(LATENCY, measured, []).met, False)

    def test_without_peers_a_ratio_is_unknown_but_an_absolute_target_is_not(self):
        self.assertIsNone(report.row(LATENCY, {"atoll": rounds("latency_8", 0.1)}, []).met)
        self.assertIs(report.row(CPU, {"atoll": rounds("blocked_cpu", 0.01)}, []).met, True)
        self.assertIs(report.row(CPU, {"atoll": rounds("blocked_cpu", 0.06)}, []).met, False)

    def test_nothing_is_reached_that_was_not_measured(self):
        row = report.row(LATENCY, {"atoll": [{}], "mpich": rounds("latency_8", 0.2)}, [])
        self.assertIsNone(row.met)
        self.assertIsNone(row.of_peer)

    def test_a_figure_without_a_target(self):
        measured = {"atoll": rounds("start_2", 9.0), "mpich": rounds("start_2", 40.0)}
        self.assertIsNone(report.row(START_2, measured, []).met)

    def test_a_limit_and_so_much_more(self):
        (put,) = targets.selected(re.compile("^rma_put_8_2$"))
        peer, limits = rounds(put.name, 0.06), rounds("store", 0.01)
        met = lambda us, bounds: report.row(
            put, {"atoll": rounds(put.name, us), "mpich": peer}, bounds
        ).met
        self.assertIs(met(0.024, limits), True)
        self.assertIs(met(0.026, limits), False)  # not that of the limit
        self.assertIs(met(0.04, []), False)  # whatever the limit is
        self.assertIsNone(met(0.024, []))
        self.assertEqual(report.goal(put), "<= 0.6 peer, 1 limit + 0.015")

    def test_the_table_has_a_line_a_figure(self):
        rows = [report.row(f, {"atoll": [], "mpich": []}, []) for f in targets.FIGURES]
        self.assertEqual(len(report.table(rows).splitlines()), 2 + len(targets.FIGURES))


class Parts(unittest.TestCase):
    def test_values_of_records(self):
        records = [
            {"figure": "latency_8", "samples": [0.14, 0.12, 0.13]},
            {"figure": "window_8", "samples": []},
        ]
        self.assertEqual(report.values(records), {"latency_8": (0.12, 0.13)})

    def test_every_figure_has_a_run(self):
        names = {run.name for run in targets.RUNS}
        self.assertEqual({figure.run for figure in targets.FIGURES} - names, set())

    def test_selection_by_name_or_title(self):
        names = [figure.name for figure in targets.selected(re.compile("wildcard|mpiexec"))]
        self.assertEqual(names, ["wildcard_8", "start_2", "start_8"])

    def test_a_run_of_collectives_times_what_is_selected(self):
        runs = targets.runs_for(targets.selected(re.compile("coll_all(reduce|gather)_.*_8$")))
        self.assertEqual([run.ranks for run in runs], [8])
        self.assertEqual(runs[0].arguments, ("allreduce_8", "allreduce_64K", "allgather_64K"))

    def test_a_run_of_onesided_figures_times_what_is_selected(self):
        runs = targets.runs_for(targets.selected(re.compile("rma_(lock|put_64K)")))
        said = {run.name: run.arguments for run in runs}
        self.assertEqual(
            said,
            {
                "onesided_2": ("put_64K", "put_64K_created", "lock", "lock_all"),
                "onesided_8": ("lock_all", "lock_wait_cpu"),
            },
        )

    def test_every_onesided_target_is_that_of_a_figure(self):
        for figures, wanted in [
            (targets.onesided.PAIR, targets.ONESIDED_TARGETS),
            (targets.onesided.CROWD, targets.ONESIDED_TARGETS_8),
        ]:
            self.assertLessEqual(set(wanted), {figure.name for figure in figures})

    def test_titles_of_collectives(self):
        (figure,) = targets.selected(re.compile("coll_bcast_64K_8"))
        self.assertEqual(figure.title, "MPI_Bcast, 64 KiB, 8 ranks on 2 cores")
        self.assertEqual(figure.of_peer, 0.6)


class MissingPeer(unittest.TestCase):
    def setUp(self):
        class Nowhere(mpis.Mpich):
            mpicc = "mpicc.nowhere"

        there = mock.Mock(key="openmpi", missing=lambda: "")
        peers = mock.patch.object(this_tree, "peers", lambda: [Nowhere(), there])
        peers.start()
        self.addCleanup(peers.stop)

    def choose(self, allow_missing):
        return this_tree.choose(["atoll"], allow_missing, None, pathlib.Path("."))

    def test_it_is_named_with_its_package_and_what_to_do(self):
        with self.assertRaisesRegex(
            mpis.Failure, "MPICH .*mpicc.nowhere .*libmpich-dev.*--install-peers"
        ):
            self.choose(allow_missing=False)

    def test_the_others_go_on_when_asked(self):
        with contextlib.redirect_stderr(io.StringIO()) as errors:
            self.assertEqual([mpi.key for mpi in self.choose(allow_missing=True)], ["openmpi"])
        self.assertIn("mpicc.nowhere", errors.getvalue())


class DistantCores(unittest.TestCase):
    """Hops before and after each run, how often it is run, and what is compared."""

    def compare(self, rounds, hops, times):
        """Two MPIs in turn, with these hops around each run and these times."""
        hops, times = iter(hops), iter(times)
        chosen = []
        for key in ["atoll", "mpich"]:
            mpi = mock.Mock(key=key)
            record = lambda: {"figure": "latency_8", "samples": [next(times)]}
            mpi.measure = lambda run, program, saw: mpis.Output([record()])
            chosen.append(mpi)
        programs = {(mpi.key, "figures"): "figures" for mpi in chosen}
        comparison = compare.Comparison(chosen, [LATENCY], programs)
        with mock.patch.object(compare, "limits", lambda *words: {"hop": (h := next(hops), h)}):
            for _ in range(rounds):
                comparison.round()
        self.assertEqual((list(hops), list(times)), ([], []))
        return comparison

    def test_near_cores_are_measured_once(self):
        comparison = self.compare(1, [0.06] * 4, [1, 2])
        self.assertEqual(comparison.row(LATENCY).of_peer, 0.5)
        self.assertIn("0.060", " ".join(comparison.notes()))

    def test_a_run_whose_cores_moved_is_repeated_and_does_not_count(self):
        comparison = self.compare(1, [0.06, 0.2, 0.06, 0.06, 0.06, 0.06], [1, 3, 6])
        self.assertEqual(comparison.row(LATENCY).values, {"atoll": 3, "mpich": 6})

    def test_it_is_not_repeated_for_ever(self):
        moving = [0.06, 0.2] * compare.rounds.ATTEMPTS
        comparison = self.compare(1, [*moving, *moving], [1] * (2 * compare.rounds.ATTEMPTS))
        self.assertIn("do not trust", " ".join(comparison.notes()))

    def test_only_runs_at_the_same_distance_are_compared(self):
        near, far = [0.06, 0.06], [0.2, 0.21]
        hops = [*near, *far, *far, *far]
        comparison = self.compare(2, hops, [1, 8, 4, 9])
        row = comparison.row(LATENCY)
        self.assertEqual(row.values, {"atoll": 4, "mpich": 8})
        self.assertEqual(row.limit, 0.2)


if __name__ == "__main__":
    unittest.main()
