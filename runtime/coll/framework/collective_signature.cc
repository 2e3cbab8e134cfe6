#include "runtime/coll/framework/collective_signature.h"

#include <algorithm>
#include <cstdio>
#include <optional>

#include "runtime/coll/framework/inter_roots.h"
#include "runtime/core/process.h"
#include "runtime/p2p/message_settings.h"

namespace atl::coll {
namespace {

// CollectiveSignature::call from bit 0 on: kind, way, operation, root, type signature.
constexpr int kWayShift = 6;
constexpr int kOpShift = 8;
constexpr int kRootShift = 16;
constexpr int kSignatureShift = 32;

Kind kind_of(const CollectiveSignature& signature) {
  return static_cast<Kind>(signature.call & 0x3f);
}
Way way_of(const CollectiveSignature& signature) {
  return static_cast<Way>(signature.call >> kWayShift & 3);
}
op::Code op_of(const CollectiveSignature& signature) {
  return static_cast<op::Code>(signature.call >> kOpShift & 0xff);
}
// The root, or the check sum that with_counts() stores in its bits.
int root_of(const CollectiveSignature& signature) {
  return static_cast<int>(signature.call >> kRootShift & 0xffff);
}
datatype::Signature signature_of(const CollectiveSignature& signature) {
  return static_cast<datatype::Signature>(signature.call >> kSignatureShift);
}

// Whether a signature is that of the first round of its call.
bool begins(const CollectiveSignature& signature) {
  return signature.call != 0 && way_of(signature) != Way::later;
}

constexpr std::uint64_t kBytes = (1ull << CollectiveSignature::kHistoryShift) - 1;

std::uint64_t bytes_of(const CollectiveSignature& signature) { return signature.bytes & kBytes; }
std::uint64_t history_of(const CollectiveSignature& signature) { return signature.bytes & ~kBytes; }

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

bool has_counts(Kind kind) { return kind == Kind::reduce_scatter || kind == Kind::allgatherv; }

bool is_reduction(Kind kind) { return kind >= Kind::reduce && kind <= Kind::exscan; }

// Whether all ranks must have the same amount of data.
bool compares_bytes(Kind kind) { return kind >= Kind::bcast && kind <= Kind::allgatherv; }

// "MPI_Reduce with root 1, MPI_SUM, 8 bytes of 4-byte integers"
std::string describe(const Channel& channel, const CollectiveSignature& signature) {
  const Kind kind = kind_of(signature);
  std::string text = name_of(kind);
  if (way_of(signature) == Way::persistent) text += " (persistent)";
  const char* next = " with ";
  const auto add = [&](const std::string& part) {
    text += next + part;
    next = ", ";
  };
  if (has_root(kind)) add("root " + name_of_root(channel, root_of(signature)));
  if (op_of(signature) != op::Reduction::kUserDefined) {
    add(op::name_of(op_of(signature)));
  } else if (is_reduction(kind) && !passes_proc_null(channel, root_of(signature))) {
    add("an operation of the program");
  }
  if (compares_bytes(kind) && (!channel.between_groups() || bytes_of(signature) != 0)) {
    std::string data = std::to_string(bytes_of(signature)) + " bytes";
    if (signature_of(signature) != datatype::kAnySignature) {
      data += " of " + datatype::describe(signature_of(signature));
    }
    add(data);
  }
  if (has_counts(kind) && root_of(signature) != 0) {
    char sum[32];
    std::snprintf(sum, sizeof sum, "recvcounts of check sum %04x", root_of(signature));
    add(sum);
  }
  if (way_of(signature) == Way::messages) add("by messages");
  return text;
}

}  // namespace

CollectiveSignature make_signature(Kind kind, const Data& data, int root) {
  const std::size_t bytes = data.bytes();
  const datatype::Signature signature = p2p::settings.check_signatures && bytes != 0
                                            ? data.type->signature(bytes)
                                            : datatype::kAnySignature;
  return {static_cast<std::uint64_t>(kind) | static_cast<std::uint64_t>(root) << kRootShift |
              static_cast<std::uint64_t>(signature) << kSignatureShift,
          bytes};
}

CollectiveSignature make_signature(Kind kind, const Data& data, const op::Reduction& reduction,
                                   int root) {
  CollectiveSignature signature = make_signature(kind, data, root);
  signature.call |= static_cast<std::uint64_t>(reduction.code()) << kOpShift;
  return signature;
}

CollectiveSignature with_counts(CollectiveSignature signature, int ranks,
                                const std::function<std::size_t(int)>& count) {
  constexpr std::uint64_t kMix = 0x9e3779b97f4a7c15;
  std::uint64_t sum = 0;
  for (int rank = 0; rank < ranks; ++rank) sum = (sum + count(rank) + 1) * kMix;
  signature.call |= (sum >> 48 | 1) << kRootShift;
  return signature;
}

CollectiveSignature with_way(CollectiveSignature signature, Way way) {
  signature.call |= static_cast<std::uint64_t>(way) << kWayShift;
  return signature;
}

CollectiveSignature only_kind(const CollectiveSignature& signature) {
  return make_signature(kind_of(signature));
}

namespace {

// Of two calls that are equal in everything else. Type signatures may match without being equal.
bool data_match(const CollectiveSignature& one, const CollectiveSignature& other) {
  return bytes_of(one) == bytes_of(other) &&
         datatype::signatures_match(signature_of(one), signature_of(other));
}

struct Caller {
  int rank;
  CollectiveSignature signature;
};

bool roots_match(const Channel& channel, const Caller& one, const Caller& other) {
  const PassedRoot root = {one.rank, root_of(one.signature)};
  const PassedRoot other_root = {other.rank, root_of(other.signature)};
  return channel.between_groups() ? roots_match(channel, root, other_root)
                                  : root.root == other_root.root;
}

bool calls_match(const Channel& channel, const Caller& one, const Caller& other) {
  constexpr std::uint64_t kKindAndWay = (1u << kOpShift) - 1;
  constexpr std::uint64_t kExact = (1ull << kSignatureShift) - 1;
  const std::uint64_t different = one.signature.call ^ other.signature.call;
  if (!channel.between_groups() || !has_root(kind_of(one.signature))) {
    return (different & kExact) == 0 && data_match(one.signature, other.signature);
  }
  if ((different & kKindAndWay) != 0 || !roots_match(channel, one, other)) return false;
  const auto passes_null = [&](const Caller& caller) {
    return passes_proc_null(channel, root_of(caller.signature));
  };
  if (passes_null(one) || passes_null(other)) return true;
  return op_of(one.signature) == op_of(other.signature) &&
         data_match(one.signature, other.signature);
}

int error_class(const Channel& channel, const Caller& one, const Caller& other) {
  const CollectiveSignature& mine = one.signature;
  const CollectiveSignature& theirs = other.signature;
  const auto persistent = [](const CollectiveSignature& signature) {
    return way_of(signature) == Way::persistent;
  };
  const Kind kind = kind_of(mine);
  if (kind != kind_of(theirs) || persistent(mine) != persistent(theirs)) return MPI_ERR_OTHER;
  if (has_root(kind) && !roots_match(channel, one, other)) return MPI_ERR_ROOT;
  if (op_of(mine) != op_of(theirs)) return MPI_ERR_OP;
  if (bytes_of(mine) != bytes_of(theirs)) return MPI_ERR_COUNT;
  if (has_counts(kind) && root_of(mine) != root_of(theirs)) return MPI_ERR_COUNT;
  return signature_of(mine) != signature_of(theirs) ? MPI_ERR_TYPE : MPI_ERR_OTHER;
}

// The last two calls of this rank and another rank before `round` that do not match, if their
// entries can still be read. Only for the text of an error: the other rank may overwrite its entry
// at the same time.
bool find_earlier(Channel& channel, Round round, Caller& mine, Caller& theirs) {
  for (Round back = 1; back < shm::CollectiveBuffer::kEntries && back <= round; ++back) {
    const Round earlier = round - back;
    if (!channel.published(mine.rank, earlier) || !channel.published(theirs.rank, earlier))
      continue;
    const Caller one = {mine.rank, channel.signature(mine.rank, earlier)};
    const Caller other = {theirs.rank, channel.signature(theirs.rank, earlier)};
    const bool both_begin = begins(one.signature) && begins(other.signature);
    if (!both_begin || calls_match(channel, one, other)) continue;
    mine = one;
    theirs = other;
    return true;
  }
  return false;
}

}  // namespace

Error compare_slow_path(Channel& channel, int rank, Round round,
                        const CollectiveSignature& their_call, const CollectiveSignature& my_call) {
  Caller mine = {channel.rank(), my_call};
  Caller theirs = {rank, their_call};
  const bool alike = calls_match(channel, mine, theirs);
  if (alike && history_of(mine.signature) == history_of(theirs.signature)) return {};
  // The calls are equal, or one is in a later round: the mismatch was in an earlier call.
  const bool later = alike || !begins(mine.signature) || !begins(theirs.signature);
  const bool unknown = later && !find_earlier(channel, round, mine, theirs);
  const std::string text =
      name_of_member(channel, mine.rank) + " " + describe(channel, mine.signature) + ", " +
      name_of_member(channel, theirs.rank) + " " + describe(channel, theirs.signature);
  if (unknown) return channel.report(round, MPI_ERR_OTHER, "something earlier, before " + text);
  return channel.report(round, error_class(channel, mine, theirs), text);
}

namespace {

// What `rank` called in `round`, if its entry still holds that. The entry cannot be overwritten
// before this rank has released the round or begun a later operation, which releases it too. After
// that, `rank` publishes round `end`, the first of an operation and at most kEntries - 1 later,
// before it overwrites the entry.
std::optional<CollectiveSignature> signature_before(Channel& channel, int rank, Round round,
                                                    Round end) {
  if (!channel.published(rank, round)) return {};
  const CollectiveSignature signature = channel.signature(rank, round);
  if (std::max(channel.released(), channel.order.first()) <= round) return signature;
  // Pairs with publish_unawaited() of round `end`: reads the entry before has_not_reached() reads
  // whether that round is published.
  read_fence();
  const bool kept =
      end - round < shm::CollectiveBuffer::kEntries && channel.has_not_reached(rank, end);
  return kept ? signature : std::optional<CollectiveSignature>();
}

// Compares this rank's call in `round` with that of another rank, if both have published it and
// the other rank's entry is not overwritten meanwhile.
Error compare_unless_overwritten(Channel& channel, int rank, Round round, Round end) {
  if (!channel.published(channel.rank(), round)) return {};
  const std::optional<CollectiveSignature> theirs = signature_before(channel, rank, round, end);
  const CollectiveSignature mine = channel.signature(channel.rank(), round);
  if (!theirs || *theirs == mine) return {};
  return compare_slow_path(channel, rank, round, *theirs, mine);
}

// The last round published by a rank that has not reached `round` yet. None if its entry was more
// than kEntries rounds before `round`.
std::optional<Round> last_published(Channel& channel, int rank, Round round) {
  for (Round back = 1; back <= std::min<Round>(round, shm::CollectiveBuffer::kEntries); ++back) {
    if (channel.published(rank, round - back)) return round - back;
  }
  return {};
}

}  // namespace

Error find_mismatch(Channel& channel, Round round) {
  if (Error error = channel.reported(round)) return error;
  // An operation that is not the last to reserve rounds uses messages and has one round: only such
  // operations go on after their ticket is released.
  const Round end = round == channel.order.first() ? channel.order.next() : round + 1;
  for (int i = 1; i < channel.size(); ++i) {
    const int rank = channel.behind(i);
    Error error;
    if (!channel.has_not_reached(rank, round)) {
      error = compare_unless_overwritten(channel, rank, round, end);
    } else if (const std::optional<Round> last = last_published(channel, rank, round)) {
      error = compare_unless_overwritten(channel, rank, *last, round);
    }
    if (error) return error;
  }
  return {};
}

}  // namespace atl::coll
