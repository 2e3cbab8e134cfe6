// MPI_Comm_split_type with two ranks on a machine of two packages with one core
// each, as HWLOC_SYNTHETIC describes it to mpiexec: each kind of hardware but the
// machine has one instance for each rank.
#include <string>

#include "test/check.h"
#include "test/comm/comms.h"

#if MPI_LEVEL >= 50

namespace {

// Ranks are only bound where there are two processing units to bind them to.
bool bound() {
  MPI_Info hardware;
  MPI_Get_hw_resource_info(&hardware);
  char value[8] = "";
  int length = sizeof value, flag = 0;
  MPI_Info_get_string(hardware, "hwloc://Core", &length, value, &flag);
  MPI_Info_free(&hardware);
  return std::string(value) == "true";
}

MPI_Comm split_by(const char* type) {
  MPI_Info info;
  MPI_Info_create(&info);
  MPI_Info_set(info, "mpi_hw_resource_type", (std::string("hwloc://") + type).c_str());
  MPI_Comm made;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_HW_GUIDED, 0, info, &made);
  MPI_Info_free(&info);
  return made;
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  check::passed();
  if (check::on_atoll() && bound()) {
    for (const char* type :
         {"Package", "NUMANode", "L3Cache", "L2Cache", "L1Cache", "Core", "PU"}) {
      check::set_case("%s", type);
      MPI_Comm made = split_by(type);
      comms::check_comm(made, {check::rank}, 1);
      MPI_Comm_free(&made);
    }
    for (const char* type : {"L4Cache", "L5Cache", "Die", "Group"}) {
      check::set_case("%s", type);
      CHECK(split_by(type) == MPI_COMM_NULL);
    }
    MPI_Comm made = split_by("Machine");
    comms::check_comm(made, {0, 1}, 2);
    MPI_Comm_free(&made);
  }
  return check::finish();
}

#else
int main(int argc, char** argv) { return check::nothing_to_test(argc, argv); }
#endif
