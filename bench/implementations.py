"""The MPIs that are compared: how to compile for each and how to start a run."""

import os
import pathlib
import re
import shutil
import subprocess
import time

TIMEOUT = 180  # seconds a run may take; the slowest takes about ten
STARTS = 5  # of an empty program in one run; the best counts


class Failure(Exception):
    """A sentence for the user."""


class Mpi:
    """One MPI: its key in options and records, its name, and its commands."""

    key = name = mpicc = mpiexec = ""
    version_command = ()
    packages = ""

    def missing(self):
        """Why it cannot take part, or an empty string."""
        for command in [self.mpicc, self.mpiexec]:
            if shutil.which(command) is None:
                return f"{self.name} is not installed: no {command} (packages {self.packages})"
        return ""

    def options(self, bound=False, two_cores=False):
        """Options of mpiexec besides the number of ranks: with each rank on a
        core of its own, or for a job that may use only two cores."""
        raise NotImplementedError

    def version(self):
        printed = subprocess.run(self.version_command, capture_output=True, text=True).stdout
        number = re.search(r"\d+\.\d+[\w.]*", printed)
        return number[0] if number else "of unknown version"

    def compile(self, source, program):
        words = [self.mpicc, "-std=c99", "-D_GNU_SOURCE", "-O2", source, "-o", program]
        done = subprocess.run([str(w) for w in words], capture_output=True, text=True)
        if done.returncode != 0:
            raise Failure(f"{self.name} cannot compile {source.name}: {first_line(done.stderr)}")

    def command(self, run, program):
        options = self.options(run.bound, run.two_cores)
        words = [self.mpiexec, *options, "-n", run.ranks, program, *run.arguments]
        return [str(word) for word in words]

    def measure(self, run, program):
        """One run: {figure: (best, median)}."""
        command = self.command(run, program)
        cores = first_cores(2) if run.two_cores else None
        if not run.wall:
            return parse(self._start(command, cores)[0])
        times = sorted(self._start(command, cores)[1] * 1e3 for _ in range(STARTS))
        return {run.name: (times[0], times[len(times) // 2])}

    def _start(self, command, cores):
        """Runs `command`; its standard output and how long it took, in seconds."""
        bind = (lambda: os.sched_setaffinity(0, cores)) if cores else None
        start = time.monotonic()
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=bind,
        )
        try:
            out, errors = process.communicate(timeout=TIMEOUT)
        except subprocess.TimeoutExpired:
            stop(process)
            raise Failure(f"{self.name} took more than {TIMEOUT} s: {' '.join(command)}") from None
        took = time.monotonic() - start
        if process.returncode != 0:
            raise Failure(
                f"{self.name} failed with status {process.returncode}: {' '.join(command)}: "
                f"{first_line(errors)}"
            )
        return out, took


class Atoll(Mpi):
    key, name = "atoll", "Atoll"

    def __init__(self, prefix):
        self.prefix = pathlib.Path(prefix)
        self.mpicc = str(self.prefix / "bin/mpicc")
        self.mpiexec = str(self.prefix / "bin/mpiexec")
        self.version_command = (self.mpiexec, "--version")

    def missing(self):
        there = shutil.which(self.mpicc) and shutil.which(self.mpiexec)
        return "" if there else f"there is no Atoll in {self.prefix}"

    def options(self, bound=False, two_cores=False):
        return ["--bind-to", "core"] if bound else []


class Mpich(Mpi):
    key, name = "mpich", "MPICH"
    mpicc, mpiexec, packages = "mpicc.mpich", "mpiexec.mpich", "mpich, libmpich-dev"
    version_command = ("mpichversion",)

    def options(self, bound=False, two_cores=False):
        return ["-bind-to", "core"] if bound else []


class OpenMpi(Mpi):
    key, name = "openmpi", "Open MPI"
    mpicc, mpiexec, packages = "mpicc.openmpi", "mpiexec.openmpi", "openmpi-bin, libopenmpi-dev"
    version_command = ("mpiexec.openmpi", "--version")

    def options(self, bound=False, two_cores=False):
        words = ["--allow-run-as-root"] if os.geteuid() == 0 else []
        if bound:
            return words + ["--bind-to", "core"]
        if two_cores:  # told so, or it would count the cores it may not use
            words += ["--host", "localhost:2"]
        # It refuses more ranks than cores, and gives cores up only when it knows.
        return words + ["--oversubscribe"]


def peers():
    return [Mpich(), OpenMpi()]


def atoll(root, prefix, scratch):
    """The Atoll installed in `prefix`, else the one that Bazel built below
    `root`, installed in `scratch` now."""
    if prefix:
        found = Atoll(user_path(prefix))
    elif not (root / "install").exists():
        raise Failure("there is no Atoll here: start it with bazel run, or name one with --atoll")
    else:
        environment = {**os.environ, "TEST_SRCDIR": str(root.parent)}
        words = [root / "install", scratch / "atoll"]
        done = subprocess.run(words, env=environment, capture_output=True, text=True)
        if done.returncode != 0:
            raise Failure(f"Atoll could not be installed: {first_line(done.stderr)}")
        found = Atoll(scratch / "atoll")
    if found.missing():
        raise Failure(found.missing())
    return found


def user_path(name):
    """A path as the user meant it: Bazel starts its programs elsewhere."""
    return pathlib.Path(os.environ.get("BUILD_WORKING_DIRECTORY", "."), name)


def stop(process):
    """Ends an mpiexec, which takes its ranks with it if it is given the time."""
    process.terminate()
    try:
        process.communicate(timeout=10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()


def first_line(text):
    lines = [line.strip() for line in text.splitlines() if line.strip(" -")]
    return lines[0] if lines else "it said nothing"


def parse(text):
    """Lines "name best median unit" as {name: (best, median)}."""
    found = re.findall(r"^(\w+) ([\d.]+) ([\d.]+) \w+$", text, re.MULTILINE)
    return {name: (float(best), float(median)) for name, best, median in found}


def first_cores(count):
    """One CPU of each of the first cores that this process may use."""
    chosen, taken = [], set()
    for cpu in sorted(os.sched_getaffinity(0)):
        siblings = pathlib.Path(f"/sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list")
        core = siblings.read_text() if siblings.exists() else str(cpu)
        if core not in taken:
            taken.add(core)
            chosen.append(cpu)
    return chosen[:count]
