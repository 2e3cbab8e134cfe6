// Every member sends its arguments to one member, the one with the lowest rank in the job; that
// member takes the context id and replies to all. By the rank in the job, members also find each
// other that named the same group in another order, or groups that share this member.
#include "runtime/construct/agreement.h"

#include <algorithm>
#include <vector>

#include "runtime/construct/contexts.h"
#include "runtime/construct/creation_message.h"
#include "runtime/core/process.h"

namespace atl::construct {
namespace {

struct Vote {
  std::int64_t size;
  std::uint64_t hash;   // of the members, in their order
  std::uint64_t other;  // Construction::other
};

// In a message the text of the error follows.
struct Verdict {
  std::int32_t error_class;
  shm::ContextId context;
};

std::uint32_t first_in_job(const RankMap& members) {
  std::uint32_t first = members.world_rank(0);
  for (int rank = 1; rank < members.size(); ++rank) {
    first = std::min(first, members.world_rank(rank));
  }
  return first;
}

std::string who(std::uint32_t world) { return "rank " + std::to_string(world) + " of the job"; }

// How the arguments of `other` differ from those of this process; empty: not at all.
std::string difference(std::uint32_t other, const CreationMessage& message,
                       const Construction& meant, const Vote& own) {
  const std::string here = who(process.rank);
  if (message.name != meant.name) {
    return who(other) + " calls with " + message.name + ", " + here + " with " + meant.name;
  }
  const Vote vote = from_bytes<Vote>(message.body);
  if (vote.size != own.size) {
    return "group: " + who(other) + " names " + std::to_string(vote.size) + " members, " + here +
           " names " + std::to_string(own.size);
  }
  if (vote.hash != own.hash) {
    return "group: " + who(other) + " and " + here + " name " + std::to_string(own.size) +
           " members each, but others or in another order";
  }
  if (vote.other == own.other) return {};
  return std::string(meant.others) + ": " + who(other) + " and " + here + " name different ones";
}

Error outcome_of(const Verdict& verdict, const std::string& wrong, shm::ContextId& context) {
  if (verdict.error_class != MPI_SUCCESS)
    return make_error(verdict.error_class, "%s", wrong.c_str());
  if (verdict.context == kNoContext) return no_context_left();
  context = verdict.context;
  return {};
}

Error preside(Communicator& comm, const Construction& meant, const Vote& own,
              shm::ContextId& context) {
  struct Voter {
    int rank;  // in `comm`
    std::string name;
  };
  const RankFinder finder(comm.members());
  std::vector<Voter> voters;
  std::string wrong;
  for (int rank = 0; rank < meant.members.size(); ++rank) {
    const std::uint32_t world = meant.members.world_rank(rank);
    if (world == process.rank) continue;
    CreationMessage message;
    const int from = finder.find(world);
    if (Error error = receive_creation_message_of_call(comm, from, meant.name, message))
      return error;
    if (wrong.empty()) wrong = difference(world, message, meant, own);
    voters.push_back({from, std::move(message.name)});
  }
  const Verdict verdict{wrong.empty() ? MPI_SUCCESS : MPI_ERR_NOT_SAME,
                        wrong.empty() ? take_context(meant.members.size()) : kNoContext};
  for (const Voter& voter : voters) {
    if (Error error =
            send_creation_message(comm, voter.rank, {voter.name, bytes_of(verdict) + wrong})) {
      return error;
    }
  }
  return outcome_of(verdict, wrong, context);
}

// The first rank whose value differs from that of rank 0; 0: none.
template <class T>
Error find_other(Communicator& comm, T value, std::vector<T>& all, std::size_t& other) {
  if (Error error = allgather(value, all, comm)) return error;
  const auto found = std::ranges::find_if(all, [&](T one) { return one != all[0]; });
  other = found == all.end() ? 0 : static_cast<std::size_t>(found - all.begin());
  return {};
}

}  // namespace

Error check_same(Communicator& comm, const char* argument, int value) {
  std::vector<int> all;
  std::size_t other = 0;
  if (Error error = find_other(comm, value, all, other)) return error;
  if (other == 0) return {};
  return make_error(MPI_ERR_NOT_SAME, "%s=%d at rank 0 of the group, but %d at rank %zu", argument,
                    all[0], all[other], other);
}

Error check_same_hash(Communicator& comm, const char* argument, std::uint64_t hash) {
  std::vector<std::uint64_t> all;
  std::size_t other = 0;
  if (Error error = find_other(comm, hash, all, other)) return error;
  if (other == 0) return {};
  return make_error(MPI_ERR_NOT_SAME, "%s: ranks 0 and %zu of the group name different ones",
                    argument, other);
}

Error agree(Communicator& comm, const Construction& meant, shm::ContextId& context) {
  const Vote own{meant.members.size(), meant.members.hash(), meant.other};
  const std::uint32_t first = first_in_job(meant.members);
  if (first == process.rank) return preside(comm, meant, own, context);
  const int judge = comm.members().find(first);
  CreationMessage message;
  if (Error error = send_creation_message(comm, judge, {meant.name, bytes_of(own)})) return error;
  if (Error error = receive_creation_message(comm, judge, meant.name, message)) return error;
  return outcome_of(from_bytes<Verdict>(message.body), message.body.substr(sizeof(Verdict)),
                    context);
}

}  // namespace atl::construct
