"""Reads constants.api and types.api: the ABI's constants and types.

The head comments of those files describe their formats.
"""

import re
from dataclasses import dataclass, field

from generator.table import TableError


@dataclass(frozen=True)
class Constant:
    name: str
    type: str
    value: str  # a number, or the name of another constant


@dataclass
class Group:
    """The lines under one comment."""

    title: str
    members: list = field(default_factory=list)

    @property
    def removed(self):
        """Has MPI 5.0 removed it?"""
        return self.title.startswith("Removed")


def parse_constants(lines, file_name="constants.api"):
    """The Groups of Constants in `lines`."""
    return _parse_groups(lines, file_name, _constant)


def parse_types(lines, file_name="types.api"):
    """The Groups of typedefs in `lines`; each typedef is a string."""
    return _parse_groups(lines, file_name, str.strip)


def _constant(line):
    words = line.split()
    if len(words) != 3 or not re.fullmatch(r"-?\d+|0x[0-9a-fA-F]+|MPI_\w+", words[2]):
        raise TableError("want NAME TYPE VALUE")
    return Constant(*words)


def _parse_groups(lines, file_name, read):
    groups = []
    previous = "start"
    for number, line in enumerate(lines, 1):
        if line.startswith("#"):
            if not previous.strip():
                groups.append(Group(line[1:].strip()))
        elif line.strip():
            try:
                groups[-1].members.append(read(line))
            except (TableError, IndexError) as error:
                raise TableError(f"{file_name}:{number}: {error}: {line.strip()}") from error
        previous = line
    return groups


def typedef_name(typedef):
    """The name that the typedef introduces."""
    match = re.search(r"(\w+)\(", typedef) or re.search(r"(\w+)$", typedef)
    return match.group(1)
