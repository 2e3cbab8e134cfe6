"""Writes mpicxx.h: the C++ bindings of MPI-2.2, each a call of the C function.

The head comments of cxx/functions.cxx and cxx/constants.cxx describe these files.
cxx/mpicxx.h.in is the template of the header: a line "@NAME@" in it is replaced by the
declarations of class NAME, "@namespace@" by those outside of classes, "@definitions@"
by all bodies, "@constants@" by the constants.
"""

import re
from dataclasses import dataclass, field

from generator import kinds
from generator.table import Form, TableError
from generator.text import wrap_c

# Kinds of C parameters that a C++ function may omit, and the value that C gets then.
_LEFT_OUT = {
    "ARGUMENT_COUNT": "0",
    "ARGUMENT_LIST": "0",
    "STATUS": "MPI_STATUS_IGNORE",
    "WEIGHT": "MPI_UNWEIGHTED",
}

_PROTOTYPE = re.compile(r"(?P<static>static )?(?P<type>.+?)(?P<name>\w+)\((?P<arguments>.*)\)"
                        r"(?P<const> const)?")
_ARGUMENT = re.compile(r"(?P<type>.*?[ *&])(?P<name>\w+)(?P<brackets>(\[\d*\])*)")


@dataclass
class Argument:
    type: str
    name: str
    brackets: str

    @property
    def is_array(self):
        return bool(self.brackets)

    @property
    def base(self):
        """The type without const, reference and pointer."""
        return self.type.replace("const ", "").rstrip("*& ")


@dataclass
class Method:
    """One C++ function."""

    form: Form  # the C function
    owner: object  # a Class
    static: bool
    type: str
    name: str
    arguments: list
    const: str

    @property
    def names(self):
        return [argument.name for argument in self.arguments]

    def declaration(self, where=""):
        arguments = ", ".join(f"{a.type}{a.name}{a.brackets}" for a in self.arguments)
        return f"{self.type} {where}{self.name}({arguments}){self.const}"

    @property
    def address(self):
        """Its address, as a C++ expression that names its type in full."""
        arguments = ", ".join(a.type.rstrip(" ") + ("*" if a.is_array else "")
                              if a.brackets.count("[") < 2 else f"{a.type}(*){a.brackets[2:]}"
                              for a in self.arguments)
        where = f"{self.owner.name}::" if self.owner.name else ""
        pointer = "*" if self.static else f"{where}*"
        return (f"static_cast<{self.type} ({pointer})({arguments}){self.const}>"
                f"(&{where}{self.name})")


@dataclass
class Class:
    name: str  # empty: the namespace
    handle: str
    methods: list = field(default_factory=list)


def parse(lines, table, file_name="functions.cxx"):
    """The Classes in `lines`, with only the functions that are implemented."""
    functions = {function.name: function for function in table.functions}
    classes = []
    for number, line in enumerate(lines, 1):
        text = line.split("#")[0].rstrip()
        if not text:
            continue
        words = text.split(None, 1)
        if words[0] == "class":
            classes.append(Class(*((words[1] if len(words) > 1 else "").split() or ["", ""])))
            continue
        try:
            method = _parse_method(functions[words[0]], words[1], classes[-1])
            _sort_out(method)
        except (KeyError, IndexError, TableError) as error:
            raise TableError(f"{file_name}:{number}: {error}: {text}") from error
        if method.form.function.implementation:
            classes[-1].methods.append(method)
    return classes


def _parse_method(function, prototype, owner):
    match = _PROTOTYPE.fullmatch(prototype)
    if not match:
        raise TableError("is no prototype")
    arguments = []
    for text in filter(None, match["arguments"].split(", ")):
        argument = _ARGUMENT.fullmatch(text)
        if not argument:
            raise TableError(f"cannot read '{text}'")
        arguments.append(Argument(argument["type"], argument["name"], argument["brackets"]))
    static = bool(match["static"]) or not owner.name
    return Method(Form(function, False), owner, static, match["type"].rstrip(), match["name"],
                  arguments, match["const"] or "")


def _sort_out(method):
    """The parameters that only the C function has: (the object, the result)."""
    parameters = method.form.parameters
    unknown = set(method.names) - {p.name for p in parameters}
    if unknown:
        raise TableError(f"MPI_{method.form.function.name} has no {', '.join(sorted(unknown))}")
    rest = [p for p in parameters if p.name not in method.names]
    own = None
    if not method.static:
        own = next((p for p in rest if _handle_of(p) == method.owner.handle), None)
        if own is None:
            raise TableError("has no parameter for the object")
    result = None
    if method.type != "void" and method.form.function.returns_error:
        result = next((p for p in rest if p is not own and p.is_output
                       and p.kind not in _LEFT_OUT), None)
        if result is None:
            raise TableError("has no parameter for the result")
    for parameter in rest:
        if parameter not in (own, result) and parameter.kind not in _LEFT_OUT:
            raise TableError(f"lacks {parameter.name}")
    return own, result


def _handle_of(parameter):
    return kinds.c_type(parameter, False)


