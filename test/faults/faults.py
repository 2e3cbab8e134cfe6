"""Jobs that meet with an accident: starting them, finding their processes, looking for leftovers."""

import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time
import unittest
import uuid

MPIEXEC = os.path.abspath("launcher/mpiexec")
WATCHDOG = 60  # seconds for anything that ends by itself
PATIENCE = 20  # seconds for processes to vanish after their job was killed

_ISOLATED = "FAULTS_ISOLATED"


def program(path):
    """The absolute path of a program of this tree: "test/faults/busy"."""
    return os.path.abspath(path)


def _can(*unshare):
    done = subprocess.run([*unshare, "mount", "-t", "tmpfs", "tmpfs", "/dev/shm"],
                          capture_output=True)
    return done.returncode == 0


def isolate():
    """Goes on with /dev/shm, and /tmp where this test does not lie there itself, empty and its own.

    Where the kernel does not let us, the test goes on with what all see.
    """
    if _ISOLATED in os.environ:
        subprocess.run(["mount", "-t", "tmpfs", "tmpfs", "/dev/shm"], check=True)
        if not any(path.startswith("/tmp/") for path in [os.getcwd(), os.path.realpath(__file__)]):
            subprocess.run(["mount", "-t", "tmpfs", "tmpfs", "/tmp"], check=True)
        return
    if shutil.which("unshare"):
        for options in [["--mount"], ["--mount", "--user", "--map-root-user"]]:
            unshare = ["unshare", "--propagation", "private", *options]
            if _can(*unshare):
                os.environ[_ISOLATED] = "1"
                os.execvp("unshare", [*unshare, sys.executable, *sys.argv])
    print("/dev/shm and /tmp are shared with others here", file=sys.stderr)


def isolated():
    return _ISOLATED in os.environ


def files():
    """What lies in /dev/shm and /tmp and may be a leftover of Atoll."""
    found = set()
    for folder in [pathlib.Path("/dev/shm"), pathlib.Path("/tmp")]:
        for entry in folder.iterdir():
            if isolated() and folder.name == "shm" or "atoll" in entry.name.lower():
                found.add(str(entry))
    return found


class Job:
    """mpiexec at work, with a mark in the environment of all its processes."""

    def __init__(self, *words, **settings):
        self.mark = f"FAULTS_MARK={uuid.uuid4().hex}"
        name, value = self.mark.split("=")
        environment = {**os.environ, **settings.pop("env", {}), name: value}
        self.process = subprocess.Popen([MPIEXEC, *map(str, words)], stdin=subprocess.DEVNULL,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                        env=environment, start_new_session=True, **settings)

    def processes(self):
        """pid -> environment of every process of the job that runs."""
        found = {}
        for entry in os.listdir("/proc"):
            if not entry.isdigit():
                continue
            try:
                environment = pathlib.Path("/proc", entry, "environ").read_bytes()
            except OSError:
                continue  # it ended meanwhile, or is not ours
            variables = environment.decode(errors="replace").split("\0")
            if self.mark in variables:
                found[int(entry)] = variables
        return found

    def ranks(self):
        """rank -> pid of the ranks that have been started."""
        found = {}
        for pid, variables in self.processes().items():
            for variable in variables:
                if variable.startswith("ATOLL_RANK="):
                    found[int(variable.split("=")[1])] = pid
        return found

    def finish(self, seconds=WATCHDOG):
        """Status, output and errors, once all processes that hold them have ended."""
        output, errors = self.process.communicate(timeout=seconds)
        return self.process.returncode, output, errors

    @staticmethod
    def signal(pid, number):
        """Sends a signal to a process, unless it has gone."""
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            pass

    def leftovers(self):
        """The processes that do not go away, having been given time to."""
        deadline = time.monotonic() + PATIENCE
        while (left := self.processes()) and time.monotonic() < deadline:
            time.sleep(0.005)
        return sorted(left)

    def end(self):
        """Kills whatever is left."""
        for pid in self.processes():
            kill(pid)
        self.process.wait()
        self.process.stdout.close()
        self.process.stderr.close()


def kill(pid):
    """False when there was no such process any more."""
    try:
        os.kill(pid, signal.SIGKILL)
        return True
    except ProcessLookupError:
        return False


def run(*words, **settings):
    """Runs a job to its end: status, output, errors."""
    job = Job(*words, **settings)
    try:
        return job.finish()
    finally:
        job.end()


class FaultTest(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.before = files()

    def tearDown(self):
        self.assertEqual(files() - self.before, set())
