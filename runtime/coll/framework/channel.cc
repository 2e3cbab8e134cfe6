#include "runtime/coll/framework/channel.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <tuple>

#include "runtime/comm/hardware.h"

namespace atl::coll {

Fault Channel::report(Round round, int error_class, const std::string& text) {
  // The others wait in the first round of the same operation.
  round = std::min(round, order.first());
  mismatch_.publish(shared(), round, error_class, text);
  wake_all();
  return reported(round);
}

Fault Channel::reported(Round round) {
  if (none()) return {};
  Fault fault = mismatch_.find(shared(), comm(), round);
  if (fault) close();
  return fault;
}

const Places& Channel::places() {
  if (!places_.rank_at.empty()) return places_;
  std::vector<shm::Location> locations;
  for (int rank = 0; rank < size(); ++rank) {
    locations.push_back(location_of(static_cast<std::uint32_t>(comm().world_rank(rank))));
  }
  const auto place = [&](int rank) {
    const shm::Location& at = locations[static_cast<std::size_t>(rank)];
    return std::tuple(at.package, at.numa, at.l3cache, at.l2cache, at.core, at.pu, rank);
  };
  places_.rank_at.resize(ranks());
  std::iota(places_.rank_at.begin(), places_.rank_at.end(), 0);
  std::ranges::sort(places_.rank_at, {}, place);
  places_.place_of.resize(ranks());
  for (int at = 0; at < size(); ++at) {
    const int rank = places_.rank_at[static_cast<std::size_t>(at)];
    places_.place_of[static_cast<std::size_t>(rank)] = at;
  }
  return places_;
}

void Ticket::finish() {
  // Not published each time: who waits for free space polls it. One round that is not published
  // keeps nobody waiting, since each has space for more than that.
  constexpr Round kUnpublished = 1;
  const bool published = channel_->order.next() - channel_->released() <= kUnpublished;
  if (!channel_->none() && !published) channel_->release(channel_->order.next());
  channel_->order.serve_next();
}

Channel& make_channel(Communicator& comm) {
  comm.channel = std::make_shared<Channel>(comm);
  return *comm.channel;
}

}  // namespace atl::coll
