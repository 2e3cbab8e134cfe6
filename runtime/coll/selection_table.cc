// Which collective takes which algorithm when: for each call the first row that can do it and
// within whose limits it is. The limits were measured
// (docs/decisions/0007-collective-buffer.md).
#include "runtime/coll/calls.h"
#include "runtime/coll/framework/core_distance.h"

namespace atl::coll {
namespace {

// Short data among so many ranks that it takes long to look at what each has published. Where
// ranks share cores arrivals are counted, and the fewer rounds the better.
constexpr Limits kHierarchical = {.up_to_bytes = 4 * 1024, .over_ranks = 16, .own_cores = true};

// Each rank reads what all publish, so only little data may be read that often.
constexpr std::size_t kReadByAll = 32 * 1024;  // bytes in all

// Where a single copy by the kernel may be faster: between few ranks with cores of their own.
constexpr Limits kSingleCopy = {
    .over_bytes = 128 * 1024, .up_to_ranks = 4, .own_cores = true, .kernel_copy = true};
constexpr const char* kIfFar = "like linear if the cores are far apart";

template <class Exchange, class Call>
constexpr Algorithm<Call> flat(Algorithm<Call> row) {
  row.blocking = shared_memory::blocking_round<Exchange, Call>;
  row.shared_memory = shared_memory::in_one_round<Exchange, Call>;
  return row;
}

// What must fit into a slot.

template <class Call>
constexpr InSlot<Call> kAllData = {
    "the data", [](const Call& call, const Channel& channel) { return call.bytes(channel); }};
constexpr InSlot<Allgather> kLongestBlock = {"the longest block", kAllData<Allgather>.bytes};
constexpr InSlot<Gather> kOwnBlock = {
    "a block", [](const Gather& call, const Channel&) { return call.own().bytes(); }};
constexpr InSlot<Scatter> kBlocksScattered = {"a block for each rank",
                                              [](const Scatter& call, const Channel& channel) {
                                                return call.own().bytes() * channel.ranks();
                                              }};
constexpr InSlot<Alltoall> kBlocksSent = {"a block for each rank",
                                          [](const Alltoall& call, const Channel& channel) {
                                            return call.in[0].bytes() * channel.ranks();
                                          }};
constexpr InSlot<Alltoall> kByteOfEach = {
    nullptr, [](const Alltoall&, const Channel& channel) { return channel.ranks(); }};
template <class Call>
constexpr InSlot<Call> kOneValue = {
    nullptr, [](const Call& call, const Channel&) { return call.arguments.datatype->size(); }};
constexpr InSlot<ReduceScatter> kValueOfEach = {
    nullptr, [](const ReduceScatter& call, const Channel& channel) {
      return call.arguments.datatype->size() * channel.ranks();
    }};

}  // namespace

std::span<const Algorithm<Barrier>> Barrier::algorithms() {
  static constexpr Algorithm<Barrier> rows[] = {
      flat<shared_memory::FlatBarrier, Barrier>({.name = "flat", .except = &kHierarchical}),
      {.name = "hierarchical", .shared_memory = shared_memory::hierarchical_barrier},
      {.name = "dissemination", .messages = messages::dissemination_barrier}};
  return rows;
}

std::span<const Algorithm<Bcast>> Bcast::algorithms() {
  static constexpr Algorithm<Bcast> rows[] = {
      flat<shared_memory::FlatBcast, Bcast>(
          {.name = "flat", .in_slot = kAllData<Bcast>, .except = &kHierarchical}),
      {.name = "hierarchical",
       .in_slot = kAllData<Bcast>,
       .limits = kHierarchical,
       .shared_memory = shared_memory::hierarchical_bcast},
      {.name = "pipelined",
       .except = &kSingleCopy,
       .shared_memory = shared_memory::pipelined_bcast},
      {.name = "binomial", .messages = messages::binomial_bcast}};
  return rows;
}

std::span<const Algorithm<Gather>> Gather::algorithms() {
  static constexpr Algorithm<Gather> rows[] = {
      flat<shared_memory::FlatGather, Gather>(
          {.name = "flat", .in_slot = kOwnBlock, .equal_blocks = true}),
      {.name = "linear", .messages = messages::linear_gather}};
  return rows;
}

std::span<const Algorithm<Scatter>> Scatter::algorithms() {
  static constexpr Algorithm<Scatter> rows[] = {
      flat<shared_memory::FlatScatter, Scatter>(
          {.name = "flat", .in_slot = kBlocksScattered, .equal_blocks = true}),
      {.name = "linear", .messages = messages::linear_scatter}};
  return rows;
}

std::span<const Algorithm<Allgather>> Allgather::algorithms() {
  static constexpr Algorithm<Allgather> rows[] = {
      flat<shared_memory::FlatAllgather, Allgather>({.name = "flat", .in_slot = kLongestBlock}),
      {.name = "pipelined_if_near",
       .limits = kSingleCopy,
       .note = kIfFar,
       .shared_memory =
           shared_memory::pipelined_if_near<Allgather, shared_memory::pipelined_allgather>},
      {.name = "pipelined", .shared_memory = shared_memory::pipelined_allgather},
      {.name = "linear", .messages = messages::linear_allgather}};
  return rows;
}

std::span<const Algorithm<Alltoall>> Alltoall::algorithms() {
  static constexpr Algorithm<Alltoall> rows[] = {
      flat<shared_memory::FlatAlltoall, Alltoall>(
          {.name = "flat", .in_slot = kBlocksSent, .equal_blocks = true}),
      {.name = "pipelined_if_near",
       .in_slot = kByteOfEach,
       .equal_blocks = true,
       .limits = kSingleCopy,
       .note = kIfFar,
       .shared_memory =
           shared_memory::pipelined_if_near<Alltoall, shared_memory::pipelined_alltoall>},
      {.name = "pipelined",
       .in_slot = kByteOfEach,
       .equal_blocks = true,
       .shared_memory = shared_memory::pipelined_alltoall},
      {.name = "linear", .messages = messages::linear_alltoall}};
  return rows;
}

std::span<const Algorithm<Reduce>> Reduce::algorithms() {
  static constexpr Algorithm<Reduce> rows[] = {
      flat<shared_memory::FlatReduce, Reduce>({.name = "flat",
                                               .in_slot = kAllData<Reduce>,
                                               .contiguous_values = true,
                                               .limits = {.up_to_total = kReadByAll},
                                               .except = &kHierarchical}),
      {.name = "hierarchical",
       .in_slot = kAllData<Reduce>,
       .contiguous_values = true,
       .limits = kHierarchical,
       .shared_memory = shared_memory::hierarchical_reduce},
      {.name = "pipelined",
       .in_slot = kOneValue<Reduce>,
       .contiguous_values = true,
       .limits = {.up_to_ranks = 3, .own_cores = true},
       .shared_memory = shared_memory::pipelined_reduce},
      {.name = "reduce_scatter_gather",
       .in_slot = kOneValue<Reduce>,
       .contiguous_values = true,
       .shared_memory = shared_memory::reduce_scatter_gather},
      {.name = "binomial", .messages = messages::binomial_reduce}};
  return rows;
}

std::span<const Algorithm<Allreduce>> Allreduce::algorithms() {
  static constexpr Algorithm<Allreduce> rows[] = {
      flat<shared_memory::FlatAllreduce, Allreduce>({.name = "flat",
                                                     .in_slot = kAllData<Allreduce>,
                                                     .contiguous_values = true,
                                                     .limits = {.up_to_total = kReadByAll},
                                                     .except = &kHierarchical}),
      {.name = "hierarchical",
       .in_slot = kAllData<Allreduce>,
       .contiguous_values = true,
       .limits = kHierarchical,
       .shared_memory = shared_memory::hierarchical_allreduce},
      {.name = "pipelined",
       .in_slot = kOneValue<Allreduce>,
       .contiguous_values = true,
       .limits = {.up_to_ranks = 2, .own_cores = true},
       .shared_memory = shared_memory::pipelined_allreduce},
      {.name = "reduce_scatter_allgather",
       .in_slot = kOneValue<Allreduce>,
       .contiguous_values = true,
       .shared_memory = shared_memory::reduce_scatter_allgather},
      {.name = "binomial", .messages = messages::binomial_allreduce}};
  return rows;
}

std::span<const Algorithm<ReduceScatter>> ReduceScatter::algorithms() {
  static constexpr Algorithm<ReduceScatter> rows[] = {
      {.name = "pipelined",
       .in_slot = kValueOfEach,
       .contiguous_values = true,
       .shared_memory = shared_memory::pipelined_reduce_scatter},
      {.name = "binomial", .messages = messages::binomial_reduce_scatter}};
  return rows;
}

std::span<const Algorithm<Prefix>> Prefix::algorithms() {
  static constexpr Algorithm<Prefix> rows[] = {
      flat<shared_memory::FlatScan, Prefix>({.name = "flat",
                                             .in_slot = kAllData<Prefix>,
                                             .contiguous_values = true,
                                             .limits = {.up_to_total = kReadByAll}}),
      {.name = "linear", .messages = messages::linear_scan}};
  return rows;
}

template Error run(const Barrier&);
template Error run(const Bcast&);
template Error run(const Gather&);
template Error run(const Scatter&);
template Error run(const Allgather&);
template Error run(const Alltoall&);
template Error run(const Reduce&);
template Error run(const Allreduce&);
template Error run(const ReduceScatter&);
template Error run(const Scan&);
template Error run(const Exscan&);

}  // namespace atl::coll
