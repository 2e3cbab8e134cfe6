"""Writes docs/coverage.md: which functions of MPI 5.0 are implemented."""

_OPENING = """\
# Coverage

Generated from `runtime/api/functions.api`; `bazel run //runtime/api:update_coverage` brings it
up to date. Large-count forms (`_c`) count as functions of their own. What is not implemented
is neither in `mpi.h` nor in the library.

| chapter of MPI 5.0 | implemented | all |
| --- | ---: | ---: |
"""


def emit(table):
    """The text of coverage.md."""
    rows = [_row(f"{chapter.number} {chapter.title}", _forms([chapter]))
            for chapter in table.chapters if _forms([chapter])]
    rows.append(_row("**all**", _forms(table.chapters)))
    rows.append(_row("removed before MPI 5.0", _removed(table)))
    missing = [_missing(chapter) for chapter in table.chapters]
    return _OPENING + "".join(rows) + "\n## Not implemented\n" + "".join(missing)


def _forms(chapters):
    return [form for chapter in chapters for function in chapter.functions
            for form in function.forms if not function.removed]


def _removed(table):
    return [form for form in table.forms if form.function.removed]


def _row(title, forms):
    implemented = sum(bool(form.function.implementation) for form in forms)
    return f"| {title} | {implemented} | {len(forms)} |\n"


def _missing(chapter):
    names = [_name(f) for f in chapter.functions if not f.implementation]
    if not names:
        return ""
    return f"\n### {chapter.title}\n\n" + "\n".join(f"- {name}" for name in names) + "\n"


def _name(function):
    return f"MPI_{function.name}" + (" and _c" if function.has_large else "")
