! Programs that lack ASYNCHRONOUS, as most do, under an optimiser: what MPI reads and writes between
! the start of an operation and its completion is not lost.
program unprotected
  use mpi
  implicit none
  integer :: ierror
  call MPI_Init(ierror)
  call with_mpi()
  call with_mpi_f08()
  call finish()
end program unprotected

subroutine with_mpi()
  use mpi
  implicit none
  integer :: given, got, receive, send, i, ierror
  got = 0
  call MPI_Irecv(got, 1, MPI_INTEGER, 0, 1, MPI_COMM_SELF, receive, ierror)
  given = 5
  call MPI_Isend(given, 1, MPI_INTEGER, 0, 1, MPI_COMM_SELF, send, ierror)
  call MPI_Wait(receive, MPI_STATUS_IGNORE, ierror)
  call MPI_Wait(send, MPI_STATUS_IGNORE, ierror)
  call check(got == 5, 'MPI_Irecv of the module mpi')
  call MPI_Recv_init(got, 1, MPI_INTEGER, 0, 1, MPI_COMM_SELF, receive, ierror)
  call MPI_Send_init(given, 1, MPI_INTEGER, 0, 1, MPI_COMM_SELF, send, ierror)
  do i = 6, 8
    given = i
    got = 0
    call MPI_Start(receive, ierror)
    call MPI_Start(send, ierror)
    call MPI_Wait(receive, MPI_STATUS_IGNORE, ierror)
    call MPI_Wait(send, MPI_STATUS_IGNORE, ierror)
    call check(got == i, 'persistent requests of the module mpi')
  end do
  call MPI_Request_free(receive, ierror)
  call MPI_Request_free(send, ierror)
end subroutine with_mpi

subroutine with_mpi_f08()
  use mpi_f08
  implicit none
  integer :: given(4), got(4), i
  type(MPI_Request) :: receive, send
  got = 0
  call MPI_Irecv(got(1:3:2), 2, MPI_INTEGER, 0, 1, MPI_COMM_SELF, receive)
  given = 5
  call MPI_Isend(given(2:4:2), 2, MPI_INTEGER, 0, 1, MPI_COMM_SELF, send)
  call MPI_Wait(receive, MPI_STATUS_IGNORE)
  call MPI_Wait(send, MPI_STATUS_IGNORE)
  call check(all(got == [5, 0, 5, 0]), 'MPI_Irecv of mpi_f08')
  call MPI_Recv_init(got, 4, MPI_INTEGER, 0, 1, MPI_COMM_SELF, receive)
  call MPI_Send_init(given, 4, MPI_INTEGER, 0, 1, MPI_COMM_SELF, send)
  do i = 6, 8
    given = i
    got = 0
    call MPI_Start(receive)
    call MPI_Start(send)
    call MPI_Wait(receive, MPI_STATUS_IGNORE)
    call MPI_Wait(send, MPI_STATUS_IGNORE)
    call check(all(got == i), 'persistent requests of mpi_f08')
  end do
  call MPI_Request_free(receive)
  call MPI_Request_free(send)
end subroutine with_mpi_f08
