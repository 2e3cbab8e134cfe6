#include "runtime/coll/framework/channel.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <tuple>

#include "runtime/comm/hardware.h"

namespace atl::coll {

Error Channel::report(Round round, int error_class, const std::string& text) {
  // The other members look for a mismatch in the first round of the operation.
  round = std::min(round, order.first());
  mismatch_.publish(shared(), round, error_class, text);
  wake_all();
  return reported(round);
}

Error Channel::reported(Round round) {
  if (none()) return {};
  Error error = mismatch_.find(shared(), comm(), round);
  if (error) close();
  return error;
}

const MachineOrder& Channel::machine_order() {
  if (!machine_order_.rank_at.empty()) return machine_order_;
  std::vector<shm::Location> locations;
  for (int rank = 0; rank < size(); ++rank) {
    locations.push_back(location_of(static_cast<std::uint32_t>(comm().world_rank(rank))));
  }
  const auto place = [&](int rank) {
    const shm::Location& at = locations[static_cast<std::size_t>(rank)];
    return std::tuple(at.package, at.numa, at.l3cache, at.l2cache, at.core, at.pu, rank);
  };
  machine_order_.rank_at.resize(ranks());
  std::iota(machine_order_.rank_at.begin(), machine_order_.rank_at.end(), 0);
  std::ranges::sort(machine_order_.rank_at, {}, place);
  machine_order_.position_of.resize(ranks());
  for (int at = 0; at < size(); ++at) {
    const int rank = machine_order_.rank_at[static_cast<std::size_t>(at)];
    machine_order_.position_of[static_cast<std::size_t>(rank)] = at;
  }
  return machine_order_;
}

void Ticket::finish() {
  // Does not release a single round at once, since members that wait for free space poll that
  // line. Nobody waits for one unreleased round: each member has space for more.
  constexpr Round kUnpublished = 1;
  const bool published = channel_->order.next() - channel_->released() <= kUnpublished;
  if (!channel_->none() && !published) channel_->release(channel_->order.next());
  channel_->order.serve_next();
}

Channel& make_channel(Communicator& comm) {
  comm.extensions.set(kChannel, std::make_shared<Channel>(comm));
  return *comm.extensions.get(kChannel);
}

}  // namespace atl::coll
