"""Writes the C entry points of a chapter: check the arguments, call the implementation."""

import dataclasses

from generator import kinds
from generator.header import prototype
from generator.text import wrap_c

_OPENING = """\
// {title}: the C entry points. Generated from runtime/api/functions.api.
#include <mpi.h>

{includes}
namespace atl::api {{
"""

_CLOSING = "\n}  // namespace atl::api\n"


def emit(table, chapter_id):
    """The text of entry_<chapter_id>.cc."""
    chapter = table.chapter(chapter_id)
    implemented = [f for f in chapter.functions if f.implementation]
    if not implemented:
        return f"// {chapter.title}: none of its functions is implemented.\n"
    headers = {"runtime/api/argument_checks.h", "runtime/api/entry.h"}
    for function in implemented:
        headers.update(table.namespaces[function.implementation.split("::")[0]])
    includes = "".join(f'#include "{header}"\n' for header in sorted(headers))
    parts = [_OPENING.format(title=chapter.title, includes=includes)]
    parts += ["\n" + entry(form) for function in implemented for form in function.forms]
    return "".join(parts) + _CLOSING


def entry(form):
    """The two symbols of one function: PMPI_ and its weak alias MPI_."""
    body = _checked_call(form) if form.function.returns_error else _plain_call(form)
    definition = wrap_c(f'extern "C" ATL_EXPORT {prototype(form, "PMPI_")}')
    alias = wrap_c(f'extern "C" ATL_EXPORT {prototype(form)}')
    lines = "".join(wrap_c(f"  {line}", "      ") + "\n" for line in body)
    return (f"{definition} {{\n{lines}}}\n"
            f'{alias}\n    __attribute__((weak, alias("P{form.name}")));\n')


def _plain_call(form):
    arguments = ", ".join(parameter.name for parameter in form.parameters)
    return [f"return {form.function.implementation}({arguments});"]


def _checked_call(form):
    communicator = _first_input(form, "COMMUNICATOR")
    session = _first_input(form, "SESSION")
    checks = _checks(form, communicator)
    # A valid session implies that MPI is running.
    first = [f"failure = {_check(session, kinds.check_of(session), None)}"] if session else []
    opening = [] if form.function.anytime else ["failure = entry.open()"]
    steps = first + opening + [f"failure = {check}" for check in checks]
    wide = [p for p in form.parameters if kinds.narrowed(p, form.large)]
    steps += [f"{p.name}_large = *{p.name}" for p in wide if p.direction == "inout"]
    steps.append(f"failure = guarded([&] {{ return {form.function.implementation}"
                 f"({_arguments(form)}); }})")
    steps += [f"failure = {_narrowing(parameter)}" for parameter in wide]
    return ([f'Entry entry("{form.name}");'] + _locals(form)
            + [f"Error {steps[0]};"]
            + [f"if (!failure) {step};" for step in steps[1:]]
            + [f"return entry.close({', '.join(['failure'] + _raised_on(form))});"])


def _first_input(form, kind):
    """The first argument of that kind that is an input, or None."""
    return next((p for p in form.parameters if p.kind == kind and p.direction != "out"), None)


# The handle with which an error handler is called that is itself an argument of the call.
_NULL_HANDLES = {"comm": "MPI_COMM_NULL", "session": "MPI_SESSION_NULL"}


def _responsible(form):
    """The argument whose error handler is called: an object, or the handler itself; or None."""
    for kind in ("COMMUNICATOR", "SESSION", "WINDOW", "FILE"):
        parameter = _first_input(form, kind)
        if parameter:
            return parameter
    handler = _first_input(form, "ERRHANDLER")
    return handler if handler and handler.role in _NULL_HANDLES else None


def _raised_on(form):
    """The arguments of raise() for it."""
    parameter = _responsible(form)
    if parameter is None:
        return []
    null = [_NULL_HANDLES[parameter.role]] if parameter.kind == "ERRHANDLER" else []
    return [f"{parameter.name}_object"] + null


def _locals(form):
    found = [(p, kinds.check_of(p)) for p in form.parameters]
    lines = [f"{check.finds}* {p.name}_object = nullptr;" for p, check in found
             if check and check.finds]
    lines += [f"{kinds.c_type(p, True)} {p.name}_large = 0;" for p in form.parameters
              if kinds.narrowed(p, form.large)]
    return lines


def _checks(form, communicator):
    """The checks in order: first the argument whose error handler gets the errors of the others."""
    responsible = _responsible(form)
    parameters = sorted((p for p in form.parameters if p.kind != "SESSION" or p.direction == "out"),
                        key=lambda p: p is not responsible)
    checks = []
    for parameter in parameters:
        check = kinds.check_of(parameter)
        buffers = [b for b in form.parameters if _datatype_of(b, form) is parameter]
        if buffers:  # data is moved
            check = dataclasses.replace(check, function="committed_datatype")
        if check:
            checks.append(_check(parameter, check, communicator))
        checks += [_buffer_check(buffer, form) for buffer in buffers]
    return checks


def _check(parameter, check, communicator):
    arguments = [parameter.name, f'"{parameter.name}"']
    if check.function == "array":
        arguments.append(parameter.lengths[0])
    if check.within:
        arguments.append(f"*{communicator.name}_object")
    if check.finds:
        arguments.append(f"{parameter.name}_object")
    return f"check::{check.function}({', '.join(arguments)})"


def _buffer_check(buffer, form):
    count = _following(buffer, form, kinds.is_count)
    datatype = _datatype_of(buffer, form)
    return f'check::buffer({buffer.name}, "{buffer.name}", {count.name}, *{datatype.name}_object)'


def _datatype_of(parameter, form):
    """The datatype argument of a buffer, if a count and a datatype follow it."""
    if parameter.full_kind != "BUFFER" or "deferred" in parameter.words:
        return None
    if not _following(parameter, form, kinds.is_count):
        return None
    return _following(parameter, form, lambda p: p.kind == "DATATYPE" and not p.lengths)


def _following(parameter, form, wanted):
    parameters = form.parameters
    rest = parameters[parameters.index(parameter) + 1:]
    return next((p for p in rest if wanted(p)), None)


def _arguments(form):
    arguments = [_argument(parameter, form.large) for parameter in form.parameters
                 if parameter.kind != "VARARGS"]
    if form.function.tells_form:
        arguments.append(f"datatype::Form::{'large' if form.large else 'plain'}")
    return ", ".join(arguments)


def _argument(parameter, large):
    check = kinds.check_of(parameter)
    if check and check.finds and check.passes:
        return f"{'' if check.by_address else '*'}{parameter.name}_object"
    if kinds.narrowed(parameter, large):
        return f"&{parameter.name}_large"
    return parameter.name


def _narrowing(parameter):
    rule = "narrow_or_undefined" if parameter.kind in kinds.UNDEFINED_WHEN_LARGE else "narrow"
    return f'check::{rule}({parameter.name}_large, "{parameter.name}", {parameter.name})'
