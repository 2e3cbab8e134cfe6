"""Writes the modules mpi and mpi_f08, which are only interfaces of the entry points.

Neither contains code, so there is nothing to link: a compiler needs only the module files.
"""

from generator import fortran_entries, fortran_header, fortran_kinds, kinds
from generator.fortran_kinds import row_of

_WIDTH = 100

# A choice buffer in the module mpi: an address, for any type and rank. Each compiler has its own
# directive for it.
_IGNORE_TYPE = ("!GCC$ ATTRIBUTES NO_ARG_CHECK :: {x}", "!DIR$ IGNORE_TKR {x}",
                "!DEC$ ATTRIBUTES NO_ARG_CHECK :: {x}", "!$PRAGMA IGNORE_TKR {x}")


# The same type in both modules: Fortran treats equal types with BIND(C) as one.
_STATUS = ["type, bind(C) :: MPI_Status", "integer :: MPI_SOURCE, MPI_TAG, MPI_ERROR",
           "integer :: MPI_internal(5)", "end type MPI_Status"]


def emit_mpi(table, constants):
    """The text of mpi.f90."""
    lines = ["! The module mpi of Atoll. Generated from the API table.", "module mpi",
             "use, intrinsic :: iso_c_binding, only: c_ptr", "implicit none", "private :: c_ptr"]
    lines += fortran_header.declarations(constants, asynchronous="TRUE") + _STATUS
    lines += ["interface"]
    for form in _forms(table):
        if not form.large:
            for prefix in ("MPI_", "PMPI_"):
                lines += _mpi_body(form, prefix)
    lines += ["end interface"]
    lines += _sizeof() + _addresses(table) + _own()
    for name in fortran_header.callbacks(constants):
        lines.append(f"external :: {name}")
    return _text(lines + ["end module mpi"])


def emit_f08(table, constants, types):
    """The text of mpi_f08.f90."""
    lines = ["! The module mpi_f08 of Atoll. Generated from the API table.", "module mpi_f08",
             "use, intrinsic :: iso_c_binding, only: c_ptr", "implicit none", "private :: c_ptr"]
    lines += _f08_types()
    lines += _f08_constants(constants)
    lines += ["abstract interface"]
    for callback in _callbacks(types):
        lines += callback
    lines += ["end interface"]
    for function in table.functions:
        forms = [form for form in function.forms
                 if function.implementation and fortran_kinds.in_f08(form)]
        for prefix in ("MPI_", "PMPI_"):
            lines += _generics(forms, prefix)
    lines += _sizeof() + _own() + _predefined_callbacks(constants) + _operators()
    return _text(lines + ["end module mpi_f08"])


def _forms(table):
    return [form for form in table.forms
            if form.function.implementation and fortran_kinds.in_fortran(form)]


def _text(lines):
    return "".join(_wrapped(line) for line in lines)


def _wrapped(line):
    """Breaks a line after commas, as free form requires."""
    text = ""
    while len(line) > _WIDTH:
        cut = line.rindex(", ", 0, _WIDTH) + 2
        text += line[:cut] + "&\n"
        line = "    " + line[cut:]
    return text + line + "\n"


def _keyword(parameter):
    """The argument's name: as in C, except for the one that differs in C."""
    return "index" if parameter.name == "indx" else parameter.name


def _mpi_body(form, prefix):
    name = prefix + form.name[len("MPI_"):]
    arguments = fortran_kinds.arguments(form)
    names = [_keyword(p) for p in arguments]
    has_ierror = fortran_kinds.has_ierror(form)
    if form.function.returns_error:
        names += ["ierror"] if has_ierror else []
        head, tail = f"subroutine {name}({', '.join(names)})", "end subroutine"
    else:
        returns = {"double": "double precision"}.get(
            form.function.returns, "integer(MPI_ADDRESS_KIND)")
        head, tail = f"function {name}({', '.join(names)})", "end function"
    lines = [head, "import"]
    for parameter in arguments:
        lines += _mpi_declaration(parameter, form)
    if has_ierror:
        lines.append("integer :: ierror")
    elif not form.function.returns_error:
        lines.append(f"{returns} :: {name}")
    return lines + [tail]


