"""Running mpiexec in the tests of this folder."""

import contextlib
import os
import pathlib
import subprocess
import tempfile
import time
import unittest

MPIEXEC = os.path.abspath("launcher/mpiexec")
FAKE_RANK = os.path.abspath("test/launcher/fake_rank")

# In builds with AddressSanitizer: memory that was given back is not kept long,
# and it does not look for leaks, which it cannot do where strace looks on.
os.environ["ASAN_OPTIONS"] = "quarantine_size_mb=1:detect_leaks=0"

WATCHDOG = 120  # seconds; nothing here takes long, but the machine may be busy


def scratch():
    """A new empty folder."""
    return pathlib.Path(tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR")))


def mpiexec(*words, **settings):
    """Runs mpiexec to its end."""
    if "input" not in settings:
        settings.setdefault("stdin", subprocess.DEVNULL)
    return subprocess.run([MPIEXEC, *map(str, words)], capture_output=True, text=True,
                          timeout=WATCHDOG, **settings)


def sh(script):
    """The command that runs a script in a rank."""
    return ["sh", "-c", script]


@contextlib.contextmanager
def running(*words, **settings):
    """mpiexec in the background; killed at the end if it still runs."""
    settings = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE,
                "text": True, **settings}
    job = subprocess.Popen([MPIEXEC, *map(str, words)], **settings)
    try:
        yield job
    finally:
        if job.poll() is None:
            job.kill()
        for stream in [job.stdin, job.stdout, job.stderr]:
            if stream:
                stream.close()
        job.wait()


def eventually(true, what):
    """Waits until true() is true."""
    deadline = time.monotonic() + WATCHDOG
    while not true():
        if time.monotonic() > deadline:
            raise AssertionError(f"never: {what}")
        time.sleep(0.01)


def state(pid):
    """R, S, T (stopped), Z ..., or nothing for a process that is gone."""
    try:
        stat = pathlib.Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return None
    return stat.rpartition(")")[2].split()[0]


def lives(pid):
    """Whether the process runs; a zombie does not."""
    return state(pid) not in [None, "Z"]


class LauncherTest(unittest.TestCase):
    def succeeds(self, *words, **settings):
        """Standard output of a job that ends well, and says nothing else."""
        done = mpiexec(*words, **settings)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def fails(self, status, *words, **settings):
        """Standard error of a job that fails with `status`."""
        done = mpiexec(*words, **settings)
        self.assertEqual(done.returncode, status, done.stderr)
        return done.stderr

    def lines(self, *words, **settings):
        """The lines of a good job, in any order of the ranks."""
        return sorted(self.succeeds(*words, **settings).splitlines())
