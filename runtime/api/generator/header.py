"""Writes mpi.h: the types, the constants, and the functions that are implemented."""

from generator import kinds
from generator.text import wrap_c

_OPENING = """\
/* mpi.h of Atoll: the standard ABI of MPI 5.0.
 *
 * Generated from the API table; functions that Atoll does not implement yet are
 * absent. A program built with this file runs on any MPI with the standard ABI.
 */
#ifndef MPI_H_INCLUDED
#define MPI_H_INCLUDED

#include <stdint.h>

/* What the integers are, under the names of the MPI Forum's header */
#define MPI_ABI_Aint intptr_t
#define MPI_ABI_Offset int64_t
#define MPI_ABI_Count int64_t

/* C before C99 has no inline functions. */
#if defined(__cplusplus) || (defined(__STDC_VERSION__) && __STDC_VERSION__ >= 199901L)
#define ATOLL_INLINE static inline
#elif defined(__GNUC__)
#define ATOLL_INLINE static __inline__
#else
#define ATOLL_INLINE static
#endif

#ifdef __cplusplus
extern "C" {
#endif
"""

_LEGACY_OPENING = """
/* What programs of MPI-1 use and MPI 5.0 has no more (chapter 17). It is not in the
 * standard ABI: a program that uses it needs Atoll. ATOLL_NO_LEGACY leaves it out.
 */
#ifndef ATOLL_NO_LEGACY
"""

_LEGACY_CLOSING = "\n#endif /* ATOLL_NO_LEGACY */\n"

# The functions of MPI 5.0, 19.3.4 and 19.3.5, are not in the ABI, so functions of the ABI replace
# them.
_FORTRAN = """
/* What Fortran has of handles and statuses */
typedef int MPI_Fint;
typedef struct MPI_F08_status {{
  MPI_Fint MPI_SOURCE;
  MPI_Fint MPI_TAG;
  MPI_Fint MPI_ERROR;
  MPI_Fint MPI_internal[5];
}} MPI_F08_status;
{macros}
#define PMPI_Status_c2f MPI_Status_c2f
#define PMPI_Status_f2c MPI_Status_f2c
#define PMPI_Status_c2f08 MPI_Status_c2f08
#define PMPI_Status_f082c MPI_Status_f082c
#define PMPI_Status_f2f08 MPI_Status_f2f08
#define PMPI_Status_f082f MPI_Status_f082f

/* Fortran's MPI_STATUS_IGNORE and MPI_STATUSES_IGNORE, in the library that mpifort links. */
extern MPI_Fint *MPI_F_STATUS_IGNORE;
extern MPI_Fint *MPI_F_STATUSES_IGNORE;
extern MPI_F08_status *MPI_F08_STATUS_IGNORE;
extern MPI_F08_status *MPI_F08_STATUSES_IGNORE;

ATOLL_INLINE int MPI_Status_c2f(const MPI_Status *c_status, MPI_Fint *f_status) {{
  int i;
  f_status[MPI_F_SOURCE] = c_status->MPI_SOURCE;
  f_status[MPI_F_TAG] = c_status->MPI_TAG;
  f_status[MPI_F_ERROR] = c_status->MPI_ERROR;
  for (i = 0; i < 5; ++i) f_status[3 + i] = c_status->MPI_internal[i];
  return MPI_SUCCESS;
}}

ATOLL_INLINE int MPI_Status_f2c(const MPI_Fint *f_status, MPI_Status *c_status) {{
  int i;
  c_status->MPI_SOURCE = f_status[MPI_F_SOURCE];
  c_status->MPI_TAG = f_status[MPI_F_TAG];
  c_status->MPI_ERROR = f_status[MPI_F_ERROR];
  for (i = 0; i < 5; ++i) c_status->MPI_internal[i] = f_status[3 + i];
  return MPI_SUCCESS;
}}

/* A status of mpi_f08 has the same integers in the same order. */
ATOLL_INLINE int MPI_Status_c2f08(const MPI_Status *c_status, MPI_F08_status *f08_status) {{
  return MPI_Status_c2f(c_status, &f08_status->MPI_SOURCE);
}}

ATOLL_INLINE int MPI_Status_f082c(const MPI_F08_status *f08_status, MPI_Status *c_status) {{
  return MPI_Status_f2c(&f08_status->MPI_SOURCE, c_status);
}}

ATOLL_INLINE int MPI_Status_f2f08(const MPI_Fint *f_status, MPI_F08_status *f08_status) {{
  MPI_Status c_status;
  MPI_Status_f2c(f_status, &c_status);
  return MPI_Status_c2f08(&c_status, f08_status);
}}

ATOLL_INLINE int MPI_Status_f082f(const MPI_F08_status *f08_status, MPI_Fint *f_status) {{
  MPI_Status c_status;
  MPI_Status_f082c(f08_status, &c_status);
  return MPI_Status_c2f(&c_status, f_status);
}}
"""

