// All ranks make the mistake that the argument names, and no error handler lets
// them go on.
#include <mpi.h>

#include <functional>
#include <map>
#include <string>

namespace {

int rank = -1, size = 0, number = 0;

MPI_Comm copy(MPI_Comm comm, const char* name) {
  MPI_Comm made;
  MPI_Comm_dup(comm, &made);
  MPI_Comm_set_name(made, name);
  return made;
}

MPI_Comm between_even_and_odd() {
  MPI_Comm half, made;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 7, &made);
  return made;
}

MPI_Comm grid(int columns) {
  MPI_Comm made;
  const int dims[] = {1, columns}, periods[] = {0, 0};
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &made);
  return made;
}

MPI_Group world_group() {
  MPI_Group group;
  MPI_Comm_group(MPI_COMM_WORLD, &group);
  return group;
}

MPI_Session session() {
  MPI_Session made;
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &made);
  return made;
}

const std::map<std::string, std::function<void()>> kMistakes = {
    {"none", [] {}},
    {"null", [] { MPI_Comm_size(MPI_COMM_NULL, &number); }},
    {"freed",
     [] {
       MPI_Comm comm = copy(MPI_COMM_WORLD, "short-lived");
       const MPI_Comm stale = comm;
       MPI_Comm_free(&comm);
       MPI_Comm_rank(stale, &number);
     }},
    {"a group", [] { MPI_Barrier(reinterpret_cast<MPI_Comm>(world_group())); }},
    {"name", [] { MPI_Recv(nullptr, 0, MPI_INT, 3, 1, copy(MPI_COMM_WORLD, "ocean"), nullptr); }},
    {"no name",
     [] {
       MPI_Comm comm;
       MPI_Comm_dup(MPI_COMM_WORLD, &comm);
       MPI_Bcast(&number, 1, MPI_INT, -2, comm);
     }},
    {"remote group",
     [] {
       MPI_Comm comm = between_even_and_odd();
       MPI_Comm_set_name(comm, "coupling");
       MPI_Send(nullptr, 0, MPI_INT, 9, 1, comm);
     }},
    {"stride",
     [] {
       int ranges[2][3] = {{0, 0, 1}, {0, 2, 0}};
       MPI_Group made;
       MPI_Group_range_incl(world_group(), 2, ranges, &made);
     }},
    {"coordinates",
     [] {
       const int coords[] = {0, 5};
       MPI_Cart_rank(grid(size), coords, &number);
     }},
    {"no grid", [] { MPI_Cartdim_get(MPI_COMM_WORLD, &number); }},
    {"disagreement", [] { grid(rank == 0 ? 1 : size); }},
    {"free the world",
     [] {
       MPI_Comm world = MPI_COMM_WORLD;
       MPI_Comm_free(&world);
     }},
    {"aborts",
     [] {
       MPI_Comm comm = copy(MPI_COMM_WORLD, "atmosphere");
       MPI_Comm_set_errhandler(comm, MPI_ERRORS_ABORT);
       MPI_Comm_set_attr(comm, MPI_TAG_UB, nullptr);
     }},
    {"session", [] { MPI_Session_flush_buffer(session()); }},
    {"process set",
     [] {
       MPI_Info info;
       MPI_Session_get_pset_info(session(), "mpi://MOON", &info);
     }},
    {"from a group",
     [] {
       MPI_Comm made;
       MPI_Comm_create_from_group(MPI_GROUP_EMPTY, nullptr, MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL,
                                  &made);
     }},
    {"file",
     [] {
       MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_ARE_FATAL);
       MPI_File_call_errhandler(MPI_FILE_NULL, MPI_ERR_NO_SUCH_FILE);
     }},
    {"window", [] { MPI_Win_set_name(MPI_WIN_NULL, "none"); }},
    {"collectives",
     [] {
       if (rank == 0) {
         MPI_Bcast(&number, 1, MPI_INT, 0, MPI_COMM_WORLD);
       } else {
         MPI_Barrier(MPI_COMM_WORLD);
       }
     }},
    {"collectives, and goes on",
     [] {
       MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
       MPI_Bcast(&number, 1, MPI_INT, rank, MPI_COMM_WORLD);
     }},
    {"collectives by messages",
     [] {
       MPI_Comm inter = between_even_and_odd();
       if (rank == 0) {
         MPI_Bcast(&number, 1, MPI_INT, MPI_ROOT, inter);
       } else {
         MPI_Bcast(&number, 1, MPI_INT, MPI_PROC_NULL, inter);
       }
     }},
    {"persistent collectives",
     [] {
       MPI_Request request;
       MPI_Bcast_init(&number, 1, MPI_INT, rank == 0 ? 0 : 1, MPI_COMM_WORLD, MPI_INFO_NULL,
                      &request);
       MPI_Start(&request);
       MPI_Wait(&request, MPI_STATUS_IGNORE);
     }},
    {"collectives that do not wait",
     [] {
       if (rank == 0) {
         MPI_Bcast(&number, 1, MPI_INT, 0, MPI_COMM_WORLD);
       } else {
         int numbers[3];
         MPI_Gather(&rank, 1, MPI_INT, numbers, 1, MPI_INT, 0, MPI_COMM_WORLD);
       }
     }},
    {"info", [] { MPI_Info_set(MPI_INFO_ENV, "key", "value"); }},
};

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  kMistakes.at(argv[1])();
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
}
