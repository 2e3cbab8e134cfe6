#include "runtime/coll/framework/core_distance.h"

#include <algorithm>
#include <cstring>

#include "base/clock.h"
#include "runtime/p2p/limits.h"

namespace atl::coll::shared_memory {

Task find_distance(Operation& operation, Ticket& ticket, const CollectiveSignature& call,
                   bool& far) {
  Channel& channel = ticket.channel();
  const CollectiveSignature signature = channel.history.remember(call);
  const Round round = ticket.reserve_rounds(1);
  // The value is in a slot: polling has already fetched the entry into the reader's cache, so that
  // its latency could not be measured.
  constexpr std::size_t kBytes = shm::kCacheLine;
  auto free_space = channel.free_space(round, kBytes);
  co_await operation.until(free_space);
  // Each rank judges its own measurement: each has calibrated the length of a tick itself, so two
  // ranks could judge the same number of ticks differently.
  std::uint64_t any_far = p2p::is_far(channel.line_latency.ticks()) ? 1 : 0;
  std::memcpy(channel.place(round, kBytes, nullptr), &any_far, sizeof any_far);
  channel.publish(round, signature);
  auto all_published = channel.all_published(round);
  co_await operation.until(all_published);
  channel.note_all_released(round);
  if (operation.fail(compare_all(channel, round, signature))) co_return;

  std::uint64_t slowest = 0;
  for (int i = 1; i < channel.size(); ++i) {
    const std::byte* line = channel.data(channel.behind(i), round, kBytes);
    std::uint64_t ticks;
    const auto theirs = timed(ticks, [&] {
      std::uint64_t value;
      std::memcpy(&value, line, sizeof value);
      return value;
    });
    slowest = std::max(slowest, ticks);
    any_far |= theirs;
  }
  channel.line_latency.note(slowest);
  channel.release(round + 1);
  far = any_far != 0;
}

}  // namespace atl::coll::shared_memory