_CLOSING = """
#ifdef __cplusplus
}
#endif

#endif /* MPI_H_INCLUDED */
"""


def emit(table, constants, types):
    """The text of mpi.h, from a Table and the Groups of constants and types."""
    parts = [_OPENING]
    parts += [_enumeration(name, constants) for name in _enumerations(constants)]
    parts += [_typedefs(group) for group in types if not group.removed]
    parts += [_macros(group) for group in constants if not group.removed]
    parts.append("\n/* Functions, by chapter of the standard */\n")
    parts += [_prototypes(chapter, "MPI_") for chapter in table.chapters]
    parts.append("\n/* The same under the names for profiling (MPI 5.0, 15.2) */\n")
    parts += [_prototypes(chapter, "PMPI_") for chapter in table.chapters]
    return "".join(parts) + _fortran(table) + _legacy(table, constants, types) + _CLOSING


def _fortran(table):
    kinds_of_handles = [f.name[:-len("_toint")] for f in table.functions
                        if f.name.endswith("_toint") and f.implementation]
    if not kinds_of_handles:
        return ""
    return _FORTRAN.format(macros="\n".join(
        f"#define {f'{prefix}{kind}_{new}':<31} {prefix}{kind}_{old}"
        for kind in kinds_of_handles for prefix in ("MPI_", "PMPI_")
        for new, old in (("c2f", "toint"), ("f2c", "fromint"))))


def _legacy(table, constants, types):
    """The functions and constants that are not in MPI 5.0 any more."""
    parts = [_LEGACY_OPENING]
    parts += [_typedefs(group) for group in types if group.removed]
    parts += [_macros(group) for group in constants if group.removed]
    parts += [_prototypes(chapter, prefix, removed=True) for prefix in ("MPI_", "PMPI_")
              for chapter in table.chapters]
    return "".join(parts) + _LEGACY_CLOSING


def prototype(form, prefix="MPI_"):
    """The declaration of one C function, without the semicolon."""
    arguments = ", ".join(kinds.declarator(p, form.large) for p in form.parameters) or "void"
    return f"{form.function.returns} {prefix}{form.name[len('MPI_'):]}({arguments})"


def is_enumeration(constant):
    return constant.type in ("MPI_T_cb_safety", "MPI_T_source_order")


def macro_value(constant):
    """The expansion of the constant's macro."""
    if not constant.value.lstrip("-")[0].isdigit():
        return constant.value
    if constant.type == "int":
        return f"({constant.value})" if constant.value.startswith("-") else constant.value
    return f"(({constant.type}){constant.value})"


def _enumerations(constants):
    members = [c for group in constants for c in group.members if is_enumeration(c)]
    return list(dict.fromkeys(c.type for c in members))


def _enumeration(name, constants):
    members = [c for group in constants for c in group.members if c.type == name]
    lines = ",\n".join(f"  {member.name} = {member.value}" for member in members)
    return f"\ntypedef enum {name} {{\n{lines}\n}} {name};\n"


def _typedefs(group):
    lines = "\n".join(wrap_c(f"typedef {line};") for line in group.members)
    return f"\n/* {group.title} */\n{lines}\n"


def _macros(group):
    members = [member for member in group.members if not is_enumeration(member)]
    lines = "\n".join(f"#define {member.name:<31} {macro_value(member)}" for member in members)
    return f"\n/* {group.title} */\n{lines}\n"


def _prototypes(chapter, prefix, removed=False):
    implemented = [f for f in chapter.functions if f.implementation and bool(f.removed) == removed]
    if not implemented:
        return ""
    lines = "\n".join(wrap_c(prototype(form, prefix) + ";")
                      for function in implemented for form in function.forms)
    return f"\n/* {chapter.title} */\n{lines}\n"

