"""Writes the Fortran entry points of a chapter, in C++: convert arguments, call C, convert back.

    mpi_send_          for mpif.h and the module mpi, with the alias mpi_send__
    mpi_send_f08_      for the module mpi_f08, without choice buffers or strings: the same
    mpi_send_f08ts_    with choice buffers: they come as descriptors
    mpi_send_c_f08ts_  the large-count form

Each calls the C function of its name, MPI_Send, which a profiling library may replace. The file is
compiled twice: the second time ATL_PROFILING turns the names into pmpi_send_ and PMPI_Send.
"""

from generator import fortran_kinds, kinds
from generator.fortran_kinds import row_of
from generator.text import wrap_c

_OPENING = """\
// {title}: what Fortran calls. Generated from runtime/api/functions.api.
#include "runtime/fortran/arguments.h"
#include "runtime/fortran/callbacks.h"
#include "runtime/fortran/entry_point.h"
#include "runtime/fortran/section.h"

namespace atl::fortran {{
"""

_CLOSING = "\n}  // namespace atl::fortran\n"


def emit(table, chapter_id):
    """The text of fortran_<chapter_id>.cc."""
    chapter = table.chapter(chapter_id)
    forms = [form for function in chapter.functions if function.implementation
             for form in function.forms if fortran_kinds.in_fortran(form)]
    if not forms:
        return f"// {chapter.title}: Fortran has none of its functions.\n"
    return _OPENING.format(title=chapter.title) + "".join(map(entries, forms)) + _CLOSING


def entries(form):
    """All entry points of one C function."""
    text = "" if form.large else _definition(form, symbol(form), f08=False)
    if text:
        text += f"FORTRAN_ALIAS({symbol(form)}_, {symbol(form)})\n"
        if has_address(form):
            text += f"FORTRAN_ALIAS({symbol(form)}cptr_, {symbol(form)})\n"
    if not fortran_kinds.in_f08(form):
        return text
    if form.large or differs(form):
        return text + _definition(form, f08_symbol(form), f08=True)
    return text + f"FORTRAN_ALIAS({f08_symbol(form)}, {symbol(form)})\n"


def symbol(form):
    """send_, the linker symbol of MPI_SEND without its prefix."""
    return form.name[len("MPI_"):].lower() + "_"


def f08_name(form):
    """The name of the specific procedure in mpi_f08: MPI_Send_f08ts."""
    return form.name + ("_f08ts" if by_descriptor(form) else "_f08")


def f08_symbol(form):
    return f08_name(form)[len("MPI_"):].lower() + "_"


def by_descriptor(form):
    """Does mpi_f08 pass descriptors to it?"""
    return any(p.kind == "BUFFER" for p in form.parameters)


def has_address(form):
    """Does the module mpi take a TYPE(C_PTR) as well, in a procedure of another name?"""
    return any(p.name == "baseptr" for p in form.parameters)


def differs(form):
    """Does mpi_f08 pass other arguments to it than the module mpi?"""
    return by_descriptor(form) or any(p.kind == "C_BUFFER2" for p in form.parameters)


def _definition(form, name, f08):
    arguments = fortran_kinds.arguments(form)
    descriptors = f08 and by_descriptor(form)
    declared = [_declared(p, form, descriptors) for p in arguments]
    if fortran_kinds.has_ierror(form):
        declared.append("MPI_Fint* ierror")
    if not descriptors:
        declared += [f"std::size_t {p.name}_length" for p in arguments if p.kind == "STRING"]
    call = f"CALL_C({form.function.name}{'_c' if form.large else ''})({_passed(form, descriptors)})"
    returns = "void" if form.function.returns_error else form.function.returns
    if fortran_kinds.has_ierror(form):
        body = _locals(form, descriptors) + [f"done(ierror, {call});"]
    else:
        body = [f"return {call};"] if returns != "void" else [f"{call};"]
    head = wrap_c(f"FORTRAN {returns} FORTRAN_NAME({name})({', '.join(declared)}) {{")
    return "\n" + head + "\n" + "".join(wrap_c(f"  {line}", "      ") + "\n" for line in body) + "}\n"


def _declared(parameter, form, descriptors):
    if descriptors and parameter.kind in ("BUFFER", "STRING"):
        return f"const Descriptor* {parameter.name}"
    row = row_of(parameter, form.large, form.function.removed)
    return f"{row.cc.format(role=_role(parameter, form))}* {parameter.name}"


def _role(parameter, form):
    large = parameter.kind == "POLYFUNCTION" and form.large
    return parameter.role + ("_c" if large else "")


def _locals(form, descriptors):
    """The local objects of the call: callbacks with their state, sections of arrays."""
    lines = []
    state = next((p for p in form.parameters if p.kind.startswith("EXTRA_STATE")), None)
    if state:
        functions = [p for p in form.parameters if p.kind == "FUNCTION"]
        lines.append(f"const auto callbacks = with_state<::{functions[0].role}>("
                     f"{', '.join(p.name for p in functions)}, {state.name});")
    lines += [f"LateHandle<{kinds.c_type(p, form.large)}> {p.name}_later({p.name}, request);"
              for p in form.parameters if p.role == "later"]
    if descriptors:
        lines += [section.line for section in _sections(form) if section.line]
    return lines + [_kept(p, form, descriptors) for p in form.parameters if _is_kept(p, form)]


def _is_kept(parameter, form):
    """Is it an array of handles that an operation under way may still read?"""
    return (parameter.kind == "DATATYPE" and parameter.lengths == ("*",)
            and _request(form) is not None)


