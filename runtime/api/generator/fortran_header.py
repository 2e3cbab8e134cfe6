"""Writes mpif.h, valid in fixed and in free form, and the parts that the module mpi shares."""

from generator import fortran_kinds

_OPENING = """\
! mpif.h of Atoll, for fixed and free form. Generated from the API table.
!
"""

KIND_PARAMETERS = (("MPI_INTEGER_KIND", 4), ("MPI_ADDRESS_KIND", 8), ("MPI_COUNT_KIND", 8),
                   ("MPI_OFFSET_KIND", 8))

# The indices of the members of a status in Fortran's arrays.
STATUS = (("MPI_STATUS_SIZE", fortran_kinds.STATUS_SIZE), ("MPI_SOURCE", 1), ("MPI_TAG", 2),
           ("MPI_ERROR", 3))

# Sentinels: variables of two common blocks (runtime/fortran/sentinels.h). Name -> extents, and the
# type in mpi_f08 where that differs.
SENTINELS = {
    "MPI_BOTTOM": "", "MPI_IN_PLACE": "", "MPI_BUFFER_AUTOMATIC": "", "MPI_UNWEIGHTED": "(1)",
    "MPI_WEIGHTS_EMPTY": "(1)", "MPI_ERRCODES_IGNORE": "(1)",
    "MPI_STATUS_IGNORE": "(MPI_STATUS_SIZE)", "MPI_STATUSES_IGNORE": "(MPI_STATUS_SIZE,1)",
}
STRING_SENTINELS = {"MPI_ARGV_NULL": "(1)", "MPI_ARGVS_NULL": "(1,1)"}
COMMON = "MPI_ATOLL_SENTINELS"
STRING_COMMON = "MPI_ATOLL_STRINGS"

_FUNCTIONS = {"double": "DOUBLE PRECISION", "MPI_Aint": "INTEGER(KIND=MPI_ADDRESS_KIND)"}


def emit(table, constants):
    """The text of mpif.h."""
    lines = declarations(constants, asynchronous="FALSE")
    for form in functions(table):
        for prefix in ("", "P"):
            lines += [f"{_FUNCTIONS[form.function.returns]} {prefix}{form.name.upper()}",
                      f"EXTERNAL {prefix}{form.name.upper()}"]
    for name in callbacks(constants):
        lines.append(f"EXTERNAL {name}")
    return _OPENING + "".join(f"      {line}\n" for line in lines)


def functions(table):
    """The implemented functions that return no error code."""
    return [form for form in table.forms if form.function.implementation
            and not form.function.returns_error and fortran_kinds.in_fortran(form)]


def callbacks(constants):
    """Names of the predefined callbacks."""
    return [c.name for group in constants for c in group.members if c.type.endswith("function*")]


def declarations(constants, asynchronous):
    """Constants and sentinels; each line fits into fixed form."""
    lines = []
    for name, number in KIND_PARAMETERS + STATUS:
        lines += _parameter("INTEGER", name, number)
    lines += _parameter("LOGICAL", "MPI_SUBARRAYS_SUPPORTED", ".FALSE.")
    lines += _parameter("LOGICAL", "MPI_ASYNC_PROTECTS_NONBLOCKING", f".{asynchronous}.")
    for constant in numbers(constants):
        type_ = "INTEGER"
        if constant.type == "MPI_Offset":
            type_ = "INTEGER(KIND=MPI_OFFSET_KIND)"
        lines += _parameter(type_, constant.name, value(constant, constants))
    lines += [f"INTEGER {name}{extents}" for name, extents in SENTINELS.items()]
    lines += [f"COMMON /{COMMON}/ {name}" for name in SENTINELS]
    lines += [f"CHARACTER*1 {name}{extents}" for name, extents in STRING_SENTINELS.items()]
    lines += [f"COMMON /{STRING_COMMON}/ {name}" for name in STRING_SENTINELS]
    return lines


def numbers(constants):
    """The constants that are numbers in Fortran, including handles."""
    return [c for group in constants for c in group.members
            if (c.type in ("int", "MPI_Offset") or c.type in fortran_kinds.HANDLES)
            and not c.name.startswith(("MPI_T_", "MPI_F_"))]


def value(constant, constants):
    """The value in Fortran, where lengths of strings do not include C's terminating null."""
    if constant.value.startswith("MPI_"):
        constant = next(c for group in constants for c in group.members
                        if c.name == constant.value)
    number = int(constant.value, 0)
    return number - 1 if constant.name.startswith("MPI_MAX_") else number


def _parameter(type_, name, value_):
    return [f"{type_} {name}", f"PARAMETER ({name}={value_})"]