def _mpi_declaration(parameter, form):
    row = row_of(parameter, form.large, form.function.removed)
    name = _keyword(parameter)
    if row.mpi == "<type>":
        words = ["type(*)"] + _kept_words(form)
        return ([line.format(x=name) for line in _IGNORE_TYPE]
                + [f"{', '.join(words)} :: {name}(*)"])
    if row.mpi == "EXTERNAL":
        return [f"external :: {name}"]
    if row.mpi.startswith("CHARACTER"):
        return [f"character(len=*) :: {name}"]
    extents = ["*"] if parameter.lengths else []
    if len(parameter.lengths) == 2:
        extents = [parameter.lengths[1], "*"]
    if parameter.kind == "STATUS":
        extents = ["MPI_STATUS_SIZE"] + extents
    return [f"{row.mpi.lower()} :: {name}" + (f"({','.join(extents)})" if extents else "")]


def _generics(forms, prefix):
    """The generic interfaces of a function: one for all its forms, if the arguments differ."""
    groups = []
    for form in forms:
        if groups and _told_apart(groups[-1][-1], form):
            groups[-1].append(form)
        elif not groups or form.function.name in ("Op_create", "Register_datarep"):
            groups.append([form])
    lines = []
    for group in groups:
        lines.append(f"interface {prefix}{group[0].name[len('MPI_'):]}")
        for form in group:
            lines += _f08_body(form, prefix)
        lines.append("end interface")
    return lines


def _told_apart(form, other):
    """Do an argument's kind of integer or the number of arguments differ?"""
    def kinds_of(form):
        return [kind.replace("MPI_ADDRESS_KIND", "MPI_COUNT_KIND")
                for kind in (row_of(p, form.large, "").f08 for p in fortran_kinds.arguments(form))]
    return kinds_of(form) != kinds_of(other)


def _f08_body(form, prefix):
    name = prefix + fortran_entries.f08_name(form)[len("MPI_"):]
    arguments = fortran_kinds.arguments(form)
    names = [_keyword(p) for p in arguments]
    if not form.function.returns_error:
        returns = {"double": "double precision"}.get(
            form.function.returns, "integer(MPI_ADDRESS_KIND)")
        return ([f"function {name}({', '.join(names)})", "import"]
                + [_f08_declaration(p, form) for p in arguments]
                + [f"{returns} :: {name}", "end function"])
    bind = ""
    if fortran_entries.by_descriptor(form):
        bind = f' bind(C, name="{name.lower()}_")'
    ierror = ["ierror"] if fortran_kinds.has_ierror(form) else []
    return ([f"subroutine {name}({', '.join(names + ierror)}){bind}", "import"]
            + [_f08_declaration(p, form) for p in arguments]
            + [f"integer, optional, intent(out) :: {one}" for one in ierror] + ["end subroutine"])


def _f08_declaration(parameter, form):
    row = row_of(parameter, form.large, form.function.removed)
    role = parameter.role + ("_c" if parameter.kind == "POLYFUNCTION" and form.large else "")
    words = [row.f08.format(role=role)]
    if parameter.kind in ("FUNCTION", "POLYFUNCTION"):
        return f"{words[0]} :: {_keyword(parameter)}"
    if parameter.kind == "BUFFER":
        words += ["intent(in)"] if parameter.direction == "in" else []
        words += _kept_words(form)
        return f"{', '.join(words)} :: {_keyword(parameter)}"
    if not (row.sentinel and parameter.is_output):
        intent = "in" if "pointer" in parameter.words else parameter.direction
        words.append(f"intent({intent})")
    if parameter.lengths and parameter.direction == "in" and _asynchronous(form):
        words.append("asynchronous")
    return f"{', '.join(words)} :: {_keyword(parameter)}{_f08_extents(parameter)}"


