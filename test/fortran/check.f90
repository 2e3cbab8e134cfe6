! What every Fortran test program uses; any of the three forms can call it.
!
!   call check(condition, what)   ends the job when it does not hold
!   call finish()                 MPI_Finalize, and "ok N checks" from rank 0
subroutine check(condition, what)
  implicit none
  include 'mpif.h'
  logical, intent(in) :: condition
  character(len=*), intent(in) :: what
  integer :: passed, rank, ierror
  common /checks/ passed
  if (condition) then
    passed = passed + 1
  else
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
    write (0, '(a,i0,2a)') 'rank ', rank, ': failed: ', what
    call MPI_Abort(MPI_COMM_WORLD, 1, ierror)
  end if
end subroutine check

subroutine finish()
  implicit none
  include 'mpif.h'
  integer :: passed, sum, rank, ierror
  common /checks/ passed
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Reduce(passed, sum, 1, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD, ierror)
  call MPI_Finalize(ierror)
  if (rank == 0) print '(a,i0,a)', 'ok ', sum, ' checks'
end subroutine finish

block data checks_start
  implicit none
  integer :: passed
  common /checks/ passed
  data passed /0/
end block data checks_start
