! The part of mixed.f90 with mpif.h: its calls have no interface.
subroutine in_mpif_h(rank)
  implicit none
  include 'mpif.h'
  integer :: rank, got, request, ierror
  call MPI_Irecv(got, 1, MPI_INTEGER, rank, 3, MPI_COMM_WORLD, request, ierror)
  call MPI_Send(rank, 1, MPI_INTEGER, rank, 3, MPI_COMM_WORLD, ierror)
  call MPI_Wait(request, MPI_STATUS_IGNORE, ierror)
  call MPI_Pcontrol(3)
end subroutine in_mpif_h
