"""The meaning of a parameter's kind in Fortran: its declaration and its conversion to and from C.

HANDLES and TYPES have a row for each C type; KINDS for kinds that need more than the C type. Of the
three forms in Fortran, mpif.h and the module mpi have the same declarations (`mpi`), the module
mpi_f08 has others (`f08`).
The classes and functions in the C++ columns are those of runtime/fortran.
"""

from dataclasses import dataclass, replace

from generator import kinds

# The handles, by C type: each is an INTEGER, in mpi_f08 a type with an INTEGER component.
HANDLES = ("MPI_Comm", "MPI_Datatype", "MPI_Errhandler", "MPI_File", "MPI_Group", "MPI_Info",
           "MPI_Message", "MPI_Op", "MPI_Request", "MPI_Session", "MPI_Win")

STATUS_SIZE = 8  # INTEGERs


@dataclass(frozen=True)
class Row:
    """How one kind is declared and passed on.

    `mpi` and `f08` are the type in a declaration, `cc` what the argument points to in C++. The
    others are C++ expressions of {x}, the argument, of {n}, the length of an array, and of {c},
    the C type.
    """

    mpi: str
    f08: str
    cc: str
    take: str = "*{x}"  # in
    give: str = "{x}"  # out
    change: str = "{x}"  # inout, and in by address
    take_all: str = "{x}"  # in, of an array
    give_all: str = "{x}"
    change_all: str = "{x}"
    sentinel: bool = False  # the argument may be a sentinel, so it has no intent


_ADDRESS = "INTEGER(KIND=MPI_ADDRESS_KIND)"

# C type -> Row.
TYPES = {
    "int": Row("INTEGER", "INTEGER", "MPI_Fint"),
    "MPI_Aint": Row(_ADDRESS, _ADDRESS, "MPI_Aint"),
    "MPI_Count": Row("INTEGER(KIND=MPI_COUNT_KIND)", "INTEGER(KIND=MPI_COUNT_KIND)", "MPI_Count"),
    "MPI_Offset": Row("INTEGER(KIND=MPI_OFFSET_KIND)", "INTEGER(KIND=MPI_OFFSET_KIND)",
                      "MPI_Offset"),
    "MPI_Status": Row("INTEGER", "TYPE(MPI_Status)", "MPI_Fint", take="status_in_c({x})",
                      give="status_in_c({x})", change="status_in_c({x})", take_all="status_in_c({x})",
                      give_all="status_in_c({x})", sentinel=True),
} | {
    handle: Row("INTEGER", f"TYPE({handle})", "MPI_Fint", take="handle<{c}>({x})",
                give="OutHandle<{c}>({x})", change="InOutHandle<{c}>({x})",
                take_all="InHandles<{c}>({x}, {n})", give_all="OutHandles<{c}>({x}, {n})",
                change_all="InOutHandles<{c}>({x}, {n})")
    for handle in HANDLES
}

TYPES["MPI_Request"] = replace(TYPES["MPI_Request"], take="InRequest({x})")

# An MPI_Aint in the functions that MPI 3.0 removed: an INTEGER.
NARROW = Row("INTEGER", "", "MPI_Fint", give="OutInteger({x})",
             take_all="WideIntegers({x}, {n})")

# Kind, or KIND/role -> Row.
KINDS = {
    "ARGUMENT_COUNT": Row("", "", "", take="0", change="nullptr"),  # Fortran has no such argument
    "ARGUMENT_LIST": Row("", "", "", take="nullptr", change="nullptr"),
    "ATTRIBUTE_VAL": Row(_ADDRESS, _ADDRESS, "MPI_Aint", take="attribute({x})",
                         give="OutAttribute({x}, {keyval})"),
    "ATTRIBUTE_VAL_10": Row("INTEGER", "", "MPI_Fint", take="attribute({x})",
                            give="OutAttribute({x}, {keyval})"),
    "BUFFER": Row("<type>", "TYPE(*), DIMENSION(..)", "void", take="address_in_c({x})",
                  give="address_in_c({x})", change="address_in_c({x})"),
    "C_BUFFER": Row(_ADDRESS, "TYPE(C_PTR)", "void*", give="OutAddress({x})"),
    "C_BUFFER2": Row("<type>", "TYPE(C_PTR)", "void*", give="OutAddress({x})"),
    "EXTRA_STATE": Row(_ADDRESS, _ADDRESS, "MPI_Aint", take="callbacks.state"),
    "EXTRA_STATE2": Row("INTEGER", "", "MPI_Fint", take="callbacks.state"),
    "COMMUNICATOR/later": Row("INTEGER", "TYPE(MPI_Comm)", "MPI_Fint", give="{x}_later"),
    "FUNCTION": Row("EXTERNAL", "PROCEDURE({role})", "fortran::{role}", take="closure<::{role}>({x})"),
    "INDEX/completed": Row("INTEGER", "INTEGER", "MPI_Fint", give="OutIndex({x})",
                           give_all="OutIndices({x}, {completed})"),
    "INFO_VALUE_LENGTH": Row("INTEGER", "INTEGER", "MPI_Fint", change="StringLength({x})"),
    "LOGICAL": Row("LOGICAL", "LOGICAL", "MPI_Fint", take="logical({x})", give="OutLogical({x})",
                   take_all="InLogicals({x}, {n})", give_all="OutLogicals({x}, {n})"),
    "INTEGER_HANDLE": None,
    "POLYFUNCTION": Row("EXTERNAL", "PROCEDURE({role})", "fortran::{role}", take="closure<::{role}>({x})"),
    "PROFILE_LEVEL": Row("INTEGER", "INTEGER", "MPI_Fint"),
    "REQUEST/started": Row("INTEGER", "TYPE(MPI_Request)", "MPI_Fint",
                           change="StartedRequest({x})",
                           change_all="StartedRequests({x}, {n})"),
    "STRING": Row("CHARACTER*(*)", "CHARACTER(LEN=*)", "char", take="String({x})",
                  give="OutString({x}, {n})"),
    "STRING_LENGTH": Row("INTEGER", "INTEGER", "MPI_Fint", change="StringLength({x})"),
    "VARARGS": Row("", "", "", take=""),
    "WEIGHT": Row("INTEGER", "INTEGER", "MPI_Fint", take_all="weights_in_c({x})",
                  give_all="weights_in_c({x})", sentinel=True),
}


def row_of(parameter, large, removed):
    """The Row of a parameter; None where Fortran has no such argument."""
    for key in (parameter.full_kind, parameter.kind):
        if key in KINDS:
            return KINDS[key]
    c_type = kinds.c_type(parameter, large)
    return NARROW if removed and c_type == "MPI_Aint" else TYPES.get(c_type)


def in_fortran(form):
    """Does Fortran have a form of this function?"""
    function = form.function
    if function.returns not in ("int", "double", "MPI_Aint") or function.name.startswith("T_"):
        return False
    if function.returns == "int" and not function.returns_error:
        return False
    return all(row_of(p, form.large, function.removed) for p in form.parameters)


def in_f08(form):
    """Does mpi_f08 have it? Functions deprecated before mpi_f08 existed are missing there."""
    return (in_fortran(form) and not form.function.removed
            and all(row_of(p, form.large, "").f08 or not row_of(p, form.large, "").mpi
                    for p in form.parameters)
            and form.function.deprecated != "2.0")


def has_ierror(form):
    """Does it end with ierror in Fortran?"""
    return form.function.returns_error and form.function.name != "Pcontrol"


def arguments(form):
    """The parameters that Fortran has."""
    return [p for p in form.parameters if row_of(p, form.large, form.function.removed).mpi]
