// The members exchange messages in the context that all processes of the job know.
#include "runtime/construct/from_groups.h"

#include <cstring>
#include <string>

#include "runtime/construct/communicator_objects.h"
#include "runtime/construct/create.h"
#include "runtime/construct/creation_message.h"
#include "runtime/construct/intercomm.h"
#include "runtime/core/process.h"

namespace atl::construct {
namespace {

struct Sides {
  const RankMap& local;
  const RankMap& remote;
  int local_leader;
  int remote_leader;
};

// The name of the construction; `part` distinguishes its parts.
std::string name_of(const char* stringtag, const char* part = "") {
  return "stringtag=" + std::string(stringtag) + part;
}

Error check_tag(const char* stringtag) {
  if (::strnlen(stringtag, MPI_MAX_STRINGTAG_LEN) < MPI_MAX_STRINGTAG_LEN) return {};
  return make_error(MPI_ERR_ARG, "stringtag is longer than %d characters",
                    MPI_MAX_STRINGTAG_LEN - 1);
}

Error check_member(const char* name, const Group& group) {
  if (group.members.find(process.rank) != RankMap::kNobody) return {};
  return make_error(MPI_ERR_GROUP, "%s: the calling process is not one of its %d members", name,
                    group.members.size());
}

Error check_leader(const char* name, int leader, const Group& group) {
  if (leader >= 0 && leader < group.members.size()) return {};
  return make_error(MPI_ERR_RANK, "%s=%d is outside its group of size %d", name, leader,
                    group.members.size());
}

Error check_apart(const Group& local_group, const Group& remote_group) {
  const RankFinder finder(local_group.members);
  for (int rank = 0; rank < remote_group.members.size(); ++rank) {
    if (finder.find(remote_group.members.world_rank(rank)) != RankMap::kNobody) {
      return make_error(MPI_ERR_GROUP, "the groups overlap: rank %d of remote_group is in both",
                        rank);
    }
  }
  return {};
}

void give(Communicator& made, const Group& group, Errhandler& errhandler, const Info& info) {
  made.session_state = group.session_state;
  made.set_errhandler(errhandler);
  made.apply_hints(info);
}

Error make(Group& group, const char* stringtag, Communicator*& made) {
  made = nullptr;
  if (Error error = check_tag(stringtag)) return error;
  if (group.members.size() == 0) return {};
  if (Error error = check_member("group", group)) return error;
  return create_among(communicators.everybody(), {group.members, name_of(stringtag)}, made);
}

Error check_sides(const Group& local_group, int local_leader, const Group& remote_group,
                  int remote_leader, const char* stringtag) {
  if (Error error = check_tag(stringtag)) return error;
  if (Error error = check_member("local_group", local_group)) return error;
  if (Error error = check_leader("local_leader", local_leader, local_group)) return error;
  if (Error error = check_leader("remote_leader", remote_leader, remote_group)) return error;
  if (local_group.session_state != remote_group.session_state) {
    return make_error(MPI_ERR_GROUP,
                      "local_group and remote_group are derived from different sessions");
  }
  return check_apart(local_group, remote_group);
}

// Makes the communicator of one side, whose members all name the same other side and leaders.
Error make_side(const Sides& sides, const char* stringtag, Communicator*& local) {
  std::uint64_t other = sides.remote.hash();
  for (const int leader : {sides.local_leader, sides.remote_leader}) {
    other = other * 1000003 + static_cast<std::uint64_t>(leader);
  }
  return create_among(communicators.everybody(),
                      {sides.local, name_of(stringtag, " of one side"), other,
                       "remote_group, local_leader or remote_leader"},
                      local);
}

// What the leader of a side sends to the leader of the other.
struct Introduction {
  std::int32_t size;
  shm::ContextId context;
  std::uint64_t members;  // hash of its members
  std::uint64_t others;   // hash of the members that it expects on the other side
};

// Called by the leaders: checks that each side names the other. From here on the leaders use a
// tag of their own, made from a context id, which is unique in the job.
Error introduce(const Sides& sides, const char* stringtag, shm::ContextId context, Line& line) {
  const Introduction own{sides.local.size(), context, sides.local.hash(), sides.remote.hash()};
  const std::string name = name_of(stringtag, " between sides");
  CreationMessage message{name, bytes_of(own)};
  if (Error error = send_creation_message(line.comm, line.peer, message)) return error;
  if (Error error = receive_creation_message(line.comm, line.peer, name, message)) return error;
  const auto other = from_bytes<Introduction>(message.body);
  line.tag = tag_of_program(
      static_cast<int>(decides(sides.local, sides.remote) ? own.context : other.context));
  if (other.members == own.others && other.others == own.members) return {};
  return make_error(
      MPI_ERR_NOT_SAME,
      "remote_group: here it has %d members, and the other side names %d as its own%s",
      sides.remote.size(), other.size,
      sides.remote.size() == other.size ? ", but others or for another group" : "");
}

}  // namespace

Error create_from_group(Group& group, const char* stringtag, const Info& info,
                        Errhandler& errhandler, MPI_Comm* newcomm) {
  Communicator* made = nullptr;
  if (Error error = make(group, stringtag, made)) return error;
  if (made != nullptr) give(*made, group, errhandler, info);
  *newcomm = made == nullptr ? MPI_COMM_NULL : Communicators::handle(*made);
  return {};
}

// Makes a communicator for each side first; then it continues as MPI_Intercomm_create does with
// these and with a communicator of all processes.
Error intercomm_create_from_groups(Group& local_group, int local_leader, Group& remote_group,
                                   int remote_leader, const char* stringtag, const Info& info,
                                   Errhandler& errhandler, MPI_Comm* newintercomm) {
  if (Error error =
          check_sides(local_group, local_leader, remote_group, remote_leader, stringtag)) {
    return error;
  }
  const Sides sides{local_group.members, remote_group.members, local_leader, remote_leader};
  Communicator* local = nullptr;
  if (Error error = make_side(sides, stringtag, local)) return error;
  Line line{communicators.everybody(), static_cast<int>(sides.remote.world_rank(remote_leader)), 0};
  Error of_leader;
  if (local->rank() == local_leader) {
    of_leader = introduce(sides, stringtag, local->context(), line);
  }
  Communicator* made = nullptr;
  const Error error = connect(of_leader, *local, local_leader, line, made);
  local->freed = true;
  release(*local);
  if (error) return error;
  give(*made, local_group, errhandler, info);
  *newintercomm = Communicators::handle(*made);
  return {};
}

}  // namespace atl::construct
