"""Writes named_types.f90: each named datatype of Fortran, with the type that it stands for."""

NUMBERS = [("INTEGER", "integer"), ("REAL", "real"), ("COMPLEX", "complex"),
           ("DOUBLE_PRECISION", "double precision"), ("DOUBLE_COMPLEX", "complex(kind(1d0))"),
           ("AINT", "integer(MPI_ADDRESS_KIND)"), ("COUNT", "integer(MPI_COUNT_KIND)"),
           ("OFFSET", "integer(MPI_OFFSET_KIND)")]
NUMBERS += [(f"INTEGER{size}", f"integer({size})") for size in (1, 2, 4, 8, 16)]
NUMBERS += [(f"REAL{size}", f"real({size})") for size in (4, 8, 16)]
NUMBERS += [(f"COMPLEX{2 * size}", f"complex({size})") for size in (4, 8, 16)]
OTHERS = [("LOGICAL", "logical", ".true."), ("CHARACTER", "character", "'q'")]
OTHERS += [(f"LOGICAL{size}", f"logical({size})", ".true.") for size in (1, 2, 4, 8, 16)]
PAIRS = [("2INTEGER", "integer"), ("2REAL", "real"), ("2DOUBLE_PRECISION", "double precision")]

ROUTINE = """\
  subroutine of_{name}()
    {type} :: sent(3), got(3)
    integer :: bytes
    sent = {value}
    call MPI_Type_size(MPI_{name}, bytes)
    call check(bytes == storage_size(sent) / 8, 'size of MPI_{name}')
    call MPI_Sendrecv(sent, 3, MPI_{name}, rank, 1, got, 3, MPI_{name}, rank, 1, &
                      MPI_COMM_WORLD, MPI_STATUS_IGNORE)
{checks}  end subroutine
"""
SUM = """\
    call check(all(got == sent), 'MPI_{name}')
    call MPI_Allreduce(sent, got, 3, MPI_{name}, MPI_SUM, MPI_COMM_WORLD)
    call check(all(got == 3 * size), 'sum of MPI_{name}')
"""
SAME = "    call check(logical(all(got {equal} sent)), 'MPI_{name}')\n"
PLACE = """\
    {type} :: pair(2), least(2)
    integer :: bytes
    pair = [size - rank, rank]
    call MPI_Type_size(MPI_{name}, bytes)
    call check(bytes == storage_size(pair) / 4, 'size of MPI_{name}')
    call MPI_Allreduce(pair, least, 1, MPI_{name}, MPI_MINLOC, MPI_COMM_WORLD)
    call check(least(1) == 1 .and. least(2) == size - 1, 'MPI_MINLOC of MPI_{name}')
"""


def routine(name, type_, value, checks):
    return ROUTINE.format(name=name, type=type_, value=value, checks=checks)


def main():
    names = [row[0] for row in NUMBERS + OTHERS + PAIRS]
    routines = [routine(name, type_, 3, SUM.format(name=name)) for name, type_ in NUMBERS]
    routines += [routine(name, type_, value,
                         SAME.format(name=name, equal="==" if type_ == "character" else ".eqv."))
                 for name, type_, value in OTHERS]
    routines += [f"  subroutine of_{name}()\n" + PLACE.format(name=name, type=type_)
                 + "  end subroutine\n" for name, type_ in PAIRS]
    print("program named_types\n  use mpi_f08\n  implicit none\n  integer :: rank, size\n"
          "  call MPI_Init()\n  call MPI_Comm_rank(MPI_COMM_WORLD, rank)\n"
          "  call MPI_Comm_size(MPI_COMM_WORLD, size)")
    print("\n".join(f"  call of_{name}()" for name in names))
    print("  call finish()\ncontains\n" + "".join(routines) + "end program named_types")


if __name__ == "__main__":
    main()
