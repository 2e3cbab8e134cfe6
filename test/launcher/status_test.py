"""What mpiexec returns and says when ranks end."""

import random
import re
import signal
import subprocess
import time
import unittest

from launcher import (FAKE_RANK, MPIEXEC, LauncherTest, eventually, lives, mpiexec, running, sh,
                      state)

DESCRIPTION = r"mpiexec: rank (\d+) \(([^,]+), pid \d+, cpu \d+\) "


class Status(LauncherTest):
    def test_good_jobs_return_0_and_say_nothing(self):
        self.assertEqual(self.succeeds("-n", 4, "true"), "")
        self.assertEqual(self.succeeds("true"), "")

    def test_status_is_passed_on(self):
        for status in [1, 2, 42, 126, 127, 128, 255]:
            self.fails(status, "-n", 2, *sh(f"exit {status}"))

    def test_status_is_that_of_the_first_that_fails(self):
        error = self.fails(3, "-n", 4, *sh("[ $PMI_RANK = 2 ] && exit 3; exec sleep 100"))
        self.assertRegex(
            error, "^" + DESCRIPTION + r"returned 3; stopping the other 3 ranks\n$")
        self.assertEqual(re.match(DESCRIPTION, error)[1], "2")
        self.assertEqual(re.match(DESCRIPTION, error)[2], "sh")

    def test_signals_give_128_and_the_signal(self):
        for name in ["SEGV", "KILL", "ABRT", "TERM", "USR1"]:
            number = getattr(signal, "SIG" + name)
            error = self.fails(128 + number, "-n", 2, *sh(
                f"[ $PMI_RANK = 1 ] && kill -{name} $$; exec sleep 100"))
            self.assertRegex(error, "^" + DESCRIPTION + f"was killed by signal {number:d}, "
                             f"SIG{name} \\(.*\\).*; stopping the other 1 rank\n$")
            self.assertEqual(re.match(DESCRIPTION, error)[1], "1")

    def test_one_message_even_if_all_fail(self):
        error = self.fails(5, "-n", 8, *sh("exit 5"))
        self.assertEqual(error.count("\n"), 1)

    def test_300_quick_runs_return_exactly_what_the_rank_returned(self):
        choose = random.Random(1)
        for _ in range(300):
            status, rank = choose.randrange(256), choose.randrange(3)
            done = mpiexec("-n", 3, *sh(f"[ $PMI_RANK = {rank} ] && exit {status}; exit 0"))
            self.assertEqual(done.returncode, status)
            self.assertEqual(done.stderr.count("\n"), 1 if status else 0)

    def test_ranks_that_ignore_sigterm_are_killed(self):
        start = time.monotonic()
        self.fails(9, "-n", 3, *sh(
            "[ $PMI_RANK = 0 ] && { sleep 0.5; exit 9; }; trap '' TERM; while :; do sleep 1; done"))
        self.assertGreater(time.monotonic() - start, 2)  # SIGTERM had its time

    def test_stopped_ranks_end_too(self):
        self.fails(9, "-n", 2, *sh("[ $PMI_RANK = 0 ] && { sleep 0.5; exit 9; }; kill -STOP $$"))

    def test_programs_that_cannot_be_run(self):
        self.assertEqual(self.fails(127, "-n", 2, "no-such-program"),
                         "mpiexec: cannot run 'no-such-program': not found in PATH or this folder\n")
        self.assertEqual(self.fails(127, "-n", 2, "./foo"),
                         "mpiexec: cannot run './foo': No such file or directory\n")
        self.assertEqual(self.fails(126, "-n", 2, "/etc/passwd"),
                         "mpiexec: cannot run '/etc/passwd': Permission denied\n")

    def test_a_part_that_cannot_be_run_ends_the_others(self):
        with running("-n", 2, *sh("echo $$; exec sleep 100"), ":", "./foo") as job:
            self.assertEqual(job.wait(60), 127)
            for pid in job.stdout.read().split():
                self.assertFalse(lives(pid))

    def test_mistakes_on_the_command_line_return_2(self):
        error = self.fails(2, "--bindto", "core", "true")
        self.assertEqual(error, "mpiexec: unknown option '--bindto'; did you mean --bind-to? "
                         "(mpiexec --help explains the options)\n")
        self.assertIn("no program", self.fails(2))

    def test_status_of_an_ignored_sigchld(self):
        done = subprocess.run(["sh", "-c", 'trap "" CHLD; "$0" -n 2 sh -c "exit 7"', MPIEXEC],
                              capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 7)


