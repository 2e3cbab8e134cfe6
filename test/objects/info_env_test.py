"""MPI_INFO_ENV: what mpiexec was told, for each program of a job (MPI 5.0, 11.2 and 11.5)."""

import os
import platform
import unittest

from launcher import LauncherTest, scratch

PROGRAM = os.path.abspath("test/objects/show_info_env")
MULTIPLE = 4096  # MPI_THREAD_MULTIPLE
ALWAYS = {
    "host": platform.node(),
    "arch": platform.machine(),
    "mpi_initial_errhandler": "mpi_errors_are_fatal",
    "mpi_memory_alloc_kinds": "system,mpi",
    "provided": "0",
}


class InfoEnv(LauncherTest):
    def shown(self, *words, **settings):
        """What each rank finds, without what is always the same."""
        ranks = {}
        for line in self.lines(*words, **settings):
            rank, _, pair = line.partition(" ")
            key, _, value = pair.partition("=")
            self.assertNotIn(key, ranks.setdefault(int(rank), {}))
            if ALWAYS.get(key) != value:
                ranks[int(rank)][key] = value
        return [ranks[rank] for rank in sorted(ranks)]

    def test_the_command_line(self):
        self.assertEqual(self.shown("-n", 2, PROGRAM, "one", "two words"), 2 * [
            {"command": PROGRAM, "argv": "one two words", "maxprocs": "2", "wdir": os.getcwd()}])

    def test_each_program_has_its_own(self):
        folder = str(scratch())
        first = {"command": PROGRAM, "argv": "a", "maxprocs": "1", "wdir": folder}
        second = {"command": PROGRAM, "argv": "", "maxprocs": "2", "wdir": os.getcwd()}
        self.assertEqual(self.shown("-n", 1, "-wdir", folder, "-arch", platform.machine(), "-host",
                                    platform.node(), PROGRAM, "a", ":", "-n", 2, PROGRAM),
                         [first, second, second])

    def test_soft(self):
        here = {"command": PROGRAM, "argv": "", "wdir": os.getcwd()}
        self.assertEqual(self.shown("-soft", "1:3:2", "-n", 4, PROGRAM, ":", PROGRAM),
                         3 * [{**here, "maxprocs": "4", "soft": "1:3:2"}]
                         + [{**here, "maxprocs": "1"}])

    def test_file(self):
        file = scratch() / "programs"
        file.write_text(f"-n 1 {PROGRAM} a\n{PROGRAM} b\n")
        for option in ["-file", "-configfile"]:
            self.assertEqual(self.shown(option, file), [
                {"command": PROGRAM, "argv": argv, "maxprocs": "1", "wdir": os.getcwd(),
                 "file": str(file)} for argv in "ab"])

    def test_thread_level(self):
        here = {"command": PROGRAM, "argv": "", "maxprocs": "1", "wdir": os.getcwd()}
        expected = [{**here, "thread_level": "MPI_THREAD_MULTIPLE", "provided": str(MULTIPLE)}]
        self.assertEqual(self.shown("-thread-level", "MPI_THREAD_MULTIPLE", PROGRAM), expected)
        variable = {**os.environ, "ATOLL_THREAD_LEVEL": "MPI_THREAD_MULTIPLE"}
        self.assertEqual(self.shown(PROGRAM, env=variable), expected)
        self.assertEqual(self.shown("-thread-level", "MPI_THREAD_SINGLE", PROGRAM),
                         [{**here, "thread_level": "MPI_THREAD_SINGLE"}])

    def test_initial_errhandler(self):
        here = {"command": PROGRAM, "argv": "", "maxprocs": "1", "wdir": os.getcwd()}
        for name in ["mpi_errors_abort", "mpi_errors_return"]:
            self.assertEqual(self.shown("-initial-errhandler", name, PROGRAM),
                             [{**here, "mpi_initial_errhandler": name}])


if __name__ == "__main__":
    unittest.main()
