#include "runtime/comm/session.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "runtime/comm/group.h"
#include "runtime/comm/psets.h"
#include "runtime/objects/info.h"

namespace atl {

Session::Session(Errhandler& errhandler, const Info& granted)
    : hints_(session_hints()), errhandler_(errhandler) {
  hints_.apply(granted);
}

Session* Sessions::find(MPI_Session handle) {
  const std::lock_guard guard(lock_);
  return table_.find(reinterpret_cast<std::uintptr_t>(handle));
}

MPI_Session Sessions::from_int(int number) {
  const std::lock_guard guard(lock_);
  return reinterpret_cast<MPI_Session>(table_.from_int(number));
}

MPI_Session Sessions::create(Errhandler& errhandler, const Info& granted) {
  const std::lock_guard guard(lock_);
  return handle(table_.create(errhandler, granted));
}

void Sessions::destroy(Session& session) {
  const std::lock_guard guard(lock_);
  table_.destroy(session);
}

namespace session {
namespace {

Error unknown_pset(const char* name) {
  return make_error(MPI_ERR_ARG, "pset_name=%s is not a process set of this process", name);
}

}  // namespace

Error get_info(Session& session, MPI_Info* info_used) {
  *info_used = infos.create(session.hints());
  return {};
}

Error get_num_psets(Session&, const Info&, int* npset_names) {
  *npset_names = static_cast<int>(pset_names().size());
  return {};
}

Error get_nth_pset(Session&, const Info&, int n, int* pset_len, char* pset_name) {
  const std::vector<std::string>& names = pset_names();
  if (n < 0 || n >= static_cast<int>(names.size())) {
    return make_error(MPI_ERR_ARG, "n=%d: there are %zu process sets", n, names.size());
  }
  if (*pset_len < 0) return make_error(MPI_ERR_ARG, "pset_len=%d is negative", *pset_len);
  const std::string& name = names[static_cast<std::size_t>(n)];
  if (*pset_len > 0) {
    if (pset_name == nullptr) return make_error(MPI_ERR_ARG, "pset_name is a null pointer");
    const std::size_t length = std::min(name.size(), static_cast<std::size_t>(*pset_len) - 1);
    std::memcpy(pset_name, name.data(), length);
    pset_name[length] = '\0';
  }
  *pset_len = static_cast<int>(name.size()) + 1;
  return {};
}

Error get_pset_info(Session&, const char* pset_name, MPI_Info* info) {
  const auto members = pset_members(pset_name);
  if (!members) return unknown_pset(pset_name);
  Info about;
  about.set("mpi_size", std::to_string(members->size()));
  *info = infos.create(std::move(about));
  return {};
}

// An unknown name gives MPI_GROUP_NULL (7.3.2).
Error group_from_pset(Session& session, const char* pset_name, MPI_Group* newgroup) {
  const auto members = pset_members(pset_name);
  *newgroup = members ? groups.make(*members, session.session_state) : MPI_GROUP_NULL;
  return {};
}

}  // namespace session
}  // namespace atl
