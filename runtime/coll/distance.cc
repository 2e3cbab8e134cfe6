#include "runtime/coll/distance.h"

#include <algorithm>
#include <cstring>

#include "base/clock.h"
#include "runtime/p2p/limits.h"

namespace atl::coll::arena {

Task find_distance(Operation& operation, Turn& turn, const Called& call, bool& far) {
  Channel& channel = turn.channel();
  const Called called = channel.remember(call);
  const Step step = turn.take_steps(1);
  // In a cell: a rank that waits for the entry has that before it looks at the clock.
  constexpr std::size_t kBytes = shm::kCacheLine;
  auto room = channel.room(step, kBytes);
  co_await operation.until(room);
  // Each rank judges its own measurement: how long a tick is each has measured for itself,
  // so that two would judge the same number of ticks differently.
  std::uint64_t any_far = p2p::is_far(channel.hop.ticks()) ? 1 : 0;
  std::memcpy(channel.place(step, kBytes, nullptr), &any_far, sizeof any_far);
  channel.set_called(step, called);
  channel.post(step);
  auto all_posted = channel.all_posted(step);
  co_await operation.until(all_posted);
  channel.all_left(step);
  if (operation.fail(compare_all(channel, step, called))) co_return;

  std::uint64_t slowest = 0;
  for (int i = 1; i < channel.size(); ++i) {
    const std::byte* line = channel.data(channel.behind(i), step, kBytes);
    std::uint64_t ticks;
    const auto theirs = timed(ticks, [&] {
      std::uint64_t value;
      std::memcpy(&value, line, sizeof value);
      return value;
    });
    slowest = std::max(slowest, ticks);
    any_far |= theirs;
  }
  channel.hop.note(slowest);
  channel.leave(step + 1);
  far = any_far != 0;
}

}  // namespace atl::coll::arena
