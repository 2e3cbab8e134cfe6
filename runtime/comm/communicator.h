// Communicators (MPI 5.0, chapter 7): a group, a context, and what hangs on it.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "base/check.h"
#include "runtime/comm/extensions.h"
#include "runtime/comm/rank_map.h"
#include "runtime/comm/session_state.h"
#include "runtime/core/handle_table.h"
#include "runtime/objects/attributes.h"
#include "runtime/objects/errhandler.h"
#include "runtime/objects/hints.h"
#include "shm/context_registry.h"

namespace atl {

class Communicator {
 public:
  static constexpr HandleKind kHandleKind = HandleKind::comm;

  Communicator(RankMap members, int rank, shm::ContextId context)
      : Communicator(members, members, rank, context) {}

  // An inter-communicator. `local` has the members of this side alone, for what
  // they do by themselves; it ends with the inter-communicator.
  Communicator(RankMap members, RankMap remote, int rank, shm::ContextId context,
               Communicator& local)
      : Communicator(std::move(members), std::move(remote), rank, context) {
    local_ = &local;
    local.is_part = true;
  }

  // Of this process in its own group, the local one of an inter-communicator.
  int rank() const { return rank_; }
  int size() const { return size_; }
  const RankMap& members() const { return members_; }

  // Whom messages go to and come from, and what ranks in arguments mean: the
  // remote group of an inter-communicator, else the one there is.
  int peers() const { return peers_; }
  std::uint32_t world_rank(int peer) const { return peer_members_.world_rank(peer); }
  const RankMap& peer_members() const { return peer_members_; }

  bool is_inter() const { return local_ != nullptr; }
  Communicator& local() { return *local_; }

  const std::string& name() const { return name_; }  // as the program set it
  std::string label() const;      // for messages: its name, or what else tells it apart
  std::string described() const;  // the same as part of a sentence: "communicator NAME"
  void set_name(std::string name) { name_ = std::move(name); }

  // Point-to-point traffic; collectives use a context of their own, so that
  // they never meet it.
  shm::ContextId context() const { return context_; }
  void set_context(shm::ContextId context) { context_ = context; }
  shm::ContextId collective_context() const { return context_ | kCollective; }
  static constexpr shm::ContextId kCollective = 0x80000000u;

  Errhandler& errhandler() const { return errhandler_.get(); }
  void set_errhandler(Errhandler& errhandler) {
    errhandler_.set(errhandler);
    errhandler_set_ = true;
  }
  bool errhandler_set() const { return errhandler_set_; }  // else it is the initial one

  std::shared_ptr<SessionState> session_state;  // null: the world model
  Attributes<MPI_Comm> attributes;

  // What it was told to assume (7.4.4); MPI_Comm_dup does not hand it on.
  void apply_hints(const Info& info);
  const Info& hints() const;
  bool asserts(std::string_view key) const { return hints_ != nullptr && hints_->asserts(key); }

  Extensions extensions;          // what the layers above keep with it
  std::uint32_t collectives = 0;  // begun on it: each gets messages of its own

  // Pending operations on it; the object lives until they end (MPI_Comm_free).
  std::uint32_t references = 1;
  std::uintptr_t predefined = 0;  // its handle when it is MPI_COMM_WORLD or MPI_COMM_SELF
  bool freed = false;             // by the program; operations under way keep it
  bool is_part = false;           // the local one of an inter-communicator
  bool pending = false;           // MPI_Comm_idup has not completed: it has no context yet

 private:
  Communicator(RankMap members, RankMap peers, int rank, shm::ContextId context)
      : members_(std::move(members)),
        peer_members_(std::move(peers)),
        rank_(rank),
        size_(members_.size()),
        peers_(peer_members_.size()),
        context_(context) {}

  std::string name_;
  RankMap members_;
  RankMap peer_members_;
  int rank_;
  int size_;
  int peers_;
  shm::ContextId context_;
  Communicator* local_ = nullptr;
  std::unique_ptr<Hints> hints_;  // null: the initial ones
  HeldErrhandler errhandler_{initial_errhandler()};
  bool errhandler_set_ = false;
};

// Everything a program can name with an MPI_Comm.
class Communicators {
 public:
  // Those of the world model; null without it.
  Communicator* world() { return world_; }
  Communicator* self() { return self_; }

  // Null when `handle` is none in which this process can communicate.
  Communicator* find(MPI_Comm handle) const {
    if (__builtin_expect(handle == MPI_COMM_WORLD, 1)) return world_;
    if (handle == MPI_COMM_SELF) return self_;
    Communicator* one = find_made(handle);
    return one == nullptr || one->pending ? nullptr : one;
  }
  // As find(), but MPI_Comm_idup may be making it still.
  Communicator* find_with_pending(MPI_Comm handle) const {
    Communicator* one = find(handle);
    return one == nullptr ? find_made(handle) : one;
  }

  static MPI_Comm handle(Communicator& communicator) {
    return reinterpret_cast<MPI_Comm>(communicator.predefined != 0
                                          ? communicator.predefined
                                          : HandleTable<Communicator>::handle(communicator));
  }

  MPI_Comm from_int(int number) const {
    return reinterpret_cast<MPI_Comm>(table_.from_int(number));
  }

  // The communicator with that point-to-point context, null when there is none here.
  const Communicator* of_context(shm::ContextId context) const;

  // Calls visit(const Communicator&), for MPI_COMM_WORLD first.
  template <class Visit>
  void for_each(Visit visit) const {
    for (const Communicator* one : {all_.get(), alone_.get(), everybody_.get()}) visit(*one);
    table_.for_each([&](const Communicator& one) { visit(one); });
  }

  // Every process there is or may come, in a context of its own: for those who
  // have no communicator in common yet.
  Communicator& everybody() { return *everybody_; }

  // Those with context ids that every rank knows without asking, as long as the
  // process lives. MPI_COMM_WORLD and MPI_COMM_SELF can be named between MPI_Init
  // and MPI_Finalize.
  void make_predefined(std::uint32_t world_size, std::uint32_t world_rank);
  void open_world();
  void close_world();

  template <class... Arguments>
  Communicator& make(Arguments&&... arguments) {
    return table_.create(std::forward<Arguments>(arguments)...);
  }
  void destroy(Communicator& communicator) { table_.destroy(communicator); }

  // Calls visit(Communicator&) for each that was made and lives.
  template <class Visit>
  void for_each_made(Visit visit) const {
    table_.for_each(visit);
  }

 private:
  Communicator* find_made(MPI_Comm handle) const {
    Communicator* one = table_.find(reinterpret_cast<std::uintptr_t>(handle));
    return one == nullptr || one->freed ? nullptr : one;
  }

  Communicator* world_ = nullptr;
  Communicator* self_ = nullptr;
  std::unique_ptr<Communicator> all_, alone_, everybody_;
  HandleTable<Communicator> table_;
};

inline Communicators communicators;

inline MPI_Comm handle_of(Communicator& communicator) {
  return Communicators::handle(communicator);
}

template <>
inline MPI_Comm handle_from_int(int number) {
  return communicators.from_int(number);
}

// Lets go of one reference; the last one gives the context back and ends the
// communicator.
[[gnu::cold]] void end(Communicator& communicator);
inline void release(Communicator& communicator) {
  ATL_DCHECK(communicator.references > 0);
  if (__builtin_expect(--communicator.references == 0, 0)) end(communicator);
}

// What p2p/ does when a communicator ends; set at MPI_Init.
inline void (*forget_context)(shm::ContextId) = nullptr;

}  // namespace atl