def _kept_words(form):
    """Attributes of a buffer that MPI may access after the call. A compiler may assume that a
    procedure keeps no address of an argument without TARGET; the standard expects programs to
    declare buffers ASYNCHRONOUS instead, but most do not."""
    return ["target", "asynchronous"] if _asynchronous(form) else []


def _asynchronous(form):
    """May MPI access the buffers after the call?"""
    return (any(p.kind == "REQUEST" and p.direction == "out" for p in form.parameters)
            or not any(p.kind == "DATATYPE" for p in form.parameters))


def _f08_extents(parameter):
    if not parameter.lengths or parameter.kind in kinds.MEMORY_KINDS:
        return ""
    if len(parameter.lengths) == 2:
        return f"({parameter.lengths[1]}, {parameter.lengths[0]})"
    if parameter.direction == "out":
        return "(*)"
    return f"({parameter.lengths[0]})"


def _f08_types():
    lines = []
    for name, value in fortran_header.KIND_PARAMETERS:
        lines.append(f"integer, parameter :: {name} = {value}")
    for handle in fortran_kinds.HANDLES:
        lines += [f"type, bind(C) :: {handle}", "integer :: MPI_VAL", f"end type {handle}"]
    return lines + _STATUS + [f"integer, parameter :: {name} = {value}"
                              for name, value in fortran_header.STATUS]


def _f08_constants(constants):
    lines = [f"logical, parameter :: {name} = .true."
             for name in ("MPI_SUBARRAYS_SUPPORTED", "MPI_ASYNC_PROTECTS_NONBLOCKING")]
    for group in constants:
        if not group.removed:
            lines += [_f08_constant(c, constants) for c in fortran_header.numbers([group])]
    for name, extents in fortran_header.SENTINELS.items():
        if "STATUS" in name:
            extents = "(1)" if "STATUSES" in name else ""
            lines.append(f"type(MPI_Status) :: {name}{extents}")
        else:
            lines.append(f"integer :: {name}{extents}")
    lines += [f"character(len=1) :: {name}{extents}"
              for name, extents in fortran_header.STRING_SENTINELS.items()]
    for block, names in ((fortran_header.COMMON, fortran_header.SENTINELS),
                         (fortran_header.STRING_COMMON, fortran_header.STRING_SENTINELS)):
        lines.append(f"common /{block}/ {', '.join(names)}")
    return lines


def _f08_constant(constant, constants):
    value = fortran_header.value(constant, constants)
    if constant.type in fortran_kinds.HANDLES:
        return f"type({constant.type}), parameter :: {constant.name} = {constant.type}({value})"
    kind = "(MPI_OFFSET_KIND)" if constant.type == "MPI_Offset" else ""
    return f"integer{kind}, parameter :: {constant.name} = {value}"


def _sizeof():
    """MPI_SIZEOF takes an argument of any type and rank."""
    lines = []
    for prefix in ("MPI_", "PMPI_"):
        lines += [f"interface {prefix}Sizeof", f"subroutine {prefix}Sizeof_ts(x, size, ierror) "
                  f'bind(C, name="{prefix.lower()}sizeof_ts_")', "type(*), dimension(..) :: x",
                  "integer, intent(out) :: size", "integer, optional, intent(out) :: ierror",
                  "end subroutine", "end interface"]
    return lines


def _own():
    """Procedures without a C function: conversions of statuses, and a call that only seems to
    access a buffer."""
    lines = []
    for prefix in ("MPI_", "PMPI_"):
        for name, given, made in (("f2f08", "f", "f08"), ("f082f", "f08", "f")):
            types = {"f": "integer", "f08": "type(MPI_Status)"}
            extents = {"f": "(MPI_STATUS_SIZE)", "f08": ""}
            lines += ["interface", f"subroutine {prefix}Status_{name}({given}_status, {made}_status, "
                      "ierror)", "import"]
            lines += [f"{types[form]}, intent({intent}) :: {form}_status{extents[form]}"
                      for form, intent in ((given, "in"), (made, "out"))]
            lines += ["integer, optional, intent(out) :: ierror", "end subroutine", "end interface"]
        lines += [f"interface {prefix}F_sync_reg", f"subroutine {prefix}F_sync_reg_ts(buf) "
                  f'bind(C, name="{prefix.lower()}f_sync_reg_ts_")',
                  "type(*), dimension(..), target, asynchronous :: buf", "end subroutine", "end interface"]
    return lines


