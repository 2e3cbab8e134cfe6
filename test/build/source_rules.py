"""Rules of the house that a machine can read off the sources.

Each rule is a function from the files to a list of complaints "FILE:LINE: what".
"""

import pathlib
import re

# The layers, and what each may include besides itself. `test` may include
# anything; nobody includes it.
BASE = ["base", "shm/base"]
BELOW_RUNTIME = BASE + ["shm", "datatype"]
MAY_INCLUDE = {
    "base": [],
    "shm/base": ["base"],
    "shm": BASE,
    "datatype": ["base"],
    "launcher/hardware/testing": ["launcher/hardware", "launcher/base"],
    "runtime/fortran": [],
    "bench": BASE + ["shm", "datatype", "bench", "runtime/api/mpi.h"],
}

# Layers of the runtime, lowest first: each may include those before it.
RUNTIME = [
    "core", "objects", "type", "op", "comm", "p2p", "coll/framework", "coll", "construct", "rma", "topo",
    "env", "api"
]
for position, layer in enumerate(RUNTIME):
    MAY_INCLUDE[f"runtime/{layer}"] = BELOW_RUNTIME + [f"runtime/{r}" for r in RUNTIME[:position]]

# Layers of the launcher, lowest first, likewise.
LAUNCHER = ["base", "hardware", "placement", "process", "stdio", "diagnose", "cli"]
for position, layer in enumerate(LAUNCHER):
    MAY_INCLUDE[f"launcher/{layer}"] = BASE + ["shm"] + [f"launcher/{l}" for l in LAUNCHER[:position]]
for layer in ["hardware", "placement"]:  # their tests
    MAY_INCLUDE[f"launcher/{layer}"].append("launcher/hardware/testing")
MAY_INCLUDE["launcher"] = BASE + ["shm"] + [f"launcher/{layer}" for layer in LAUNCHER]

# Benchmarks of what lies inside one process.
MAY_INCLUDE["bench/inside"] = BELOW_RUNTIME + ["runtime/core", "runtime/op", "runtime/p2p"]

# Words in shared memory are Shared<T>. std::atomic stands behind it, beside it
# where a fence has no word of its own, and where threads of one process meet.
RAW_ATOMICS = [
    "base/shared.h",
    "shm/doorbell.h",
    "shm/doorbell.cc",
    "shm/wait_record.h",
    "runtime/core/process.h",
    "runtime/fortran/pending.cc",
    "runtime/fortran/pending.h",
]

# Names the orders for all others, so it has no partner of its own to state.
NAMES_ORDERS = "base/shared.h"

# One place describes the hardware; the MPI library must not need hwloc.
HWLOC_LAYERS = ["launcher/hardware", "launcher/hardware/testing", "test", "bench"]

INCLUDE = re.compile(r'^\s*#\s*include\s+(?:"([^"]+)"|<([^>]+)>)')
ATOMIC = re.compile(r"std::atomic|#include <atomic>")
ORDER = re.compile(
    r"memory_order_|(\.|->)\w+_(relaxed|acquire|release|acq_rel)\(|atomic_(thread|signal)_fence")
CLOCK = re.compile(r"rdtsc|cntvct|clock_gettime\(CLOCK_MONOTONIC")
LINES_ABOVE = 3  # how far up a comment may stand
PAIRING_ORDER = re.compile(
    r"(\.|->)\w+_(acquire|release|acq_rel)\(|memory_order_(acquire|release|acq_rel|seq_cst)|"
    r"atomic_thread_fence")
PARTNER = re.compile(r"[Pp]airs? with")
REASON = re.compile(r"[Rr]elaxed|[Pp]airs? with|[Oo]rder")
WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
AVOIDED_WORDS = "## Words that are not used"  # heading in docs/glossary.md


def sources(root):
    """All C and C++ files of the layers as {path from the root: lines}."""
    found = {}
    for top in ["base", "shm", "datatype", "runtime", "launcher", "bench", "test", "examples"]:
        for path in sorted((pathlib.Path(root) / top).rglob("*")):
            if path.suffix in [".h", ".cc", ".c", ".cpp"]:
                found[path.relative_to(root).as_posix()] = path.read_text().splitlines()
    return found


def layer_of(path):
    """The layer a file lies in: the longest folder that has rules."""
    for folder in pathlib.PurePosixPath(path).parents:
        if folder.as_posix() in MAY_INCLUDE:
            return folder.as_posix()
    return path.split("/")[0]


def is_test(path):
    return path.startswith("test/") or re.search(r"_test\.\w+$", path) is not None


def includes(files):
    """Yields (path, line number, name, whether quoted) for every include."""
    for path, lines in files.items():
        for number, line in enumerate(lines, 1):
            match = INCLUDE.match(line)
            if match:
                yield path, number, match[1] or match[2], match[1] is not None


def wrong_order(files):
    """Includes of a layer that is not below."""
    for path, number, name, quoted in includes(files):
        layer = layer_of(path)
        if not quoted or layer in ["test", "examples"]:
            continue
        target = layer_of(name)
        allowed = MAY_INCLUDE.get(layer)
        if allowed is None:
            yield f"{path}:{number}: {layer} is not a layer: add it to MAY_INCLUDE"
        elif target != layer and target not in allowed and name not in allowed:
            yield f"{path}:{number}: {layer} must not include {name}"