class KeepGoing(LauncherTest):
    def test_a_failure_leaves_the_others_alone(self):
        for option in ["-disable-auto-cleanup", "--enable-recovery"]:
            done = mpiexec("-n", 3, option, *sh("[ $PMI_RANK = 1 ] && exit 4; sleep 0.5; echo done"))
            self.assertEqual((done.returncode, done.stdout), (4, "done\ndone\n"))
            self.assertRegex(done.stderr, "^" + DESCRIPTION + "returned 4\n$")

    def test_the_pid_of_a_rank_that_failed_in_mpi_is_kept(self):
        """Other ranks may still copy from it: no other process is to have that pid."""
        with running("-n", 1, "-disable-auto-cleanup",
                     *sh(f"echo rank $$; exec {FAKE_RANK} initialized return=3"), ":",
                     *sh("(sleep 1 & echo orphan $!); exec sleep 60")) as job:
            pids = dict(job.stdout.readline().split() for _ in range(2))
            self.assertIn("returned 3", job.stderr.readline())
            eventually(lambda: state(pids["orphan"]) is None, "what others leave is collected")
            self.assertEqual(state(pids["rank"]), "Z")

    def test_the_others_are_woken_when_a_rank_dies_in_mpi(self):
        for status, words, how in [
                (137, "initialized signal=9", "was killed by signal 9, SIGKILL .*"),
                (3, "initialized return=3", "returned 3 without calling MPI_Finalize"),
                (1, "initialized return=0", "returned 0 without calling MPI_Finalize"),
                (5, "initialized abort=5", "called MPI_Abort with code 5")]:
            done = mpiexec("-disable-auto-cleanup", "-print-all-exitcodes",
                           "-n", 2, FAKE_RANK, "initialized", "survives=2", "finalized", ":",
                           *sh(f"sleep 0.2; exec {FAKE_RANK} {words}"))
            self.assertEqual((done.returncode, done.stdout), (status, "rank 2 is dead\n" * 2))
            self.assertRegex(done.stderr, "^" + DESCRIPTION + how + "\n"
                             "mpiexec: rank 0 returned 0\nmpiexec: rank 1 returned 0\n"
                             "mpiexec: rank 2 " + how.replace(" .*", "[^,\n]*") + "\n$")

    def test_all_exit_codes(self):
        error = self.fails(5, "-n", 3, "-disable-auto-cleanup", "-print-all-exitcodes",
                           *sh("[ $PMI_RANK != 1 ] || exit 5"))
        self.assertEqual(re.findall(r"mpiexec: rank (\d) returned (\d+)", error),
                         [("0", "0"), ("1", "5"), ("2", "0")])


