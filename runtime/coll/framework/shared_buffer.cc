#include "runtime/coll/framework/shared_buffer.h"
#include "runtime/coll/framework/collective_settings.h"

namespace atl::coll {
namespace {

bool cores_are_shared() { return (process.segment->header().flags & shm::kJobSharedCores) != 0; }

// In bytes. Few long rounds are faster, as long as the slots of all members stay in caches from
// which other members read them.
std::uint32_t slot_bytes_for(std::uint32_t members) {
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

SharedBuffer::SharedBuffer(Communicator& comm)
    : comm_(comm),
      groups_(groups_of(comm)),
      rank_(comm.rank() + (remote_group_first(comm) ? comm.peers() : 0)),
      size_(groups_.first + groups_.second),
      shares_cores_(cores_are_shared()) {
  for (int rank = 0; rank < size_; ++rank) {
    if (rank != rank_) bells_.push_back(&process.segment->slot(world_rank(rank)).doorbell);
  }
}

std::uint32_t SharedBuffer::world_rank(int member) const {
  const bool own = in_first_group(member) == in_first_group(rank_);
  const int first = in_first_group(member) ? 0 : groups_.first;
  return (own ? comm_.members() : comm_.peer_members()).world_rank(member - first);
}

bool SharedBuffer::attached() {
  if (attached_) return true;
  const auto members = static_cast<std::uint32_t>(size_);
  bool none = false;
  buffer_ = process.segment->collective_buffer(comm_.context(), members, none);
  // The buffer of an inter-communicator holds no data.
  const std::uint32_t slot_bytes = between_groups() ? 0 : slot_bytes_for(members);
  if (buffer_ == nullptr && !none && rank_ == 0) {
    process.segment->make_collective_buffer(comm_.context(), members, slot_bytes,
                                            settings.buffer_bytes);
    wake_all();
    buffer_ = process.segment->collective_buffer(comm_.context(), members, none);
  }
  attached_ = buffer_ != nullptr || none;
  if (buffer_ != nullptr) {
    ATL_CHECK(buffer_->slot_bytes() == slot_bytes,
              "a communicator's memory for collectives has slots of %u bytes instead of %u",
              buffer_->slot_bytes(), slot_bytes);
    slots_ = buffer_->slots();
    slot_bytes_ = slot_bytes;
  }
  open_ = buffer_ != nullptr && !between_groups();
  return attached_;
}

std::byte* SharedBuffer::place(Round round, std::size_t bytes, const void* like) {
  shm::Entry& entry = own_entry(round);
  if (bytes <= shm::Entry::kBytes) return entry.data;
  ATL_DCHECK(bytes <= slot_bytes_);
  const std::size_t start = reinterpret_cast<std::uintptr_t>(like) % shm::kCacheLine;
  entry.start = start;
  if (__builtin_expect(start + bytes > written_, 0)) note_written(start + bytes);
  return slots_.at(static_cast<std::uint32_t>(rank_), round) + start;
}

void SharedBuffer::note_written(std::size_t bytes) {
  written_ = bytes;
  // Relaxed: read only by the last member to release the context, and that release orders it.
  buffer_->member(static_cast<std::uint32_t>(rank_)).written.store_relaxed(bytes);
}

void SharedBuffer::wake_all() {
  shm::waker_fence(process.fence);  // pairs with sleeper_fence() in shm::wait_until()
  for (shm::Doorbell* bell : bells_) bell->ring();
}

void SharedBuffer::publish(Round round, const CollectiveSignature& signature) {
  publish_unawaited(round, signature);
  if (shares_cores_) {
    std::uint32_t& expected = expected_[round % shm::CollectiveBuffer::kEntries];
    expected += static_cast<std::uint32_t>(size_);
    // Pairs with all_arrived(): a member that reads the full count sees the entries and slots that
    // all members published.
    if (buffer_->arrivals(round).fetch_add_acq_rel(1) + 1 != expected) return;
  }
  wake_all();
}

bool SharedBuffer::AllPublished::all_arrived() const {
  const std::uint32_t expected = buffer_.expected_[round_ % shm::CollectiveBuffer::kEntries];
  // Pairs with the fetch_add in publish(): all entries and slots of the round are written.
  const std::uint32_t arrived = buffer_.buffer_->arrivals(round_).load_acquire();
  return static_cast<std::int32_t>(arrived - expected) >= 0;
}

bool SharedBuffer::FreeSpace::all_released() const {
  Round lowest = ~Round{0};
  for (int rank = 0; rank < buffer_.size_; ++rank) {
    if (rank == buffer_.rank_) continue;
    // Pairs with release(): that member's reads are complete.
    const Round released =
        buffer_.buffer_->member(static_cast<std::uint32_t>(rank)).released.load_acquire();
    if (released < lowest) lowest = released;
  }
  buffer_.note_all_released(lowest);
  return lowest >= needed_;
}

bool SharedBuffer::FreeSpace::read_all_released(shm::PollMode mode) {
  if (all_released()) return true;
  if (mode != shm::PollMode::complete || waiting_) return false;
  // Relaxed: ordered by sleeper_fence(), which pairs with waker_fence() in release(). Either
  // release() sees that this rank waits, or all_released() below sees the released round.
  buffer_.buffer_->space_wanted().fetch_add_relaxed(1);
  waiting_ = true;
  shm::sleeper_fence(process.fence);
  return all_released();
}

void SharedBuffer::FreeSpace::stop_waiting() {
  // Relaxed: a superfluous wake-up does no harm.
  buffer_.buffer_->space_wanted().fetch_add_relaxed(-1u);
}

void SharedBuffer::release(Round round) {
  ATL_DCHECK(round >= released_);
  released_ = round;
  // Pairs with all_released(): this rank's reads are complete.
  buffer_->member(static_cast<std::uint32_t>(rank_)).released.store_release(round);
  shm::waker_fence(process.fence);
  // Pairs with sleeper_fence() in read_all_released(). Relaxed: the fence orders the load after
  // the store.
  if (__builtin_expect(buffer_->space_wanted().load_relaxed() != 0, 0)) wake_all();
}

}  // namespace atl::coll
