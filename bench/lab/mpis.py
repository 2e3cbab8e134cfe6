"""The MPIs that are measured: how to compile for each, and how to start a run."""

import dataclasses
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import threading
import time

TIMEOUT = 180  # seconds a run may take that does not say
STARTS = 5  # of an empty program in one run


class Failure(Exception):
    """A sentence for the user, what was measured nevertheless, and the reason alone."""

    def __init__(self, sentence, output=None, reason=""):
        super().__init__(sentence)
        self.output = output or Output()
        self.reason = reason


@dataclasses.dataclass
class Output:
    """What a program printed."""

    records: list = dataclasses.field(default_factory=list)  # its lines of JSON
    others: list = dataclasses.field(default_factory=list)  # (records before it, line)


@dataclasses.dataclass(frozen=True)
class Run:
    """One start of mpiexec, by every MPI in turn. The arguments without "=" name figures, if the
    program takes such names; it prints a record for each, in their order."""

    name: str
    program: str
    arguments: tuple
    ranks: int
    cpus: tuple = ()  # of each rank, to which the program binds itself
    bound: bool = False  # each rank on a core of its own, by mpiexec's own option
    two_cores: bool = False  # the whole job on two cores
    near_or_far: bool = False  # its times depend on how far apart the cores are
    wall: bool = False  # the figure is the wall time of mpiexec, under the run's name
    once: bool = False  # and not in every round
    optional: bool = False  # no MPI has to do all of it: see rounds.py
    only: str = None  # key of the one MPI that it is for
    shows: tuple = ()  # what else Atoll is asked to print
    timeout: float = TIMEOUT  # seconds


class Mpi:
    """One MPI: its key in options and records, its name, and its commands. As it stands
    here, one of which nothing is known but that."""

    key = name = mpicc = mpiexec = ""
    version_command = ()
    packages = ""

    def missing(self):
        """Why it cannot take part, or an empty string."""
        for command in [self.mpicc, self.mpiexec]:
            if shutil.which(command) is None:
                return f"{self.name} is not installed: no {command} (packages {self.packages})"
        return ""

    def options(self, run):
        """Options of mpiexec besides the number of ranks."""
        return []

    def version(self):
        command = self.version_command or (self.mpiexec, "--version")
        printed = subprocess.run(command, capture_output=True, text=True).stdout
        number = re.search(r"\d+\.\d+[\w.]*", printed)
        return number[0] if number else "of unknown version"

    def compile(self, source, program, root):
        """`root` is the folder below which sources name what they include."""
        options = ["-std=c99", "-D_GNU_SOURCE", "-O2", "-I", root]
        words = [self.mpicc, *options, source, "-o", program]
        done = subprocess.run([str(w) for w in words], capture_output=True, text=True)
        if done.returncode != 0:
            raise Failure(f"{self.name} cannot compile {source.name}: {first_line(done.stderr)}")

    def command(self, run, program):
        words = [self.mpiexec, *self.options(run), "-n", run.ranks, program, *run.arguments]
        if run.cpus:
            words.append("cpus=" + ",".join(map(str, run.cpus)))
        return [str(word) for word in words]

    def measure(self, run, program, saw=None):
        """The Output of one run. `saw` is called with each record as it comes."""
        command = self.command(run, program)
        cores = first_cores(2) if run.two_cores else None
        if not run.wall:
            return self._start(command, run, cores, saw)[0]
        times = [self._start(command, run, cores, None)[1] * 1e3 for _ in range(STARTS)]
        return Output([{"figure": run.name, "unit": "ms", "samples": times}])

    def _start(self, command, run, cores, saw):
        """Runs `command`; its output and how long it took, in seconds."""
        bind = (lambda: os.sched_setaffinity(0, cores)) if cores else None
        start = time.monotonic()
        with tempfile.TemporaryFile("w+") as errors:
            process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                preexec_fn=bind,
            )
            output, late = read(process, run.timeout, saw)
            took = time.monotonic() - start
            errors.seek(0)
            said = first_line(errors.read())
        shown = " ".join(command)
        if late:
            reason = f"took more than {run.timeout:.0f} s"
            raise Failure(f"{self.name} {reason}: {shown}", output, reason)
        if process.returncode != 0:
            reason = f"failed with status {process.returncode}"
            raise Failure(f"{self.name} {reason}: {shown}: {said}", output, reason)
        return output, took