class Life(LauncherTest):
    """Ranks that use MPI: their slots tell where they are."""

    def test_a_rank_that_leaves_without_finalize_ends_the_job(self):
        error = self.fails(1, "-n", 1, FAKE_RANK, "initialized", ":",
                           "-n", 2, FAKE_RANK, "initialized", "sleep")
        self.assertRegex(error, "^" + DESCRIPTION + "returned 0 without calling MPI_Finalize; "
                         "stopping the other 2 ranks\n$")

    def test_a_status_after_finalize_leaves_the_others_alone(self):
        done = mpiexec("-n", 1, FAKE_RANK, "initialized", "finalized", "return=4", ":",
                       *sh("sleep 1; echo finished"))
        self.assertEqual((done.returncode, done.stdout), (4, "finished\n"))
        self.assertRegex(done.stderr, "^" + DESCRIPTION + "returned 4\n$")

    def test_a_crash_after_another_rank_failed_is_told_too(self):
        error = self.fails(4, "-n", 1, FAKE_RANK, "initialized", "finalized", "return=4", ":",
                           *sh("sleep 0.5; kill -SEGV $$"), ":", "sleep", "100")
        self.assertRegex(error, "^" + DESCRIPTION + "returned 4\n" + DESCRIPTION +
                         "was killed by .*; stopping the other 1 rank\n$")

    def test_finalized_is_a_good_end(self):
        self.succeeds("-n", 3, FAKE_RANK, "initialized", "finalized")

    def test_abort_gives_its_code(self):
        for code, status in [(5, 5), (0, 0), (256, 1), (-1, 255)]:
            error = self.fails(status, "-n", 1, FAKE_RANK, "initialized", f"abort={code}", ":",
                               "-n", 2, FAKE_RANK, "initialized", "sleep")
            self.assertRegex(error, "^" + DESCRIPTION + f"called MPI_Abort with code {code}; "
                             "stopping the other 2 ranks\n$")

    def test_an_abort_that_the_library_explained_is_not_explained_again(self):
        self.assertEqual(self.fails(15, "-n", 1, FAKE_RANK, "initialized", "reported", "abort=15",
                                    ":", FAKE_RANK, "initialized", "sleep"), "")

    def test_a_signal_says_where(self):
        error = self.fails(139, "-n", 2, FAKE_RANK, "initialized", "signal=11")
        self.assertIn("was killed by signal 11, SIGSEGV (Segmentation fault), not waiting in MPI",
                      error)

    def test_a_killed_rank_was_waiting(self):
        with running("-n", 1, *sh(f"echo $$; exec {FAKE_RANK} initialized wait"), ":",
                     "sleep", 100) as job:
            pid = job.stdout.readline().strip()
            self.assertEqual(job.stdout.readline(), "waiting\n")
            subprocess.run(["kill", "-KILL", pid], check=True)
            self.assertEqual(job.wait(60), 137)
            self.assertIn("waiting in MPI_Recv from 1, tag 7, communicator MPI_COMM_WORLD, 8 bytes",
                          job.stderr.read())


class Timeout(LauncherTest):
    def test_a_job_that_is_too_slow_ends_with_124(self):
        error = self.fails(124, "-n", 2, "--timeout", "0.5", "sleep", "100")
        self.assertEqual(error,
                         "mpiexec: the job did not end within 0.5 s (--timeout); it was waiting so:\n"
                         "rank 0: has not called MPI_Init\nrank 1: has not called MPI_Init\n")

    def test_the_variable_does_the_same(self):
        done = subprocess.run(["env", "MPIEXEC_TIMEOUT=0.5", MPIEXEC, "sleep", "100"],
                              capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 124)

    def test_the_table_says_who_waits_for_whom(self):
        error = self.fails(124, "--timeout", "5", "-n", 1, FAKE_RANK, "initialized", "wait", ":",
                           FAKE_RANK, "initialized", "sleep", ":",
                           FAKE_RANK, "initialized", "finalized", "sleep", ":", "true")
        self.assertRegex(error, r"rank 0: MPI_Recv from 1, tag 7, communicator MPI_COMM_WORLD, 8 bytes, "
                         r"waits \d+\.\d s\n"
                         r"rank 1: does not wait in MPI\n"
                         r"rank 2: has finalized MPI, but runs\n"
                         r"rank 3: has ended: returned 0 without calling MPI_Init\n$")

    def test_a_job_in_time_says_nothing(self):
        self.succeeds("-n", 2, "--timeout", "100", "true")


if __name__ == "__main__":
    unittest.main()
