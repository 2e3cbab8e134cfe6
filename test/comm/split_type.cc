// MPI_Comm_split_type (7.4.2): by memory, by hardware, by process set. What
// hardware a rank has is asked with MPI_Get_hw_resource_info and compared with
// what the splits say.
#include <string>
#include <vector>

#include "test/check.h"
#include "test/comm/comms.h"

namespace {

using comms::Ranks;

MPI_Comm split(int type, const char* key, const char* value, int order = 0) {
  MPI_Info info = MPI_INFO_NULL;
  if (key != nullptr) {
    MPI_Info_create(&info);
    MPI_Info_set(info, key, value);
  }
  MPI_Comm made = MPI_COMM_WORLD;
  CHECK_EQ(MPI_Comm_split_type(MPI_COMM_WORLD, type, order, info, &made), MPI_SUCCESS);
  if (info != MPI_INFO_NULL) MPI_Info_free(&info);
  return made;
}

// One node: all ranks share memory.
void shared() {
  check::set_case("MPI_COMM_TYPE_SHARED");
  const Ranks all = comms::members(MPI_COMM_WORLD);
  MPI_Comm made = split(MPI_COMM_TYPE_SHARED, nullptr, nullptr);
  comms::check_comm(made, all, 1);
  MPI_Comm_free(&made);
  made = split(MPI_COMM_TYPE_SHARED, nullptr, nullptr, -check::rank);
  comms::check_comm(made, Ranks(all.rbegin(), all.rend()), 2);
  MPI_Comm_free(&made);
  const bool takes_part = check::rank % 2 == 0;
  MPI_Comm_split_type(MPI_COMM_WORLD, takes_part ? MPI_COMM_TYPE_SHARED : MPI_UNDEFINED, 0,
                      MPI_INFO_NULL, &made);
  CHECK_EQ(made != MPI_COMM_NULL, takes_part);
  if (takes_part) MPI_Comm_free(&made);
}

#if MPI_LEVEL >= 50

void guided() {
  check::set_case("MPI_COMM_TYPE_HW_GUIDED");
  MPI_Info hardware;
  MPI_Get_hw_resource_info(&hardware);
  int keys = 0;
  MPI_Info_get_nkeys(hardware, &keys);
  CHECK(!check::on_atoll() || keys > 0);
  for (int i = 0; i < keys; ++i) {
    char key[MPI_MAX_INFO_KEY + 1], value[8] = "";
    int length = sizeof value, flag = 0;
    MPI_Info_get_nthkey(hardware, i, key);
    MPI_Info_get_string(hardware, key, &length, value, &flag);
    CHECK(flag != 0);
    const bool confined = std::string(value) == "true";
    CHECK(confined || std::string(value) == "false");
    for (int type : {MPI_COMM_TYPE_HW_GUIDED, MPI_COMM_TYPE_RESOURCE_GUIDED}) {
      MPI_Comm made = split(type, "mpi_hw_resource_type", key);
      CHECK_EQ(made != MPI_COMM_NULL, confined);
      if (made == MPI_COMM_NULL) continue;
      comms::check_exchange(made, i);
      MPI_Comm_free(&made);
    }
  }
  MPI_Info_free(&hardware);
  MPI_Comm made = split(MPI_COMM_TYPE_HW_GUIDED, "mpi_hw_resource_type", "mpi_shared_memory");
  comms::check_comm(made, comms::members(MPI_COMM_WORLD), 3);
  MPI_Comm_free(&made);
  CHECK(split(MPI_COMM_TYPE_HW_GUIDED, nullptr, nullptr) == MPI_COMM_NULL);
  CHECK(split(MPI_COMM_TYPE_HW_GUIDED, "mpi_hw_resource_type", "toaster") == MPI_COMM_NULL);
}

void by_process_set() {
  check::set_case("MPI_COMM_TYPE_RESOURCE_GUIDED with process sets");
  MPI_Comm made = split(MPI_COMM_TYPE_RESOURCE_GUIDED, "mpi_pset_name", "mpi://WORLD");
  comms::check_comm(made, comms::members(MPI_COMM_WORLD), 4);
  MPI_Comm_free(&made);
  made = split(MPI_COMM_TYPE_RESOURCE_GUIDED, "mpi_pset_name", "mpi://SELF");
  comms::check_comm(made, {check::rank}, 5);
  MPI_Comm_free(&made);
  CHECK(split(MPI_COMM_TYPE_RESOURCE_GUIDED, "mpi_pset_name", "mpi://MARS") == MPI_COMM_NULL);
}

// Down the hierarchy until nothing divides the rest: each step makes strict
// subsets, and says of what.
void unguided() {
  check::set_case("MPI_COMM_TYPE_HW_UNGUIDED");
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  for (int depth = 0; depth < 20; ++depth) {
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Comm next = MPI_COMM_NULL;
    MPI_Comm_split_type(comm, MPI_COMM_TYPE_HW_UNGUIDED, 0, info, &next);
    int flag = 0, length = 0;
    MPI_Info_get_string(info, "mpi_hw_resource_type", &length, nullptr, &flag);
    MPI_Info_free(&info);
    CHECK_EQ(flag != 0, next != MPI_COMM_NULL);
    if (next == MPI_COMM_NULL) break;
    CHECK(comms::members(next).size() < comms::members(comm).size());
    comms::check_exchange(next, depth);
    MPI_Comm_free(&comm);
    comm = next;
    CHECK(depth < 19);
  }
  MPI_Comm_free(&comm);
}

#endif

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  shared();
#if MPI_LEVEL >= 50
  guided();
  by_process_set();
  unguided();
#endif
  return check::finish();
}
