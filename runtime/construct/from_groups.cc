// The members meet in the context that all processes of the job know. The tag
// there is a hash of what the program calls the construction.
#include "runtime/construct/from_groups.h"

#include <cstring>
#include <string_view>

#include "runtime/construct/create.h"
#include "runtime/construct/intercomm.h"
#include "runtime/core/process.h"

namespace atl::construct {
namespace {

// `step` tells the exchanges of one construction apart.
int tag_of(const char* stringtag, int step) {
  std::uint64_t hash = 0xcbf29ce484222325ull + static_cast<std::uint64_t>(step);  // FNV-1a
  for (const char* c = stringtag; *c != '\0'; ++c) {
    hash = (hash ^ static_cast<unsigned char>(*c)) * 0x100000001b3ull;
  }
  return static_cast<int>((hash ^ hash >> 32) & 0x7fffffff);
}

// The error handler of the call answers for its faults.
class Answering {
 public:
  explicit Answering(Errhandler& errhandler) { everybody().set_errhandler(errhandler); }

  static Communicator& everybody() { return communicators.everybody(); }

  static Fault passed_on(Fault fault) {
    return fault ? fail_with(fault.error_class(), std::string(fault.text()), &everybody()) : fault;
  }
};

Fault check_tag(const char* stringtag) {
  if (::strnlen(stringtag, MPI_MAX_STRINGTAG_LEN) < MPI_MAX_STRINGTAG_LEN) return {};
  return fail(MPI_ERR_ARG, "stringtag is longer than %d characters", MPI_MAX_STRINGTAG_LEN - 1);
}

Fault check_member(const char* name, const Group& group) {
  if (group.members.find(process.rank) != Members::kNobody) return {};
  return fail(MPI_ERR_GROUP, "%s: the calling process is not one of its %d members", name,
              group.members.size());
}

Fault check_leader(const char* name, int leader, const Group& group) {
  if (leader >= 0 && leader < group.members.size()) return {};
  return fail(MPI_ERR_RANK, "%s=%d is outside its group of size %d", name, leader,
              group.members.size());
}

Fault check_apart(const Group& local_group, const Group& remote_group) {
  const RankFinder finder(local_group.members);
  for (int rank = 0; rank < remote_group.members.size(); ++rank) {
    if (finder.find(remote_group.members.world_rank(rank)) != Members::kNobody) {
      return fail(MPI_ERR_GROUP, "the groups overlap: rank %d of remote_group is in both", rank);
    }
  }
  return {};
}

void give(Communicator& made, Errhandler& errhandler, const Info& info) {
  made.set_errhandler(errhandler);
  made.apply_hints(info);
}

Fault make(Group& group, const char* stringtag, Communicator*& made) {
  made = nullptr;
  if (Fault fault = check_tag(stringtag)) return fault;
  if (group.members.size() == 0) return {};
  if (Fault fault = check_member("group", group)) return fault;
  return create_among(Answering::everybody(), group.members, tag_of(stringtag, 0), made);
}

Fault check_sides(const Group& local_group, int local_leader, const Group& remote_group,
                  int remote_leader, const char* stringtag) {
  if (Fault fault = check_tag(stringtag)) return fault;
  if (Fault fault = check_member("local_group", local_group)) return fault;
  if (Fault fault = check_leader("local_leader", local_leader, local_group)) return fault;
  if (Fault fault = check_leader("remote_leader", remote_leader, remote_group)) return fault;
  return check_apart(local_group, remote_group);
}

}  // namespace

Fault create_from_group(Group& group, const char* stringtag, const Info& info,
                        Errhandler& errhandler, MPI_Comm* newcomm) {
  const Answering answering(errhandler);
  Communicator* made = nullptr;
  if (Fault fault = make(group, stringtag, made)) return Answering::passed_on(fault);
  if (made != nullptr) give(*made, errhandler, info);
  *newcomm = made == nullptr ? MPI_COMM_NULL : Communicators::handle(*made);
  return {};
}

// With a communicator of each side alone, it goes as if that and all processes
// together had been given.
Fault intercomm_create_from_groups(Group& local_group, int local_leader, Group& remote_group,
                                   int remote_leader, const char* stringtag, const Info& info,
                                   Errhandler& errhandler, MPI_Comm* newintercomm) {
  const Answering answering(errhandler);
  if (Fault fault =
          check_sides(local_group, local_leader, remote_group, remote_leader, stringtag)) {
    return Answering::passed_on(fault);
  }
  Communicator& everybody = Answering::everybody();
  Communicator* local = nullptr;
  if (Fault fault = create_among(everybody, local_group.members, tag_of(stringtag, 1), local)) {
    return Answering::passed_on(fault);
  }
  const auto leader = static_cast<int>(remote_group.members.world_rank(remote_leader));
  Communicator* made = nullptr;
  Fault fault = connect(*local, local_leader, {everybody, leader, tag_of(stringtag, 2)}, made);
  if (!fault && made->peer_members() != remote_group.members) {
    fault = fail(MPI_ERR_GROUP, "remote_group: here it has %d members, at the other side %d%s",
                 remote_group.members.size(), made->peers(),
                 remote_group.members.size() == made->peers() ? ", but others" : "");
    made->freed = true;
    release(*made);
  }
  local->freed = true;
  release(*local);
  if (fault) return Answering::passed_on(fault);
  give(*made, errhandler, info);
  *newintercomm = Communicators::handle(*made);
  return {};
}

}  // namespace atl::construct
