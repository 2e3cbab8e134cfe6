"""Runs a multi-rank program at several rank counts, and says how each run went.

A run passes when mpiexec's status is 0, the last line of the output is "ok N
checks", and nothing at all was written to standard error. A run that takes too
long is ended by mpiexec's own --timeout, which prints what each rank waits for;
should mpiexec hang too, its process group is killed.
"""

import argparse
import os
import re
import signal
import subprocess
import sys
import time

GRACE = 15  # seconds that mpiexec has to end a job after its own timeout


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mpiexec", required=True)
    parser.add_argument("--ranks", required=True, help="counts, separated by commas")
    parser.add_argument("--timeout", type=int, default=60, help="seconds for one run")
    parser.add_argument("--env", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("command", nargs="+", help="the program and its arguments")
    return parser.parse_args()


def run(command, timeout, environment):
    """Status, standard output and standard error; status None for a killed run."""
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        env={**os.environ, **environment},
        start_new_session=True,
    )
    try:
        output, errors = process.communicate(timeout=timeout)
        return process.returncode, output, errors
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        output, errors = process.communicate()
        return None, output, errors


def complaint(status, output, errors):
    """What is wrong with a run; None for a good one."""
    if status is None:
        return "mpiexec did not end in time and was killed"
    if status != 0:
        return f"mpiexec's status is {status}"
    if errors:
        return "something was written to standard error"
    lines = output.splitlines()
    if not lines or not re.fullmatch(r"ok [1-9][0-9]* checks", lines[-1]):
        return 'the last line is not "ok N checks"'
    return None


def main():
    arguments = parse_arguments()
    environment = dict(setting.split("=", 1) for setting in arguments.env)
    failed = 0
    for ranks in arguments.ranks.split(","):
        launch = [arguments.mpiexec, "--timeout", str(arguments.timeout), "-n", ranks]
        begin = time.monotonic()
        status, output, errors = run(
            launch + arguments.command, arguments.timeout + GRACE, environment
        )
        took = time.monotonic() - begin
        what = f"{os.path.basename(arguments.command[0])}, {ranks} ranks, {took:.2f} s"
        problem = complaint(status, output, errors)
        if problem is None:
            print(f"passed: {what}, {output.splitlines()[-1]}")
            continue
        failed += 1
        print(f"FAILED: {what}: {problem}")
        print("--- standard output", output, "--- standard error", errors, "---", sep="\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
