"""What mpiexec makes of ranks that use MPI: questions, debuggers, jobs within jobs, other MPIs."""

import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from faults import MPIEXEC, WATCHDOG, FaultTest, Job, isolate, program, run

LAUNCHED = program("test/faults/launched")


def scratch():
    return pathlib.Path(tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR")))


def alone(**variables):
    """The program without mpiexec: status, output, errors."""
    done = subprocess.run([LAUNCHED], capture_output=True, text=True, timeout=WATCHDOG,
                          env={**os.environ, **variables})
    return done.returncode, done.stdout, done.stderr


class Questions(FaultTest):
    def test_sigquit_is_answered_and_the_job_goes_on(self):
        job = Job("-n", 2, LAUNCHED, "computes")
        try:
            self.assertEqual(job.process.stdout.readline(), "ready\n")
            for _ in range(2):
                job.process.send_signal(signal.SIGQUIT)
                self.assertRegex(job.process.stderr.readline(), "^rank 0: computes")
                # Perhaps it has not gone to sleep yet.
                self.assertRegex(job.process.stderr.readline(), "^rank 1: (MPI_Recv from 0|is at work in MPI_)")
            job.process.send_signal(signal.SIGUSR1)
            self.assertEqual(job.finish(), (0, "", ""))
        finally:
            job.end()


class Debuggers(FaultTest):
    BARE = {"TMUX": "", "DISPLAY": ""}

    def test_a_rank_waits_until_it_is_let_go(self):
        self.waits_until(lambda pid: os.kill(pid, signal.SIGCONT))

    @unittest.skipUnless(shutil.which("gdb"), "gdb is not installed")
    def test_a_rank_waits_until_gdb_attaches(self):
        done = []
        self.waits_until(lambda pid: done.append(subprocess.run(
            ["gdb", "-q", "-batch", "-p", str(pid), "-ex", "continue"], capture_output=True,
            text=True, timeout=WATCHDOG)))
        self.assertIn("exited normally", done[0].stdout)

    def waits_until(self, let_go):
        """let_go(pid) makes the rank go on."""
        job = Job("-n", 2, "--stop-at-init=1", LAUNCHED, env=self.BARE)
        try:
            line = job.process.stderr.readline()
            pid = job.ranks()[1]
            self.assertEqual(line, f"mpiexec: rank 1 waits in MPI_Init: 'gdb -q -p {pid}' "
                             f"attaches to it, 'kill -CONT {pid}' lets it go on\n")
            time.sleep(1)  # nobody takes this for a deadlock
            self.assertIsNone(job.process.poll())
            let_go(pid)
            status, output, errors = job.finish()
            self.assertEqual((status, sorted(output.split("\n")), errors),
                             (0, ["", "0 of 2", "1 of 2"], ""))
        finally:
            job.end()

    def test_debuggers_open_in_windows(self):
        """tmux is told what to run; here it only notes that, and lets the rank go on."""
        folder = scratch()
        tmux = folder / "tmux"
        tmux.write_text(f'#!/bin/sh\necho "$@" >> {folder}/windows\n'
                        'for last; do :; done\nkill -CONT ${last##* }\n')
        tmux.chmod(0o755)
        status, output, errors = run("-n", 2, "--debug", LAUNCHED, env={
            "TMUX": "/tmp/tmux-0/default,1,0", "PATH": f"{folder}:{os.environ['PATH']}",
            "ATOLL_DEBUGGER": "look -p"})
        self.assertEqual((status, sorted(output.split()), errors),
                         (0, sorted("0 of 2 1 of 2".split()), ""))
        windows = sorted((folder / "windows").read_text().splitlines())
        self.assertRegex(windows[0], r"^new-window -d -n rank 0 look -p \d+$")
        self.assertRegex(windows[1], r"^new-window -d -n rank 1 look -p \d+$")


class JobsWithinJobs(FaultTest):
    def test_mpiexec_within_ranks_three_deep(self):
        status, output, errors = run("-n", 3, LAUNCHED, "nest", 2, MPIEXEC)
        self.assertEqual((status, errors), (0, ""))
        self.assertEqual(sorted(output.splitlines()),
                         sorted(["0 of 3", "1 of 3", "2 of 3"] + 2 * ["0 of 2", "1 of 2"]))


class OtherMpis(FaultTest):
    def test_a_foreign_launcher_is_named_with_the_remedy(self):
        for variables, launcher in [
                ({"OMPI_COMM_WORLD_SIZE": "2"}, "the mpiexec of Open MPI (OMPI_COMM_WORLD_SIZE=2)"),
                ({"PMI_SIZE": "3"}, "the mpiexec of another MPI, such as MPICH (PMI_SIZE=3)"),
                ({"PMIX_RANK": "1"}, "the launcher of another MPI (PMIX_RANK=1)")]:
            status, output, errors = alone(**variables)
            self.assertNotEqual(status, 0)
            self.assertEqual((output, errors), (
                "", f"rank 0: MPI_Init: {launcher} has started this program, whose processes would "
                "not find each other: start it with the mpiexec of Atoll, or set "
                "ATOLL_ALLOW_SINGLETON=1 if each is to run alone [MPI_ERR_OTHER]\n"))
            self.assertEqual(alone(ATOLL_ALLOW_SINGLETON="1", **variables), (0, "0 of 1\n", ""))

    def test_a_job_that_cannot_be_joined_names_the_rank(self):
        self.assertEqual(alone(ATOLL_JOB="none", ATOLL_RANK="3")[1:], (
            "", "rank 3: MPI_Init: cannot join the job of mpiexec: ATOLL_JOB='none' is not of the "
            "form FD:PID:NONCE [MPI_ERR_OTHER]\n"))

    def test_a_launcher_of_one_process_is_nobody_s_business(self):
        self.assertEqual(alone(OMPI_COMM_WORLD_SIZE="1", PMI_SIZE="1", PMIX_RANK="0"),
                         (0, "0 of 1\n", ""))
        self.assertEqual(run("-n", 1, LAUNCHED, env={"OMPI_COMM_WORLD_SIZE": "2"}),
                         (0, "0 of 1\n", ""))

    @unittest.skipUnless(shutil.which("mpiexec.mpich"), "MPICH is not installed")
    def test_the_launcher_of_mpich(self):
        done = subprocess.run(["mpiexec.mpich", "-n", "2", LAUNCHED], capture_output=True, text=True,
                              timeout=WATCHDOG)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("start it with the mpiexec of Atoll", done.stderr)

    def test_programs_that_never_call_mpi(self):
        self.assertEqual(run("-n", 2, LAUNCHED, "nothing"), (
            0, "", f"mpiexec: no rank of {LAUNCHED} has called MPI_Init\n"))
        self.assertEqual(run("-n", 1, LAUNCHED, "nothing"), (0, "", ""))
        self.assertEqual(run("-n", 2, "true"), (0, "", ""))
        # A program that names another MPI's library.
        other = scratch() / "other"
        shutil.copy("/bin/true", other)
        with open(other, "ab") as file:
            file.write(b"\0libmpi.so.40\0")
        self.assertEqual(run("-n", 2, other), (
            0, "", f"mpiexec: no rank of {other} has called MPI_Init of Atoll: it uses libmpi.so.40 "
            "of another MPI, and has to be started by the mpiexec of that, or built with Atoll's "
            "mpicc\n"))


    def test_programs_of_an_interpreter(self):
        """What they load tells which MPI they use."""
        library = scratch() / "libmpi.so.40"
        subprocess.run(["gcc", "-shared", "-x", "c", "/dev/null", "-o", library], check=True)
        script = f"import ctypes, time; ctypes.CDLL('{library}'); time.sleep(1)"
        status, _, errors = run("-n", 2, sys.executable, "-c", script)
        self.assertEqual(status, 0)
        self.assertIn("has called MPI_Init of Atoll: it uses libmpi.so.40 of another MPI", errors)


class Reports(FaultTest):
    def test_a_crash_is_found_however_deep_the_program_lies(self):
        folder = scratch()
        while len(str(folder)) < 400:
            folder = folder / ("deep" * 10)
        folder.mkdir(parents=True)
        deep = shutil.copy(LAUNCHED, folder / "launched")
        libraries = subprocess.run(["ldd", LAUNCHED], capture_output=True, text=True, check=True)
        library = re.search(r"libmpi_abi\.so\.1 => (\S+)", libraries.stdout)[1]
        status, _, errors = run("-n", 1, deep, "crashes",
                                env={"LD_LIBRARY_PATH": os.path.dirname(library)})
        self.assertEqual(status, 128 + signal.SIGSEGV)
        number = int(re.search(r"at launched\.cc:(\d+) \(crash\)", errors)[1])
        with open(os.path.join(os.path.dirname(__file__), "launched.cc")) as source:
            self.assertIn("the line that is looked for", source.readlines()[number - 1])


class SystemCalls(FaultTest):
    def test_no_network(self):
        trace = scratch() / "trace"
        subprocess.run(["strace", "-f", "-o", trace, MPIEXEC, "-n", "2", LAUNCHED], check=True,
                       timeout=WATCHDOG, stdout=subprocess.DEVNULL)
        calls = re.findall(r"^\d+ +(\w+)\(.*", trace.read_text(), re.MULTILINE)
        self.assertIn("execve", calls)
        self.assertNotIn("socket", calls)
        self.assertNotRegex(trace.read_text(), "AF_INET|resolv.conf|nsswitch.conf|/etc/hosts")


if __name__ == "__main__":
    isolate()
    unittest.main(verbosity=2)
