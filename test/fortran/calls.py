"""Fortran programs that call every function of the API table, in each of the three forms.

What each argument should be is said here once more, after the bindings in the standard, and not
taken from the generator: a compiler that accepts the calls agrees with both. The calls are
compiled and linked, and never made.
"""

# C type, in the plain and in the large-count form -> (type in mpif.h and mpi, type in mpi_f08).
ADDRESS = "integer(kind=MPI_ADDRESS_KIND)"
COUNT = "integer(kind=MPI_COUNT_KIND)"
OFFSET = "integer(kind=MPI_OFFSET_KIND)"
NUMBERS = {"int": "integer", "MPI_Aint": ADDRESS, "MPI_Count": COUNT, "MPI_Offset": OFFSET}
HANDLES = ["MPI_Comm", "MPI_Datatype", "MPI_Errhandler", "MPI_File", "MPI_Group", "MPI_Info",
           "MPI_Message", "MPI_Op", "MPI_Request", "MPI_Session", "MPI_Win"]
SPECIAL = {
    "ATTRIBUTE_VAL": (ADDRESS, ADDRESS),
    "ATTRIBUTE_VAL_10": ("integer", None),
    "C_BUFFER": (ADDRESS, "type(c_ptr)"),
    "C_BUFFER2": ("buffer", "type(c_ptr)"),
    "EXTRA_STATE": (ADDRESS, ADDRESS),
    "EXTRA_STATE2": ("integer", None),
    "BUFFER": ("buffer", "section"),
    "LOGICAL": ("logical", "logical"),
    "STRING": ("character(len=40)", "character(len=40)"),
}
ABSENT = ["ARGUMENT_COUNT", "ARGUMENT_LIST", "VARARGS"]
CALLBACKS = ["FUNCTION", "POLYFUNCTION"]

# Procedures of the programs below, by the C type of the callback.
GIVEN = {
    "MPI_Comm_copy_attr_function": "MPI_COMM_DUP_FN",
    "MPI_Comm_delete_attr_function": "MPI_COMM_NULL_DELETE_FN",
    "MPI_Type_copy_attr_function": "MPI_TYPE_NULL_COPY_FN",
    "MPI_Type_delete_attr_function": "MPI_TYPE_NULL_DELETE_FN",
    "MPI_Win_copy_attr_function": "MPI_WIN_DUP_FN",
    "MPI_Win_delete_attr_function": "MPI_WIN_NULL_DELETE_FN",
    "MPI_Copy_function": "MPI_DUP_FN",
    "MPI_Delete_function": "MPI_NULL_DELETE_FN",
}

PROCEDURES = """\
module procedures
  use, intrinsic :: iso_c_binding, only: c_ptr
  use mpi_f08
  implicit none
contains
  subroutine own_user_function(invec, inoutvec, len, datatype)
    type(c_ptr), value :: invec, inoutvec
    integer :: len
    type(MPI_Datatype) :: datatype
  end subroutine
  subroutine own_user_function_c(invec, inoutvec, len, datatype)
    type(c_ptr), value :: invec, inoutvec
    integer(kind=MPI_COUNT_KIND) :: len
    type(MPI_Datatype) :: datatype
  end subroutine
  subroutine own_grequest_query_function(extra_state, status, ierror)
    integer(kind=MPI_ADDRESS_KIND) :: extra_state
    type(MPI_Status) :: status
    integer :: ierror
  end subroutine
  subroutine own_grequest_free_function(extra_state, ierror)
    integer(kind=MPI_ADDRESS_KIND) :: extra_state
    integer :: ierror
  end subroutine
  subroutine own_grequest_cancel_function(extra_state, complete, ierror)
    integer(kind=MPI_ADDRESS_KIND) :: extra_state
    logical :: complete
    integer :: ierror
  end subroutine
""" + "".join(f"""\
  subroutine own_{kind}_errhandler_function(object, error_code)
    type(MPI_{kind.capitalize()}) :: object
    integer :: error_code
  end subroutine
""" for kind in ("comm", "file", "session", "win")) + "end module procedures\n"

OPENING = """\
program calls
{use}
  implicit none
{include}
{variables}
  character(len=8) :: never
  integer :: section(8, 8), ierror
  external :: own_external
  call get_environment_variable('ATOLL_TEST_CALLS', never)
  if (never == 'make') then
"""


def in_fortran(form):
    """Does the standard give Fortran this function?"""
    function = form.function
    if function.name.startswith("T_") or function.name.endswith(("_toint", "_fromint")):
        return False
    return not any(p.kind == "INTEGER_HANDLE" for p in form.parameters)


def has_ierror(form):
    """Not MPI_PCONTROL, whose arguments after the level belong to a profiling library."""
    return not any(p.kind == "VARARGS" for p in form.parameters)


def in_f08(form):
    """Not what MPI 2 deprecated or MPI 3 removed."""
    return in_fortran(form) and form.function.deprecated != "2.0" and not form.function.removed


