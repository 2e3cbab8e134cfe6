! A program in all three forms with C beside it: a profiling library, handles, statuses, attributes.
program mixed
  use mpi
  implicit none
  integer :: ierror, rank, inits, sends, barriers, request, comm
  integer :: type, status(MPI_STATUS_SIZE), c_rank, size, count, keyval, found
  integer(kind=MPI_ADDRESS_KIND) :: address, value
  real :: got(3)
  integer :: again(MPI_STATUS_SIZE)
  logical :: flag
  logical, external :: ignored, all_ignored

  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Irecv(status, 8, MPI_INTEGER, rank, 1, MPI_COMM_WORLD, request, ierror)
  call MPI_Send(rank, 1, MPI_INTEGER, rank, 1, MPI_COMM_WORLD, ierror)
  call PMPI_Barrier(MPI_COMM_WORLD, ierror)
  call MPI_Wait(request, MPI_STATUS_IGNORE, ierror)
  call in_f08(rank)
  call in_mpif_h(rank)
  call counted(inits, sends, barriers)
  call check(inits == 1, 'MPI_Init')
  call check(sends == 3, 'sends of all three forms')
  call check(barriers == 0, 'what goes past the profiling library')

  call MPI_Pcontrol(1)
  comm = MPI_COMM_WORLD
  call MPI_Comm_get_parent(comm, ierror)
  call check(comm == MPI_COMM_NULL, 'MPI_Comm_get_parent')
  call MPI_Comm_dup(MPI_COMM_WORLD, comm, ierror)
  call MPI_Type_contiguous(3, MPI_REAL, type, ierror)
  call MPI_Type_commit(type, ierror)
  call MPI_Sendrecv([1., 2., 3.], 1, type, rank, 1, got, 1, type, rank, 1, comm, status, &
                    ierror)
  found = comm
  again = status
  call in_c(comm, type, status, c_rank, size, count)
  call check(c_rank == rank .and. size == 12 .and. count == 1, 'handles and statuses in C')
  call check(found == comm, 'a handle and back')
  call check(all(again == status), 'a status through all forms')
  call check(ignored(MPI_STATUS_IGNORE) .and. .not. ignored(status), 'MPI_F_STATUS_IGNORE')
  call check(all_ignored(MPI_STATUSES_IGNORE), 'MPI_F_STATUSES_IGNORE')
  call MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, keyval, &
                              0_MPI_ADDRESS_KIND, ierror)
  call MPI_Comm_set_attr(comm, keyval, 12345_MPI_ADDRESS_KIND, ierror)
  call attribute_in_c(comm, keyval, found, address)
  call check(found == 12345, 'an attribute of Fortran in C')
  call MPI_Comm_get_attr(comm, keyval, value, flag, ierror)
  call check(flag .and. value == address, 'an attribute of C in Fortran')
  call MPI_Type_free(type, ierror)
  call MPI_Comm_free(comm, ierror)
  call finish()
end program mixed

subroutine in_f08(rank)
  use mpi_f08
  implicit none
  integer :: rank, got
  type(MPI_Request) :: request
  call MPI_Irecv(got, 1, MPI_INTEGER, rank, 2, MPI_COMM_WORLD, request)
  call MPI_Send(rank, 1, MPI_INTEGER, rank, 2, MPI_COMM_WORLD)
  call MPI_Wait(request, MPI_STATUS_IGNORE)
  call MPI_Pcontrol(2)
end subroutine in_f08
