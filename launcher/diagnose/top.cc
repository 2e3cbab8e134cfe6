#include "launcher/diagnose/top.h"

#include <poll.h>

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include "launcher/base/processes.h"
#include "launcher/diagnose/rank_activity.h"
#include "launcher/diagnose/records.h"
#include "launcher/diagnose/wait_table.h"
#include "launcher/process/rank_process.h"

namespace atl::launcher {
namespace {

constexpr int kCheckInterval = 20;  // milliseconds

RankSample sample(const shm::RankSlot& slot, std::size_t ranks) {
  RankSample rank;
  rank.pid = rank_process(slot);
  if (rank.pid == 0) return rank;
  rank.processor_seconds = processor_seconds(rank.pid);
  rank.activity = read_activity(slot);
  const RankState state = read_state(slot, true, ranks);
  if (state.waiting) {
    rank.doing = describe_wait(*state.waiting);
  } else {
    rank.doing = current_call(slot);
  }
  rank.in_mpi = !rank.doing.empty();
  return rank;
}

std::string percent(double part) {
  return fmt::format("{:.0f}%", 100 * std::clamp(part, 0.0, 99.0));
}

// The increase of a counter of the activity per second.
std::string rate(const Interval& interval, std::size_t rank, std::uint64_t shm::Activity::*count) {
  const auto& before = interval.before[rank].activity;
  const auto& after = interval.after[rank].activity;
  if (!before || !after || interval.seconds <= 0) return "-";
  const std::uint64_t added = *after.*count - *before.*count;
  return in_short(static_cast<double>(added) / interval.seconds);
}

}  // namespace

std::vector<RankSample> sample_ranks(const shm::Segment& segment) {
  std::vector<RankSample> ranks;
  for (std::uint32_t rank = 0; rank < segment.size(); ++rank) {
    ranks.push_back(sample(segment.slot(rank), segment.size()));
  }
  return ranks;
}

Interval watch_ranks(const shm::Segment& segment, double seconds) {
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  const auto elapsed = [&] { return std::chrono::duration<double>(Clock::now() - begin).count(); };
  Interval interval;
  interval.before = sample_ranks(segment);
  interval.samples_in_mpi.resize(interval.before.size());
  do {
    ::poll(nullptr, 0, kCheckInterval);
    interval.after = sample_ranks(segment);
    ++interval.samples;
    for (std::size_t rank = 0; rank < interval.after.size(); ++rank) {
      interval.samples_in_mpi[rank] += interval.after[rank].in_mpi;
    }
  } while (elapsed() < seconds);
  interval.seconds = elapsed();
  return interval;
}

std::string top_table(const Interval& interval) {
  std::string table = fmt::format("{:>4} {:>8} {:>5} {:>5} {:>8} {:>8} {:>10}  {}\n", "rank", "pid",
                                  "cpu", "mpi", "sent/s", "bytes/s", "unexpected", "in");
  for (std::size_t rank = 0; rank < interval.after.size(); ++rank) {
    const RankSample& after = interval.after[rank];
    const double used = after.processor_seconds - interval.before[rank].processor_seconds;
    const double in_mpi =
        static_cast<double>(interval.samples_in_mpi[rank]) / std::max(interval.samples, 1);
    table += fmt::format("{:>4} {:>8} {:>5} {:>5} {:>8} {:>8} {:>10}  {}\n", rank,
                         after.pid == 0 ? "-" : std::to_string(after.pid),
                         percent(interval.seconds > 0 ? used / interval.seconds : 0),
                         percent(in_mpi), rate(interval, rank, &shm::Activity::messages),
                         rate(interval, rank, &shm::Activity::bytes),
                         after.activity ? std::to_string(after.activity->unexpected) : "-",
                         after.doing.empty() ? "-" : after.doing);
  }
  return table;
}

std::string in_short(double number) {
  constexpr const char* kUnits[] = {"", "k", "M", "G", "T"};
  std::size_t unit = 0;
  while (number >= 999.5 && unit + 1 < std::size(kUnits)) {
    number /= 1000;
    ++unit;
  }
  return unit > 0 && number < 9.95 ? fmt::format("{:.1f}{}", number, kUnits[unit])
                                   : fmt::format("{:.0f}{}", number, kUnits[unit]);
}

}  // namespace atl::launcher
