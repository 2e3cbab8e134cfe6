// The members meet in the context that all processes of the job know.
#include "runtime/construct/from_groups.h"

#include <cstring>
#include <string>

#include "runtime/construct/create.h"
#include "runtime/construct/intercomm.h"
#include "runtime/construct/letters.h"
#include "runtime/construct/make.h"
#include "runtime/core/process.h"

namespace atl::construct {
namespace {

struct Sides {
  const Members& local;
  const Members& remote;
  int local_leader;
  int remote_leader;
};

// What the members call the construction; `part` tells its parts apart.
std::string name_of(const char* stringtag, const char* part = "") {
  return "stringtag=" + std::string(stringtag) + part;
}

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

void give(Communicator& made, const Group& group, Errhandler& errhandler, const Info& info) {
  made.origin = group.origin;
  made.set_errhandler(errhandler);
  made.apply_hints(info);
}

Fault make(Group& group, const char* stringtag, Communicator*& made) {
  made = nullptr;
  if (Fault fault = check_tag(stringtag)) return fault;
  if (group.members.size() == 0) return {};
  if (Fault fault = check_member("group", group)) return fault;
  return create_among(communicators.everybody(), {group.members, name_of(stringtag)}, made);
}

Fault check_sides(const Group& local_group, int local_leader, const Group& remote_group,
                  int remote_leader, const char* stringtag) {
  if (Fault fault = check_tag(stringtag)) return fault;
  if (Fault fault = check_member("local_group", local_group)) return fault;
  if (Fault fault = check_leader("local_leader", local_leader, local_group)) return fault;
  if (Fault fault = check_leader("remote_leader", remote_leader, remote_group)) return fault;
  if (local_group.origin != remote_group.origin) {
    return fail(MPI_ERR_GROUP, "local_group and remote_group are derived from different sessions");
  }
  return check_apart(local_group, remote_group);
}

// One side: all of it mean the same other side and the same leaders.
Fault make_side(const Sides& sides, const char* stringtag, Communicator*& local) {
  std::uint64_t other = sides.remote.hash();
  for (const int leader : {sides.local_leader, sides.remote_leader}) {
    other = other * 1000003 + static_cast<std::uint64_t>(leader);
  }
  return create_among(communicators.everybody(),
                      {sides.local, name_of(stringtag, " of one side"), other,
                       "remote_group, local_leader or remote_leader"},
                      local);
}

// How the leader of a side introduces it to that of the other.
struct Introduction {
  std::int32_t size;
  shm::ContextId context;
  std::uint64_t members;  // hash
  std::uint64_t others;   // hash of whom it takes for the other side
};

// The leaders: each is whom the other means. From here on they have a tag of their
// own, an id that is in use once in the job.
Fault introduce(const Sides& sides, const char* stringtag, shm::ContextId context, Line& line) {
  const Introduction own{sides.local.size(), context, sides.local.hash(), sides.remote.hash()};
  const std::string name = name_of(stringtag, " between sides");
  Letter letter{name, bytes_of(own)};
  if (Fault fault = send_letter(line.comm, line.peer, letter)) return fault;
  if (Fault fault = receive_letter(line.comm, line.peer, name, letter)) return fault;
  const auto other = from_bytes<Introduction>(letter.body);
  line.tag = tag_of_program(
      static_cast<int>(decides(sides.local, sides.remote) ? own.context : other.context));
  if (other.members == own.others && other.others == own.members) return {};
  return fail(MPI_ERR_NOT_SAME,
              "remote_group: here it has %d members, and the other side names %d as its own%s",
              sides.remote.size(), other.size,
              sides.remote.size() == other.size ? ", but others or for another group" : "");
}

}  // namespace

Fault create_from_group(Group& group, const char* stringtag, const Info& info,
                        Errhandler& errhandler, MPI_Comm* newcomm) {
  Communicator* made = nullptr;
  if (Fault fault = make(group, stringtag, made)) return fault;
  if (made != nullptr) give(*made, group, errhandler, info);
  *newcomm = made == nullptr ? MPI_COMM_NULL : Communicators::handle(*made);
  return {};
}

// With a communicator of each side alone, it goes as if that and all processes
// together had been given.
Fault intercomm_create_from_groups(Group& local_group, int local_leader, Group& remote_group,
                                   int remote_leader, const char* stringtag, const Info& info,
                                   Errhandler& errhandler, MPI_Comm* newintercomm) {
  if (Fault fault =
          check_sides(local_group, local_leader, remote_group, remote_leader, stringtag)) {
    return fault;
  }
  const Sides sides{local_group.members, remote_group.members, local_leader, remote_leader};
  Communicator* local = nullptr;
  if (Fault fault = make_side(sides, stringtag, local)) return fault;
  Line line{communicators.everybody(), static_cast<int>(sides.remote.world_rank(remote_leader)), 0};
  Fault of_leader;
  if (local->rank() == local_leader) {
    of_leader = introduce(sides, stringtag, local->context(), line);
  }
  Communicator* made = nullptr;
  const Fault fault = connect(of_leader, *local, local_leader, line, made);
  local->freed = true;
  release(*local);
  if (fault) return fault;
  give(*made, local_group, errhandler, info);
  *newintercomm = Communicators::handle(*made);
  return {};
}

}  // namespace atl::construct
