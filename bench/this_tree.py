"""What the comparisons of this repository have in common: its Atoll, and its peers."""

import os
import pathlib
import subprocess
import sys

import mpis
from mpis import Failure

# Of the built files. Python finds all modules but the first where their links lead.
ROOT = pathlib.Path(sys.modules["__main__"].__file__).parent.parent


def peers():
    return [mpis.Mpich(), mpis.OpenMpi()]


def atoll(prefix, scratch, root=ROOT):
    """The Atoll installed in `prefix`, else the one that Bazel built below
    `root`, installed in `scratch` now."""
    if prefix:
        found = mpis.Atoll(mpis.user_path(prefix))
    elif not (root / "install").exists():
        raise Failure("there is no Atoll here: start it with bazel run, or name one with --atoll")
    else:
        environment = {**os.environ, "TEST_SRCDIR": str(root.parent)}
        words = [root / "install", scratch / "atoll"]
        done = subprocess.run(words, env=environment, capture_output=True, text=True)
        if done.returncode != 0:
            raise Failure(f"Atoll could not be installed: {mpis.first_line(done.stderr)}")
        found = mpis.Atoll(scratch / "atoll")
    if found.missing():
        raise Failure(found.missing())
    return found


def choose(without, allow_missing, prefix, scratch):
    """The MPIs to compare; each gets a key that options know."""
    chosen = [mpi for mpi in peers() if mpi.key not in without]
    for mpi in list(chosen):
        why = mpi.missing()
        if why and not allow_missing:
            raise Failure(f"{why}; --install-peers installs it, --allow-missing goes on without it")
        if why:
            print(why, file=sys.stderr)
            chosen.remove(mpi)
    if "atoll" not in without:
        chosen.insert(0, atoll(prefix, scratch))
    return chosen


def source_of(program):
    """Of this folder, or of the lab's."""
    own = ROOT / f"bench/{program}.c"
    return own if own.exists() else ROOT / f"bench/lab/{program}.c"
