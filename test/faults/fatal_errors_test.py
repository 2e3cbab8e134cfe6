"""Errors that are fatal: one message for the whole job, with the call, the argument, its value and
what is wrong with it, the class, and the object whose error handler ended the job."""

import re
import unittest

from faults import FaultTest, isolate, program, run

PROGRAM = program("test/faults/fatal_errors")

# Mistake -> message without the rank, class, object; the program makes it on all ranks.
MESSAGES = {
    "null": ("MPI_Comm_size: comm is MPI_COMM_NULL", "COMM", "MPI_COMM_SELF"),
    "freed": ("MPI_Comm_rank: comm=0xN is not a communicator; was it freed?", "COMM",
              "MPI_COMM_SELF"),
    "a group": ("MPI_Barrier: comm=0xN is the handle of a group, not of a communicator", "COMM",
                "MPI_COMM_SELF"),
    "name": ("MPI_Recv: source=3 is outside communicator ocean of size 3", "RANK", "ocean"),
    "no name": ("MPI_Bcast: root=-2 is outside communicator N of size 3", "ROOT",
                "communicator N"),
    "remote group": ("MPI_Send: dest=9 is outside the remote group of inter-communicator coupling "
                     "of size N", "RANK", "coupling"),
    "stride": ("MPI_Group_range_incl: ranges[1]={0, 2, 0}: the stride is 0", "ARG",
               "MPI_COMM_SELF"),
    "coordinates": ("MPI_Cart_rank: coords[1]=5 is outside a dimension of 3 that is not periodic",
                    "ARG", "communicator N"),
    "no grid": ("MPI_Cartdim_get: comm=MPI_COMM_WORLD has no Cartesian topology", "TOPOLOGY",
                "MPI_COMM_WORLD"),
    "disagreement": ("MPI_Cart_create: comm_old=MPI_COMM_WORLD: ranks 0 and 1 call with different "
                     "arguments", "NOT_SAME", "MPI_COMM_WORLD"),
    "free the world": ("MPI_Comm_free: comm=MPI_COMM_WORLD cannot be freed", "COMM",
                       "MPI_COMM_WORLD"),
    "aborts": ("MPI_Comm_set_attr: comm_keyval=MPI_TAG_UB belongs to the standard and cannot be "
               "changed", "KEYVAL", "atmosphere"),
    "session": ("MPI_Session_flush_buffer: no buffer is attached", "BUFFER", "a session"),
    "process set": ("MPI_Session_get_pset_info: pset_name=mpi://MOON is not a process set of this "
                    "process", "ARG", "a session"),
    "from a group": ("MPI_Comm_create_from_group: stringtag is a null pointer", "ARG", None),
    "file": ("MPI_File_call_errhandler: called with errorcode=42", "NO_SUCH_FILE",
             "MPI_FILE_NULL"),
    "window": ("MPI_Win_set_name: win is MPI_WIN_NULL", "WIN", "MPI_COMM_SELF"),
    "info": ("MPI_Info_set: info=MPI_INFO_ENV can neither be changed nor freed", "INFO",
             "MPI_COMM_SELF"),
}

# Ranks that call collectives which do not match -> what the call was for those who see it first,
# and parts of the message: which rank comes first is open.
MISMATCHES = {
    "collectives": (r"MPI_B\w+", "OTHER", "MPI_COMM_WORLD",
                    ["rank 0 MPI_Bcast with root 0, 4 bytes of 4-byte integers",
                     r"rank [12] MPI_Barrier"]),
    "collectives by messages": ("MPI_Bcast", "ROOT", r"communicator \d+",
                                ["process [012] of the job MPI_Bcast with root"]),
    "persistent collectives": ("MPI_Bcast_init", "ROOT", "MPI_COMM_WORLD",
                               [r"rank 0 MPI_Bcast \(persistent\) with root 0",
                                r"rank [12] MPI_Bcast \(persistent\) with root 1"]),
    # At the barrier that comes next.
    "collectives that do not wait": (r"MPI_\w+", "OTHER", "MPI_COMM_WORLD",
                                     ["rank 0 MPI_Bcast with root 0",
                                      "rank [12] MPI_Gather with root 0"]),
}


def without_accidents(text):
    """The text without what differs from rank to rank or from run to run."""
    text = re.sub(r"\b0x[0-9a-f]+", "0xN", text)
    text = re.sub(r"\bcommunicator \d+\b", "communicator N", text)
    return re.sub(r"(?<=coupling of size )\d", "N", text)


class FatalErrors(FaultTest):
    def test_one_message_for_the_job(self):
        for mistake, (message, error_class, owner) in MESSAGES.items():
            with self.subTest(mistake):
                status, output, errors = run("-n", 3, "--timeout", 30, PROGRAM, mistake)
                self.assertNotEqual(status, 0)
                self.assertEqual(output, "")
                self.assertRegex(errors, r"\Arank [0-2]: ")
                where = f" (error handler of {owner})" if owner else ""
                self.assertEqual(without_accidents(errors.partition(": ")[2]),
                                 f"{message} [MPI_ERR_{error_class}]{where}\n")

    def test_one_message_of_those_that_do_not_match(self):
        for mistake, (call, error_class, owner, parts) in MISMATCHES.items():
            with self.subTest(mistake):
                status, output, errors = run("-n", 3, "--timeout", 30, PROGRAM, mistake)
                self.assertNotEqual(status, 0)
                self.assertEqual(output, "")
                self.assertRegex(errors, rf"\Arank [0-2]: {call}: the ranks of {owner} call what "
                                         rf"does not match: .* \[MPI_ERR_{error_class}\] "
                                         rf"\(error handler of {owner}\)\n\Z")
                for part in parts:
                    self.assertRegex(errors, part)

    def test_the_end_of_those_that_go_on(self):
        self.assertEqual(run("-n", 3, "--timeout", 30, PROGRAM, "collectives, and goes on"),
                         (0, "", ""))


if __name__ == "__main__":
    isolate()
    unittest.main(verbosity=2)