def keyword(parameter):
    """The argument's name in Fortran; C has `indx`, because a function of old C is named index."""
    return parameter.name.replace("indx", "index")


class Program:
    """One of the programs: `form` is mpif.h, mpi or mpi_f08."""

    def __init__(self, form):
        self.form = form
        self.variables = {}
        self.calls = []

    @property
    def f08(self):
        return self.form == "mpi_f08"

    def add(self, function):
        for prefix in ("MPI_", "PMPI_"):
            self._call(function, prefix)

    def _call(self, form, prefix):
        name = form.name if form.large and form.function.name == "Op_create" else (
            "MPI_" + form.function.name)
        name = prefix + name[len("MPI_"):]
        parameters = [p for p in form.parameters if p.kind not in ABSENT]
        arguments = [self._argument(p, form, number) for number, p in enumerate(parameters)]
        if not form.function.returns_error:
            type_ = "double precision" if form.function.returns == "double" else ADDRESS
            self.calls.append(f"{self._variable(type_, '', 'result')} = {name}({', '.join(arguments)})")
            return
        ends = ["ierror"] if has_ierror(form) else []
        self.calls.append(f"call {name}({', '.join(arguments + ends)})")
        if self.f08:
            named = [f"{keyword(p)}={argument}" for p, argument in zip(parameters, arguments)]
            self.calls.append(f"call {name}({', '.join(named)})")

    def _argument(self, parameter, form, number):
        if parameter.kind in CALLBACKS:
            given = GIVEN.get(parameter.role)
            own = parameter.role.replace("MPI_", "own_").lower()
            own += "_c" if form.large and parameter.kind == "POLYFUNCTION" else ""
            return given or (own if self.f08 else "own_external")
        type_, extents = self._type(parameter, form)
        if type_ == "section":
            return "section(1:7:2, 2:6:3)"
        if type_ == "buffer":
            return "section"
        return self._variable(type_, extents, f"a{number}")

    def _type(self, parameter, form):
        c_type = self.c_type(parameter, form.large).removeprefix("const ")
        extents = "" if parameter.kind in ("STRING", "BUFFER") else "".join("8," for _ in parameter.lengths)
        if len(parameter.lengths) == 2:
            extents = "3,8,"
        if parameter.kind in SPECIAL:
            return SPECIAL[parameter.kind][self.f08], extents
        if c_type == "MPI_Status":
            return ("type(MPI_Status)", extents) if self.f08 else (
                "integer", "MPI_STATUS_SIZE," + extents)
        if c_type in HANDLES:
            return (f"type({c_type})" if self.f08 else "integer"), extents
        if form.function.removed and c_type == "MPI_Aint":
            return "integer", extents
        return NUMBERS[c_type], extents

    def _variable(self, type_, extents, place):
        """A variable of that type for that place among the arguments."""
        key = (type_, extents, place)
        return self.variables.setdefault(key, f"v{len(self.variables)}")

    def text(self):
        declared = [f"  {type_} :: {name}" + (f"({extents.rstrip(',')})" if extents else "")
                    for (type_, extents, _), name in self.variables.items()]
        procedures = "  use procedures\n" if self.f08 else ""
        use = procedures + "  use, intrinsic :: iso_c_binding, only: c_ptr\n"
        use += "" if self.form == "mpif.h" else f"  use {self.form}"
        lines = [OPENING.format(use=use, variables="\n".join(declared),
                                include="  include 'mpif.h'" if self.form == "mpif.h" else "")]
        lines += [self._wrapped(f"    {call}") for call in self.calls]
        lines.append("  end if\n  print '(a)', 'linked'\n")
        lines.append("end program calls\n")
        return (PROCEDURES if self.f08 else "") + "".join(lines) + "subroutine own_external()\nend subroutine own_external\n"

    @staticmethod
    def _wrapped(line):
        text = ""
        while len(line) > 100:
            cut = line.rindex(", ", 0, 100) + 2
            text += line[:cut] + "&\n"
            line = "      " + line[cut:]
        return text + line + "\n"


def programs(table, c_type):
    """The three programs for the implemented functions of a Table, and how many calls they make.

    `c_type` tells the C type of a parameter in the plain or the large-count form.
    """
    Program.c_type = staticmethod(c_type)
    made = [Program("mpif.h"), Program("mpi"), Program("mpi_f08")]
    for form in table.forms:
        if not form.function.implementation:
            continue
        if in_fortran(form) and not form.large:
            made[0].add(form)
            made[1].add(form)
        if in_f08(form) and not (form.large and is_ambiguous(form)):
            made[2].add(form)
    return made


def is_ambiguous(form):
    """Are the arguments of both forms the same on a machine with one kind of wide integers?"""
    def types(large):
        return [Program.c_type(p, large).replace("MPI_Aint", "MPI_Count")
                for p in form.parameters]
    plain = [p for p in form.parameters if "large" not in p.words]
    return (len(plain) == len(form.parameters) and types(False) == types(True)
            and form.function.name != "Op_create")
