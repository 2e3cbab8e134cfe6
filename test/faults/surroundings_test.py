"""Jobs in surroundings that take something away: the results stay the same, and nothing is said.

Forbidden system calls, a /dev/shm that is tiny or cannot be written, PID namespaces, closed
descriptors, no mpiexec.
"""

import pathlib
import re
import signal
import subprocess
import sys
import time
import unittest

from faults import FaultTest, Job, MPIEXEC, WATCHDOG, isolate, isolated, program, run

FORBID = program("test/faults/forbid_calls")
MODES = program("test/p2p/modes_program")
PROGRAMS = [program("test/p2p/storm_program"), program("test/p2p/truncate_program")]
LIFE = program("test/comm/life_program")
ENVIRONMENT = program("test/env/environment_program")
MEMORY = program("test/env/memory_program")
WAITS = program("test/faults/waits")
DEADLOCKS = program("test/faults/deadlocks")
SINGLE_COPY = "process_vm_readv,process_vm_writev"


class Surroundings(FaultTest):
    def check_well(self, status, output, errors):
        self.assertEqual((status, errors), (0, ""))
        self.assertRegex(output, r"ok [1-9]\d* checks\n$")

    def works(self, *words, **settings):
        self.check_well(*run("--timeout", WATCHDOG - 10, *words, **settings))

    def forbidden(self, calls, *command):
        """Runs a command without these system calls: status, output, errors."""
        done = subprocess.run([FORBID, calls, *command], stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=WATCHDOG)
        return done.returncode, done.stdout, done.stderr


class ForbiddenCalls(Surroundings):
    def test_single_copy(self):
        for one in [MODES, *PROGRAMS]:
            self.works("-n", 2, FORBID, SINGLE_COPY, one)
            self.works("-n", 4, FORBID, SINGLE_COPY, one)

    def test_single_copy_one_way(self):
        for call in SINGLE_COPY.split(","):
            for one in PROGRAMS:
                self.works("-n", 3, FORBID, call, one)

    def test_single_copy_in_one_rank(self):
        for one in PROGRAMS:
            self.works("-n", 1, FORBID, SINGLE_COPY, one, ":", "-n", 1, one)
            self.works("-n", 2, one, ":", "-n", 1, FORBID, SINGLE_COPY, one, ":", "-n", 1, one)

    def test_membarrier(self):
        """Without it those who wake others pay for a fence."""
        self.everywhere("membarrier")

    def test_membarrier_in_ranks(self):
        """mpiexec has it, and some of the ranks or all have not: those fence for themselves."""
        for one in PROGRAMS:
            self.works("-n", 4, FORBID, "membarrier", one)
            self.works("-n", 1, FORBID, "membarrier", one, ":", "-n", 3, one)
            self.works("-n", 3, FORBID, "membarrier", one, ":", "-n", 1, one)

    def test_memfd(self):
        """A file without a name in /dev/shm does as well."""
        self.everywhere("memfd_create")
        self.check_well(*self.forbidden("memfd_create", ENVIRONMENT))

    def test_binding(self):
        self.everywhere("sched_setaffinity")

    def test_everything(self):
        self.everywhere(f"{SINGLE_COPY},membarrier,sched_setaffinity")

    def everywhere(self, calls):
        """In mpiexec as well as in the ranks."""
        for one in PROGRAMS:
            self.check_well(*self.forbidden(calls, MPIEXEC, "-n", "4", one))


class SharedMemory(Surroundings):
    def setUp(self):
        super().setUp()
        if not isolated():
            self.skipTest("this kernel gives us no mount namespace")

    def with_shm(self, options):
        subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", "/dev/shm"], check=True)
        try:
            for one in [MODES, MEMORY, *PROGRAMS]:
                self.works("-n", 4, one)
        finally:
            subprocess.run(["umount", "/dev/shm"], check=True)

    def test_one_mebibyte(self):
        self.with_shm("size=1m")

    def test_read_only(self):
        self.with_shm("ro")

    def test_nowhere(self):
        """Neither a memfd nor a file in /dev/shm: said in one line, by mpiexec or alone."""
        text = "cannot make the {}: memfd_create: Operation not permitted; /dev/shm"
        for options in ["ro", "size=1m"]:
            subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", "/dev/shm"], check=True)
            try:
                ended = self.forbidden("memfd_create", MPIEXEC, "-n", "2", ENVIRONMENT)
                alone = self.forbidden("memfd_create", ENVIRONMENT)
            finally:
                subprocess.run(["umount", "/dev/shm"], check=True)
            self.assertEqual(ended[:2], (1, ""))
            self.assertIn("mpiexec: " + text.format("shared memory of the job"), ended[2])
            self.assertNotEqual(alone[0], 0)
            self.assertIn("MPI_Init: " + text.format("job's shared memory"), alone[2])
            self.assertEqual((len(ended[2].splitlines()), len(alone[2].splitlines())), (1, 1))


