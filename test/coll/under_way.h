// Collectives of every kind that are begun and not waited for, with what must have come
// when they are done.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <string>
#include <vector>

#include "test/check.h"
#include "test/coll/forms.h"
#include "test/coll/places.h"

namespace coll {

// A value that tells operation, rank (as places name it) and index.
inline int mark(int operation, int name, int index) {
  return operation * 1000003 + name * 7919 + index;
}

enum class Kind {
  barrier,
  bcast,
  gather,
  gatherv,
  scatter,
  scatterv,
  allgather,
  allgatherv,
  alltoall,
  alltoallv,
  alltoallw,
  reduce,
  allreduce,
  reduce_scatter_block,
  reduce_scatter,
  scan,  // this and the next only within a group
  exscan,
  neighbor_allgather,  // this and those behind only on a ring
  neighbor_allgatherv,
  neighbor_alltoall,
  neighbor_alltoallv,
  neighbor_alltoallw,
};
constexpr unsigned kKindsBetweenGroups = unsigned(Kind::scan);
constexpr unsigned kKinds = unsigned(Kind::neighbor_allgather);
constexpr unsigned kKindsOnRings = unsigned(Kind::neighbor_alltoallw) + 1;

// One operation: its buffers, its request, and what must come.
class UnderWay {
 public:
  // All of the place do the same; `operation` is its number. A process at a ring has
  // the one before it and the one behind it as neighbours.
  void begin(const Place& at, Kind kind, int operation, int count, Root root, Form form);

  MPI_Request& request() { return request_; }
  bool persistent() const { return form_ == Form::persistent; }
  void verify() const {
    const auto [found, wanted] = std::ranges::mismatch(in_, expected_);
    if (in_ == expected_) return check::passed();
    check::fail(__FILE__, __LINE__,
                "kind " + std::to_string(int(kind_)) + ", operation " + std::to_string(operation_) +
                    ": int " + std::to_string(found - in_.begin()) + " is " +
                    std::to_string(*found) + ", not " + std::to_string(*wanted));
  }

  // Of a persistent one that is done.
  void start_again() {
    std::ranges::copy(at_first_, in_.begin());
    MPI_Start(&request_);
  }
  void free() {
    if (persistent()) MPI_Request_free(&request_);
  }

 private:
  void one_for_each(const Place& at, Kind kind);
  void one_to_all(const Place& at, Kind kind);
  void reduction(const Place& at, Kind kind);
  void among_neighbours(const Place& at, Kind kind);

  // There is room for what is expected, or what has been put there is given.
  template <class Blocking, class Starting, class Making>
  void launch(Blocking blocking, Starting starting, Making making) {
    in_.resize(expected_.size(), -1);
    at_first_ = in_;
    if (form_ == Form::blocking) return blocking();
    if (form_ == Form::nonblocking) return starting();
    making();
    MPI_Start(&request_);
  }

  void give(int count) { append(out_, self_, 0, count); }
  // `count` of the values that rank `name` gives, from `first` on.
  void expect(int name, int first, int count) { append(expected_, name, first, count); }
  void append(std::vector<int>& to, int name, int first, int count) const {
    for (int i = first; i < first + count; ++i) to.push_back(mark(operation_, name, i));
  }
  // And leave the rest of a block as it was.
  void expect_block(int name, int first, int count) {
    expect(name, first, count);
    expected_.resize(expected_.size() + std::size_t(count_ - count), -1);
  }
  // The sums of what the first `ranks` of those give that data come from.
  void expect_sums(const Place& at, int ranks, int first, int count) {
    for (int i = first; i < first + count; ++i) {
      unsigned sum = 0;
      for (int r = 0; r < ranks; ++r) sum += unsigned(mark(operation_, at.peer(r), i));
      expected_.push_back(int(sum));
    }
  }
  // Block `i` has as many of `count_` elements, or none; blocks lie one behind the other.
  void add_block(int count) {
    counts_.push_back(count);
    displs_.push_back(displs_.empty() ? 0 : displs_.back() + count_);
    offsets_.push_back(MPI_Aint(displs_.back() * sizeof(int)));
    bytes_.push_back(int(offsets_.back()));
    types_.push_back(MPI_INT);
  }