def _addresses(table):
    """The forms with an address as TYPE(C_PTR), beside those with an INTEGER (MPI 5.0, 19.1.1)."""
    lines = []
    for form in _forms(table):
        if form.large or not fortran_entries.has_address(form):
            continue
        for prefix in ("MPI_", "PMPI_"):
            name = prefix + form.name[len("MPI_"):]
            body = [line.replace("integer(kind=mpi_address_kind) :: baseptr",
                                 "type(c_ptr) :: baseptr") for line in _mpi_body(form, prefix)]
            body[0] = body[0].replace(name, f"{name}_cptr")
            lines += [f"interface {name}", f"procedure {name}", *body, "end interface"]
    return lines


# Arguments of callbacks: C type, or name -> declaration.
_CALLBACK_TYPES = {
    "void *invec": "type(c_ptr), value", "void *inoutvec": "type(c_ptr), value",
    "void *userbuf": "type(c_ptr), value", "void *filebuf": "type(c_ptr), value",
    "int *flag": "logical", "int complete": "logical",
    "void *": "integer(MPI_ADDRESS_KIND)", "MPI_Status *": "type(MPI_Status)", "int": "integer",
    "int *": "integer", "MPI_Count": "integer(MPI_COUNT_KIND)",
    "MPI_Count *": "integer(MPI_COUNT_KIND)", "MPI_Aint *": "integer(MPI_ADDRESS_KIND)",
    "MPI_Offset": "integer(MPI_OFFSET_KIND)",
}


def _callbacks(types):
    """The abstract interfaces of mpi_f08."""
    for group in types:
        for line in group.members:
            returns, _, rest = line.partition(" ")
            name, _, arguments = rest.rstrip(")").partition("(")
            if group.removed or not arguments or name.startswith("MPI_T_"):
                continue
            if name in ("MPI_Copy_function", "MPI_Delete_function") or "struct" in line:
                continue
            yield _callback(name, returns, [a for a in arguments.split(", ") if a != "..."])


def _callback(name, returns, arguments):
    pairs = [(a.split()[-1].lstrip("*"), _callback_type(a)) for a in arguments]
    if returns == "int":
        pairs.append(("ierror", "integer"))
    return ([f"subroutine {name}({', '.join(n for n, _ in pairs)})", "import"]
            + [f"{type_} :: {n}" for n, type_ in pairs] + ["end subroutine"])


def _callback_type(argument):
    type_ = argument[:argument.rindex(argument.split()[-1].lstrip("*"))].strip()
    for key in (argument, type_):
        if key in _CALLBACK_TYPES:
            return _CALLBACK_TYPES[key]
    return f"type({type_.removesuffix(' *')})"


def _predefined_callbacks(constants):
    """MPI_COMM_DUP_FN and others: external procedures with the interface of their type."""
    lines = []
    for group in constants:
        for c in group.members:
            type_ = c.type.rstrip("*")
            if c.name in fortran_header.callbacks(constants) and "_attr_" in type_:
                lines.append(f"procedure({type_}) :: {c.name}")
    return lines


def _operators():
    """== and /= between handles of one kind; the entry points compare INTEGERs."""
    lines = []
    for operator, verb in (("==", "eq"), ("/=", "ne")):
        lines.append(f"interface operator({operator})")
        for handle in fortran_kinds.HANDLES:
            name = f"{handle}_{verb}_f08"
            lines += [f"elemental function {name}(a, b)", "import", f"type({handle}), intent(in) :: a, b",
                      f"logical :: {name}", "end function"]
        lines.append("end interface")
    return lines
