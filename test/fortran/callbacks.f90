! Procedures of a program in mpi_f08 that MPI calls: reduction operations, attributes, error
! handlers, generalized requests.
module procedures
  use mpi_f08
  use, intrinsic :: iso_c_binding
  implicit none
  integer(kind=MPI_ADDRESS_KIND) :: copied = 0, deleted = 0, queried = 0, freed = 0, cancelled = 0
  type(MPI_Datatype) :: seen_datatype
  integer :: handled = 0, errors = 0, seen_size = 0

contains

  ! Complex products, of a predefined or a derived datatype.
  subroutine multiply(invec, inoutvec, len, datatype)
    type(c_ptr), value :: invec, inoutvec
    integer :: len, size
    type(MPI_Datatype) :: datatype
    complex, pointer :: in(:), inout(:)
    call MPI_Type_size(datatype, size)
    seen_size = size
    seen_datatype = datatype
    call c_f_pointer(invec, in, [len * size / 8])
    call c_f_pointer(inoutvec, inout, [len * size / 8])
    inout = in * inout
  end subroutine multiply

  subroutine add_c(invec, inoutvec, len, datatype)
    type(c_ptr), value :: invec, inoutvec
    integer(kind=MPI_COUNT_KIND) :: len
    type(MPI_Datatype) :: datatype
    integer, pointer :: in(:), inout(:)
    if (datatype /= MPI_INTEGER) stop 1
    call c_f_pointer(invec, in, [len])
    call c_f_pointer(inoutvec, inout, [len])
    inout = in + inout
  end subroutine add_c

  subroutine copy_attr(oldcomm, comm_keyval, extra_state, in, out, flag, ierror)
    type(MPI_Comm) :: oldcomm
    integer :: comm_keyval, ierror
    integer(kind=MPI_ADDRESS_KIND) :: extra_state, in, out
    logical :: flag
    copied = copied + extra_state
    out = in + 1
    flag = .true.
    ierror = MPI_SUCCESS
  end subroutine copy_attr

  subroutine delete_attr(comm, comm_keyval, value, extra_state, ierror)
    type(MPI_Comm) :: comm
    integer :: comm_keyval, ierror
    integer(kind=MPI_ADDRESS_KIND) :: value, extra_state
    deleted = deleted + value
    ierror = MPI_SUCCESS
  end subroutine delete_attr

  subroutine copy_type_attr(oldtype, type_keyval, extra_state, in, out, flag, ierror)
    type(MPI_Datatype) :: oldtype
    integer :: type_keyval, ierror
    integer(kind=MPI_ADDRESS_KIND) :: extra_state, in, out
    logical :: flag
    flag = .false.
    ierror = MPI_ERR_OTHER
  end subroutine copy_type_attr

  subroutine handle_error(comm, error_code)
    type(MPI_Comm) :: comm
    integer :: error_code
    if (comm /= MPI_COMM_SELF) stop 2
    call MPI_Error_class(error_code, handled)
    errors = errors + 1
  end subroutine handle_error

  subroutine query(extra_state, status, ierror)
    integer(kind=MPI_ADDRESS_KIND) :: extra_state
    type(MPI_Status) :: status
    integer :: ierror
    queried = queried + extra_state
    call MPI_Status_set_elements(status, MPI_INTEGER, 3)
    call MPI_Status_set_cancelled(status, .false.)
    status%MPI_SOURCE = MPI_UNDEFINED
    status%MPI_TAG = 17
    ierror = MPI_SUCCESS
  end subroutine query

  subroutine release(extra_state, ierror)
    integer(kind=MPI_ADDRESS_KIND) :: extra_state
    integer :: ierror
    freed = freed + extra_state
    if (extra_state == 20) extra_state = 21  ! the caller's own
    ierror = MPI_SUCCESS
  end subroutine release

  subroutine cancel(extra_state, complete, ierror)
    integer(kind=MPI_ADDRESS_KIND) :: extra_state
    logical :: complete
    integer :: ierror
    if (.not. complete) cancelled = cancelled + extra_state
    ierror = MPI_SUCCESS
  end subroutine cancel
