"""Reads functions.api: the C functions of MPI with their parameters.

The head comment of that file describes its format.
"""

import re
from dataclasses import dataclass, field

from generator import kinds

DIRECTIONS = ("in", "out", "inout")
WORDS = ("large", "at_root", "pointer", "nonconst", "deferred")
VERSIONS = ("since", "deprecated", "removed")


class TableError(Exception):
    """A line of an input file that does not follow its format."""


@dataclass(frozen=True)
class Parameter:
    direction: str
    name: str
    kind: str
    role: str = ""
    lengths: tuple = ()  # of an array, one a dimension
    words: frozenset = frozenset()

    @property
    def full_kind(self):
        return f"{self.kind}/{self.role}" if self.role else self.kind

    @property
    def is_output(self):
        return self.direction != "in"


@dataclass
class Chapter:
    number: int
    id: str
    title: str
    functions: list = field(default_factory=list)


@dataclass
class Function:
    name: str  # without MPI_
    chapter: Chapter
    has_large: bool
    since: str
    deprecated: str = ""
    removed: str = ""
    returns: str = "int"
    returns_error: bool = True
    anytime: bool = False
    parameters: list = field(default_factory=list)
    implementation: str = ""  # namespace::function, or empty
    tells_form: bool = False  # the implementation asks which form was called

    @property
    def forms(self):
        """The C functions that this entry describes."""
        return [Form(self, False)] + ([Form(self, True)] if self.has_large else [])


@dataclass(frozen=True)
class Form:
    """One C function: the plain or the large-count form of an entry."""

    function: Function
    large: bool

    @property
    def name(self):
        return "MPI_" + self.function.name + ("_c" if self.large else "")

    @property
    def parameters(self):
        return [p for p in self.function.parameters if self.large or "large" not in p.words]


@dataclass
class Table:
    namespaces: dict = field(default_factory=dict)  # of the implementations -> headers
    chapters: list = field(default_factory=list)

    def chapter(self, chapter_id):
        for chapter in self.chapters:
            if chapter.id == chapter_id:
                return chapter
        raise TableError(f"no chapter '{chapter_id}'")

    @property
    def functions(self):
        return [function for chapter in self.chapters for function in chapter.functions]

    @property
    def forms(self):
        return [form for function in self.functions for form in function.forms]


def parse(lines, file_name="functions.api"):
    """The Table in `lines`; raises TableError with file and line number."""
    table = Table()
    for number, line in enumerate(lines, 1):
        text = line.split("#")[0].rstrip()
        if not text:
            continue
        try:
            _parse_line(table, text)
        except (TableError, ValueError, IndexError) as error:
            raise TableError(f"{file_name}:{number}: {error}: {text.strip()}") from error
    _check_lengths(table, file_name)
    return table


def _parse_line(table, text):
    words = text.split()
    if text.startswith(" "):
        if not table.functions:
            raise TableError("belongs to no function")
        _parse_detail(table, table.chapters[-1].functions[-1], words)
    elif words[0] == "namespace":
        table.namespaces.setdefault(words[1], []).extend(words[2:])
    elif words[0] == "chapter":
        table.chapters.append(Chapter(int(words[1]), words[2], " ".join(words[3:])))
    else:
        _parse_function(table, words)


def _parse_function(table, words):
    if not table.chapters:
        raise TableError("belongs to no chapter")
    if any(words[0] == other.name for other in table.functions):
        raise TableError("is there twice")
    function = Function(words[0], table.chapters[-1], has_large=False, since="")
    rest = iter(words[1:])
    for word in rest:
        if word == "+c":
            function.has_large = True
        elif word == "anytime":
            function.anytime = True
        elif word == "returns":
            function.returns = next(rest)
            function.returns_error = False
        elif word in VERSIONS:
            setattr(function, word, _version(next(rest, "")))
        else:
            raise TableError(f"unknown word '{word}'")
    if not function.since:
        raise TableError("lacks 'since'")
    table.chapters[-1].functions.append(function)


def _version(text):
    if not re.fullmatch(r"\d\.\d", text):
        raise TableError(f"'{text}' is no version of the standard")
    return text


def _parse_detail(table, function, words):
    if words[0] == "=":
        namespace = words[1].split("::")[0]
        if namespace not in table.namespaces:
            raise TableError(f"unknown namespace '{namespace}'")
        if words[2:] not in ([], ["form"]):
            raise TableError(f"unknown word '{words[2]}'")
        function.implementation = words[1]
        function.tells_form = words[2:] == ["form"]
    else:
        parameter = _parse_parameter(words)
        if any(parameter.name == other.name for other in function.parameters):
            raise TableError(f"parameter '{parameter.name}' is there twice")
        if "large" in parameter.words and not function.has_large:
            raise TableError("'large', but there is no large-count form")
        function.parameters.append(parameter)


def _parse_parameter(words):
    direction, name, kind_text, *flags = words
    if direction not in DIRECTIONS:
        raise TableError(f"unknown direction '{direction}'")
    match = re.fullmatch(r"([A-Z0-9_]+)(?:/(\w+))?((?:\[[^\]]+\])*)", kind_text)
    if not match:
        raise TableError(f"cannot read '{kind_text}'")
    kind, role, brackets = match.groups()
    if kind not in kinds.C_TYPES:
        raise TableError(f"unknown kind '{kind}'")
    for flag in flags:
        if flag not in WORDS:
            raise TableError(f"unknown word '{flag}'")
    lengths = tuple(re.findall(r"\[([^\]]+)\]", brackets))
    return Parameter(direction, name, kind, role or "", lengths, frozenset(flags))


def _check_lengths(table, file_name):
    for function in table.functions:
        names = [parameter.name for parameter in function.parameters]
        for parameter in function.parameters:
            for length in parameter.lengths:
                if not (length in names or re.fullmatch(r"\*|\d+|MPI_[A-Z_]+", length)):
                    raise TableError(f"{file_name}: MPI_{function.name}: {parameter.name} has "
                                     f"length '{length}', which is no parameter")
