"""Writes wrong_arguments.cc: every function of the API table, called with each argument wrong that
its entry point checks: handles that are null, freed, of another kind or nothing at all, and null
addresses. The other arguments are right as far as an entry point looks.

    wrong_arguments.py functions.api > wrong_arguments.cc
"""

import sys

from generator import kinds, table

# Check of an input -> the kind of object that it looks up, as in wrong_arguments.h.
HANDLES = {
    "communicator": "comms", "communicator_at": "comms",
    "group": "groups", "group_at": "groups",
    "datatype": "types", "datatype_object": "types", "datatype_at": "types",
    "operation": "ops", "operation_at": "ops",
    "errhandler<MPI_Comm>": "errhandlers", "errhandler<MPI_File>": "errhandlers",
    "errhandler<MPI_Session>": "errhandlers", "errhandler<MPI_Win>": "errhandlers",
    "errhandler_at": "errhandlers",
    "info": "infos", "own_info": "infos", "own_info_at": "infos", "hints": "hints",
    "session": "sessions", "session_at": "sessions",
    "window": "wins", "window_at": "wins",
    "file_or_null": "files",
}
KEYVALS = {"comm": "comm_keyvals", "type": "type_keyvals", "win": "win_keyvals"}
GOOD = {"COMMUNICATOR": "comms.good", "GROUP": "groups.good", "DATATYPE": "types.good",
        "OPERATION": "ops.good", "ERRHANDLER": "errhandlers.good", "INFO": "infos.good",
        "SESSION": "sessions.good", "FILE": "files.good", "WINDOW": "wins.good"}


def right(parameter, large):
    """An expression that passes for a right argument."""
    if parameter.kind in kinds.MEMORY_KINDS or parameter.lengths or by_address(parameter):
        return "room"
    if parameter.kind == "KEYVAL":
        return f"{KEYVALS[parameter.role.removeprefix('own_')]}.good"
    type_ = kinds.c_type(parameter, large)
    return GOOD.get(parameter.kind) or ("room" if type_.endswith("*") else f"{type_}()")


def by_address(parameter):
    return parameter.is_output or "pointer" in parameter.words or parameter.kind == "STATUS"


def source_of_wrong(parameter, check):
    """The name of the object with wrong values of the argument, or None."""
    if parameter.kind == "KEYVAL" and parameter.role:
        return KEYVALS[parameter.role.removeprefix("own_")]
    return HANDLES.get(check.function)


def calls(form):
    """The lines that call one function wrongly."""
    for wrong in form.parameters:
        check = kinds.check_of(wrong)
        if check is None:
            continue
        def call(argument):
            return ", ".join(argument if p is wrong else right(p, form.large)
                             for p in form.parameters)
        refused = f'refused("{form.name}", "{wrong.name}"'
        source = source_of_wrong(wrong, check)
        if source and by_address(wrong):
            yield (f"for (auto one : {source}.bad) {{ const auto before = one; {refused}, "
                   f"{source}.error_class, {form.name}({call('&one')})); CHECK(one == before); }}")
        elif source:
            yield (f"for (auto one : {source}.bad) {refused}, {source}.error_class, "
                   f"{form.name}({call('one')}));")
        if check.function == "address" or (source and by_address(wrong)):
            yield f"{refused}, MPI_ERR_ARG, {form.name}({call('nullptr')}));"


def main():
    with open(sys.argv[1], encoding="utf-8") as lines:
        chapters = table.parse(lines).chapters
    print('#include "test/errors/wrong_arguments.h"\n\nnamespace errors {\n')
    for chapter in chapters:
        print(f"static void chapter_{chapter.number}() {{")
        for function in chapter.functions:
            if function.implementation and function.returns_error:
                for form in function.forms:
                    print("".join(f"  {line}\n" for line in calls(form)), end="")
        print("}\n")
    print("void call_everything() {")
    for chapter in chapters:
        print(f"  chapter_{chapter.number}();")
    print("}\n\n}  // namespace errors")


main()