def _passed(argument, parameter):
    """How an argument is passed to C: (lines before the call, the C argument, lines after)."""
    name = argument.name
    if argument.base == "bool" and argument.is_array:
        length = parameter.lengths[0]
        length = "Get_dim()" if length == "*" else length
        if argument.type.startswith("const "):
            return [f"const detail::Flags {name}_({name}, {length});"], f"{name}_", []
        return [f"detail::Flags {name}_({length});"], f"{name}_", [f"{name}_.copy_to({name});"]
    if argument.type == "bool& ":
        return [f"int {name}_ = 0;"], f"&{name}_", [f"{name} = {name}_ != 0;"]
    if argument.brackets.startswith("[]["):
        return [], f"const_cast<int(*){argument.brackets[2:]}>({name})", []
    if argument.is_array and argument.base in _HANDLES:
        return [], f"detail::handles({name})", []
    if argument.type.endswith("& "):
        if argument.type.startswith("const "):
            return [], name, []
        return [], (f"{name}.address()" if argument.base in _HANDLES else f"&{name}"), []
    if parameter.kind in ("BUFFER", "ATTRIBUTE_VAL") and argument.type == "const void* ":
        nonconst = parameter.kind == "ATTRIBUTE_VAL" or "nonconst" in parameter.words
        return [], (f"const_cast<void*>({name})" if nonconst else name), []
    return [], name, []


# Classes that hold only a C handle.
_HANDLES = ("Request", "Prequest", "Status", "Datatype", "Info", "Errhandler", "Op", "Group")


def _own(method, parameter):
    """The C argument for the object itself."""
    if parameter.kind != "STATUS" and not (parameter.is_output or "pointer" in parameter.words):
        return "handle_"
    if method.const and parameter.kind != "STATUS":
        return f"const_cast<{method.owner.handle}*>(&handle_)"
    return "&handle_"


def _body(method):
    own, result = _sort_out(method)
    arguments = {argument.name: argument for argument in method.arguments}
    before, passed, after = [], [], []
    for parameter in method.form.parameters:
        if parameter.name in arguments:
            first, text, then = _passed(arguments[parameter.name], parameter)
            before += first
            after += then
        elif parameter is own:
            text = _own(method, parameter)
        elif parameter is result:
            text = "&result"
        else:
            text = "MPI_STATUSES_IGNORE" if parameter.lengths and parameter.kind == "STATUS" else (
                _LEFT_OUT[parameter.kind])
        passed.append(text)
    call = f"{method.form.name}({', '.join(passed)})"
    if not method.form.function.returns_error:
        return [f"return {call};"]
    lines = before
    if result is not None:
        lines.append(_result_variable(method, result))
    lines.append(f"detail::check({call});")
    lines += after
    if result is not None:
        lines.append("return result != 0;" if method.type == "bool" else
                     "return result;" if method.type in ("int", "Aint", "void*") else
                     f"return {method.type}(result);")
    return lines


def _result_variable(method, result):
    if method.type == "void*":
        return "void* result = 0;"
    if method.type in ("bool", "int"):
        return "int result = 0;"
    if method.type == "Aint":
        return "MPI_Aint result = 0;"
    return f"{_handle_of(result)} result;"


def _definition(method):
    where = f"{method.owner.name}::" if method.owner.name else ""
    head = wrap_c(f"inline {method.declaration(where)} {{")
    lines = "\n".join(wrap_c("  " + line) for line in _body(method))
    return f"{head}\n{lines}\n}}\n"


def parse_constants(lines):
    """Pairs (type, name in C++, name in C)."""
    constants = []
    type_ = ""
    for line in lines:
        words = line.split("#")[0].split()
        if words[:1] == ["type"]:
            type_ = words[1]
        elif words[1:2] == ["="]:
            constants.append((type_, words[0], words[2]))
        else:
            constants += [(type_, word, f"MPI_{word}") for word in words]
    return constants


def _constant(type_, name, c_name):
    if type_.endswith("*"):
        return f"static {type_} const {name} = {c_name};\n"
    if type_ == "int":
        return f"static const int {name} = {c_name};\n"
    return f"static const {type_} {name}({c_name});\n"


_TEST = """\
// Generated: each function of the C++ bindings is there with the type that it should
// have, and can be called.
#include "test/cxx/callable.h"

namespace MPI {{

void call_all() {{
{lines}
}}

}}  // namespace MPI
"""


def emit_test(classes):
    """A source file that takes the address of each function."""
    return _TEST.format(lines="\n".join(wrap_c(f"  is_callable({method.address});")
                                        for class_ in classes for method in class_.methods))


def emit(template, classes, constants):
    """The text of mpicxx.h."""
    parts = {"constants": "".join(_constant(*constant) for constant in constants)}
    for class_ in classes:
        parts[class_.name or "namespace"] = "".join(
            wrap_c(("  " + ("static " if method.static else "") if class_.name else "inline ")
                   + method.declaration() + ";") + "\n" for method in class_.methods)
    parts["definitions"] = "\n".join(_definition(method) for class_ in classes
                                     for method in class_.methods)
    for name, part in parts.items():
        if template.count(f"@{name}@\n") != 1:
            raise TableError(f"mpicxx.h.in has no line @{name}@")
        template = template.replace(f"@{name}@\n", part)
    return template
