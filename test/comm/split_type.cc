// MPI_Comm_split_type (7.4.2): by memory, by hardware, by process set. What
// hardware a rank has is asked with MPI_Get_hw_resource_info and compared with
// what the splits say.
#include <cstdlib>
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

// The names of all kinds that the standard's users know from hwloc.
void kinds() {
  check::set_case("MPI_Get_hw_resource_info");
  if (!check::on_atoll()) return;
  MPI_Info hardware;
  MPI_Get_hw_resource_info(&hardware);
  for (const char* type : {"Machine", "Package", "Die", "Group", "NUMANode", "L5Cache", "L4Cache",
                           "L3Cache", "L2Cache", "L1Cache", "Core", "PU"}) {
    int length = 0, flag = 0;
    MPI_Info_get_string(hardware, (std::string("hwloc://") + type).c_str(), &length, nullptr,
                        &flag);
    CHECK(flag != 0);
  }
  MPI_Info_free(&hardware);
  MPI_Comm made = split(MPI_COMM_TYPE_HW_GUIDED, "mpi_hw_resource_type", "hwloc://Machine");
  comms::check_comm(made, comms::members(MPI_COMM_WORLD), 6);
  MPI_Comm_free(&made);
}

// On the machine that ATOLL_PLACES=2x2x2x4 pretends: which package, NUMA node, L3
// cache and core a rank has.
int instance(const std::string& type, int rank) {
  const int package = rank % 2, numa = 2 * package + rank / 2 % 2, cache = 2 * numa + rank / 4 % 2;
  if (type == "Package") return package;
  if (type == "NUMANode") return numa;
  return type == "L3Cache" ? cache : 4 * cache + rank / 8 % 4;
}

Ranks together(const std::string& type) {
  Ranks ranks;
  for (int rank = 0; rank < check::size; ++rank) {
    if (instance(type, rank) == instance(type, check::rank)) ranks.push_back(rank);
  }
  return ranks;
}

void on_the_pretended_machine() {
  const char* places = std::getenv("ATOLL_PLACES");
  if (!check::on_atoll() || places == nullptr || std::string(places) != "2x2x2x4") return;
  for (const char* type : {"Package", "NUMANode", "L3Cache", "Core"}) {
    check::set_case("pretended %s", type);
    const std::string uri = std::string("hwloc://") + type;
    for (const std::string& name : {uri, std::string(type)}) {
      MPI_Comm made = split(MPI_COMM_TYPE_HW_GUIDED, "mpi_hw_resource_type", name.c_str());
      comms::check_comm(made, together(type), 7);
      MPI_Comm_free(&made);
    }
    MPI_Comm made = split(MPI_COMM_TYPE_RESOURCE_GUIDED, "mpi_pset_name", uri.c_str());
    comms::check_comm(made, together(type), 8);
    MPI_Comm_free(&made);
  }
  for (const char* type : {"L1Cache", "Die", "PU"}) {
    const std::string uri = std::string("hwloc://") + type;
    CHECK(split(MPI_COMM_TYPE_HW_GUIDED, "mpi_hw_resource_type", uri.c_str()) == MPI_COMM_NULL);
  }
}

// Ranks ask for different things: all of them hear of it, and nothing is made.
void disagreement() {
  if (!check::on_atoll() || check::size < 2) return;
  MPI_Comm comm, made = MPI_COMM_WORLD;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  const bool differs = check::rank == check::size - 1;
  check::set_case("different types of split");
  int code = MPI_Comm_split_type(comm, differs ? MPI_COMM_TYPE_HW_UNGUIDED : MPI_COMM_TYPE_SHARED,
                                 0, MPI_INFO_NULL, &made);
  CHECK_EQ(check::error_class(code), MPI_ERR_NOT_SAME);
  CHECK(check::error_text(code).find("split_type=MPI_COMM_TYPE_HW_UNGUIDED at rank " +
                                     std::to_string(check::size - 1)) != std::string::npos);
  check::set_case("MPI_Comm_split and MPI_Comm_split_type");
  code = differs ? MPI_Comm_split(comm, 0, 0, &made)
                 : MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &made);
  CHECK_EQ(check::error_class(code), MPI_ERR_NOT_SAME);
  check::set_case("different resources");
  MPI_Info info;
  MPI_Info_create(&info);
  MPI_Info_set(info, "mpi_hw_resource_type", differs ? "hwloc://Machine" : "mpi_shared_memory");
  CHECK(made == MPI_COMM_WORLD);
  // Hints that are not the same are ignored, as if there were none.
  CHECK_EQ(MPI_Comm_split_type(comm, MPI_COMM_TYPE_HW_GUIDED, 0, info, &made), MPI_SUCCESS);
  CHECK(made == MPI_COMM_NULL);
  CHECK_EQ(
      MPI_Comm_split_type(comm, MPI_COMM_TYPE_HW_GUIDED, 0, differs ? MPI_INFO_NULL : info, &made),
      MPI_SUCCESS);
  CHECK(made == MPI_COMM_NULL);
  CHECK_EQ(MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, info, &made), MPI_SUCCESS);
  MPI_Comm_free(&made);
  MPI_Info_free(&info);
  check::set_case("agreement again");
  CHECK_EQ(MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &made), MPI_SUCCESS);
  comms::check_comm(made, comms::members(MPI_COMM_WORLD), 9);
  MPI_Comm_free(&made);
  MPI_Comm_free(&comm);
}

// Both sides of an inter-communicator are divided by the same hardware.
void between_groups() {
  if (check::size < 2) return;
  check::set_case("of an inter-communicator");
  MPI_Comm half, inter, made = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, check::rank % 2, 0, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - check::rank % 2, 5, &inter);
  MPI_Comm_split_type(inter, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &made);
  comms::check_inter(made, comms::members(half), comms::remote_members(inter), 10);
  MPI_Comm_free(&made);
  MPI_Comm_split_type(inter, MPI_COMM_TYPE_HW_UNGUIDED, 0, MPI_INFO_NULL, &made);
  if (made != MPI_COMM_NULL) {
    comms::check_exchange(made, 11);
    MPI_Comm_free(&made);
  }
  MPI_Comm_free(&inter);
  MPI_Comm_free(&half);
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
  kinds();
  guided();
  on_the_pretended_machine();
  disagreement();
  between_groups();
  by_process_set();
  unguided();
#endif
  return check::finish();
}
