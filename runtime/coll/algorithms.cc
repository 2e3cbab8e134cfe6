// Which collective takes which algorithm when. The limits were measured
// (docs/decisions/0007-arenas.md).
#include "runtime/coll/arena.h"
#include "runtime/coll/calls.h"
#include "runtime/coll/messages.h"
#include "runtime/core/process.h"

namespace atl::coll {
namespace {

std::size_t members(const Channel& channel) { return static_cast<std::size_t>(channel.size()); }

// Reductions work on what lies in cells: values in one run, as in an array.
bool in_runs(const Reducing& with) {
  return with.datatype->flat() && with.datatype->true_lower_bound() == 0 &&
         with.datatype->size() != 0;
}
bool fits_cell(std::size_t bytes, const Channel& channel) { return bytes <= channel.cell_bytes(); }

// Each rank reads what all give, so that only little data may be read that often.
constexpr std::size_t kReadByAll = 32 * 1024;  // bytes in all

template <class Call>
bool can_flat(const Call& call, const Channel& channel) {
  return in_runs(call.with) && fits_cell(call.with.contribution().bytes(), channel);
}
template <class Call>
bool suits_flat(const Call& call, const Channel& channel) {
  return call.with.contribution().bytes() * members(channel) <= kReadByAll;
}
template <class Call>
bool can_parts(const Call& call, const Channel& channel) {
  return in_runs(call.with) && fits_cell(call.with.datatype->size(), channel);
}

bool can_reduce_scatter(const ReduceScatter& call, const Channel& channel) {
  return in_runs(call.with) && fits_cell(call.with.datatype->size() * members(channel), channel);
}
bool can_gather(const Gather& call, const Channel& channel) {
  return call.all.alike() && fits_cell(call.own().bytes(), channel);
}
bool can_scatter(const Scatter& call, const Channel& channel) {
  return call.all.alike() && fits_cell(call.own().bytes() * members(channel), channel);
}
bool can_alltoall(const Alltoall& call, const Channel& channel) {
  return call.in.alike() && fits_cell(members(channel), channel);
}

// Between few ranks with cores of their own the kernel's copy, in which both sides
// share, is the faster one for what is longer than their caches hold well.
bool suits_cells(const Bcast& call, const Channel& channel) {
  constexpr std::size_t kLong = 128 * 1024;
  return call.data.bytes() <= kLong || channel.size() > 4 || channel.shares_cores() ||
         !settings.single_copy;
}

constexpr const char* kElse = "else";

}  // namespace

std::span<const Algorithm<Barrier>> Barrier::algorithms() {
  static constexpr Algorithm<Barrier> rows[] = {
      {.name = "flat", .when = "always", .arena = arena::barrier},
      {.name = "dissemination", .when = kElse, .messages = messages::barrier}};
  return rows;
}

std::span<const Algorithm<Bcast>> Bcast::algorithms() {
  static constexpr Algorithm<Bcast> rows[] = {
      {.name = "cells",
       .when = "up to 128 KiB, more than 4 ranks, or ranks that share cores",
       .arena = arena::bcast,
       .suits = suits_cells},
      {.name = "tree", .when = kElse, .messages = messages::bcast}};
  return rows;
}

std::span<const Algorithm<Gather>> Gather::algorithms() {
  static constexpr Algorithm<Gather> rows[] = {
      {.name = "flat",
       .when = "a block fits into a cell",
       .arena = arena::gather,
       .can = can_gather},
      {.name = "direct", .when = kElse, .messages = messages::gather}};
  return rows;
}

std::span<const Algorithm<Scatter>> Scatter::algorithms() {
  static constexpr Algorithm<Scatter> rows[] = {
      {.name = "flat",
       .when = "all blocks fit into a cell",
       .arena = arena::scatter,
       .can = can_scatter},
      {.name = "direct", .when = kElse, .messages = messages::scatter}};
  return rows;
}

std::span<const Algorithm<Allgather>> Allgather::algorithms() {
  static constexpr Algorithm<Allgather> rows[] = {
      {.name = "cells", .when = "always", .arena = arena::allgather},
      {.name = "direct", .when = kElse, .messages = messages::allgather}};
  return rows;
}

std::span<const Algorithm<Alltoall>> Alltoall::algorithms() {
  static constexpr Algorithm<Alltoall> rows[] = {
      {.name = "cells", .when = "always", .arena = arena::alltoall, .can = can_alltoall},
      {.name = "direct", .when = kElse, .messages = messages::alltoall}};
  return rows;
}

std::span<const Algorithm<Reduce>> Reduce::algorithms() {
  static constexpr Algorithm<Reduce> rows[] = {
      {.name = "flat",
       .when = "up to 32 KiB in all",
       .arena = arena::reduce_flat,
       .can = can_flat<Reduce>,
       .suits = suits_flat<Reduce>},
      {.name = "parts",
       .when = "values lie in a run",
       .arena = arena::reduce_parts,
       .can = can_parts<Reduce>},
      {.name = "tree", .when = kElse, .messages = messages::reduce}};
  return rows;
}

std::span<const Algorithm<Allreduce>> Allreduce::algorithms() {
  static constexpr Algorithm<Allreduce> rows[] = {
      {.name = "flat",
       .when = "up to 32 KiB in all",
       .arena = arena::allreduce_flat,
       .can = can_flat<Allreduce>,
       .suits = suits_flat<Allreduce>},
      {.name = "parts",
       .when = "values lie in a run",
       .arena = arena::allreduce_parts,
       .can = can_parts<Allreduce>},
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
      {.name = "flat",
       .when = "up to 32 KiB in all",
       .arena = arena::scan,
       .can = can_flat<Prefix>,
       .suits = suits_flat<Prefix>},
      {.name = "line", .when = kElse, .messages = messages::scan}};
  return rows;
}

}  // namespace atl::coll
