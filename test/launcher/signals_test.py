"""Signals reach the ranks, and nothing outlives a job."""

import os
import pty
import re
import signal
import subprocess
import time
import unittest

from launcher import MPIEXEC, LauncherTest, eventually, lives, mpiexec, running, sh, state

# Says its pid, then sleeps in small pieces, so that the shell handles signals.
NAP = "while :; do sleep 0.05; done"


def read_pids(stream, count):
    return [int(stream.readline()) for _ in range(count)]


def gone(pids):
    return lambda: not any(lives(pid) for pid in pids)


class Forwarding(LauncherTest):
    def test_ranks_get_what_mpiexec_gets(self):
        for name in ["INT", "TERM", "HUP", "USR1", "USR2", "QUIT"]:
            script = f"trap 'echo got {name}; exit 0' {name}; echo ready; {NAP}"
            with running("-n", 3, *sh(script)) as job:
                for _ in range(3):
                    self.assertEqual(job.stdout.readline(), "ready\n")
                job.send_signal(getattr(signal, "SIG" + name))
                self.assertEqual(job.wait(60), 0)
                self.assertEqual(job.stdout.read(), f"got {name}\n" * 3)

    def test_what_ranks_started_gets_it_too(self):
        # The parent's trap first: the child says when both are ready.
        script = f"""trap 'echo parent' USR1
                     sh -c 'trap "echo child; exit 0" USR1; echo ready; {NAP}' &
                     wait; wait; exit 0"""
        with running("-n", 2, *sh(script)) as job:
            for _ in range(2):
                self.assertEqual(job.stdout.readline(), "ready\n")
            job.send_signal(signal.SIGUSR1)
            self.assertEqual(job.wait(60), 0)
            self.assertEqual(sorted(job.stdout.read().split()), ["child"] * 2 + ["parent"] * 2)

    def test_ranks_that_die_of_an_interrupt_are_no_news(self):
        for name in ["INT", "TERM", "HUP"]:
            number = getattr(signal, "SIG" + name)
            with running("-n", 3, *sh("echo ready; exec sleep 100")) as job:
                for _ in range(3):
                    job.stdout.readline()
                job.send_signal(number)
                # As any interrupted program, so that shell loops stop.
                self.assertEqual(job.wait(60), -number)
                self.assertEqual(job.stderr.read(), "")

    def test_what_ranks_make_of_an_interrupt_is_the_status(self):
        with running("-n", 2, *sh(f"trap 'exit 6' INT; echo ready; {NAP}")) as job:
            for _ in range(2):
                job.stdout.readline()
            job.send_signal(signal.SIGINT)
            self.assertEqual(job.wait(60), 6)

    def test_a_second_interrupt_kills(self):
        with running("-n", 2, *sh(f"trap 'echo no' INT TERM; echo $$; {NAP}")) as job:
            pids = read_pids(job.stdout, 2)
            job.send_signal(signal.SIGINT)
            for _ in range(2):
                self.assertEqual(job.stdout.readline(), "no\n")
            time.sleep(0.5)
            job.send_signal(signal.SIGINT)
            self.assertEqual(job.wait(60), -signal.SIGINT)
            self.assertTrue(gone(pids)())

    def test_an_interrupt_that_comes_twice_at_once_is_one(self):
        script = "trap 'sleep 0.6; echo done; exit 0' INT; echo ready; " + NAP
        with running("-n", 2, *sh(script)) as job:
            for _ in range(2):
                job.stdout.readline()
            job.send_signal(signal.SIGINT)
            job.send_signal(signal.SIGINT)
            self.assertEqual((job.wait(60), job.stdout.read()), (0, "done\ndone\n"))

    def test_failures_that_are_not_the_interrupt_are_told(self):
        with running("-n", 2, *sh(f"trap 'exit 6' INT; echo ready; {NAP}")) as job:
            for _ in range(2):
                job.stdout.readline()
            job.send_signal(signal.SIGINT)
            job.wait(60)
            self.assertRegex(job.stderr.read(), r"^mpiexec: rank \d .* returned 6.*\n$")

    def test_ignored_interrupts_stay_ignored(self):
        script = f"""trap '' INT; exec {MPIEXEC} -n 2 sh -c 'kill -INT $PPID; exit 3'"""
        done = subprocess.run(["sh", "-c", script], capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 3)

    def test_quit_says_who_waits(self):
        with running("-n", 2, *sh("echo ready; exec sleep 100")) as job:
            for _ in range(2):
                job.stdout.readline()
            job.send_signal(signal.SIGQUIT)
            self.assertEqual(job.wait(60), 128 + signal.SIGQUIT)
            self.assertEqual(job.stderr.read(), "rank 0: has not called MPI_Init\n"
                             "rank 1: has not called MPI_Init\n")


