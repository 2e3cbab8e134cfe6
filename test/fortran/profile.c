/* A profiling library in C: it counts the calls that a Fortran program makes (MPI 5.0, 15.2). */
#include <mpi.h>

static int sends, barriers, inits;

int MPI_Init(int* argc, char*** argv) {
  ++inits;
  return PMPI_Init(argc, argv);
}

int MPI_Send(const void* buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm) {
  ++sends;
  return PMPI_Send(buf, count, datatype, dest, tag, comm);
}

int MPI_Barrier(MPI_Comm comm) {
  ++barriers;
  return PMPI_Barrier(comm);
}

/* For the program, as a Fortran procedure. */
void counted_(MPI_Fint* f_inits, MPI_Fint* f_sends, MPI_Fint* f_barriers) {
  *f_inits = inits;
  *f_sends = sends;
  *f_barriers = barriers;
}

/* To mpi_f08 and back. */
static void through_f08(MPI_Status* c_status) {
  MPI_Fint f_status[MPI_F_STATUS_SIZE];
  MPI_F08_status f08_status;
  MPI_Status_c2f08(c_status, &f08_status);
  MPI_Status_f082f(&f08_status, f_status);
  MPI_Status_f2f08(f_status, &f08_status);
  MPI_Status_f082c(&f08_status, c_status);
}

/* Is it Fortran's MPI_STATUS_IGNORE? The same of an array, and of mpi_f08's. */
MPI_Fint ignored_(MPI_Fint* status) {
  return status == MPI_F_STATUS_IGNORE && status == &MPI_F08_STATUS_IGNORE->MPI_SOURCE;
}

MPI_Fint all_ignored_(MPI_Fint* statuses) {
  return statuses == MPI_F_STATUSES_IGNORE && statuses == &MPI_F08_STATUSES_IGNORE->MPI_SOURCE;
}

/* Handles and statuses in both languages. */
void in_c_(MPI_Fint* comm, MPI_Fint* type, MPI_Fint* status, MPI_Fint* rank, MPI_Fint* size,
           MPI_Fint* count) {
  MPI_Status c_status;
  PMPI_Comm_rank(MPI_Comm_f2c(*comm), rank);
  PMPI_Type_size(MPI_Type_f2c(*type), size);
  MPI_Status_f2c(status, &c_status);
  PMPI_Get_count(&c_status, MPI_Type_f2c(*type), count);
  through_f08(&c_status);
  MPI_Status_c2f(&c_status, status);
  *comm = MPI_Comm_c2f(MPI_Comm_f2c(*comm));
}

/* An attribute that C sets: Fortran gets the address. What Fortran sets, C gets the address of. */
void attribute_in_c_(MPI_Fint* comm, MPI_Fint* keyval, MPI_Fint* found, MPI_Aint* address) {
  static int mine = 17;
  void* value = 0;
  int flag = 0;
  PMPI_Comm_get_attr(MPI_Comm_f2c(*comm), *keyval, &value, &flag);
  *found = flag ? (MPI_Fint) * (MPI_Aint*)value : -1;
  PMPI_Comm_set_attr(MPI_Comm_f2c(*comm), *keyval, &mine);
  *address = (MPI_Aint)&mine;
}