  MPI_Request request_ = MPI_REQUEST_NULL;
  Form form_ = Form::nonblocking;
  Kind kind_ = Kind::barrier;
  int operation_ = 0, self_ = 0, count_ = 0;
  Root root_;
  std::vector<int> out_, in_, at_first_, expected_;
  std::vector<int> unsaid_;  // what rank 0 gets from an exclusive scan
  std::vector<int> counts_, displs_, bytes_;
  std::vector<MPI_Aint> offsets_;
  std::vector<MPI_Datatype> types_;
};

#define BEGIN(name, iname, ...)                                                          \
  launch([&] { MPI_##name(__VA_ARGS__); }, [&] { MPI_##iname(__VA_ARGS__, &request_); }, \
         [&] { MPI_##name##_init(__VA_ARGS__, MPI_INFO_NULL, &request_); })

inline void UnderWay::begin(const Place& at, Kind kind, int operation, int count, Root root,
                            Form form) {
  kind_ = kind;
  operation_ = operation;
  self_ = at.self();
  count_ = count;
  root_ = root;
  form_ = form;
  out_.reserve(1);  // MPICH 4.0 takes two null pointers for one buffer
  in_.reserve(1);
  if (kind >= Kind::neighbor_allgather) return among_neighbours(at, kind);
  if (kind >= Kind::reduce) return reduction(at, kind);
  if (kind >= Kind::allgather) return one_for_each(at, kind);
  one_to_all(at, kind);
}

// From the root or to it.
inline void UnderWay::one_to_all(const Place& at, Kind kind) {
  const bool here = root_.is(at), serves = root_.serves(at);
  const int root = root_.argument(at), peers = at.peers, count = count_;
  const auto part = [&](int i) { return i % 2 == 0 ? count : 0; };
  const int own = part(at.rank);
  for (int i = 0; i < peers; ++i) add_block(part(i));
  switch (kind) {
    case Kind::barrier: return BEGIN(Barrier, Ibarrier, at.comm);
    case Kind::bcast:
      if (here || serves) expect(root_.name(), 0, count);
      if (here) in_ = expected_;
      return BEGIN(Bcast, Ibcast, in_.data(), count, MPI_INT, root, at.comm);
    case Kind::gather:
      give(count);
      for (int i = 0; here && i < peers; ++i) expect(at.peer(i), 0, count);
      return BEGIN(Gather, Igather, out_.data(), count, MPI_INT, in_.data(), count, MPI_INT, root,
                   at.comm);
    case Kind::gatherv:
      give(own);
      for (int i = 0; here && i < peers; ++i) expect_block(at.peer(i), 0, part(i));
      return BEGIN(Gatherv, Igatherv, out_.data(), own, MPI_INT, in_.data(), counts_.data(),
                   displs_.data(), MPI_INT, root, at.comm);
    case Kind::scatter:
      if (here) give(count * peers);
      if (serves) expect(root_.name(), at.rank * count, count);
      return BEGIN(Scatter, Iscatter, out_.data(), count, MPI_INT, in_.data(), count, MPI_INT, root,
                   at.comm);
    default:
      if (here) give(count * peers);
      if (serves) expect(root_.name(), at.rank * count, own);
      return BEGIN(Scatterv, Iscatterv, out_.data(), counts_.data(), displs_.data(), MPI_INT,
                   in_.data(), own, MPI_INT, root, at.comm);
  }
}

// From all, to all.
inline void UnderWay::one_for_each(const Place& at, Kind kind) {
  const int peers = at.peers, count = count_;
  const bool to_all = kind == Kind::allgather || kind == Kind::allgatherv;
  // As much from one to the other as back.
  const auto part = [&](int i) { return (to_all ? i : at.rank + i) % 2 == 0 ? count : 0; };
  const bool equal = kind == Kind::allgather || kind == Kind::alltoall;
  for (int i = 0; i < peers; ++i) {
    add_block(part(i));
    expect_block(at.peer(i), to_all ? 0 : at.rank * count, equal ? count : part(i));
  }
  give(to_all ? count : count * peers);
  const int *out = out_.data(), *counts = counts_.data(), *displs = displs_.data();
  const int *bytes = bytes_.data(), own = at.rank % 2 == 0 ? count : 0;
  switch (kind) {
    case Kind::allgather:
      return BEGIN(Allgather, Iallgather, out, count, MPI_INT, in_.data(), count, MPI_INT, at.comm);
    case Kind::allgatherv:
      return BEGIN(Allgatherv, Iallgatherv, out, own, MPI_INT, in_.data(), counts, displs, MPI_INT,
                   at.comm);
    case Kind::alltoall:
      return BEGIN(Alltoall, Ialltoall, out, count, MPI_INT, in_.data(), count, MPI_INT, at.comm);
    case Kind::alltoallv:
      return BEGIN(Alltoallv, Ialltoallv, out, counts, displs, MPI_INT, in_.data(), counts, displs,
                   MPI_INT, at.comm);
    default:
      return BEGIN(Alltoallw, Ialltoallw, out, counts, bytes, types_.data(), in_.data(), counts,
                   bytes, types_.data(), at.comm);
  }
}

inline void UnderWay::reduction(const Place& at, Kind kind) {
  const bool scattered = kind == Kind::reduce_scatter || kind == Kind::reduce_scatter_block;
  // Of both groups together as much.
  const int count = !scattered ? count_ : count_ % 100 * (at.inter ? at.peers : 1);
  give(scattered ? count * at.size : count);
  const std::vector<int> counts(std::size_t(at.size), count);
  const bool gets = kind == Kind::reduce ? root_.is(at) : kind != Kind::exscan || at.rank > 0;
  const int ranks = kind == Kind::scan ? at.rank + 1 : kind == Kind::exscan ? at.rank : at.peers;
  if (gets) expect_sums(at, ranks, scattered ? at.rank * count : 0, count);
  const int* out = out_.data();
  switch (kind) {
    case Kind::reduce:
      return BEGIN(Reduce, Ireduce, out, in_.data(), count, MPI_INT, MPI_SUM, root_.argument(at),
                   at.comm);
    case Kind::allreduce:
      return BEGIN(Allreduce, Iallreduce, out, in_.data(), count, MPI_INT, MPI_SUM, at.comm);
    case Kind::reduce_scatter_block:
      return BEGIN(Reduce_scatter_block, Ireduce_scatter_block, out, in_.data(), count, MPI_INT,
                   MPI_SUM, at.comm);
    case Kind::reduce_scatter:
      counts_ = counts;
      return BEGIN(Reduce_scatter, Ireduce_scatter, out, in_.data(), counts_.data(), MPI_INT,
                   MPI_SUM, at.comm);
    case Kind::scan: return BEGIN(Scan, Iscan, out, in_.data(), count, MPI_INT, MPI_SUM, at.comm);
    default:
      if (!gets) unsaid_.resize(std::size_t(count));
      return BEGIN(Exscan, Iexscan, out, gets ? in_.data() : unsaid_.data(), count, MPI_INT,
                   MPI_SUM, at.comm);
  }
}

// What is sent to the one before comes there from the one behind, and the other way round.
inline void UnderWay::among_neighbours(const Place& at, Kind kind) {
  const int count = count_;
  const int before = (at.rank + at.size - 1) % at.size, behind = (at.rank + 1) % at.size;
  const bool to_all = kind == Kind::neighbor_allgather || kind == Kind::neighbor_allgatherv;
  for (int i = 0; i < 2; ++i) add_block(count);
  expect(before, to_all ? 0 : count, count);
  expect(behind, 0, count);
  give(to_all ? count : 2 * count);
  const int *out = out_.data(), *counts = counts_.data(), *displs = displs_.data();
  switch (kind) {
    case Kind::neighbor_allgather:
      return BEGIN(Neighbor_allgather, Ineighbor_allgather, out, count, MPI_INT, in_.data(), count,
                   MPI_INT, at.comm);
    case Kind::neighbor_allgatherv:
      return BEGIN(Neighbor_allgatherv, Ineighbor_allgatherv, out, count, MPI_INT, in_.data(),
                   counts, displs, MPI_INT, at.comm);
    case Kind::neighbor_alltoall:
      return BEGIN(Neighbor_alltoall, Ineighbor_alltoall, out, count, MPI_INT, in_.data(), count,
                   MPI_INT, at.comm);
    case Kind::neighbor_alltoallv:
      return BEGIN(Neighbor_alltoallv, Ineighbor_alltoallv, out, counts, displs, MPI_INT,
                   in_.data(), counts, displs, MPI_INT, at.comm);
    default:
      return BEGIN(Neighbor_alltoallw, Ineighbor_alltoallw, out, counts, offsets_.data(),
                   types_.data(), in_.data(), counts, offsets_.data(), types_.data(), at.comm);
  }
}

#undef BEGIN

}  // namespace coll
