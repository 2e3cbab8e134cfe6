"""How a job ends whose ranks misbehave: the status, and every word on standard error."""

import re
import unittest

from faults import FaultTest, isolate, program, run

MISBEHAVE = program("test/faults/misbehave")
RANKS = 3

STOPPING = "; stopping the other 2 ranks"
MEANWHILE = "mpiexec: meanwhile: "


def without_accidents(text):
    """The text without what differs from run to run: folders, process ids, processors."""
    return re.sub(r"\(\S*/(\w+), pid \d+(, cpu \d+)?\)", r"(\1)", text)


class Ends(FaultTest):
    def check(self, how, rank, status, *lines):
        """Rank `rank` alone misbehaves."""
        self.assertEqual(self.ended(how, rank), (status, list(lines)))

    def check_any(self, how, status, *lines):
        """All misbehave at once; who is first is not known, and only the first is told of."""
        ended, errors = self.ended(how)
        ranks = [re.sub(r"\brank \d\b", "rank N", line) for line in errors]
        self.assertEqual((ended, ranks), (status, list(lines)))

    def ended(self, how, *rank):
        return self.ended_words(MISBEHAVE, how, *rank)

    def ended_words(self, *words):
        status, output, errors = run("-n", RANKS, "--timeout", 30, *words)
        self.assertEqual(output, "")
        # What others were waiting for depends on how far they had come.
        return status, [line for line in without_accidents(errors).splitlines()
                        if not line.startswith(MEANWHILE)]

    def test_exit_without_finalize(self):
        for how, status in [("exit-3", 3), ("_exit-4", 4)]:
            self.check(how, 1, status, f"mpiexec: rank 1 (misbehave) returned {status} "
                       f"without calling MPI_Finalize{STOPPING}")
        self.check("exit-0", 2, 1, "mpiexec: rank 2 (misbehave) returned 0 "
                   f"without calling MPI_Finalize{STOPPING}")

    def test_exit_status_after_finalize(self):
        self.check_any("exit-5 after finalize", 5, "mpiexec: rank N (misbehave) returned 5")
        self.check("exit-5 after finalize", 1, 5, "mpiexec: rank 1 (misbehave) returned 5")

    def test_signals(self):
        for how, rank, signal, text in [
                ("abort", 0, 6, "SIGABRT (Aborted)"),
                ("segfault", 2, 11, "SIGSEGV (Segmentation fault)"),
                ("stack overflow", 1, 11, "SIGSEGV (Segmentation fault)"),
                ("terminated", 1, 15, "SIGTERM (Terminated)")]:
            status, errors = self.ended(how, rank)
            self.assertEqual(status, 128 + signal)
            # A fault of the program's own says where it was.
            lines = [re.sub(", core dumped|, at [^,;]+(, at address 0x[0-9a-f]+)?",
                            lambda found: ", not waiting in MPI" if "at" in found[0] else "", line)
                     for line in errors]
            self.assertEqual(lines, [
                f"mpiexec: rank {rank} (misbehave) was killed by signal {signal}, {text}, "
                f"not waiting in MPI{STOPPING}"])
            self.assertEqual("at address" in errors[0], how == "stack overflow")

    def test_a_crash_of_a_child_is_not_that_of_the_rank(self):
        self.check("terminated after its child crashed", 1, 143, "mpiexec: rank 1 (misbehave) was "
                   f"killed by signal 15, SIGTERM (Terminated), not waiting in MPI{STOPPING}")

    def test_a_rank_is_missed_while_its_shell_lives(self):
        shell = ["sh", "-c", '"$0" "$@"; sleep 100', MISBEHAVE]
        for how, signal in [("segfault", 11), ("killed", 9)]:
            status, errors = self.ended_words(*shell, how, 1)
            errors = [line for line in errors if line.startswith("mpiexec: ")]  # sh speaks too
            self.assertEqual(len(errors), 1, errors)
            # Only newer kernels tell how a process has ended that is no child, and only if it
            # was seen alive.
            self.assertRegex(errors[0], rf"^mpiexec: rank 1 \(sh, pid \d+\) (was killed by signal "
                             rf"{signal}, .*|has ended without calling MPI_Finalize){STOPPING}")
            self.assertEqual(status, 128 + signal if "signal" in errors[0] else 1)
        status, errors = self.ended_words(*shell, "MPI_Abort-42", 1)
        self.assertEqual(status, 42)
        self.assertIn("called MPI_Abort with code 42", errors[0])

    def test_a_shell_goes_on_when_its_rank_has_finalized(self):
        status, output, errors = run("-n", 2, "sh", "-c", '"$0" "$@"; sleep 1; echo later', MISBEHAVE,
                                     "exit-5 after finalize")
        self.assertEqual((status, output, errors), (0, "later\n" * 2, ""))

    def test_a_session_left_open(self):
        self.assertEqual(run("-n", 2, MISBEHAVE, "session left open"), (0, "", ""))

    def test_a_bad_buffer_names_the_call(self):
        status, errors = self.ended("bad buffer", 1)
        self.assertEqual(status, 139)
        self.assertRegex(errors[0], r"^mpiexec: rank 1 \(misbehave\) was killed by signal 11, SIGSEGV "
                         r"\(Segmentation fault\), in MPI_Send called at .+, at address "
                         r"0x10" + STOPPING)

    def test_what_the_others_were_waiting_for(self):
        _, _, errors = run("-n", RANKS, MISBEHAVE, "late segfault", 1)
        self.assertEqual(errors.splitlines()[1:], [
            MEANWHILE + "ranks 0,2 in MPI_Barrier, communicator MPI_COMM_WORLD of size 3"])

    def test_signal_after_finalize(self):
        status, errors = self.ended("segfault after finalize", 1)
        self.assertEqual(status, 139)
        self.assertRegex("\n".join(errors), r"^mpiexec: rank 1 \(misbehave\) was killed by signal 11, "
                         r"SIGSEGV \(Segmentation fault\), after MPI_Finalize")

    def test_abort(self):
        for how, code, status in [("MPI_Abort-42", 42, 42), ("MPI_Abort-256", 256, 1),
                                  ("MPI_Abort-0", 0, 0), ("MPI_Abort-self", 6, 6)]:
            line = f"mpiexec: rank {{}} (misbehave) called MPI_Abort with code {code}{STOPPING}"
            self.check(how, 1, status, line.format(1))
            self.check_any(how, status, line.format("N"))

    def test_streams_that_are_not_free_do_not_keep_the_job(self):
        status, output, errors = run("-n", 2, "--timeout", 30, MISBEHAVE,
                                     "MPI_Abort while a thread reads", 1)
        self.assertEqual((status, output), (42, "printed before"), errors)
        self.check("bad rank while a thread writes an error", 1, 6,
                   "rank 1: MPI_Send: dest=77 is outside communicator MPI_COMM_WORLD of size 3 "
                   "[MPI_ERR_RANK] (error handler of MPI_COMM_WORLD)")

    def test_errors_in_calls(self):
        line = ("rank {}: MPI_Send: dest=77 is outside communicator MPI_COMM_WORLD of size 3 "
                "[MPI_ERR_RANK] (error handler of MPI_COMM_WORLD)")
        self.check("bad rank", 1, 6, line.format(1))
        self.check_any("bad rank", 6, line.format("N"))
        self.check("truncated", 2, 15,
                   "rank 2: MPI_Recv: the message from rank 2, tag 5 in MPI_COMM_WORLD has 8 "
                   "bytes, the receive from rank 2, tag 5 in MPI_COMM_WORLD has room for 4 "
                   "[MPI_ERR_TRUNCATE] "
                   "(error handler of MPI_COMM_WORLD)")
        for how in ["errors are fatal", "errors abort"]:
            self.check(how, 1, 6, "rank 1: MPI_Send: dest=3 is outside communicator my own of "
                       "size 1 [MPI_ERR_RANK] (error handler of my own)")

    def test_errors_of_the_program(self):
        status, errors = self.ended("handler called", 1)
        self.assertNotEqual(status, 0)
        self.assertEqual(errors, ["rank 1: MPI_Comm_call_errhandler: called with errorcode=16385 "
                                  "[the sky fell] (error handler of MPI_COMM_WORLD)"])
        self.check("attribute refused", 2, 39,
                   "rank 2: MPI_Comm_delete_attr: the delete callback of keyval 1000 returned 39 "
                   "[MPI_ERR_NO_MEM] (error handler of MPI_COMM_WORLD)")

    def test_calls_out_of_order(self):
        self.check("second init", 1, 16, "rank 1: MPI_Init: MPI is initialized already "
                   "[MPI_ERR_OTHER] (error handler of MPI_COMM_SELF)")
        status, errors = self.ended("before init")
        self.assertEqual(status, 16)
        self.assertRegex(errors[0],
                         r"^rank \d: MPI_Comm_size: called before MPI_Init \[MPI_ERR_OTHER\]$")
        status, errors = self.ended("MPI_Comm_rank after finalize")
        self.assertEqual(status, 16)
        self.assertRegex(errors[0], r"^rank \d: MPI_Comm_rank: called after MPI_Finalize "
                         r"\[MPI_ERR_OTHER\]")
        self.assertEqual(len([line for line in errors if line.startswith("rank")]), 1)


if __name__ == "__main__":
    isolate()
    unittest.main(verbosity=2)
