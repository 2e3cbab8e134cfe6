! A hot spot spreads on a cold plate: the computation of heat.c in Fortran, with mpi_f08.
!
!   mpifort -O2 -o plate plate.f90 && mpiexec -n 4 ./plate [CELLS [STEPS]]      256 1000
!
! The plate is cut into blocks, one a rank, on a Cartesian grid. The rims go to the neighbours as
! sections of the array: rows of a block, which are not contiguous, are sent where they lie.
program plate
  use mpi_f08
  implicit none
  integer :: rank, size, cells, steps, step, dims(2), place(2), low(2), high(2)
  integer :: up, down, left, right
  type(MPI_Comm) :: grid
  double precision, allocatable :: now(:, :), next(:, :)
  double precision :: warmth, total, start

  call MPI_Init()
  call MPI_Comm_size(MPI_COMM_WORLD, size)
  cells = argument(1, 256)
  steps = argument(2, 1000)

  dims = 0
  call MPI_Dims_create(size, 2, dims)
  call MPI_Cart_create(MPI_COMM_WORLD, 2, dims, [.false., .false.], .true., grid)
  call MPI_Comm_rank(grid, rank)
  call MPI_Cart_coords(grid, rank, 2, place)
  call MPI_Cart_shift(grid, 0, 1, up, down)
  call MPI_Cart_shift(grid, 1, 1, left, right)

  ! The block's own cells, of the whole plate's 1 to `cells`, and a rim around them.
  low = cells * place / dims + 1
  high = cells * (place + 1) / dims
  allocate (now(low(1)-1:high(1)+1, low(2)-1:high(2)+1))
  allocate (next, mold=now)
  now = 0
  next = 0
  call heat_up()

  start = MPI_Wtime()
  do step = 1, steps
    call exchange_rims()
    next(low(1):high(1), low(2):high(2)) = 0.25d0 * &
        (now(low(1)-1:high(1)-1, low(2):high(2)) + now(low(1)+1:high(1)+1, low(2):high(2)) + &
         now(low(1):high(1), low(2)-1:high(2)-1) + now(low(1):high(1), low(2)+1:high(2)+1))
    now(low(1):high(1), low(2):high(2)) = next(low(1):high(1), low(2):high(2))
  end do

  warmth = sum(now(low(1):high(1), low(2):high(2)))
  call MPI_Reduce(warmth, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, 0, grid)
  if (rank == 0) then
    print '(i0, a, i0, a, f0.3, a)', cells, ' x ', cells, ' cells, warmth ', total, ' at the end'
    print '(a, f0.3, a)', 'took ', MPI_Wtime() - start, ' s'
  end if
  call MPI_Comm_free(grid)
  call MPI_Finalize()

contains

  integer function argument(position, default)
    integer, intent(in) :: position, default
    character(len=20) :: text
    argument = default
    call get_command_argument(position, text)
    if (text /= '') read (text, *) argument
  end function argument

  ! A hot square in the middle.
  subroutine heat_up()
    integer :: i, j
    do j = max(low(2), cells / 3), min(high(2), cells * 2 / 3)
      do i = max(low(1), cells / 3), min(high(1), cells * 2 / 3)
        now(i, j) = 100
      end do
    end do
  end subroutine heat_up

  ! At the edge of the plate the neighbour is MPI_PROC_NULL, and the rim stays cold.
  subroutine exchange_rims()
    integer :: height, width
    height = high(1) - low(1) + 1
    width = high(2) - low(2) + 1
    call MPI_Sendrecv(now(low(1), low(2):high(2)), width, MPI_DOUBLE_PRECISION, up, 1, &
                      now(high(1)+1, low(2):high(2)), width, MPI_DOUBLE_PRECISION, down, 1, &
                      grid, MPI_STATUS_IGNORE)
    call MPI_Sendrecv(now(high(1), low(2):high(2)), width, MPI_DOUBLE_PRECISION, down, 1, &
                      now(low(1)-1, low(2):high(2)), width, MPI_DOUBLE_PRECISION, up, 1, &
                      grid, MPI_STATUS_IGNORE)
    call MPI_Sendrecv(now(low(1):high(1), low(2)), height, MPI_DOUBLE_PRECISION, left, 1, &
                      now(low(1):high(1), high(2)+1), height, MPI_DOUBLE_PRECISION, right, 1, &
                      grid, MPI_STATUS_IGNORE)
    call MPI_Sendrecv(now(low(1):high(1), high(2)), height, MPI_DOUBLE_PRECISION, right, 1, &
                      now(low(1):high(1), low(2)-1), height, MPI_DOUBLE_PRECISION, left, 1, &
                      grid, MPI_STATUS_IGNORE)
  end subroutine exchange_rims

end program plate