def unknown_include(files):
    """Quoted includes that do not name a file from the root of the repository."""
    generated = ["mpi.h", "runtime/api/mpi.h"]
    for path, number, name, quoted in includes(files):
        if quoted and name not in files and not name.startswith("runtime/api/") and name not in generated:
            yield f"{path}:{number}: {name} is no path from the root of the repository"


def raw_atomics(files):
    """Uses of std::atomic outside the files that may."""
    for path, lines in files.items():
        if path in RAW_ATOMICS or is_test(path) or layer_of(path) in ["bench", "examples"]:
            continue
        for number, line in enumerate(lines, 1):
            if ATOMIC.search(line.split("//")[0]):
                yield f"{path}:{number}: use Shared<T> of base/shared.h, not std::atomic"


def other_clocks(files):
    """Reads of the processor's clock or of CLOCK_MONOTONIC outside base/clock.h."""
    for path, lines in files.items():
        if path == "base/clock.h" or is_test(path) or layer_of(path) in ["bench", "examples"]:
            continue
        for number, line in enumerate(lines, 1):
            if CLOCK.search(line.split("//")[0]):
                yield f"{path}:{number}: use ticks() or monotonic_ns() of base/clock.h"


def hwloc_elsewhere(files):
    """Uses of hwloc outside launcher/hardware."""
    for path, number, name, _ in includes(files):
        if name.startswith("hwloc") and layer_of(path) not in HWLOC_LAYERS and not is_test(path):
            yield f"{path}:{number}: only launcher/hardware asks hwloc: use its Topology"


def streams_in_library(files):
    """Their first use brings a megabyte of the C++ library into ours."""
    for path, number, name, _ in includes(files):
        if (name in ["fstream", "iostream", "sstream"] and not is_test(path)
                and (path.startswith("runtime/") or layer_of(path) in BELOW_RUNTIME)
                and not path.startswith(("datatype/testing/", "datatype/tool/"))):
            yield f"{path}:{number}: no streams of C++ in the MPI library"


def has_order(line):
    return ORDER.search(line.split("//")[0]) is not None


def comment_on(lines, index):
    """The comment that speaks for lines[index]: on it, or from up to three lines above.

    Lines with an order of their own do not count: one comment may speak for a few.
    """
    text = [lines[index].partition("//")[2]]
    above, steps = index - 1, 0 if has_order(lines[index - 1]) else 1
    while above >= 0 and steps <= LINES_ABOVE and "//" not in lines[above]:
        above -= 1
        steps += 0 if has_order(lines[above]) else 1
    while above >= 0 and steps <= LINES_ABOVE and "//" in lines[above]:
        text.append(lines[above].partition("//")[2])
        above -= 1
    return " ".join(reversed(text))


def unexplained_orders(files):
    """Atomic operations without a comment that names the other side.

    What acquires, releases or fences "pairs with" something; what is relaxed says why that
    suffices, or which other operation orders it.
    """
    for path, lines in files.items():
        if path == NAMES_ORDERS or is_test(path) or layer_of(path) in ["bench", "examples"]:
            continue
        for index, line in enumerate(lines):
            if not has_order(line):
                continue
            pairs = PAIRING_ORDER.search(line.split("//")[0]) is not None
            if not (PARTNER if pairs else REASON).search(comment_on(lines, index)):
                yield (f"{path}:{index + 1}: " +
                       ("name what this order pairs with: 'Pairs with ...'" if pairs else
                        "say why a relaxed order suffices: 'Relaxed: ...'"))


def words_of(line):
    """The words of a line of code: of its identifiers and its comment, in lower case."""
    return [word.lower() for word in WORD.findall(line)]


def words_to_avoid(glossary):
    """(word, what to say instead, folders) for each row of the glossary's last table."""
    _, _, table = glossary.partition(AVOIDED_WORDS)
    for row in table.splitlines():
        cells = [cell.strip() for cell in row.strip("|").split("|")]
        if len(cells) == 3 and cells[0] not in ["not", "---"]:
            for word in cells[0].split(", "):
                yield word, cells[1], cells[2].split(", ")


def avoided_words(files, glossary):
    """Words in identifiers and comments for which the glossary has another."""
    avoided = list(words_to_avoid(glossary))
    for path, lines in files.items():
        here = {word: instead for word, instead, folders in avoided
                if any(path.startswith(f"{folder}/") for folder in folders)}
        if not here:
            continue
        for number, line in enumerate(lines, 1):
            for word in words_of(line):
                singular = word.removesuffix("s")
                if word in here or singular in here:
                    yield f"{path}:{number}: not '{word}' but '{here.get(word, here.get(singular))}'"


def repeated_header_names(files):
    """Headers of the layers that share a basename: an #include or an editor's tab tells them apart
    only by the folder."""
    seen = {}
    for path in files:
        name = pathlib.PurePosixPath(path).name
        if path.endswith(".h") and layer_of(path) not in ["test", "examples", "bench"]:
            if seen.setdefault(name, path) != path:
                yield f"{path}:1: {seen[name]} has the same name"


RULES = [wrong_order, unknown_include, raw_atomics, other_clocks, hwloc_elsewhere,
         streams_in_library, unexplained_orders, repeated_header_names]
