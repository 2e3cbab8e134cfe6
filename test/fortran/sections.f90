! Sections of arrays are sent and received where they lie (MPI 5.0, 19.1.12): whatever their rank
! and strides, in blocking, non-blocking and persistent calls, in messages and collectives.
program sections
  use mpi_f08
  implicit none
  integer :: rank, size

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, size)
  call check(MPI_SUBARRAYS_SUPPORTED, 'MPI_SUBARRAYS_SUPPORTED')
  call check(MPI_ASYNC_PROTECTS_NONBLOCKING, 'MPI_ASYNC_PROTECTS_NONBLOCKING')
  call messages()
  call in_place_until_complete()
  call assumed_shapes()
  call counts()
  call derived()
  call gathers()
  call vectors()
  call reductions()
  call persistent_reduction()
  call packed()
  call bottom()
  call finish()

contains

  ! Each number is its place.
  subroutine fill(a)
    integer, intent(out) :: a(:, :, :)
    integer :: i, j, k
    do k = 1, ubound(a, 3)
      do j = 1, ubound(a, 2)
        do i = 1, ubound(a, 1)
          a(i, j, k) = rank * 1000000 + i + 100 * j + 10000 * k
        end do
      end do
    end do
  end subroutine fill

  ! Sections of one to three dimensions, forwards and backwards, into others.
  subroutine messages()
    integer :: a(10, 9, 8), b(10, 9, 8), c(10, 9, 8), left, right
    type(MPI_Status) :: status
    integer :: n
    left = modulo(rank - 1, size)
    right = modulo(rank + 1, size)
    call fill(a)
    c = a - (rank - left) * 1000000  ! what the left one sends

    b = 0
    call MPI_Sendrecv(a(2:9:3, 4, 5), 3, MPI_INTEGER, right, 1, &
                      b(9:1:-4, 2, 1), 3, MPI_INTEGER, left, 1, MPI_COMM_WORLD, status)
    call check(all(b(9:1:-4, 2, 1) == c(2:9:3, 4, 5)) .and. sum(b) == sum(c(2:9:3, 4, 5)), 'rank 1')
    call MPI_Get_count(status, MPI_INTEGER, n)
    call check(n == 3, 'count of a section')

    b = 0
    call MPI_Sendrecv(a(:, 3, :), 80, MPI_INTEGER, right, 1, &
                      b(1, 1:9, :), 72, MPI_INTEGER, MPI_PROC_NULL, 1, MPI_COMM_WORLD, status)
    call MPI_Recv(b(:, 9, 8:1:-1), 80, MPI_INTEGER, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    call check(all(b(:, 9, 8:1:-1) == c(:, 3, :)) .and. all(b(:, 1:8, :) == 0), 'rank 2')

    b = 0
    call MPI_Sendrecv(a(1:10:3, 9:1:-2, 2:7:5), 40, MPI_INTEGER, right, 1, &
                      b(4:7, 1:5, 3:4), 40, MPI_INTEGER, left, 1, MPI_COMM_WORLD, status)
    call check(all(b(4:7, 1:5, 3:4) == c(1:10:3, 9:1:-2, 2:7:5)), 'rank 3')
    b(4:7, 1:5, 3:4) = 0
    call check(all(b == 0), 'nothing beside the section')
  end subroutine messages

  ! A non-blocking receive writes into the section itself, and a send reads it.
  subroutine in_place_until_complete()
    integer, asynchronous :: a(6, 6), b(6, 6)
    type(MPI_Request) :: requests(2)
    integer :: left, right
    left = modulo(rank - 1, size)
    right = modulo(rank + 1, size)
    a = rank
    b = -1
    call MPI_Irecv(b(2:6:2, 1:5:2), 9, MPI_INTEGER, left, 1, MPI_COMM_WORLD, requests(1))
    call MPI_Issend(a(1:5:2, 6:1:-2), 9, MPI_INTEGER, right, 1, MPI_COMM_WORLD, requests(2))
    b(1, 1) = 7  ! beside the section, while the operation is under way
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
    call check(all(b(2:6:2, 1:5:2) == left) .and. b(1, 1) == 7 .and. b(3, 3) == -1, 'in place')
    call check(all(requests == MPI_REQUEST_NULL), 'requests are null')
  end subroutine in_place_until_complete

  subroutine assumed_shapes()
    integer :: a(8, 8)
    complex :: z(4, 4)
    character(len=3) :: text(5)
    integer :: i
    a = reshape([(i, i = 1, 64)], [8, 8])
    call through(a(1:7:2, 2:8:3), a(2:8:2, 2:8:3))
    call check(all(a(2:8:2, 2:8:3) == a(1:7:2, 2:8:3)), 'assumed shape')
    z = (1, 2)
    z(2, :) = [(cmplx(i, -i), i = 1, 4)]
    call MPI_Sendrecv(z(2, :), 4, MPI_COMPLEX, rank, 1, z(3, 4:1:-1), 4, MPI_COMPLEX, rank, 1, &
                      MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    call check(all(z(3, 4:1:-1) == z(2, :)), 'complex')
    ! Eight REALs are four numbers.
    call MPI_Sendrecv(z(2, :), 8, MPI_REAL, rank, 1, z(1, 4:1:-1), 4, MPI_COMPLEX, rank, 1, &
                      MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    call check(all(z(1, 4:1:-1) == z(2, :)), 'complex as pairs of reals')
    text = ['abc', 'def', 'ghi', 'jkl', 'mno']
    call MPI_Sendrecv(text(1:3:2), 6, MPI_CHARACTER, rank, 1, text(5:4:-1), 6, MPI_CHARACTER, &
                      rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    call check(text(5) == 'abc' .and. text(4) == 'ghi', 'characters')
  end subroutine assumed_shapes

  subroutine through(from, to)
    integer, intent(in) :: from(:, :)
    integer, intent(inout) :: to(:, :)
    call MPI_Sendrecv(from, 12_MPI_COUNT_KIND, MPI_INTEGER, rank, 1, to, 12_MPI_COUNT_KIND, MPI_INTEGER, &
                      rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
  end subroutine through

  ! Fewer elements than the section has: the first ones, in the order of the array.
  subroutine counts()
    integer :: a(7, 5, 4), b(40), i
    do i = 1, 24
      call fill(a)
      b = 0
      call MPI_Sendrecv(a(1:5:2, 5:2:-1, 1:4:3), i, MPI_INTEGER, rank, 1, b, 40, MPI_INTEGER, rank, &
                        1, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
      call check(all(b(1:i) == first(a(1:5:2, 5:2:-1, 1:4:3), i)) .and. all(b(i+1:) == 0), 'counts')
    end do
    b = 5
    call MPI_Sendrecv(b(1:40:2), 0, MPI_INTEGER, rank, 1, b(2:40:2), 20, MPI_INTEGER, rank, 1, &
                      MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    call check(all(b == 5), 'no elements')
  end subroutine counts

  function first(section, n)
    integer, intent(in) :: section(:, :, :), n
    integer :: first(n), packed(24)
    packed = reshape(section, [24])
    first = packed(1:n)
  end function first

  ! A datatype that has gaps itself, over a section with gaps.
  subroutine derived()
    integer :: a(12, 6), b(72), c(36), i
    type(MPI_Datatype) :: pairs, swapped
    a = reshape([(i, i = 1, 72)], [12, 6])
    c = reshape(a(1:11:2, :), [36])
    call MPI_Type_vector(3, 2, 4, MPI_INTEGER, pairs)  ! places 0 1 4 5 8 9, extent 10
    call MPI_Type_commit(pairs)
    b = 0
    call MPI_Sendrecv(a(1:11:2, :), 3, pairs, rank, 1, b, 18, MPI_INTEGER, rank, 1, &
                      MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    do i = 0, 2
      call check(all(b(6*i+1:6*i+6) == c([1, 2, 5, 6, 9, 10] + 10 * i)), 'vector over a section')
    end do
    call MPI_Type_indexed(2, [1, 1], [1, 0], MPI_INTEGER, swapped)  ! the second first
    call MPI_Type_commit(swapped)
    b = 0
    call MPI_Sendrecv(c, 4, MPI_INTEGER, rank, 1, b(1:70:23), 2, swapped, rank, 1, &
                      MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    call check(all(b(1:70:23) == c([2, 1, 4, 3])), 'into a section in another order')
    call MPI_Type_free(pairs)
    call MPI_Type_free(swapped)
  end subroutine derived

  ! Blocks of several ranks: of one stride, whole columns, and what lies irregularly.
  subroutine gathers()
    integer :: line(2 * 6 * size), back(7, 3 * size), i, j
    integer, asynchronous :: mine(6), matrix(7, 3 * size), odd(4, 3 * size)
    type(MPI_Request) :: request
    mine = [(100 * rank + i, i = 1, 6)]

    line = 0
    call MPI_Allgather(mine, 6, MPI_INTEGER, line(2::2), 6, MPI_INTEGER, MPI_COMM_WORLD)
    call check(all(line(1::2) == 0), 'allgather: between')
    call check(all(line(2::2) == [((100 * j + i, i = 1, 6), j = 0, size - 1)]), 'allgather: stride')

    matrix = 0
    call MPI_Iallgather(mine, 6, MPI_INTEGER, matrix(2:4, 1:2*size), 6, MPI_INTEGER, &
                        MPI_COMM_WORLD, request)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    call check(all(reshape(matrix(2:4, 1:2*size), [6 * size]) == &
                   [((100 * j + i, i = 1, 6), j = 0, size - 1)]), 'allgather: columns')
    call check(all(matrix(1, :) == 0) .and. all(matrix(5:, :) == 0), 'allgather: beside columns')

    odd = 0
    call MPI_Iallgather(mine, 6, MPI_INTEGER, odd(1:4:1, 1:3*size:2), 6, MPI_INTEGER, &
                        MPI_COMM_WORLD, request)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    call check(all(first_of(odd(:, 1:3*size:2), 6 * size) == &
                   [((100 * j + i, i = 1, 6), j = 0, size - 1)]), 'allgather: irregular')
    call check(all(odd(:, 2:3*size:2) == 0), 'allgather: beside what is irregular')

    back = 0
    call MPI_Alltoall(matrix(2:4, 1:2*size), 6, MPI_INTEGER, back(5:7, 1:2*size), 6, MPI_INTEGER, &
                      MPI_COMM_WORLD)
    call check(all([(all(reshape(back(5:7, 2*j+1:2*j+2), [6]) == [(100 * rank + i, i = 1, 6)]), &
                     j = 0, size - 1)]), 'alltoall')
    mine = 0
    call MPI_Scatter(matrix(2:4, 1:2*size), 6, MPI_INTEGER, mine(6:1:-1), 6, MPI_INTEGER, 0, &
                     MPI_COMM_WORLD)
    call check(all(mine(6:1:-1) == [(100 * rank + i, i = 1, 6)]), 'scatter')
    if (rank == 0) back = 9
    call MPI_Bcast(back(1:7:3, 1:3*size:2), 3 * ((3 * size + 1) / 2), MPI_INTEGER, 0, MPI_COMM_WORLD)
    call check(all(back(1:7:3, 1:3*size:2) == 9), 'bcast')
    call MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, line(1::2), 6, MPI_INTEGER, MPI_COMM_WORLD)
  end subroutine gathers

  function first_of(section, n)
    integer, intent(in) :: section(:, :), n
    integer :: first_of(n), all_of_it(ubound(section, 1) * ubound(section, 2))
    all_of_it = reshape(section, [ubound(all_of_it, 1)])
    first_of = all_of_it(1:n)
  end function first_of

  ! Blocks of different lengths.
  subroutine vectors()
    integer :: line(3 * size * (size + 1)), n, j, i
    integer, asynchronous :: lengths(size), places(size), mine(2 * size)
    integer, asynchronous :: square(3, size * (size + 1))
    type(MPI_Request) :: request
    lengths = [(j, j = 1, size)]
    places = [(j * (j - 1) / 2, j = 1, size)]
    n = rank + 1
    mine = [(10 * rank + i, i = 1, 2 * size)]
    line = 0
    call MPI_Allgatherv(mine(1:2*size:2), n, MPI_INTEGER, line(1::3), lengths, places, MPI_INTEGER, &
                        MPI_COMM_WORLD)
    call check(all([(line(1 + 3 * places(j) : 3 * (places(j) + j) : 3) == &
                     [(10 * (j - 1) + 2 * i - 1, i = 1, j)], j = 1, size)]), 'allgatherv: stride')
    square = 0
    call MPI_Igatherv(mine(1:2*size:2), n, MPI_INTEGER, square(2:3, :), lengths, places, MPI_INTEGER, &
                      0, MPI_COMM_WORLD, request)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    if (rank == 0) then
      line(1:2*size*(size+1)) = reshape(square(2:3, :), [2 * size * (size + 1)])
      call check(all([(line(places(j) + 1 : places(j) + j) == &
                       [(10 * (j - 1) + 2 * i - 1, i = 1, j)], j = 1, size)]), 'igatherv: matrix')
    end if
    call check(all(square(1, :) == 0), 'igatherv: beside')
  end subroutine vectors

  subroutine reductions()
    integer, asynchronous :: a(8, 6), b(8, 6)
    integer :: total
    type(MPI_Request) :: request
    total = size * (size - 1) / 2
    a = rank
    b = -1
    call MPI_Allreduce(a(1:7:2, 2:5), b(2:8:2, 1:6:5), 8, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
    call check(all(b(2:8:2, 1:6:5) == total) .and. all(b(:, 2:5) == -1), 'allreduce')
    call MPI_Allreduce(MPI_IN_PLACE, a(1:7:2, 2:5), 16, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
    call check(all(a(1:7:2, 2:5) == total) .and. all(a(2:8:2, :) == rank), 'allreduce in place')
    a = rank
    b = -1
    call MPI_Iallreduce(a(1:7:2, 2:5), b(2:8:2, 3:6), 16, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, &
                        request)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    call check(all(b(2:8:2, 3:6) == total) .and. all(b(1:7:2, :) == -1), 'iallreduce')
    b = -1
    call MPI_Reduce(a(1:7:2, 1), b(1, 1:6:2), 3, MPI_INTEGER, MPI_SUM, size - 1, MPI_COMM_WORLD)
    call check(merge(all(b(1, 1:6:2) == total), all(b == -1), rank == size - 1), 'reduce')
    call MPI_Scan(a(1:7:2, 1), b(1, 1:6:2), 3, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
    call check(all(b(1, 1:6:2) == rank * (rank + 1) / 2), 'scan')
  end subroutine reductions

  subroutine persistent_reduction()
    integer, asynchronous :: a(9), b(9)
    integer :: i
    logical :: flag
    type(MPI_Request) :: request
    call MPI_Allreduce_init(a(1:9:4), b(9:1:-4), 3, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, &
                            MPI_INFO_NULL, request)
    do i = 1, 3
      a = i
      b = 0
      call MPI_Start(request)
      flag = .false.
      do while (.not. flag)
        call MPI_Test(request, flag, MPI_STATUS_IGNORE)
      end do
      call check(all(b(9:1:-4) == i * size) .and. b(2) == 0, 'persistent reduction')
    end do
    call MPI_Request_free(request)
    call check(request == MPI_REQUEST_NULL, 'persistent request is null')
  end subroutine persistent_reduction

  ! Where a string comes as a descriptor too, and the packed bytes go into a section.
  subroutine packed()
    integer :: a(8), b(8), i
    character(len=4) :: bytes(16)
    integer(kind=MPI_ADDRESS_KIND) :: size, position
    a = [(i, i = 1, 8)]
    b = 0
    bytes = 'none'
    call MPI_Pack_external_size('external32  ', 4, MPI_INTEGER, size)
    call check(size == 16, 'MPI_Pack_external_size')
    position = 0
    call MPI_Pack_external('external32  ', a(2:8:2), 4, MPI_INTEGER, bytes(1:15:2), size, position)
    call check(position == 16 .and. all(bytes(2:16:2) == 'none'), 'MPI_Pack_external')
    call check(bytes(1) == char(0)//char(0)//char(0)//char(2), 'the largest byte first')
    position = 0
    call MPI_Unpack_external('external32', bytes(1:15:2), size, position, b(7:1:-2), 4, MPI_INTEGER)
    call check(all(b(7:1:-2) == a(2:8:2)) .and. all(b(2:8:2) == 0), 'MPI_Unpack_external')
  end subroutine packed

  ! Absolute addresses as displacements, from MPI_BOTTOM.
  subroutine bottom()
    integer, asynchronous :: out(2), in(2)
    integer(kind=MPI_ADDRESS_KIND) :: from(2), to(2)
    integer :: counts(2), left, right, i
    type(MPI_Datatype) :: types(2)
    type(MPI_Comm) :: ring
    type(MPI_Request) :: request
    left = modulo(rank - 1, size)
    right = modulo(rank + 1, size)
    out = [10 * rank, 10 * rank + 1]
    counts = 1
    types = MPI_INTEGER
    do i = 1, 2
      call MPI_Get_address(out(i), from(i))
      call MPI_Get_address(in(i), to(i))
    end do
    call MPI_Cart_create(MPI_COMM_WORLD, 1, [size], [.true.], .false., ring)
    in = -1
    call MPI_Neighbor_alltoallw(MPI_BOTTOM, counts, from, types, MPI_BOTTOM, counts, to, types, &
                                ring)
    call MPI_F_sync_reg(in)
    call check(all(in == [10 * left + 1, 10 * right]), 'MPI_Neighbor_alltoallw from MPI_BOTTOM')
    in = -1
    call MPI_Ineighbor_alltoallw(MPI_BOTTOM, counts, from, types, MPI_BOTTOM, counts, to, types, &
                                 ring, request)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    call MPI_F_sync_reg(in)
    call check(all(in == [10 * left + 1, 10 * right]), 'MPI_Ineighbor_alltoallw from MPI_BOTTOM')
    call MPI_Comm_free(ring)
  end subroutine bottom
end program sections
