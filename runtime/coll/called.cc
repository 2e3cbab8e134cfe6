#include "runtime/coll/called.h"

#include <algorithm>
#include <cstdio>
#include <optional>

#include "runtime/coll/between_groups.h"
#include "runtime/coll/calls.h"
#include "runtime/core/process.h"

namespace atl::coll {
namespace {

// Called::what: kind, way, operation, root, type signature.
constexpr int kWayShift = 6;
constexpr int kOpShift = 8;
constexpr int kRootShift = 16;
constexpr int kSignatureShift = 32;

Kind kind_of(const Called& called) { return static_cast<Kind>(called.what & 0x3f); }
Way way_of(const Called& called) { return static_cast<Way>(called.what >> kWayShift & 3); }
op::Code op_of(const Called& called) {
  return static_cast<op::Code>(called.what >> kOpShift & 0xff);
}
// Or what with_shares() puts there.
int root_of(const Called& called) { return static_cast<int>(called.what >> kRootShift & 0xffff); }
datatype::Signature signature_of(const Called& called) {
  return static_cast<datatype::Signature>(called.what >> kSignatureShift);
}

// It is in the first step of the call.
bool begins(const Called& called) { return called.what != 0 && way_of(called) != Way::later; }

constexpr std::uint64_t kBytes = (1ull << Called::kPastShift) - 1;

std::uint64_t bytes_of(const Called& called) { return called.bytes & kBytes; }
std::uint64_t past_of(const Called& called) { return called.bytes & ~kBytes; }

const char* name_of(Kind kind) {
  switch (kind) {
    case Kind::barrier: return "MPI_Barrier";
    case Kind::bcast: return "MPI_Bcast";
    case Kind::gather: return "MPI_Gather";
    case Kind::scatter: return "MPI_Scatter";
    case Kind::allgather: return "MPI_Allgather";
    case Kind::alltoall: return "MPI_Alltoall";
    case Kind::reduce: return "MPI_Reduce";
    case Kind::allreduce: return "MPI_Allreduce";
    case Kind::reduce_scatter_block: return "MPI_Reduce_scatter_block";
    case Kind::reduce_scatter: return "MPI_Reduce_scatter";
    case Kind::scan: return "MPI_Scan";
    case Kind::exscan: return "MPI_Exscan";
    case Kind::allgatherv: return "MPI_Allgatherv";
    case Kind::gatherv: return "MPI_Gatherv";
    case Kind::scatterv: return "MPI_Scatterv";
    case Kind::alltoallv: return "MPI_Alltoallv or MPI_Alltoallw";
    case Kind::neighbor_allgather: return "MPI_Neighbor_allgather";
    case Kind::neighbor_allgatherv: return "MPI_Neighbor_allgatherv";
    case Kind::neighbor_alltoall: return "MPI_Neighbor_alltoall";
    case Kind::neighbor_alltoallv: return "MPI_Neighbor_alltoallv or MPI_Neighbor_alltoallw";
  }
  return "the same as before";
}

bool has_root(Kind kind) {
  return kind == Kind::bcast || kind == Kind::gather || kind == Kind::scatter ||
         kind == Kind::reduce || kind == Kind::gatherv || kind == Kind::scatterv;
}

bool has_shares(Kind kind) { return kind == Kind::reduce_scatter || kind == Kind::allgatherv; }

bool is_reduction(Kind kind) { return kind >= Kind::reduce && kind <= Kind::exscan; }

// It says how much data: where that must be alike.
bool says_bytes(Kind kind) { return kind >= Kind::bcast && kind <= Kind::allgatherv; }

// "MPI_Reduce with root 1, MPI_SUM, 8 bytes of 4-byte integers"
std::string describe(const Channel& channel, const Called& called) {
  const Kind kind = kind_of(called);
  std::string text = name_of(kind);
  if (way_of(called) == Way::persistent) text += " (persistent)";
  const char* next = " with ";
  const auto add = [&](const std::string& part) {
    text += next + part;
    next = ", ";
  };
  if (has_root(kind)) add("root " + name_of_root(channel, root_of(called)));
  if (op_of(called) != op::Reduction::kUserDefined) {
    add(op::name_of(op_of(called)));
  } else if (is_reduction(kind) && !is_bystander(channel, root_of(called))) {
    add("an operation of the program");
  }
  if (says_bytes(kind) && (!channel.between_groups() || bytes_of(called) != 0)) {
    std::string data = std::to_string(bytes_of(called)) + " bytes";
    if (signature_of(called) != datatype::kAnySignature) {
      data += " of " + datatype::describe(signature_of(called));
    }
    add(data);
  }
  if (has_shares(kind) && root_of(called) != 0) {
    char sum[32];
    std::snprintf(sum, sizeof sum, "recvcounts of check sum %04x", root_of(called));
    add(sum);
  }
  if (way_of(called) == Way::messages) add("by messages");
  return text;
}

// How much each rank has, in 16 bits, where it must be known alike to all; never 0. It
// has the place of the root.
template <class Count>
Called with_shares(Called called, int ranks, Count count) {
  constexpr std::uint64_t kMix = 0x9e3779b97f4a7c15;
  std::uint64_t sum = 0;
  for (int rank = 0; rank < ranks; ++rank) {
    sum = (sum + static_cast<std::uint64_t>(count(rank)) + 1) * kMix;
  }
  called.what |= (sum >> 48 | 1) << kRootShift;
  return called;
}

}  // namespace

Called call_of(Kind kind, const Data& data, int root) {
  const std::size_t bytes = data.bytes();
  const datatype::Signature signature = settings.check_signatures && bytes != 0
                                            ? data.type->signature(bytes)
                                            : datatype::kAnySignature;
  return {static_cast<std::uint64_t>(kind) | static_cast<std::uint64_t>(root) << kRootShift |
              static_cast<std::uint64_t>(signature) << kSignatureShift,
          bytes};
}

Called call_of(Kind kind, const Data& data, const op::Reduction& reduction, int root) {
  Called called = call_of(kind, data, root);
  called.what |= static_cast<std::uint64_t>(reduction.code()) << kOpShift;
  return called;
}

Called another_way(Called called, Way way) {
  called.what |= static_cast<std::uint64_t>(way) << kWayShift;
  return called;
}

Called kind_alone(const Called& called) { return call_of(kind_of(called)); }

Called call_of(const Barrier&) { return call_of(Kind::barrier); }

Called call_of(const Bcast& call) { return call_of(Kind::bcast, call.data, call.root); }

Called call_of(const Gather& call) {
  if (!call.all.alike()) return call_of(Kind::gatherv, nothing(), call.root);
  return call_of(Kind::gather, call.own(), call.root);
}

Called call_of(const Scatter& call) {
  if (!call.all.alike()) return call_of(Kind::scatterv, nothing(), call.root);
  return call_of(Kind::scatter, call.own(), call.root);
}

Called call_of(const Allgather& call) {
  if (call.all.alike()) return call_of(Kind::allgather, call.all[0]);
  Called called = call_of(Kind::allgatherv);
  called.bytes = call.all.total_bytes(call.comm.size());
  return with_shares(called, call.comm.size(), [&](int rank) { return call.all.bytes(rank); });
}

Called call_of(const Alltoall& call) {
  if (!call.in.alike()) return call_of(Kind::alltoallv);
  return call_of(Kind::alltoall, call.in[call.comm.rank()]);
}

Called call_of(const Reduce& call) {
  return call_of(Kind::reduce, call.with.contribution(), call.with.reduction(), call.root);
}

Called call_of(const Allreduce& call) {
  return call_of(Kind::allreduce, call.with.contribution(), call.with.reduction());
}

Called call_of(const ReduceScatter& call) {
  const Kind kind = call.listed ? Kind::reduce_scatter : Kind::reduce_scatter_block;
  const Called called = call_of(kind, call.with.contribution(), call.with.reduction());
  if (!call.listed) return called;
  return with_shares(called, call.comm.size(), [&](int rank) { return call.count_of(rank); });
}

Called call_of(const Prefix& call) {
  return call_of(call.exclusive ? Kind::exscan : Kind::scan, call.with.contribution(),
                 call.with.reduction());
}

namespace {

// Of two calls that are alike in all the rest. Signatures need not be equal.
bool data_match(const Called& one, const Called& other) {
  return bytes_of(one) == bytes_of(other) &&
         datatype::signatures_match(signature_of(one), signature_of(other));
}

struct Caller {
  int rank;
  Called called;
};

bool roots_match(const Channel& channel, const Caller& one, const Caller& other) {
  const Root root = {one.rank, root_of(one.called)};
  const Root other_root = {other.rank, root_of(other.called)};
  return channel.between_groups() ? roots_match(channel, root, other_root)
                                  : root.said == other_root.said;
}

bool calls_match(const Channel& channel, const Caller& one, const Caller& other) {
  constexpr std::uint64_t kKindAndWay = (1u << kOpShift) - 1;
  constexpr std::uint64_t kExact = (1ull << kSignatureShift) - 1;
  const std::uint64_t different = one.called.what ^ other.called.what;
  if (!channel.between_groups() || !has_root(kind_of(one.called))) {
    return (different & kExact) == 0 && data_match(one.called, other.called);
  }
  if ((different & kKindAndWay) != 0 || !roots_match(channel, one, other)) return false;
  const auto looks_on = [&](const Caller& caller) {
    return is_bystander(channel, root_of(caller.called));
  };
  if (looks_on(one) || looks_on(other)) return true;
  return op_of(one.called) == op_of(other.called) && data_match(one.called, other.called);
}

int error_class(const Channel& channel, const Caller& one, const Caller& other) {
  const Called& mine = one.called;
  const Called& theirs = other.called;
  const auto persistent = [](const Called& called) { return way_of(called) == Way::persistent; };
  const Kind kind = kind_of(mine);
  if (kind != kind_of(theirs) || persistent(mine) != persistent(theirs)) return MPI_ERR_OTHER;
  if (has_root(kind) && !roots_match(channel, one, other)) return MPI_ERR_ROOT;
  if (op_of(mine) != op_of(theirs)) return MPI_ERR_OP;
  if (bytes_of(mine) != bytes_of(theirs)) return MPI_ERR_COUNT;
  if (has_shares(kind) && root_of(mine) != root_of(theirs)) return MPI_ERR_COUNT;
  return signature_of(mine) != signature_of(theirs) ? MPI_ERR_TYPE : MPI_ERR_OTHER;
}

// The last calls of this rank and another one, before `step`, that do not match, where
// they can still be read. This is for people: the other may write to its entry just now.
bool find_earlier(Channel& channel, Step step, Caller& mine, Caller& theirs) {
  for (Step back = 1; back < shm::Arena::kEntries && back <= step; ++back) {
    const Step earlier = step - back;
    if (!channel.posted(mine.rank, earlier) || !channel.posted(theirs.rank, earlier)) continue;
    const Caller one = {mine.rank, channel.called(mine.rank, earlier)};
    const Caller other = {theirs.rank, channel.called(theirs.rank, earlier)};
    const bool both_begin = begins(one.called) && begins(other.called);
    if (!both_begin || calls_match(channel, one, other)) continue;
    mine = one;
    theirs = other;
    return true;
  }
  return false;
}

}  // namespace

Fault compare_with_care(Channel& channel, int rank, Step step, const Called& their_call,
                        const Called& my_call) {
  Caller mine = {channel.rank(), my_call};
  Caller theirs = {rank, their_call};
  const bool alike = calls_match(channel, mine, theirs);
  if (alike && past_of(mine.called) == past_of(theirs.called)) return {};
  // Where they have come to differs because they called something else before.
  const bool later = alike || !begins(mine.called) || !begins(theirs.called);
  const bool unknown = later && !find_earlier(channel, step, mine, theirs);
  const std::string text =
      name_of_member(channel, mine.rank) + " " + describe(channel, mine.called) + ", " +
      name_of_member(channel, theirs.rank) + " " + describe(channel, theirs.called);
  if (unknown) return channel.report(step, MPI_ERR_OTHER, "something earlier, before " + text);
  return channel.report(step, error_class(channel, mine, theirs), text);
}

namespace {

// What a rank called in a step. It stays there while this rank has neither left the step
// nor begun a later operation, which tells others as much. Else the other rank may come to
// overwrite it: before it does so it posts step `end`, which is at most kEntries - 1 later
// and the first of an operation.
std::optional<Called> called_before(Channel& channel, int rank, Step step, Step end) {
  if (!channel.posted(rank, step)) return {};
  const Called called = channel.called(rank, step);
  if (std::max(channel.left(), channel.first()) <= step) return called;
  read_fence();  // pairs with Channel::show(): the entry is read before the step
  const bool kept = end - step < shm::Arena::kEntries && channel.comes_to(rank, end);
  return kept ? called : std::optional<Called>();
}

// With what another rank called in this step, as far as both have posted it.
Fault compare_carefully(Channel& channel, int rank, Step step, Step end) {
  if (!channel.posted(channel.rank(), step)) return {};
  const std::optional<Called> theirs = called_before(channel, rank, step, end);
  const Called mine = channel.called(channel.rank(), step);
  if (!theirs || *theirs == mine) return {};
  return compare_with_care(channel, rank, step, *theirs, mine);
}

// The last step that a rank has posted, which has not come to `step` yet. None if that is
// too long ago.
std::optional<Step> last_posted(Channel& channel, int rank, Step step) {
  for (Step back = 1; back <= std::min<Step>(step, shm::Arena::kEntries); ++back) {
    if (channel.posted(rank, step - back)) return step - back;
  }
  return {};
}

}  // namespace

Fault find_mismatch(Channel& channel, Step step) {
  if (Fault fault = channel.reported(step)) return fault;
  // Only those by messages, of one step, outlive their turn.
  const Step end = step == channel.first() ? channel.next() : step + 1;
  for (int i = 1; i < channel.size(); ++i) {
    const int rank = channel.behind(i);
    Fault fault;
    if (!channel.comes_to(rank, step)) {
      fault = compare_carefully(channel, rank, step, end);
    } else if (const std::optional<Step> last = last_posted(channel, rank, step)) {
      fault = compare_carefully(channel, rank, *last, step);
    }
    if (fault) return fault;
  }
  return {};
}

}  // namespace atl::coll
