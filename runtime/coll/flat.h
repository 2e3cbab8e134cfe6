// The algorithms of one step (one_step.h): what a rank gives is one entry or cell of
// the arena, and whoever needs it reads it there.
#pragma once

#include "runtime/coll/calls.h"
#include "runtime/coll/one_step.h"

namespace atl::coll::arena {

struct FlatBarrier : Flat {
  static constexpr Pattern kPattern = Pattern::all_to_all;
  FlatBarrier(const Barrier&, Channel&) { called = call_of(Kind::barrier); }
};

struct FlatBcast : Flat {
  static constexpr Pattern kPattern = Pattern::root_to_all;
  FlatBcast(const Bcast& call, Channel& channel);
  void give(Channel& channel, Step step);
  void take(Channel& channel, Step step);

  const Data& data;
};

struct FlatGather : Flat {
  static constexpr Pattern kPattern = Pattern::all_to_root;
  FlatGather(const Gather& call, Channel& channel);
  void give(Channel& channel, Step step);
  void meanwhile();
  void take(Channel& channel, Step step);

  const Gather& call;
  Data own;
};

struct FlatScatter : Flat {
  static constexpr Pattern kPattern = Pattern::root_to_all;
  FlatScatter(const Scatter& call, Channel& channel);
  void give(Channel& channel, Step step);
  void meanwhile();
  void take(Channel& channel, Step step);

  const Scatter& call;
  Data own;
  std::size_t block;
};

struct FlatAllgather : Flat {
  static constexpr Pattern kPattern = Pattern::all_to_all;
  FlatAllgather(const Allgather& call, Channel& channel);
  void give(Channel& channel, Step step);
  void meanwhile();
  void take(Channel& channel, Step step);

  const Allgather& call;
  Data own;
};

// The step has a piece for each of the others.
struct FlatAlltoall : Flat {
  static constexpr Pattern kPattern = Pattern::all_to_all;
  FlatAlltoall(const Alltoall& call, Channel& channel);
  void give(Channel& channel, Step step);
  void meanwhile();
  void take(Channel& channel, Step step);

  const Alltoall& call;
  std::size_t block;
};

// Who gets a result reads the values of the ranks up to `last`.
struct FlatReduction : Flat {
  FlatReduction(const Reducing& with, const Called& call, int last);
  void give(Channel& channel, Step step);
  void take(Channel& channel, Step step);

  const Reducing& with;
  Data own;
  int last;
  bool keeps = false;  // its own values to itself
};

struct FlatReduce : FlatReduction {
  static constexpr Pattern kPattern = Pattern::all_to_root;
  FlatReduce(const Reduce& call, Channel& channel);
  void take(Channel& channel, Step step);
};

struct FlatAllreduce : FlatReduction {
  static constexpr Pattern kPattern = Pattern::all_to_all;
  FlatAllreduce(const Allreduce& call, Channel& channel);
};

struct FlatScan : FlatReduction {
  static constexpr Pattern kPattern = Pattern::all_to_all;
  FlatScan(const Prefix& call, Channel& channel);
};

}  // namespace atl::coll::arena
