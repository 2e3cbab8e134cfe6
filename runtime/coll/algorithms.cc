// Which collective takes which algorithm when. The limits were measured
// (docs/decisions/0007-arenas.md).
#include "runtime/coll/arena.h"
#include "runtime/coll/calls.h"
#include "runtime/coll/distance.h"
#include "runtime/coll/flat.h"
#include "runtime/coll/messages.h"
#include "runtime/core/process.h"

namespace atl::coll {
namespace {

// Reductions work on what lies in cells: values in one run, as in an array.
bool in_runs(const Reducing& with) {
  return with.datatype->flat() && with.datatype->true_lower_bound() == 0 &&
         with.datatype->size() != 0;
}
bool fits_cell(std::size_t bytes, const Channel& channel) { return bytes <= channel.cell_bytes(); }

// Short data among so many ranks that it takes long to look at what each gives. Where
// ranks share cores they count who has come, and the fewer steps the better.
std::size_t bytes_of(const Barrier&) { return 0; }
std::size_t bytes_of(const Bcast& call) { return call.data.bytes(); }
template <class Call>
std::size_t bytes_of(const Call& call) {
  return call.with.contribution().bytes();
}
template <class Call>
bool suits_groups(const Call& call, const Channel& channel) {
  constexpr int kFew = 16;  // ranks
  constexpr std::size_t kShort = 4 * 1024;
  return channel.size() > kFew && !channel.shares_cores() && bytes_of(call) <= kShort;
}
template <class Call>
bool not_groups(const Call& call, const Channel& channel) {
  return !suits_groups(call, channel);
}

// Each rank reads what all give, so that only little data may be read that often.
constexpr std::size_t kReadByAll = 32 * 1024;  // bytes in all

template <class Call>
bool can_flat(const Call& call, const Channel& channel) {
  return in_runs(call.with) && fits_cell(call.with.contribution().bytes(), channel);
}
template <class Call>
bool suits_flat(const Call& call, const Channel& channel) {
  return bytes_of(call) * channel.ranks() <= kReadByAll && !suits_groups(call, channel);
}
bool suits_scan(const Prefix& call, const Channel& channel) {
  return bytes_of(call) * channel.ranks() <= kReadByAll;
}
template <class Call>
bool can_cells(const Call& call, const Channel& channel) {
  return in_runs(call.with) && fits_cell(call.with.datatype->size(), channel);
}

template <class Call, int kMost>
bool suits_few(const Call&, const Channel& channel) {
  return channel.size() <= kMost && !channel.shares_cores();
}

bool can_reduce_scatter(const ReduceScatter& call, const Channel& channel) {
  return in_runs(call.with) && fits_cell(call.with.datatype->size() * channel.ranks(), channel);
}
bool can_bcast(const Bcast& call, const Channel& channel) {
  return fits_cell(call.data.bytes(), channel);
}
bool can_allgather(const Allgather& call, const Channel& channel) {
  return fits_cell(call.all.most_bytes(channel.size()), channel);
}
bool can_gather(const Gather& call, const Channel& channel) {
  return call.all.alike() && fits_cell(call.own().bytes(), channel);
}
bool can_scatter(const Scatter& call, const Channel& channel) {
  return call.all.alike() && fits_cell(call.own().bytes() * channel.ranks(), channel);
}
bool can_flat_alltoall(const Alltoall& call, const Channel& channel) {
  return call.in.alike() && fits_cell(call.in[0].bytes() * channel.ranks(), channel);
}
bool can_alltoall(const Alltoall& call, const Channel& channel) {
  return call.in.alike() && fits_cell(channel.ranks(), channel);
}

// Where the kernel's copy may be the faster one: between few ranks with cores of their own.
constexpr std::size_t kLong = 128 * 1024;  // bytes
bool may_copy(std::size_t bytes, const Channel& channel) {
  return bytes > kLong && channel.size() <= 4 && !channel.shares_cores() && settings.single_copy;
}
// Both sides share in it, so that it is for near ones too.
bool suits_cells(const Bcast& call, const Channel& channel) {
  return !may_copy(call.data.bytes(), channel);
}
bool suits_near(const Allgather& call, const Channel& channel) {
  return may_copy(call.all.most_bytes(channel.size()), channel);
}
bool suits_near(const Alltoall& call, const Channel& channel) {
  return may_copy(call.in[channel.rank()].bytes(), channel);
}

constexpr const char* kElse = "else";
constexpr const char* kShort = "up to 32 KiB in all, and not for groups";
constexpr const char* kNear =
    "more than 128 KiB, 4 ranks at most with cores of their own: as direct if these are far apart";
constexpr const char* kGroups = "up to 4 KiB, more than 16 ranks with cores of their own";

template <class Way, class Call>
constexpr Algorithm<Call> one_step(const char* when,
                                   bool (*can)(const Call&, const Channel&) = nullptr,
                                   bool (*suits)(const Call&, const Channel&) = nullptr) {
  return {.name = "flat",
          .when = when,
          .at_once = arena::at_once<Way, Call>,
          .arena = arena::in_one_step<Way, Call>,
          .can = can,
          .suits = suits};
}

}  // namespace

std::span<const Algorithm<Barrier>> Barrier::algorithms() {
  static constexpr Algorithm<Barrier> rows[] = {
      one_step<arena::FlatBarrier, Barrier>("not for groups", nullptr, not_groups<Barrier>),
      {.name = "groups",
       .when = "more than 16 ranks with cores of their own",
       .arena = arena::barrier_groups},
      {.name = "dissemination", .when = kElse, .messages = messages::barrier}};
  return rows;
}

std::span<const Algorithm<Bcast>> Bcast::algorithms() {
  static constexpr Algorithm<Bcast> rows[] = {
      one_step<arena::FlatBcast, Bcast>("data fits into a cell, and not for groups", can_bcast,
                                        not_groups<Bcast>),
      {.name = "groups",
       .when = kGroups,
       .arena = arena::bcast_groups,
       .can = can_bcast,
       .suits = suits_groups<Bcast>},
      {.name = "cells",
       .when = "up to 128 KiB, more than 4 ranks, or ranks that share cores",
       .arena = arena::bcast,
       .suits = suits_cells},
      {.name = "tree", .when = kElse, .messages = messages::bcast}};
  return rows;
}

std::span<const Algorithm<Gather>> Gather::algorithms() {
  static constexpr Algorithm<Gather> rows[] = {
      one_step<arena::FlatGather, Gather>("a block fits into a cell", can_gather),
      {.name = "direct", .when = kElse, .messages = messages::gather}};
  return rows;
}

std::span<const Algorithm<Scatter>> Scatter::algorithms() {
  static constexpr Algorithm<Scatter> rows[] = {
      one_step<arena::FlatScatter, Scatter>("all blocks fit into a cell", can_scatter),
      {.name = "direct", .when = kElse, .messages = messages::scatter}};
  return rows;
}

std::span<const Algorithm<Allgather>> Allgather::algorithms() {
  static constexpr Algorithm<Allgather> rows[] = {
      one_step<arena::FlatAllgather, Allgather>("a block fits into a cell", can_allgather),
      {.name = "near",
       .when = kNear,
       .arena = arena::cells_if_near<Allgather, arena::allgather>,
       .suits = suits_near},
      {.name = "cells", .when = kElse, .arena = arena::allgather},
      {.name = "direct", .when = kElse, .messages = messages::allgather}};
  return rows;
}

std::span<const Algorithm<Alltoall>> Alltoall::algorithms() {
  static constexpr Algorithm<Alltoall> rows[] = {
      one_step<arena::FlatAlltoall, Alltoall>("all blocks fit into a cell", can_flat_alltoall),
      {.name = "near",
       .when = kNear,
       .arena = arena::cells_if_near<Alltoall, arena::alltoall>,
       .can = can_alltoall,
       .suits = suits_near},
      {.name = "cells", .when = "blocks alike", .arena = arena::alltoall, .can = can_alltoall},
      {.name = "direct", .when = kElse, .messages = messages::alltoall}};
  return rows;
}

std::span<const Algorithm<Reduce>> Reduce::algorithms() {
  static constexpr Algorithm<Reduce> rows[] = {
      one_step<arena::FlatReduce, Reduce>(kShort, can_flat<Reduce>, suits_flat<Reduce>),
      {.name = "groups",
       .when = kGroups,
       .arena = arena::reduce_groups,
       .can = can_flat<Reduce>,
       .suits = suits_groups<Reduce>},
      {.name = "cells",
       .when = "3 ranks at most, with cores of their own",
       .arena = arena::reduce_cells,
       .can = can_cells<Reduce>,
       .suits = suits_few<Reduce, 3>},
      {.name = "parts",
       .when = "values lie in a run",
       .arena = arena::reduce_parts,
       .can = can_cells<Reduce>},
      {.name = "tree", .when = kElse, .messages = messages::reduce}};
  return rows;
}

std::span<const Algorithm<Allreduce>> Allreduce::algorithms() {
  static constexpr Algorithm<Allreduce> rows[] = {
      one_step<arena::FlatAllreduce, Allreduce>(kShort, can_flat<Allreduce>, suits_flat<Allreduce>),
      {.name = "groups",
       .when = kGroups,
       .arena = arena::allreduce_groups,
       .can = can_flat<Allreduce>,
       .suits = suits_groups<Allreduce>},
      {.name = "cells",
       .when = "2 ranks, with cores of their own",
       .arena = arena::allreduce_cells,
       .can = can_cells<Allreduce>,
       .suits = suits_few<Allreduce, 2>},
      {.name = "parts",
       .when = "values lie in a run",
       .arena = arena::allreduce_parts,
       .can = can_cells<Allreduce>},
      {.name = "tree", .when = kElse, .messages = messages::allreduce}};
  return rows;
}

std::span<const Algorithm<ReduceScatter>> ReduceScatter::algorithms() {
  static constexpr Algorithm<ReduceScatter> rows[] = {
      {.name = "cells",
       .when = "values lie in a run",
       .arena = arena::reduce_scatter,
       .can = can_reduce_scatter},
      {.name = "tree", .when = kElse, .messages = messages::reduce_scatter}};
  return rows;
}

std::span<const Algorithm<Prefix>> Prefix::algorithms() {
  static constexpr Algorithm<Prefix> rows[] = {
      one_step<arena::FlatScan, Prefix>("up to 32 KiB in all", can_flat<Prefix>, suits_scan),
      {.name = "line", .when = kElse, .messages = messages::scan}};
  return rows;
}

template Fault run(const Barrier&);
template Fault run(const Bcast&);
template Fault run(const Gather&);
template Fault run(const Scatter&);
template Fault run(const Allgather&);
template Fault run(const Alltoall&);
template Fault run(const Reduce&);
template Fault run(const Allreduce&);
template Fault run(const ReduceScatter&);
template Fault run(const Scan&);
template Fault run(const Exscan&);

}  // namespace atl::coll
