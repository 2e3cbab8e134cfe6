#include "runtime/coll/framework/slot_blocks.h"

namespace atl::coll::shared_memory {

void write_blocks(Channel& channel, Round round, const Blocks& out, std::size_t start,
                  std::size_t length) {
  std::byte* place = channel.place(round, length * channel.others(), out[0].address);
  for (int rank = 0; rank < channel.size(); ++rank) {
    if (rank == channel.rank()) continue;
    pack(out[rank], start, {place, length});
    place += length;
  }
}

void read_block(Channel& channel, Round round, int rank, const Data& to, std::size_t start,
                std::size_t length) {
  const int self = channel.rank();
  const auto index = static_cast<std::size_t>(self < rank ? self : self - 1);
  const std::byte* all = channel.data(rank, round, length * channel.others());
  unpack(to, start, {all + length * index, length});
}

void read_blocks(Channel& channel, Round round, const Blocks& in, std::size_t start,
                 std::size_t length) {
  for (int i = 1; i < channel.size(); ++i) {
    const int rank = channel.behind(i);
    read_block(channel, round, rank, in[rank], start, length);
  }
}

}  // namespace atl::coll::shared_memory
