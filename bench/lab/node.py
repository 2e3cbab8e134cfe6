"""The machine: what is written down of it, and where its CPUs lie."""

import os
import pathlib
import platform
import re
import subprocess

from mpis import Failure, first_line

SYSTEM = pathlib.Path("/sys/devices/system/cpu")
CLASSES = ["same core", "same L3", "same package", "across packages"]


def text_of(path):
    """The contents of a file of the kernel, or an empty string."""
    try:
        return pathlib.Path(path).read_text().strip()
    except OSError:
        return ""


def governors():
    found = {text_of(path) for path in SYSTEM.glob("cpu[0-9]*/cpufreq/scaling_governor")}
    return ", ".join(sorted(found)) or "not shown by this kernel"


def kernel_options(command_line):
    """Those that change times."""
    known = r"(isolcpus|nohz|rcu_nocbs|mitigations|idle|intel_idle|intel_pstate|amd_pstate|nosmt)"
    words = [word for word in command_line.split() if re.match(known, word)]
    return " ".join(words) or "none"


def available_memory():
    """Bytes."""
    found = re.search(r"MemAvailable:\s*(\d+) kB", text_of("/proc/meminfo"))
    return int(found[1]) * 1024 if found else 1 << 30


def last_cache():
    """Bytes of the largest cache of the first CPU."""
    sizes = [text_of(path) for path in (SYSTEM / "cpu0/cache").glob("index*/size")]
    return max((int(size[:-1]) * 1024 for size in sizes if size.endswith("K")), default=32 << 20)


def facts():
    """What the figures were measured on."""
    cpu = re.search(r"model name\s*: (.*)", text_of("/proc/cpuinfo"))
    virtual = "hypervisor" in text_of("/proc/cpuinfo")
    return {
        "processor": cpu[1] if cpu else platform.machine(),
        "host": platform.node(),
        "virtual": virtual,
        "kernel": f"{platform.system()} {platform.release()}",
        "kernel_options": kernel_options(text_of("/proc/cmdline")),
        "governor": governors(),
        "turbo_off": text_of(SYSTEM / "intel_pstate/no_turbo") or "not shown by this kernel",
        "smt": text_of(SYSTEM / "smt/control") or "not shown by this kernel",
        "huge_pages": text_of("/sys/kernel/mm/transparent_hugepage/enabled"),
        "memory_available": available_memory(),
        "last_cache": last_cache(),
        "load_before": os.getloadavg()[0],
    }


def topology(atoll):
    """What `atoll cores` prints: a dictionary for each CPU that may be used."""
    done = subprocess.run([atoll, "cores"], capture_output=True, text=True)
    if done.returncode != 0:
        raise Failure(f"the cores are not known: {first_line(done.stderr)}")
    return parse_topology(done.stdout)


def parse_topology(text):
    head, *lines = [line.split("\t") for line in text.splitlines()]
    return [dict(zip(head, map(int, line))) for line in lines]


def one_cpu_a_core(cpus):
    """The first CPU of each core."""
    return list({cpu["core"]: cpu for cpu in reversed(cpus)}.values())[::-1]


def distance_class(a, b):
    """How far apart two CPUs are, for people; -1 is not known, and not the same."""
    for name, kind in zip(CLASSES, ["core", "l3", "package"]):
        if a[kind] == b[kind] != -1:
            return name
    return CLASSES[-1]


def describe(facts):
    machine = "virtual machine, " if facts["virtual"] else ""
    return f"{facts['processor']}, {machine}{facts['kernel']}, governor: {facts['governor']}"