class Atoll(Mpi):
    key, name = "atoll", "Atoll"

    def __init__(self, prefix):
        self.prefix = pathlib.Path(prefix)
        self.mpicc = str(self.prefix / "bin/mpicc")
        self.mpiexec = str(self.prefix / "bin/mpiexec")

    def missing(self):
        there = shutil.which(self.mpicc) and shutil.which(self.mpiexec)
        return "" if there else f"there is no Atoll in {self.prefix}"

    def options(self, run):
        words = [f"--show-{what}" for what in run.shows]
        if run.cpus:
            words += ["--bind-to", "list:" + ",".join(map(str, run.cpus))]
        return words + (["--bind-to", "core"] if run.bound else [])


class Mpich(Mpi):
    key, name = "mpich", "MPICH"
    mpicc, mpiexec, packages = "mpicc.mpich", "mpiexec.mpich", "mpich, libmpich-dev"

    def options(self, run):
        return ["-bind-to", "core"] if run.bound else []


class OpenMpi(Mpi):
    key, name = "openmpi", "Open MPI"
    mpicc, mpiexec, packages = "mpicc.openmpi", "mpiexec.openmpi", "openmpi-bin, libopenmpi-dev"

    def options(self, run):
        words = ["--allow-run-as-root"] if os.geteuid() == 0 else []
        if run.bound:
            return words + ["--bind-to", "core"]
        if run.cpus:
            words += ["--bind-to", "none"]
        if run.two_cores:  # told so, or it would count the cores it may not use
            words += ["--host", "localhost:2"]
        # It refuses more ranks than cores, and gives cores up only when it knows.
        return words + ["--oversubscribe"]


# What the launcher of each says to --version.
FAMILIES = [("Atoll", Atoll), ("Open MPI|OpenRTE|PRRTE", OpenMpi), ("HYDRA|MPICH", Mpich)]


def from_wrapper(word):
    """The MPI to which a compiler wrapper belongs: mpicc.mpich, /opt/mpi/bin/mpicc."""
    found = shutil.which(word)
    if found is None:
        raise Failure(f"there is no MPI compiler '{word}'")
    wrapper = pathlib.Path(found)
    launcher = launcher_beside(wrapper)
    said = subprocess.run([launcher, "--version"], capture_output=True, text=True)
    for pattern, family in FAMILIES:
        if re.search(pattern, said.stdout + said.stderr):
            mpi = family(wrapper.parent.parent) if family is Atoll else family()
            break
    else:
        mpi = Mpi()
        mpi.name = wrapper.name
    mpi.mpicc, mpi.mpiexec, mpi.key = str(wrapper), str(launcher), str(word)
    return mpi


def launcher_beside(wrapper):
    names = [wrapper.name.replace("mpicc", "mpiexec"), "mpiexec", "mpirun"]
    for name in names:
        launcher = wrapper.parent / name
        if name != wrapper.name and os.access(launcher, os.X_OK):
            return launcher
    raise Failure(f"there is no {names[0]} beside {wrapper}")


def read(process, timeout, saw):
    """The Output of a process that has ended then, and whether it was ended for being late."""
    output, late = Output(), threading.Event()

    def too_late():
        late.set()
        stop(process)

    timer = threading.Timer(timeout, too_late)
    timer.start()
    try:
        for line in process.stdout:
            take(line, output, saw)
        process.wait()
    except BaseException:
        stop(process)
        raise
    finally:
        timer.cancel()
    return output, late.is_set()


def take(line, output, saw=None):
    """Puts a line where it belongs. One that was cut off, by the end of a rank, is lost."""
    if not line.startswith("{"):
        output.others.append((len(output.records), line.strip()))
        return
    try:
        record = json.loads(line)
    except ValueError:
        return
    output.records.append(record)
    if saw:
        saw(record)


def parse(text):
    output = Output()
    for line in text.splitlines():
        take(line, output)
    return output


def user_path(name):
    """A path as the user meant it: Bazel starts its programs elsewhere."""
    return pathlib.Path(os.environ.get("BUILD_WORKING_DIRECTORY", "."), name)


def stop(process):
    """Ends an mpiexec, which takes its ranks with it if it is given the time."""
    process.terminate()
    try:
        process.wait(timeout=10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def first_line(text):
    lines = [line.strip() for line in text.splitlines() if line.strip(" -")]
    return lines[0] if lines else "it said nothing"


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
