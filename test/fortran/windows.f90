! One-sided communication with mpi_f08 and the module mpi (windows_fixed.f: mpif.h): windows on memory of the program and of MPI, sections
! of arrays put and got where they lie, all kinds of epochs, attributes, and callbacks.
program windows
  use mpi_f08
  implicit none
  integer :: rank, size, left, right

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, size)
  left = modulo(rank - 1, size)
  right = modulo(rank + 1, size)
  call created()
  call allocated()
  call shared()
  call dynamic()
  call atomics()
  call posts()
  call with_mpi(rank, left, right)
  call finish()

contains

  ! Sections at the origin, a column at the target.
  subroutine created()
    integer, asynchronous :: matrix(4, 5), from(3, 10), back(9)
    integer(kind=MPI_ADDRESS_KIND) :: bytes, lb, extent
    type(MPI_Win) :: win
    type(MPI_Datatype) :: column
    integer :: i
    call MPI_Type_get_extent(MPI_INTEGER, lb, extent)
    bytes = 20 * extent
    matrix = -1
    from = reshape([(100 * rank + i, i = 1, 30)], [3, 10])
    call MPI_Win_create(matrix, bytes, int(extent), MPI_INFO_NULL, MPI_COMM_WORLD, win)
    call MPI_Type_vector(5, 1, 4, MPI_INTEGER, column)
    call MPI_Type_commit(column)
    call MPI_Win_fence(MPI_MODE_NOPRECEDE, win)
    call MPI_Put(from(2, 1:9:2), 5, MPI_INTEGER, right, 2_MPI_ADDRESS_KIND, 1, column, win)
    call MPI_Win_fence(0, win)
    call MPI_F_sync_reg(matrix)
    call check(all(matrix(3, :) == [(100 * left + 2 + 6 * i, i = 0, 4)]), 'MPI_Put of a section')
    call check(count(matrix == -1) == 15, 'MPI_Put of a section: beside')
    call MPI_Win_fence(0, win)
    back = 0
    call MPI_Get(back(9:1:-2), 5, MPI_INTEGER, right, 2_MPI_ADDRESS_KIND, 1, column, win)
    call MPI_Win_fence(MPI_MODE_NOSUCCEED, win)
    call MPI_F_sync_reg(back)
    call check(all(back(9:1:-2) == [(100 * rank + 2 + 6 * i, i = 0, 4)]), 'MPI_Get into a section')
    call check(all(back(2:8:2) == 0), 'MPI_Get into a section: beside')
    call MPI_Type_free(column)
    call MPI_Win_free(win)
    call check(win == MPI_WIN_NULL, 'MPI_Win_free')
  end subroutine created

  ! Memory of MPI, seen as an array.
  subroutine allocated()
    use, intrinsic :: iso_c_binding
    type(c_ptr) :: base
    type(MPI_Win) :: win
    type(MPI_Request) :: request
    double precision, pointer :: own(:)
    double precision, asynchronous :: out(3), in(3)
    integer(kind=MPI_ADDRESS_KIND) :: value
    logical :: found
    call MPI_Win_allocate(80_MPI_ADDRESS_KIND, 8, MPI_INFO_NULL, MPI_COMM_WORLD, base, win)
    call c_f_pointer(base, own, [10])
    call MPI_Win_get_attr(win, MPI_WIN_SIZE, value, found)
    call check(found .and. value == 80, 'MPI_WIN_SIZE')
    call MPI_Win_get_attr(win, MPI_WIN_DISP_UNIT, value, found)
    call check(found .and. value == 8, 'MPI_WIN_DISP_UNIT')
    call MPI_Win_get_attr(win, MPI_WIN_CREATE_FLAVOR, value, found)
    call check(found .and. value == MPI_WIN_FLAVOR_ALLOCATE, 'MPI_WIN_CREATE_FLAVOR')
    call MPI_Win_get_attr(win, MPI_WIN_BASE, value, found)
    call check(found .and. value == transfer(base, value), 'MPI_WIN_BASE')
    call MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, win)
    own = 1
    call MPI_Win_unlock(rank, win)
    call MPI_Barrier(MPI_COMM_WORLD)
    out = [1d0, 2d0, 3d0]
    call MPI_Win_lock(MPI_LOCK_SHARED, right, 0, win)
    call MPI_Accumulate(out, 3, MPI_DOUBLE_PRECISION, right, 4_MPI_ADDRESS_KIND, 3, &
                        MPI_DOUBLE_PRECISION, MPI_SUM, win)
    call MPI_Win_flush(right, win)
    in = 0
    call MPI_Rget(in, 3, MPI_DOUBLE_PRECISION, right, 4_MPI_ADDRESS_KIND, 3, MPI_DOUBLE_PRECISION, &
                  win, request)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    call MPI_Win_unlock(right, win)
    call MPI_F_sync_reg(in)
    call check(all(in == [2d0, 3d0, 4d0]), 'MPI_Accumulate and MPI_Rget')
    call MPI_Barrier(MPI_COMM_WORLD)
    call MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win)
    call check(sum(own) == 16, 'memory of MPI_Win_allocate')
    call MPI_Win_unlock(rank, win)
    call MPI_Win_free(win)
  end subroutine allocated

  subroutine shared()
    use, intrinsic :: iso_c_binding
    type(c_ptr) :: base, theirs
    type(MPI_Win) :: win
    integer(kind=MPI_ADDRESS_KIND) :: bytes
    integer :: unit
    integer, pointer :: own(:), next(:)
    call MPI_Win_allocate_shared(16_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, base, win)
    call MPI_Win_shared_query(win, right, bytes, unit, theirs)
    call check(bytes == 16 .and. unit == 4, 'MPI_Win_shared_query')
    call c_f_pointer(base, own, [4])
    call c_f_pointer(theirs, next, [4])
    call MPI_Win_lock_all(MPI_MODE_NOCHECK, win)
    next = rank
    call MPI_Win_sync(win)
    call MPI_Barrier(MPI_COMM_WORLD)
    call MPI_Win_sync(win)
    call check(all(own == left), 'stores to shared memory')
    call MPI_Win_unlock_all(win)
    call MPI_Win_free(win)
  end subroutine shared

  subroutine dynamic()
    integer, asynchronous :: own(4), got
    integer(kind=MPI_ADDRESS_KIND) :: address, theirs
    type(MPI_Win) :: win
    own = [10, 11, 12, 13] + 100 * rank
    call MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, win)
    call MPI_Win_attach(win, own, 16_MPI_ADDRESS_KIND)
    call MPI_Get_address(own, address)
    call MPI_Sendrecv(address, 1, MPI_AINT, left, 1, theirs, 1, MPI_AINT, right, 1, &
                      MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    call MPI_Win_lock_all(0, win)
    got = -1
    call MPI_Get(got, 1, MPI_INTEGER, right, MPI_Aint_add(theirs, 8_MPI_ADDRESS_KIND), 1, &
                 MPI_INTEGER, win)
    call MPI_Win_unlock_all(win)
    call MPI_F_sync_reg(got)
    call check(got == 12 + 100 * right, 'dynamic memory')
    call MPI_Barrier(MPI_COMM_WORLD)
    call MPI_Win_detach(win, own)
    call MPI_Win_free(win)
  end subroutine dynamic

  ! Each ticket once: their sum is known.
  subroutine atomics()
    use, intrinsic :: iso_c_binding
    type(c_ptr) :: base
    type(MPI_Win) :: win
    integer, pointer :: own(:)
    integer, asynchronous :: one, ticket
    integer :: i, total, all_tickets, n
    call MPI_Win_allocate(16_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, base, win)
    call c_f_pointer(base, own, [4])
    call MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, win)
    own = 0
    call MPI_Win_unlock(rank, win)
    call MPI_Barrier(MPI_COMM_WORLD)
    one = 1
    total = 0
    call MPI_Win_lock_all(0, win)
    do i = 1, 50
      call MPI_Fetch_and_op(one, ticket, MPI_INTEGER, 0, 1_MPI_ADDRESS_KIND, MPI_SUM, win)
      call MPI_Win_flush(0, win)
      call MPI_F_sync_reg(ticket)
      total = total + ticket
    end do
    call MPI_Win_unlock_all(win)
    call MPI_Allreduce(total, all_tickets, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
    n = 50 * size
    call check(all_tickets == n * (n - 1) / 2, 'MPI_Fetch_and_op')
    call MPI_Win_free(win)
  end subroutine atomics

  subroutine posts()
    integer, asynchronous :: own(2), out
    type(MPI_Win) :: win
    type(MPI_Group) :: whole, origins, targets
    logical :: done
    own = -1
    call MPI_Win_create(own, 8_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win)
    call MPI_Win_get_group(win, whole)
    call MPI_Group_incl(whole, 1, [left], origins)
    call MPI_Group_incl(whole, 1, [right], targets)
    call MPI_Win_post(origins, 0, win)
    call MPI_Win_start(targets, 0, win)
    out = rank
    call MPI_Put(out, 1, MPI_INTEGER, right, 1_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win)
    call MPI_Win_complete(win)
    done = .false.
    do while (.not. done)
      call MPI_Win_test(win, done)
    end do
    call MPI_F_sync_reg(own)
    call check(own(1) == -1 .and. own(2) == left, 'post, start, complete, test')
    call MPI_Group_free(whole)
    call MPI_Group_free(origins)
    call MPI_Group_free(targets)
    call MPI_Win_free(win)
  end subroutine posts
end program windows

subroutine with_mpi(rank, left, right)
  use mpi
  use, intrinsic :: iso_c_binding
  implicit none
  integer :: rank, left, right, win, ierror, keyval
  integer, asynchronous :: own(4), out, got
  integer(kind=MPI_ADDRESS_KIND) :: value
  type(c_ptr) :: base
  integer, pointer :: memory(:)
  logical :: found
  own = 5
  call MPI_Win_create(own, 16_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierror)
  call MPI_Win_fence(0, win, ierror)
  out = rank
  call MPI_Accumulate(out, 1, MPI_INTEGER, right, 3_MPI_ADDRESS_KIND, 1, MPI_INTEGER, MPI_SUM, win, &
                      ierror)
  call MPI_Win_fence(0, win, ierror)
  call check(own(4) == 5 + left .and. own(1) == 5, 'module mpi: MPI_Accumulate')
  call MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, MPI_WIN_NULL_DELETE_FN, keyval, &
                             0_MPI_ADDRESS_KIND, ierror)
  call MPI_Win_set_attr(win, keyval, 4711_MPI_ADDRESS_KIND, ierror)
  call MPI_Win_get_attr(win, keyval, value, found, ierror)
  call check(found .and. value == 4711, 'module mpi: attribute of a window')
  call MPI_Win_free_keyval(keyval, ierror)
  call MPI_Win_free(win, ierror)
  call check(win == MPI_WIN_NULL, 'module mpi: MPI_Win_free')

  call MPI_Win_allocate(16_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, base, win, ierror)
  call c_f_pointer(base, memory, [4])
  call MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, win, ierror)
  memory = rank
  call MPI_Win_unlock(rank, win, ierror)
  call MPI_Barrier(MPI_COMM_WORLD, ierror)
  got = -1
  call MPI_Win_lock(MPI_LOCK_SHARED, right, 0, win, ierror)
  call MPI_Get(got, 1, MPI_INTEGER, right, 2_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win, ierror)
  call MPI_Win_unlock(right, win, ierror)
  call check(got == right, 'module mpi: MPI_Get')
  call MPI_Win_free(win, ierror)
end subroutine with_mpi
