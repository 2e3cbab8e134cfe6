"""Jobs that wait for ever are ended with an explanation; jobs that only take long are left alone."""

import os
import random
import re
import signal
import subprocess
import time
import unittest

from faults import FaultTest, Job, isolate, program, run

DEADLOCKS = program("test/faults/deadlocks")
DEADLOCK = 123
HEADLINE = ("mpiexec: deadlock: every rank waits in MPI, and nothing is on its way to any of them")
RANKS = 3


def without_accidents(text):
    """The text without times and line numbers."""
    return re.sub(r"waits [\d.]+ s", "waits N s",
                  re.sub(r", at (\w+\.cc):\d+( \([^()]*\))?", r", at \1", text))


class Deadlocks(FaultTest):
    def deadlock(self, how, *words, ranks=RANKS):
        """The lines about a job that never ends."""
        status, output, errors = run("-n", ranks, DEADLOCKS, how, *words)
        self.assertEqual((status, output), (DEADLOCK, ""), errors)
        headline, *lines = without_accidents(errors).splitlines()
        self.assertEqual(headline, HEADLINE)
        return lines

    def test_receives(self):
        for ranks in [1, 2, 5]:
            lines = self.deadlock("receives", ranks=ranks)
            for rank in range(ranks):
                self.assertEqual(lines[rank], f"rank {rank}: MPI_Recv from {(rank + 1) % ranks}, "
                                 f"tag 7, communicator MPI_COMM_WORLD of size {ranks}, 4 bytes, "
                                 "waits N s, at deadlocks.cc")
        self.assertEqual(lines[5:], [
            "mpiexec: 0 waits for 1, 1 waits for 2, 2 waits for 3, 3 waits for 4, 4 waits for 0",
            "mpiexec: likely cause: each waits for a message before it sends its own: one of them "
            "has to send first"])

    def test_sends(self):
        lines = self.deadlock("sends", ranks=2)
        self.assertEqual(lines, [
            "rank 0: MPI_Send to 1, tag 10, communicator MPI_COMM_WORLD of size 2, 1048577 bytes, "
            "waits N s, at deadlocks.cc",
            "rank 1: MPI_Send to 0, tag 10, communicator MPI_COMM_WORLD of size 2, 1048577 bytes, "
            "waits N s, at deadlocks.cc",
            "mpiexec: 0 waits for 1, 1 waits for 0",
            "mpiexec: likely cause: each sends first, and a message of this kind waits for its "
            "receive: post the receive before (MPI_Irecv), or use MPI_Sendrecv"])

    def causes(self, how):
        return [line.removeprefix("mpiexec: likely cause: ") for line in self.deadlock(how)
                if "likely cause" in line]

    def test_causes(self):
        for how, cause in [
                ("tag", "the tags differ: rank 1 waits for tag 8 from rank 0 on MPI_COMM_WORLD, "
                 "and rank 0 has sent it tag 7"),
                ("communicator", "the communicators differ: rank 1 waits for tag 7 from rank 0 on "
                 "halo, and rank 0 has sent it tag 7 on MPI_COMM_WORLD"),
                ("source", "the ranks differ: rank 1 waits for tag 7 from rank 2 on "
                 "MPI_COMM_WORLD, and rank 0 has sent it tag 7"),
                ("destination", "the message went to another rank: rank 1 waits for tag 7 from "
                 "rank 0 on MPI_COMM_WORLD, and rank 0 has sent tag 7 to rank 2"),
                ("collective", "not all ranks of halo call the same collective: ranks 0,2 are in "
                 "MPI_Barrier, but rank 1 is in MPI_Recv from 0, tag 9, communicator "
                 "MPI_COMM_WORLD of size 3, 4 bytes"),
                ("nonblocking", "not all ranks of halo call the same collective: ranks 0,2 are in "
                 "MPI_Ibarrier, but rank 1 is in MPI_Recv from 0, tag 9, communicator "
                 "MPI_COMM_WORLD of size 3, 4 bytes"),
                ("finalize", "rank 1 is in MPI_Finalize already, and ranks 0,2 wait for it in "
                 "MPI_Recv")]:
            self.assertEqual(self.causes(how)[0], cause)

    def test_circles_of_others(self):
        self.assertIn("mpiexec: 0 waits for itself", self.deadlock("itself"))
        self.assertIn("mpiexec: 0 waits for 1, 1 waits for 0", self.deadlock("anybody", ranks=2))
        requests = self.deadlock("requests", ranks=2)
        self.assertEqual(requests[0], "rank 0: MPI_Waitall for 3 requests, the first a receive "
                         "from 1, tag 0, communicator halo of size 2, 4 bytes, waits N s, at "
                         "deadlocks.cc")

    def test_threads(self):
        """Each thread in MPI has its line; threads that wait for these threads do not matter."""
        lines = self.deadlock("threads", ranks=2)
        self.assertEqual(len([line for line in lines if line.startswith("rank 0: MPI_Recv")]), 2)
        self.deadlock("idle thread", ranks=2)

    def test_a_rank_that_left_without_mpi(self):
        status, _, errors = run("-n", 2, DEADLOCKS, "receives", ":", "-n", 1, "true")
        self.assertEqual(status, DEADLOCK)
        lines = without_accidents(errors).splitlines()
        self.assertEqual(lines[3], "rank 2: has ended: returned 0 without calling MPI_Init")
        self.assertIn("rank 2 has ended (returned 0 without calling MPI_Init), and ranks 0-1 wait "
                      "for it in MPI_Barrier", lines[-1])

    def test_source_line(self):
        """The line of the call, not of what is behind it."""
        _, _, errors = run("-n", 2, DEADLOCKS, "receives")
        number = int(re.search(r"deadlocks\.cc:(\d+)", errors)[1])
        with open(os.path.join(os.path.dirname(__file__), "deadlocks.cc")) as source:
            self.assertIn("MPI_Recv", source.readlines()[number - 1])

    def test_a_job_that_is_kept(self):
        job = Job("--keep-deadlock", "-n", 2, DEADLOCKS, "receives")
        try:
            self.assertEqual(job.process.stderr.readline().strip(), HEADLINE)
            time.sleep(1)
            self.assertIsNone(job.process.poll())
        finally:
            job.end()


