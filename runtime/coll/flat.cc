#include "runtime/coll/flat.h"

#include "runtime/coll/arena.h"

namespace atl::coll::arena {

FlatBcast::FlatBcast(const Bcast& call, Channel& channel) : data(call.data) {
  called = call_of(call);
  root = call.root;
  next = data.bytes();
  if (channel.rank() == root) bytes = next;
}

void FlatBcast::give(Channel& channel, Step step) {
  if (channel.rank() == root) channel.put(step, data, 0, bytes);
}

void FlatBcast::take(Channel& channel, Step step) {
  if (channel.rank() != root) channel.take(root, step, data, 0, data.bytes());
}

FlatGather::FlatGather(const Gather& call, Channel&) : call(call), own(call.own()) {
  called = call_of(call);
  root = call.root;
  bytes = own.bytes();
}

void FlatGather::give(Channel& channel, Step step) {
  if (channel.rank() != root) channel.put(step, own, 0, bytes);
}

void FlatGather::meanwhile() {
  if (call.comm.rank() == root && !call.mine.in_place()) copy(own, call.all[root]);
}

void FlatGather::take(Channel& channel, Step step) {
  if (channel.rank() != root) return;
  for (int rank = 0; rank < channel.size(); ++rank) {
    if (rank != root) channel.take(rank, step, call.all[rank], 0, bytes);
  }
}

FlatScatter::FlatScatter(const Scatter& call, Channel& channel)
    : call(call), own(call.own()), block(own.bytes()) {
  called = call_of(call);
  root = call.root;
  if (channel.rank() == root) bytes = block * channel.others();
}

void FlatScatter::give(Channel& channel, Step step) {
  if (channel.rank() == root) put_pieces(channel, step, call.all, 0, block);
}

void FlatScatter::meanwhile() {
  if (call.comm.rank() == root && !call.mine.in_place()) copy(call.all[root], own);
}

void FlatScatter::take(Channel& channel, Step step) {
  if (channel.rank() != root) take_piece(channel, step, root, own, 0, block);
}

FlatAllgather::FlatAllgather(const Allgather& call, Channel&) : call(call), own(call.own()) {
  called = call_of(call);
  bytes = own.bytes();
}

void FlatAllgather::give(Channel& channel, Step step) { channel.put(step, own, 0, bytes); }

void FlatAllgather::meanwhile() {
  if (!call.mine.in_place()) copy(own, call.all[call.comm.rank()]);
}

void FlatAllgather::take(Channel& channel, Step step) {
  for (int i = 1; i < channel.size(); ++i) {
    const int rank = channel.behind(i);
    const Data to = call.all[rank];
    channel.take(rank, step, to, 0, to.bytes());
  }
}

FlatAlltoall::FlatAlltoall(const Alltoall& call, Channel& channel)
    : call(call), block(call.in[channel.rank()].bytes()) {
  called = call_of(call);
  bytes = block * channel.others();
}

void FlatAlltoall::give(Channel& channel, Step step) {
  put_pieces(channel, step, call.given(), 0, block);
}

void FlatAlltoall::meanwhile() {
  const int self = call.comm.rank();
  if (!call.out.in_place()) copy(call.out[self], call.in[self]);
}

void FlatAlltoall::take(Channel& channel, Step step) {
  take_pieces(channel, step, call.in, 0, block);
}

FlatReduction::FlatReduction(const Reducing& with, const Called& call, int last)
    : with(with), own(with.contribution()), last(last) {
  called = call;
  bytes = own.bytes();
}

void FlatReduction::give(Channel& channel, Step step) { channel.put(step, own, 0, bytes); }

void FlatReduction::take(Channel& channel, Step step) {
  Values values = {.step = step, .bytes = own.bytes(), .count = own.count};
  if (keeps) values.own = static_cast<const std::byte*>(own.address);
  fold(channel, values, last, with, static_cast<std::byte*>(with.recvbuf));
}

FlatReduce::FlatReduce(const Reduce& call, Channel& channel)
    : FlatReduction(call.with, call_of(call), channel.size() - 1) {
  root = call.root;
  keeps = channel.rank() == root && own.address != with.recvbuf;
  next = bytes;
  if (keeps) bytes = 0;
}

void FlatReduce::take(Channel& channel, Step step) {
  if (channel.rank() == root) FlatReduction::take(channel, step);
}

FlatAllreduce::FlatAllreduce(const Allreduce& call, Channel& channel)
    : FlatReduction(call.with, call_of(call), channel.size() - 1) {}

FlatScan::FlatScan(const Prefix& call, Channel& channel)
    : FlatReduction(call.with, call_of(call),
                    call.exclusive ? channel.rank() - 1 : channel.rank()) {}

}  // namespace atl::coll::arena