def _kept(parameter, form, descriptors):
    type_ = kinds.c_type(parameter, form.large)
    name = parameter.name
    return (f"const KeptHandles<{type_}> {name}_kept({name}, "
            f"{_length(parameter, form, descriptors)}, {_request(form)});")


def _request(form):
    """The request that the function creates."""
    return next((p.name for p in form.parameters
                 if p.kind == "REQUEST" and p.direction == "out"), None)


def _passed(form, descriptors):
    replaced = {}
    if descriptors:
        for section in _sections(form):
            replaced.update(section.replaces)
    passed = (replaced.get(p.name) or _argument(p, form, descriptors) for p in form.parameters)
    return ", ".join(argument for argument in passed if argument)


def _argument(parameter, form, descriptors):
    row = row_of(parameter, form.large, form.function.removed)
    is_array = bool(parameter.lengths) and parameter.kind not in kinds.MEMORY_KINDS
    if parameter.is_output or "pointer" in parameter.words:
        change = parameter.direction != "out"
        pattern = ((row.change_all if change else row.give_all) if is_array
                   else row.change if change else row.give)
    else:
        pattern = row.take_all if is_array else row.take
    name = parameter.name
    if _is_kept(parameter, form):
        return f"{name}_kept"
    if parameter.kind == "FUNCTION" and any(p.kind.startswith("EXTRA_STATE")
                                            for p in form.parameters):
        pattern = "callbacks." + _member(parameter.role)
    if len(parameter.lengths) == 2:
        return f"triplets({name})"
    if parameter.kind == "STRING":
        if parameter.direction == "in" and form.function.name.startswith("Info_"):
            pattern = "Key({x})"
        name = f"*{name}" if descriptors else f"{name}, {name}_length"
    return pattern.format(x=name, n=_length(parameter, form, descriptors), c=kinds.c_type(parameter, form.large),
                          role=_role(parameter, form), keyval=_keyval(form),
                          completed=_completed(form))


def _member(role):
    """"copy" for the role MPI_Comm_copy_attr_function."""
    words = role.lower().split("_")
    return next(word for word in ("copy", "remove", "query", "free", "cancel")
                if word.replace("remove", "delete") in words)


def _keyval(form):
    keyval = next((p for p in form.parameters if p.kind == "KEYVAL"), None)
    return keyval and f"*{keyval.name}"


def _completed(form):
    """The argument with the number of indices."""
    return next((p.name for p in form.parameters if p.name == "outcount"), None)


def _length(parameter, form, descriptors):
    """The number of elements of an array, or of characters of C's string, in C++."""
    if not parameter.lengths:
        return ""
    length = parameter.lengths[0]
    if length == "*":
        return _implied_length(parameter, form, descriptors)
    if length.startswith("MPI_") or length.isdigit():
        return length
    return f"*{length} + 1" if parameter.kind == "STRING" else f"*{length}"


def _implied_length(parameter, form, descriptors):
    """The length of an array with one element per rank, neighbour or dimension."""
    comm = next(p.name for p in form.parameters if p.kind == "COMMUNICATOR")
    if parameter.kind == "LOGICAL":
        count = "dimensions"
    elif "eighbor" not in form.function.name:
        buffer = f"{'*' if descriptors else ''}sendbuf"
        unless = f", address_in_c({buffer})" if parameter.name.startswith("send") else ""
        return f"peers({comm}{unless})"
    else:
        count = "destinations" if parameter.name.startswith("send") else "sources"
    return f"{count}({comm})"


class _Section:
    """An array given as a descriptor: the line before the call, and the arguments of the call."""

    def __init__(self, line, **replaces):
        self.line = line
        self.replaces = replaces


def _sections(form):
    return [_section(p, form) for p in form.parameters if p.kind == "BUFFER"]


def _section(buffer, form):
    name = buffer.name
    rest = form.parameters[form.parameters.index(buffer) + 1:]
    datatype = next((p for p in rest if p.kind == "DATATYPE"), None)
    count = next((p for p in rest if p.kind.startswith(("POLYXFER_NUM", "POLYDTYPE_NUM"))), None)
    started = _request(form)
    staged = _Section(wrap_c(f"const Staged {name}_copy(*{name}, {_direction(buffer)}"
                             f"{_until(started, form)});"), **{name: f"{name}_copy.address"})
    if buffer.role == "packed":
        return staged
    if not (datatype and count):
        return _Section("", **{name: f"address_in_c(*{name})"})
    if datatype.lengths or any(p.kind == "OPERATION" for p in form.parameters):
        return staged
    type_ = f"handle<MPI_Datatype>({datatype.name})"
    until = f"{_direction(buffer)}{_until(started, form)}"
    if count.lengths:
        return _Section(f"const Strided {name}_section(*{name}, {type_}, {until});",
                        **{name: f"{name}_section.address",
                           datatype.name: f"{name}_section.datatype"})
    kind = "Blocks" if buffer.role == "blocks" else "Section"
    return _Section(f"const {kind} {name}_section(*{name}, *{count.name}, {type_}, {until});",
                    **{name: f"{name}_section.address", count.name: f"{name}_section.count",
                       datatype.name: f"{name}_section.datatype"})


def _direction(buffer):
    return "Direction::" + ("in" if buffer.direction == "in" else "out")


def _until(started, form):
    """The argument with the request until whose completion a copy is kept."""
    if not started:
        return ""
    persistent = form.function.name.endswith("_init")
    return f", {started}, Lifetime::{'persistent' if persistent else 'once'}"
