"""The examples compile without a warning, say what they should, and nothing else."""

import collections
import os
import pathlib
import re
import unittest

from test.build.installed import install, must, run, scratch

STRICT = ["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-O2"]
STRICT_FORTRAN = ["-std=f2018", "-pedantic", "-Wall", "-Wextra", "-Werror", "-O2"]
WATCHDOG = 120  # seconds, for one run
MOST_CALLS = 199  # of the system, by one rank


class ExamplesTest(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        prefix = install(scratch() / "prefix")
        cls.mpiexec = prefix / "bin/mpiexec"
        sources = pathlib.Path(prefix, "share/doc/atoll/examples")
        os.chdir(scratch())
        for name in ["hello", "ring", "pingpong", "heat"]:
            must(prefix / "bin/mpicc", *STRICT, "-o", name, sources / f"{name}.c", "-lm")
        must(prefix / "bin/mpifort", *STRICT_FORTRAN, "-o", "plate", sources / "plate.f90")

    def output_of(self, ranks, *command):
        """Standard output of a run that must succeed and be silent otherwise."""
        result = run(self.mpiexec, "-n", ranks, *command, timeout=WATCHDOG)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return result.stdout

    def test_hello(self):
        for ranks in [1, 2, 4, 9]:
            lines = self.output_of(ranks, "./hello").splitlines()
            starts = sorted(line.split(" on ")[0] for line in lines)
            expected = [f"Hello from rank {rank} of {ranks}" for rank in range(ranks)]
            self.assertEqual(starts, expected)

    def test_hello_needs_few_system_calls(self):
        """Of each rank: mpiexec's follow the number of cores, as hwloc reads what they are."""
        run("strace", "-f", "-o", "trace", self.mpiexec, "-n", 2, "./hello", timeout=WATCHDOG)
        trace = pathlib.Path("trace").read_text()
        self.assertNotIn("AF_INET", trace)
        calls = re.findall(r"^(\d+) +(\w+)\(", trace, re.MULTILINE)
        launcher = calls[0][0]
        counts = collections.Counter(
            pid for pid, call in calls if pid != launcher and call != "sched_yield")
        self.assertGreaterEqual(len(counts), 2)
        for count in counts.most_common(2):
            self.assertGreater(count[1], 50)
            self.assertLessEqual(count[1], MOST_CALLS)

    def test_a_program_without_mpiexec_is_a_job_of_one_rank(self):
        self.assertIn("rank 0 of 1", must("./hello", timeout=WATCHDOG))

    def test_ring(self):
        for ranks in [1, 2, 3, 8]:
            total = ranks * (ranks - 1) // 2
            self.assertIn(f"is {total}, and should be {total}\n", self.output_of(ranks, "./ring"))

    def test_pingpong(self):
        for ranks in [2, 4]:
            rows = self.output_of(ranks, "./pingpong").splitlines()[1:]
            sizes = [int(row.split()[0]) for row in rows]
            self.assertEqual(sizes, [0] + [8**power for power in range(1, 8)])

    def test_pingpong_on_one_rank_says_what_it_needs(self):
        result = run(self.mpiexec, "-n", 1, "./pingpong", timeout=WATCHDOG)
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("mpiexec -n 2", result.stderr)

    def test_heat_has_the_same_bits_on_any_number_of_ranks(self):
        pictures = []
        for ranks in [1, 2, 4, 6, 7]:
            self.output_of(ranks, "./heat", "heat.ppm", 100, 60)
            pictures.append(pathlib.Path("heat.ppm").read_bytes())
        self.assertTrue(pictures[0].startswith(b"P6\n100 100\n255\n"))
        # The middle of the ring is cold, the ring itself hot.
        pixels = pictures[0][-100 * 100 * 3:]
        self.assertEqual(pixels[(50 * 100 + 50) * 3], 0)
        self.assertEqual(pixels[(50 * 100 + 80) * 3], 255)
        for picture in pictures[1:]:
            self.assertEqual(picture, pictures[0])

    def test_plate_has_the_same_warmth_on_any_number_of_ranks(self):
        lines = {self.output_of(ranks, "./plate", 60, 50).splitlines()[0] for ranks in [1, 2, 3, 4, 6]}
        self.assertEqual(len(lines), 1)
        warmth = float(re.fullmatch(r"60 x 60 cells, warmth ([0-9.]+) at the end", lines.pop())[1])
        # 21 x 21 cells of 100, of which nothing has got to the edge yet.
        self.assertAlmostEqual(warmth, 44100, delta=5)


if __name__ == "__main__":
    unittest.main()
