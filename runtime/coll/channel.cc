#include "runtime/coll/channel.h"

#include <cstdio>
#include <cstring>
#include <numeric>
#include <tuple>

#include "runtime/comm/hardware.h"
#include "runtime/core/process.h"

namespace atl::coll {
namespace {

bool cores_are_shared() { return (process.segment->header().flags & shm::kJobSharedCores) != 0; }

// Bytes. Few and long steps are better while the cells of all members stay in
// caches from which the others get them.
std::uint32_t cell_bytes_for(std::uint32_t members) {
  if (cores_are_shared() || members > 4) return 32 * 1024;
  return members > 2 ? 64 * 1024 : 128 * 1024;
}

bool remote_group_first(const Communicator& comm) {
  return comm.is_inter() && comm.peer_members().world_rank(0) < comm.members().world_rank(0);
}

std::pair<int, int> groups_of(const Communicator& comm) {
  if (!comm.is_inter()) return {comm.size(), 0};
  if (remote_group_first(comm)) return {comm.peers(), comm.size()};
  return {comm.size(), comm.peers()};
}

}  // namespace

Channel::Channel(Communicator& comm)
    : comm_(comm),
      groups_(groups_of(comm)),
      rank_(comm.rank() + (remote_group_first(comm) ? comm.peers() : 0)),
      size_(groups_.first + groups_.second),
      shares_cores_(cores_are_shared()) {
  for (int rank = 0; rank < size_; ++rank) {
    if (rank != rank_) bells_.push_back(&process.segment->slot(world_rank(rank)).doorbell);
  }
}

std::uint32_t Channel::world_rank(int member) const {
  const bool own = in_first_group(member) == in_first_group(rank_);
  const int first = in_first_group(member) ? 0 : groups_.first;
  return (own ? comm_.members() : comm_.peer_members()).world_rank(member - first);
}

bool Channel::attached() {
  if (attached_) return true;
  const auto members = static_cast<std::uint32_t>(size_);
  bool none = false;
  arena_ = process.segment->arena(comm_.context(), members, none);
  // Between groups there is no data in it.
  const std::uint32_t cell_bytes = between_groups() ? 0 : cell_bytes_for(members);
  if (arena_ == nullptr && !none && rank_ == 0) {
    process.segment->make_arena(comm_.context(), members, cell_bytes, settings.collective_bytes);
    wake_all();
    arena_ = process.segment->arena(comm_.context(), members, none);
  }
  attached_ = arena_ != nullptr || none;
  if (arena_ != nullptr) {
    ATL_CHECK(arena_->cell_bytes() == cell_bytes,
              "a communicator's memory for collectives has cells of %u bytes instead of %u",
              arena_->cell_bytes(), cell_bytes);
    cells_ = arena_->cells();
    cell_bytes_ = arena_->cell_bytes();
  }
  open_ = arena_ != nullptr && !between_groups();
  return attached_;
}

std::byte* Channel::place(Step step, std::size_t bytes, const void* like) {
  const auto member = static_cast<std::uint32_t>(rank_);
  shm::Entry& entry = arena_->entry(member, step);
  if (bytes <= shm::Entry::kBytes) return entry.data;
  ATL_DCHECK(bytes <= cell_bytes_);
  const std::size_t start = reinterpret_cast<std::uintptr_t>(like) % shm::kCacheLine;
  entry.start = start;
  if (__builtin_expect(start + bytes > written_, 0)) note_written(start + bytes);
  return cells_.at(member, step) + start;
}

void Channel::note_written(std::size_t bytes) {
  written_ = bytes;
  // Relaxed: releasing the context orders it before the one look at it.
  arena_->member(static_cast<std::uint32_t>(rank_)).written.store_relaxed(bytes);
}

void Channel::wake_all() {
  shm::waker_fence(process.fence);
  for (shm::Doorbell* bell : bells_) bell->ring();
}

Fault Channel::report(Step step, int error_class, const std::string& text) {
  shm::Arena::Mismatch& mismatch = arena_->mismatch();
  step = std::min(step, first_);  // others wait in the first step of the same operation
  // Relaxed: it only decides who writes the rest.
  if (mismatch.claims.fetch_add_relaxed(1) == 0) {
    mismatch.error_class = error_class;
    std::snprintf(mismatch.text, sizeof mismatch.text, "%s", text.c_str());
    mismatch.step.store_release(step + 1);  // pairs with reported(): the rest of the record
    wake_all();
  }
  if (step < own_mismatch_.step) own_mismatch_ = {step, error_class, text};
  return reported(step);
}

Fault Channel::reported(Step step) {
  if (arena_ == nullptr) return {};
  const shm::Arena::Mismatch& mismatch = arena_->mismatch();
  // Pairs with report().
  const std::uint64_t first = mismatch.step.load_acquire();
  if (__builtin_expect(first != 0, 0) && first <= step + 1) {
    const int error_class = mismatch.error_class;
    ATL_CHECK(error_class > MPI_SUCCESS && error_class <= MPI_ERR_LASTCODE,
              "a reported mismatch of collectives has no error class");
    const std::size_t length = strnlen(mismatch.text, sizeof mismatch.text);
    return mismatch_error(error_class, {mismatch.text, length});
  }
  if (__builtin_expect(own_mismatch_.step > step, 1)) return {};
  return mismatch_error(own_mismatch_.error_class, own_mismatch_.text);
}

Fault Channel::mismatch_error(int error_class, std::string_view text) {
  open_ = false;
  return fail(error_class, "the ranks of %s call what does not match: %.*s", comm_.label().c_str(),
              static_cast<int>(text.size()), text.data());
}

void Channel::post(Step step) {
  show(step);
  if (shares_cores_) {
    std::uint32_t& expected = expected_[step % shm::Arena::kEntries];
    expected += static_cast<std::uint32_t>(size_);
    // Pairs with AllPosted: whoever sees the last count sees what all have posted.
    if (arena_->arrivals(step).fetch_add_acq_rel(1) + 1 != expected) return;
  }
  wake_all();
}

void Channel::post_alone(Step step) {
  show(step);
  wake_all();
}

bool Channel::AllPosted::all_arrived() const {
  const std::uint32_t expected = channel_.expected_[step_ % shm::Arena::kEntries];
  // Pairs with the fetch_add in post().
  const std::uint32_t arrived = channel_.arena_->arrivals(step_).load_acquire();
  return static_cast<std::int32_t>(arrived - expected) >= 0;
}

bool Channel::Room::all_left() const {
  Step lowest = ~Step{0};
  for (int rank = 0; rank < channel_.size_; ++rank) {
    if (rank == channel_.rank_) continue;
    // Pairs with leave(): what that member read is read.
    const Step left = channel_.arena_->member(static_cast<std::uint32_t>(rank)).left.load_acquire();
    if (left < lowest) lowest = left;
  }
  channel_.all_left(lowest);
  return lowest >= needed_;
}

bool Channel::Room::look(shm::Look look) {
  if (all_left()) return true;
  if (look != shm::Look::full || wanted_) return false;
  // Either leave() sees that it is wanted, or the second look sees what was left:
  // the fence stands for one on both sides, as with doorbells.
  channel_.arena_->room_wanted().fetch_add_relaxed(1);
  wanted_ = true;
  shm::sleeper_fence(process.fence);
  return all_left();
}

void Channel::Room::unwant() {
  // Relaxed: one wake-up too much does no harm.
  channel_.arena_->room_wanted().fetch_add_relaxed(-1u);
}

void Channel::leave(Step step) {
  ATL_DCHECK(step >= left_);
  left_ = step;
  // Pairs with Room: all reads before it.
  arena_->member(static_cast<std::uint32_t>(rank_)).left.store_release(step);
  shm::waker_fence(process.fence);
  // Relaxed: the fence orders it behind the store.
  if (__builtin_expect(arena_->room_wanted().load_relaxed() != 0, 0)) wake_all();
}

const Places& Channel::places() {
  if (!places_.rank_at.empty()) return places_;
  std::vector<shm::Location> locations;
  for (int rank = 0; rank < size_; ++rank) {
    locations.push_back(location_of(static_cast<std::uint32_t>(comm_.world_rank(rank))));
  }
  const auto place = [&](int rank) {
    const shm::Location& at = locations[static_cast<std::size_t>(rank)];
    return std::tuple(at.package, at.numa, at.l3cache, at.l2cache, at.core, at.pu, rank);
  };
  places_.rank_at.resize(ranks());
  std::iota(places_.rank_at.begin(), places_.rank_at.end(), 0);
  std::ranges::sort(places_.rank_at, {}, place);
  places_.place_of.resize(ranks());
  for (int at = 0; at < size_; ++at) {
    const int rank = places_.rank_at[static_cast<std::size_t>(at)];
    places_.place_of[static_cast<std::size_t>(rank)] = at;
  }
  return places_;
}

void Turn::give_up() {
  // Not each time: who waits for room polls it. One step untold keeps nobody waiting,
  // since each has room for more than that after what this rank has done.
  constexpr Step kUntold = 1;
  const bool told = channel_->next_ - channel_->left_ <= kUntold;
  if (channel_->arena_ != nullptr && !told) channel_->leave(channel_->next_);
  ++channel_->turn_;
}

Channel& make_channel(Communicator& comm) {
  comm.channel = std::make_shared<Channel>(comm);
  return *comm.channel;
}

}  // namespace atl::coll