class NoFalseAlarm(FaultTest):
    def ends_well(self, how, ranks=RANKS, **settings):
        self.assertEqual(run("-n", ranks, DEADLOCKS, how, **settings), (0, "", ""))

    def test_delays(self):
        for how in ["computes", "sleeps", "thread computes", "thread sleeps",
                    "thread waits a while", "signal"]:
            self.ends_well(how)

    def test_more_ranks_than_cores(self):
        self.ends_well("computes", ranks=16, env={"ATOLL_WAIT": "sleep"})

    def test_a_rank_that_reads(self):
        feeder = subprocess.Popen(["sh", "-c", "sleep 1.5; echo"], stdout=subprocess.PIPE)
        done = subprocess.run([program("launcher/mpiexec"), "-n", str(RANKS), DEADLOCKS, "reads"],
                              stdin=feeder.stdout, capture_output=True, text=True, timeout=60)
        feeder.stdout.close()
        feeder.wait()
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))

    def test_stopped_ranks(self):
        """A job whose ranks are stopped waits for whoever stopped them."""
        job = Job("-n", RANKS, DEADLOCKS, "sleeps")
        try:
            while len(ranks := job.ranks()) < RANKS:
                self.assertIsNone(job.process.poll())
            time.sleep(0.3)
            for pid in ranks.values():
                os.kill(pid, signal.SIGSTOP)
            time.sleep(1.5)
            self.assertIsNone(job.process.poll())
            for pid in random.sample(sorted(ranks.values()), RANKS):
                os.kill(pid, signal.SIGCONT)
            self.assertEqual(job.finish(), (0, "", ""))
        finally:
            job.end()


if __name__ == "__main__":
    isolate()
    unittest.main(verbosity=2)