class Stopping(LauncherTest):
    def test_stop_and_continue(self):
        # In a group of its own that is not an orphan: elsewhere nothing stops.
        with running("-n", 2, *sh("echo $$; exec sleep 100"), process_group=0) as job:
            pids = read_pids(job.stdout, 2)
            for _ in range(2):
                job.send_signal(signal.SIGTSTP)
                eventually(lambda: all(state(pid) == "T" for pid in [job.pid, *pids]), "stopped")
                job.send_signal(signal.SIGCONT)
                eventually(lambda: all(state(pid) != "T" for pid in [job.pid, *pids]), "continued")
            job.send_signal(signal.SIGTERM)
            self.assertEqual(job.wait(60), -signal.SIGTERM)


class Terminal(LauncherTest):
    """mpiexec in the foreground of a terminal."""

    def start(self, *words):
        pid, terminal = pty.fork()
        if pid == 0:
            os.execv(MPIEXEC, ["mpiexec", *map(str, words)])
        self.addCleanup(os.close, terminal)
        return pid, terminal

    def read_until(self, terminal, pattern):
        text = ""
        while not re.search(pattern, text):
            text += os.read(terminal, 4096).decode()
        return text

    def test_control_c_reaches_each_rank_once(self):
        pid, terminal = self.start("-n", 2, *sh(
            f"trap 'echo got' INT; trap 'exit 0' USR1; echo ready; {NAP}"))
        self.read_until(terminal, r"(ready\s+){2}")
        os.write(terminal, b"\x03")
        text = self.read_until(terminal, r"(got\s+){2}")
        time.sleep(0.3)
        os.kill(pid, signal.SIGUSR1)
        _, status = os.waitpid(pid, 0)
        self.assertEqual(os.waitstatus_to_exitcode(status), 0)
        rest = b""
        try:
            while chunk := os.read(terminal, 4096):
                rest += chunk
        except OSError:
            pass  # the terminal has been hung up
        self.assertEqual((text.encode() + rest).count(b"got"), 2)

    def test_questions_are_shown_though_their_line_is_open(self):
        pid, terminal = self.start("-n", 2, *sh(
            "[ $PMI_RANK = 0 ] && { printf 'How many? '; read n; echo got $n; }; true"))
        self.read_until(terminal, r"How many\? $")
        os.write(terminal, b"5\n")
        self.read_until(terminal, "got 5")
        self.assertEqual(os.waitpid(pid, 0)[1], 0)


class NothingIsLeft(LauncherTest):
    def test_killing_mpiexec_kills_the_ranks(self):
        with running("-n", 4, *sh("echo $$; exec sleep 100")) as job:
            pids = read_pids(job.stdout, 4)
            job.kill()
            job.wait()
            eventually(gone(pids), "the ranks end")

    def test_nothing_has_a_name_in_dev_shm(self):
        before = set(os.listdir("/dev/shm"))
        with running("-n", 4, *sh("echo $$; exec sleep 100")) as job:
            read_pids(job.stdout, 4)
            # Other programs may be at work there meanwhile.
            eventually(lambda: set(os.listdir("/dev/shm")) <= before, "no new file while it runs")

    def test_killing_mpiexec_while_it_starts(self):
        """Whatever it had started by then dies with it."""
        for delay in range(30):
            mark = f"1{os.getpid()}.{delay}"  # an argument that tells these processes from others
            with running("-n", 8, "sleep", mark) as job:
                time.sleep(delay / 3000)
                job.kill()
                job.wait()
            eventually(lambda: not subprocess.run(["pgrep", "-fx", f"sleep {mark}"],
                                                  capture_output=True).stdout, "all ranks end")

    def test_what_ranks_left_behind_ends_with_the_job(self):
        # In its own session, and with the rank's output closed.
        out = self.succeeds("-n", 2, *sh("setsid sleep 100 >/dev/null 2>&1 & echo $!"))
        for pid in out.split():
            self.assertFalse(lives(int(pid)))

    def test_what_holds_the_output_open_ends_with_the_job(self):
        out = self.succeeds("-n", 2, *sh("sleep 100 & echo $!"))
        for pid in out.split():
            self.assertFalse(lives(int(pid)))

    def test_grandchildren_that_ignore_sigterm_are_killed(self):
        out = self.succeeds("-n", 1, *sh("(trap '' TERM; sleep 100; true) >/dev/null & echo $!"))
        self.assertFalse(lives(int(out)))

    def test_grandchildren_of_a_failed_job(self):
        done = mpiexec("-n", 2, *sh("sleep 100 & echo $!; [ $PMI_RANK = 1 ] && exit 8; wait"))
        self.assertEqual(done.returncode, 8)
        for pid in done.stdout.split():
            self.assertFalse(lives(int(pid)))

    def test_children_that_ended_are_not_kept_as_zombies(self):
        script = "for i in 1 2 3 4 5; do (sh -c 'exit 0' & ) ; done; echo ready; exec sleep 100"
        with running("-n", 2, *sh(script)) as job:
            for _ in range(2):
                job.stdout.readline()

            def children():
                return subprocess.run(["ps", "-o", "stat=", "--ppid", str(job.pid)],
                                      capture_output=True, text=True).stdout.split()
            eventually(lambda: len(children()) == 2, "only the ranks are children")


if __name__ == "__main__":
    unittest.main()
