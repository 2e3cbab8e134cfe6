! With the module mpi: strings, LOGICALs, statuses, sentinels, arrays of handles, and the names
! and callbacks of MPI-1.
program names_and_numbers
  use mpi
  use, intrinsic :: iso_c_binding
  implicit none
  integer :: rank, size, ierror, copies
  common /counts/ copies

  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, size, ierror)
  call strings()
  call infos()
  call logicals()
  call statuses()
  call sentinels()
  call graphs()
  call old_attributes()
  call old_errhandler()
  call memory()
  call sizes()
  call finish()

contains

  subroutine strings()
    character(len=5) :: short
    character(len=200) :: long
    integer :: length, comm
    call MPI_Comm_dup(MPI_COMM_WORLD, comm, ierror)
    call MPI_Comm_set_name(comm, '  some name   ', ierror)
    long = repeat('x', 200)
    call MPI_Comm_get_name(comm, long, length, ierror)
    call check(long == '  some name' .and. length == 11, 'name')
    call check(long(12:) == ' ', 'blanks up to the end')
    short = 'xxxxx'
    call MPI_Comm_get_name(comm, short, length, ierror)
    call check(short == '  som', 'a string that is too short')
    call MPI_Comm_set_name(comm, ' ', ierror)
    call MPI_Comm_get_name(comm, long, length, ierror)
    call check(long == ' ' .and. length == 0, 'empty name')
    call MPI_Comm_free(comm, ierror)
    call MPI_Get_library_version(long, length, ierror)
    call check(length > 0 .and. long /= ' ', 'MPI_Get_library_version')
    call MPI_Error_string(MPI_ERR_RANK, long, length, ierror)
    call check(long(1:length) /= ' ', 'MPI_Error_string')
  end subroutine strings

  subroutine infos()
    integer :: info, length, keys
    character(len=30) :: value, key
    logical :: flag
    call MPI_Info_create(info, ierror)
    call MPI_Info_set(info, '  a key  ', '  two words  ', ierror)
    call MPI_Info_get_nkeys(info, keys, ierror)
    call MPI_Info_get_nthkey(info, 0, key, ierror)
    call check(keys == 1 .and. key == 'a key', 'keys lose their blanks')
    length = 30
    call MPI_Info_get_string(info, 'a key', length, value, flag, ierror)
    call check(flag .and. value == 'two words' .and. length == 9, 'MPI_Info_get_string')
    length = 3
    call MPI_Info_get_string(info, 'a key', length, value, flag, ierror)
    call check(flag .and. value == 'two' .and. length == 9, 'as many characters as asked for')
    length = 0
    value = 'untouched'
    call MPI_Info_get_string(info, 'a key', length, value, flag, ierror)
    call check(flag .and. value == 'untouched' .and. length == 9, 'the length alone')
    call MPI_Info_get_string(info, 'no key', length, value, flag, ierror)
    call check(.not. flag .and. value == 'untouched', 'no such key')
    call MPI_Info_get_valuelen(info, 'a key', length, flag, ierror)
    call check(flag .and. length == 9, 'MPI_Info_get_valuelen')
    call MPI_Info_get(info, 'a key', 30, value, flag, ierror)
    call check(flag .and. value == 'two words', 'MPI_Info_get')
    call MPI_Info_free(info, ierror)
    call check(info == MPI_INFO_NULL, 'MPI_Info_free')
  end subroutine infos

  subroutine logicals()
    integer :: comm, row, dims(2), coords(2), data, total
    logical :: periods(2), flag
    dims = [size, 1]
    call MPI_Cart_create(MPI_COMM_WORLD, 2, dims, [.true., .false.], .false., comm, ierror)
    periods = [.false., .true.]
    call MPI_Cart_get(comm, 2, dims, periods, coords, ierror)
    call check(periods(1) .and. .not. periods(2), 'arrays of LOGICALs')
    call check(dims(1) == size .and. coords(1) == rank, 'coordinates')
    call MPI_Cart_sub(comm, [.false., .true.], row, ierror)
    call MPI_Comm_size(row, total, ierror)
    call check(total == 1, 'MPI_Cart_sub')
    call MPI_Comm_free(row, ierror)
    call MPI_Comm_free(comm, ierror)
    call MPI_Comm_test_inter(MPI_COMM_WORLD, flag, ierror)
    call check(flag .eqv. .false., '.FALSE.')
    call MPI_Initialized(flag, ierror)
    call check(flag .eqv. .true., '.TRUE.')
    data = merge(1, 0, .true.)
    flag = .true.
    call MPI_Allreduce(MPI_IN_PLACE, flag, 1, MPI_LOGICAL, MPI_LAND, MPI_COMM_WORLD, ierror)
    call check(flag .and. data == 1, 'MPI_LOGICAL')
  end subroutine logicals

  subroutine statuses()
    integer :: status(MPI_STATUS_SIZE), again(MPI_STATUS_SIZE), requests(3), data(3), n, where(3)
    integer :: all_of_them(MPI_STATUS_SIZE, 3), message, i
    type(MPI_Status) :: f08
    logical :: flag
    data = 1
    call MPI_Isend(data, 3, MPI_INTEGER, rank, 4, MPI_COMM_WORLD, requests(1), ierror)
    call MPI_Mprobe(rank, 4, MPI_COMM_WORLD, message, status, ierror)
    call check(status(MPI_SOURCE) == rank .and. status(MPI_TAG) == 4, 'status')
    call MPI_Status_f2f08(status, f08)
    call check(f08%MPI_SOURCE == rank .and. f08%MPI_TAG == 4, 'MPI_Status_f2f08')
    call MPI_Status_f082f(f08, again, ierror)
    call MPI_Get_count(again, MPI_INTEGER, n, ierror)
    call check(n == 3, 'MPI_Status_f082f')
    call MPI_Mrecv(data, 3, MPI_INTEGER, message, MPI_STATUS_IGNORE, ierror)
    call check(message == MPI_MESSAGE_NULL, 'message')
    call MPI_Wait(requests(1), MPI_STATUS_IGNORE, ierror)

    requests = MPI_REQUEST_NULL
    call MPI_Irecv(data, 1, MPI_INTEGER, rank, 1, MPI_COMM_WORLD, requests(2), ierror)
    call MPI_Testsome(3, requests, n, where, all_of_them, ierror)
    call check(n == 0, 'MPI_Testsome: none')
    call MPI_Testany(3, requests, i, flag, status, ierror)
    call check(.not. flag .and. i == MPI_UNDEFINED, 'MPI_Testany: none')
    call MPI_Send(rank, 1, MPI_INTEGER, rank, 1, MPI_COMM_WORLD, ierror)
    call MPI_Waitsome(3, requests, n, where, all_of_them, ierror)
    call check(n == 1 .and. where(1) == 2, 'MPI_Waitsome')
    call check(all_of_them(MPI_TAG, 1) == 1 .and. all(requests == MPI_REQUEST_NULL), 'its status')
    call MPI_Waitsome(3, requests, n, where, MPI_STATUSES_IGNORE, ierror)
    call check(n == MPI_UNDEFINED, 'MPI_Waitsome: nothing to wait for')
  end subroutine statuses

  ! MPI_BOTTOM with absolute addresses; MPI_IN_PLACE and the others stand in other tests.
  subroutine sentinels()
    integer, target :: a, b
    integer :: type, values(2)
    integer(kind=MPI_ADDRESS_KIND) :: places(2)
    a = 11
    b = 22
    call MPI_Get_address(a, places(1), ierror)
    call MPI_Get_address(b, places(2), ierror)
    call check(MPI_Aint_diff(MPI_Aint_add(places(1), 8_MPI_ADDRESS_KIND), places(1)) == 8, 'MPI_Aint')
    call MPI_Type_create_struct(2, [1, 1], places, [MPI_INTEGER, MPI_INTEGER], type, ierror)
    call MPI_Type_commit(type, ierror)
    call MPI_Sendrecv(MPI_BOTTOM, 1, type, rank, 1, values, 2, MPI_INTEGER, rank, 1, MPI_COMM_WORLD, &
                      MPI_STATUS_IGNORE, ierror)
    call check(all(values == [11, 22]), 'MPI_BOTTOM')
    call MPI_Type_free(type, ierror)
  end subroutine sentinels

  subroutine graphs()
    integer :: comm, in, out, sources(1), targets(1), weights(1), other(1)
    logical :: weighted
    call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, [modulo(rank - 1, size)], &
        MPI_UNWEIGHTED, 1, [modulo(rank + 1, size)], MPI_UNWEIGHTED, MPI_INFO_NULL, .false., comm, &
        ierror)
    call MPI_Dist_graph_neighbors_count(comm, in, out, weighted, ierror)
    call check(in == 1 .and. out == 1 .and. .not. weighted, 'MPI_UNWEIGHTED')
    call MPI_Dist_graph_neighbors(comm, 1, sources, MPI_UNWEIGHTED, 1, targets, MPI_UNWEIGHTED, &
                                  ierror)
    call check(targets(1) == modulo(rank + 1, size), 'neighbours')
    call MPI_Neighbor_alltoallw([rank], [1], [0_MPI_ADDRESS_KIND], [MPI_INTEGER], other, [1], &
                                [0_MPI_ADDRESS_KIND], [MPI_INTEGER], comm, ierror)
    call check(other(1) == modulo(rank - 1, size), 'arrays of datatypes')
    call MPI_Comm_free(comm, ierror)
    call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 0, sources, MPI_WEIGHTS_EMPTY, 0, targets, &
        MPI_WEIGHTS_EMPTY, MPI_INFO_NULL, .false., comm, ierror)
    call MPI_Dist_graph_neighbors_count(comm, in, out, weighted, ierror)
    call check(in == 0 .and. weighted, 'MPI_WEIGHTS_EMPTY')
    weights = 0
    call MPI_Comm_free(comm, ierror)
  end subroutine graphs

  ! MPI_KEYVAL_CREATE and its callbacks have INTEGER attributes.
  subroutine old_attributes()
    integer :: keyval, value, first, second
    logical :: flag
    integer(kind=MPI_ADDRESS_KIND) :: wide
    external :: old_copy, old_delete
    copies = 0
    call MPI_Comm_dup(MPI_COMM_WORLD, first, ierror)
    call MPI_Keyval_create(old_copy, old_delete, keyval, 5, ierror)
    call MPI_Attr_put(first, keyval, -7, ierror)
    call MPI_Attr_get(first, keyval, value, flag, ierror)
    call check(flag .and. value == -7, 'MPI_Attr_get')
    call MPI_Comm_get_attr(first, keyval, wide, flag, ierror)
    call check(flag .and. wide == -7, 'with its sign')
    call MPI_Comm_dup(first, second, ierror)
    call MPI_Attr_get(second, keyval, value, flag, ierror)
    call check(flag .and. value == -2, 'copied, with its extra state')
    call MPI_Attr_delete(second, keyval, ierror)
    call check(copies == 0, 'deleted')
    call MPI_Keyval_free(keyval, ierror)
    call MPI_Comm_free(first, ierror)
    call MPI_Comm_free(second, ierror)
    call check(copies == -1, 'deleted with its communicator')
    call MPI_Keyval_create(MPI_DUP_FN, MPI_NULL_DELETE_FN, keyval, 0, ierror)
    call MPI_Comm_dup(MPI_COMM_WORLD, first, ierror)
    call MPI_Attr_put(first, keyval, 3, ierror)
    call MPI_Comm_dup(first, second, ierror)
    call MPI_Attr_get(second, keyval, value, flag, ierror)
    call check(flag .and. value == 3, 'MPI_DUP_FN')
    call MPI_Attr_get(first, MPI_TAG_UB, value, flag, ierror)
    call check(flag .and. value >= 32767, 'MPI_TAG_UB')
    call MPI_Comm_free(first, ierror)
    call MPI_Comm_free(second, ierror)
    call MPI_Keyval_free(keyval, ierror)
  end subroutine old_attributes

  subroutine old_errhandler()
    integer :: errhandler, code
    external :: old_handler
    call MPI_Errhandler_create(old_handler, errhandler, ierror)
    call MPI_Errhandler_set(MPI_COMM_SELF, errhandler, ierror)
    copies = 0
    call MPI_Send(code, 1, MPI_INTEGER, 5, 0, MPI_COMM_SELF, ierror)
    call check(copies == MPI_ERR_RANK .and. ierror /= MPI_SUCCESS, 'MPI_Errhandler_create')
    call MPI_Errhandler_set(MPI_COMM_SELF, MPI_ERRORS_RETURN, ierror)
    call MPI_Errhandler_free(errhandler, ierror)
  end subroutine old_errhandler

  subroutine memory()
    type(c_ptr) :: address
    integer(kind=MPI_ADDRESS_KIND) :: number
    real, pointer :: a(:)
    call MPI_Alloc_mem(400_MPI_ADDRESS_KIND, MPI_INFO_NULL, address, ierror)
    call c_f_pointer(address, a, [100])
    a = 1
    call check(sum(a) == 100, 'MPI_Alloc_mem of a C_PTR')
    call MPI_Free_mem(a, ierror)
    call MPI_Alloc_mem(400_MPI_ADDRESS_KIND, MPI_INFO_NULL, number, ierror)
    call check(number /= 0, 'MPI_Alloc_mem of an INTEGER')
    call c_f_pointer(transfer(number, address), a, [100])
    call MPI_Free_mem(a, ierror)
  end subroutine memory

  subroutine sizes()
    integer :: bytes, type, combiner, integers, addresses, datatypes, contents(2), none(1)
    integer(kind=MPI_ADDRESS_KIND) :: no_address(1)
    double precision :: number
    real :: matrix(3, 3)
    call MPI_Sizeof(number, bytes, ierror)
    call check(bytes == 8, 'MPI_Sizeof of a scalar')
    call MPI_Sizeof(matrix(::2, :), bytes, ierror)
    call check(bytes == 4, 'MPI_Sizeof of an array')
    call MPI_Type_match_size(MPI_TYPECLASS_REAL, 8, type, ierror)
    call check(type == MPI_REAL8 .or. type == MPI_DOUBLE_PRECISION, 'MPI_Type_match_size')
    call MPI_Type_create_f90_integer(9, type, ierror)
    call MPI_Type_get_envelope(type, integers, addresses, datatypes, combiner, ierror)
    call check(combiner == MPI_COMBINER_F90_INTEGER .and. integers == 1, 'MPI_Type_get_envelope')
    call MPI_Type_get_contents(type, 1, 0, 0, contents, no_address, none, ierror)
    call check(contents(1) == 9, 'MPI_Type_get_contents')
  end subroutine sizes

end program names_and_numbers

subroutine old_copy(oldcomm, keyval, extra_state, in, out, flag, ierror)
  use mpi
  implicit none
  integer :: oldcomm, keyval, extra_state, in, out, ierror, copies
  logical :: flag
  common /counts/ copies
  copies = copies + 1
  out = in + extra_state
  flag = .true.
  ierror = MPI_SUCCESS
end subroutine old_copy

subroutine old_delete(comm, keyval, value, extra_state, ierror)
  use mpi
  implicit none
  integer :: comm, keyval, value, extra_state, ierror, copies
  common /counts/ copies
  copies = copies - 1
  ierror = MPI_SUCCESS
end subroutine old_delete

subroutine old_handler(comm, code)
  use mpi
  implicit none
  integer :: comm, code, copies, ierror
  common /counts/ copies
  call MPI_Error_class(code, copies, ierror)
end subroutine old_handler