end module procedures

program callbacks
  use procedures
  implicit none
  integer :: rank, size

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, size)
  call operations()
  call attributes()
  call predefined()
  call failing_copy()
  call errhandlers()
  call generalized()
  call finish()

contains

  subroutine operations()
    complex :: z(4), product(4)
    integer, asynchronous :: sums(3), ones(3)
    type(MPI_Op) :: op, large
    type(MPI_Datatype) :: pair
    type(MPI_Request) :: request
    logical :: commutes
    z = (0, 1)
    call MPI_Op_create(multiply, .true., op)
    call MPI_Op_commutative(op, commutes)
    call check(commutes, 'MPI_Op_commutative')
    call MPI_Allreduce(z, product, 4, MPI_COMPLEX, op, MPI_COMM_WORLD)
    call check(all(product == (0, 1)**size), 'own operation')
    if (size > 1) call check(seen_size == 8, 'the predefined datatype')
    call MPI_Type_contiguous(2, MPI_COMPLEX, pair)
    call MPI_Type_commit(pair)
    product = 0
    call MPI_Allreduce(z, product, 2, pair, op, MPI_COMM_WORLD)
    call check(all(product == (0, 1)**size), 'own operation on a derived datatype')
    if (size > 1) call check(seen_size == 16, 'the derived datatype')
    if (size > 1) call check(seen_datatype == pair, 'the handle of the derived datatype')
    call MPI_Type_free(pair)
    call MPI_Op_free(op)
    call check(op == MPI_OP_NULL, 'MPI_Op_free')
    ones = 1
    call MPI_Op_create_c(add_c, .false., large)
    call MPI_Iallreduce(ones, sums, 3, MPI_INTEGER, large, MPI_COMM_WORLD, request)
    call MPI_Op_free(large)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    call check(all(sums == size), 'own operation with a large count')
  end subroutine operations

  subroutine attributes()
    integer :: keyval
    integer(kind=MPI_ADDRESS_KIND) :: value
    logical :: flag
    type(MPI_Comm) :: first, second
    integer(kind=MPI_ADDRESS_KIND), parameter :: large = 2_MPI_ADDRESS_KIND**40
    call MPI_Comm_dup(MPI_COMM_WORLD, first)
    call MPI_Comm_create_keyval(copy_attr, delete_attr, keyval, 100_MPI_ADDRESS_KIND)
    call MPI_Comm_get_attr(first, keyval, value, flag)
    call check(.not. flag, 'no attribute yet')
    call MPI_Comm_set_attr(first, keyval, large)
    call MPI_Comm_get_attr(first, keyval, value, flag)
    call check(flag .and. value == large, 'attribute')
    call MPI_Comm_dup(first, second)
    call check(copied == 100, 'extra state')
    call MPI_Comm_get_attr(second, keyval, value, flag)
    call check(flag .and. value == large + 1, 'copied attribute')
    call MPI_Comm_delete_attr(first, keyval)
    call check(deleted == large, 'deleted')
    call MPI_Comm_free(second)
    call check(deleted == 2 * large + 1, 'deleted with its communicator')
    call MPI_Comm_free_keyval(keyval)
    call check(keyval == MPI_KEYVAL_INVALID, 'MPI_Comm_free_keyval')
    call MPI_Comm_free(first)
    call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, value, flag)
    call check(flag .and. value >= 32767, 'MPI_TAG_UB')
  end subroutine attributes

  subroutine predefined()
    integer :: keyvals(2)
    integer(kind=MPI_ADDRESS_KIND) :: value
    logical :: flag
    type(MPI_Datatype) :: first, second
    call MPI_Type_create_keyval(MPI_TYPE_DUP_FN, MPI_TYPE_NULL_DELETE_FN, keyvals(1), &
                                0_MPI_ADDRESS_KIND)
    call MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, keyvals(2), &
                                0_MPI_ADDRESS_KIND)
    call MPI_Type_contiguous(3, MPI_INTEGER, first)
    call MPI_Type_set_attr(first, keyvals(1), -5_MPI_ADDRESS_KIND)
    call MPI_Type_set_attr(first, keyvals(2), 6_MPI_ADDRESS_KIND)
    call MPI_Type_dup(first, second)
    call MPI_Type_get_attr(second, keyvals(1), value, flag)
    call check(flag .and. value == -5, 'MPI_TYPE_DUP_FN')
    call MPI_Type_get_attr(second, keyvals(2), value, flag)
    call check(.not. flag, 'MPI_TYPE_NULL_COPY_FN')
    call MPI_Type_free(first)
    call MPI_Type_free(second)
    call MPI_Type_free_keyval(keyvals(1))
    call MPI_Type_free_keyval(keyvals(2))
  end subroutine predefined

  ! The error of a callback is the error of the call.
  subroutine failing_copy()
    integer :: keyval, ierror, class
    type(MPI_Datatype) :: first, second
    call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN)
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)
    call MPI_Type_create_keyval(copy_type_attr, MPI_TYPE_NULL_DELETE_FN, keyval, 0_MPI_ADDRESS_KIND)
    call MPI_Type_contiguous(3, MPI_INTEGER, first)
    call MPI_Type_set_attr(first, keyval, 1_MPI_ADDRESS_KIND)
    second = MPI_INT
    call MPI_Type_dup(first, second, ierror)
    call MPI_Error_class(ierror, class)
    call check(class == MPI_ERR_OTHER, 'error of a callback')
    call check(second == MPI_INT, 'a handle stays as it was when the call fails')
    call MPI_Type_free(first)
    call MPI_Type_free_keyval(keyval)
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL)
  end subroutine failing_copy

  subroutine errhandlers()
    type(MPI_Errhandler) :: errhandler, found
    integer :: ierror, i
    call MPI_Comm_create_errhandler(handle_error, errhandler)
    call MPI_Comm_set_errhandler(MPI_COMM_SELF, errhandler)
    call MPI_Comm_get_errhandler(MPI_COMM_SELF, found)
    call check(found == errhandler, 'MPI_Comm_get_errhandler')
    call MPI_Errhandler_free(found)
    call MPI_Send(i, 1, MPI_INTEGER, 9, 0, MPI_COMM_SELF, ierror)
    call check(ierror /= MPI_SUCCESS .and. handled == MPI_ERR_RANK .and. errors == 1, 'handler')
    call MPI_Comm_call_errhandler(MPI_COMM_SELF, MPI_ERR_TOPOLOGY)
    call check(handled == MPI_ERR_TOPOLOGY .and. errors == 2, 'MPI_Comm_call_errhandler')
    call MPI_Errhandler_free(errhandler)
    call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL)
  end subroutine errhandlers

  subroutine generalized()
    type(MPI_Request) :: request
    type(MPI_Status) :: status
    integer(kind=MPI_ADDRESS_KIND), volatile :: own_state
    integer :: count
    logical :: flag
    call MPI_Grequest_start(query, release, cancel, 10_MPI_ADDRESS_KIND, request)
    call MPI_Test(request, flag, status)
    call check(.not. flag, 'generalized request')
    call MPI_Cancel(request)
    call check(cancelled == 10, 'cancel callback')
    call MPI_Grequest_complete(request)
    call MPI_Wait(request, status)
    call MPI_Get_count(status, MPI_INTEGER, count)
    call check(count == 3 .and. status%MPI_TAG == 17, 'status of the query callback')
    call MPI_Test_cancelled(status, flag)
    call check(.not. flag, 'MPI_Test_cancelled')
    call check(queried == 10 .and. freed == 10, 'query and free callbacks')
    own_state = 20
    call MPI_Grequest_start(query, release, cancel, own_state, request)
    call MPI_Grequest_complete(request)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    call check(own_state == 21, 'the extra state is the variable of the caller')
  end subroutine generalized

end program callbacks