class AddressSpace(Surroundings):
    def test_two_gibibytes(self):
        """ulimit -v, for mpiexec as well or for the ranks alone."""
        code = pathlib.Path(LIFE).read_bytes()
        if b"__asan_init" in code or b"__tsan_init" in code:
            self.skipTest("sanitizers take terabytes of address space for themselves")
        limit = "ulimit -v 2097152; exec \"$0\" \"$@\""
        for one in [LIFE, MEMORY, *PROGRAMS]:
            self.works("-n", 4, "sh", "-c", limit, one)
            done = subprocess.run(["sh", "-c", limit, MPIEXEC, "-n", "4", one], text=True,
                                  stdin=subprocess.DEVNULL, capture_output=True, timeout=WATCHDOG)
            self.check_well(done.returncode, done.stdout, done.stderr)


class PidNamespaces(Surroundings):
    """Ranks that count pids anew, each for itself: as with Apptainer's --containall or bwrap."""

    UNSHARE = ["unshare", "--pid", "--fork"]

    def setUp(self):
        super().setUp()
        if subprocess.run([*self.UNSHARE, "true"], capture_output=True).returncode != 0:
            self.skipTest("this kernel gives us no PID namespace")

    def test_of_each_rank(self):
        """Large messages go between ranks of which each is process 1, and so do all others."""
        for one in [MODES, *PROGRAMS]:
            self.works("-n", 3, *self.UNSHARE, one)
        self.works("-n", 2, *self.UNSHARE, "--mount-proc", MODES)

    def test_of_some_ranks(self):
        self.works("-n", 2, MODES, ":", "-n", 1, *self.UNSHARE, MODES, ":", "-n", 1, MODES)

    def test_of_the_whole_job(self):
        done = subprocess.run([*self.UNSHARE, "--mount-proc", MPIEXEC, "-n", "3", MODES],
                              stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              timeout=WATCHDOG)
        self.check_well(done.returncode, done.stdout, done.stderr)

    def test_the_death_of_mpiexec_is_noticed(self):
        job = Job("-n", 2, *self.UNSHARE, WAITS)
        try:
            while len(job.ranks()) < 2:
                self.assertIsNone(job.process.poll())
            time.sleep(0.5)
            job.signal(job.process.pid, signal.SIGKILL)
            self.assertEqual(job.leftovers(), [])
        finally:
            job.end()

    def test_ranks_are_looked_at_from_outside(self):
        """mpiexec finds their processes: it sees what they wait for and where, and a deadlock."""
        status, _, errors = run("-n", 2, *self.UNSHARE, DEADLOCKS, "receives")
        self.assertEqual(status, 123, errors)
        self.assertRegex(errors, r"rank 0: MPI_Recv from 1, .*, at deadlocks\.cc")


class Starts(Surroundings):
    def test_closed_descriptors(self):
        """A program in between closes what it does not know; the rank joins its job all the same."""
        start = "import subprocess, sys; sys.exit(subprocess.run(sys.argv[1:]).returncode)"
        self.works("-n", 3, sys.executable, "-c", start, ENVIRONMENT)
        shell = "for fd in 3 4 5 6 7 8 9; do eval \"exec $fd>&-\"; done; exec \"$0\""
        self.works("-n", 3, "sh", "-c", shell, ENVIRONMENT)

    def test_closed_standard_streams(self):
        self.works("-n", 3, "sh", "-c", 'exec 0<&-; exec "$0"', ENVIRONMENT)

    def test_without_mpiexec(self):
        for one in [*PROGRAMS, ENVIRONMENT]:
            done = subprocess.run([one], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                                  timeout=WATCHDOG)
            self.check_well(done.returncode, done.stdout, done.stderr)

    def test_without_mpiexec_many_at_once(self):
        jobs = [subprocess.Popen([ENVIRONMENT], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE, text=True) for _ in range(8)]
        outputs = [job.communicate(timeout=WATCHDOG) for job in jobs]
        for job, (output, errors) in zip(jobs, outputs):
            self.check_well(job.returncode, output, errors)
        self.assertEqual(len({re.search(r"ok (\d+)", output)[1] for output, _ in outputs}), 1)

    def test_jobs_at_once(self):
        jobs = [subprocess.Popen([MPIEXEC, "-n", "3", ENVIRONMENT], stdin=subprocess.DEVNULL,
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
                for _ in range(4)]
        for job in jobs:
            output, errors = job.communicate(timeout=WATCHDOG)
            self.check_well(job.returncode, output, errors)


if __name__ == "__main__":
    isolate()
    unittest.main(verbosity=2)
