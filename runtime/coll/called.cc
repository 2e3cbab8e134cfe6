#include "runtime/coll/called.h"

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
int root_of(const Called& called) { return static_cast<int>(called.what >> kRootShift & 0xffff); }
datatype::Signature signature_of(const Called& called) {
  return static_cast<datatype::Signature>(called.what >> kSignatureShift);
}

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
    case Kind::reduce_scatter: return "MPI_Reduce_scatter";
    case Kind::scan: return "MPI_Scan";
    case Kind::exscan: return "MPI_Exscan";
    case Kind::gatherv: return "MPI_Gatherv";
    case Kind::scatterv: return "MPI_Scatterv";
    case Kind::alltoallv: return "MPI_Alltoallv or MPI_Alltoallw";
  }
  return "a call of another version of this library";
}

bool has_root(Kind kind) {
  return kind == Kind::bcast || kind == Kind::gather || kind == Kind::scatter ||
         kind == Kind::reduce || kind == Kind::gatherv || kind == Kind::scatterv;
}

bool is_reduction(Kind kind) { return kind >= Kind::reduce && kind <= Kind::exscan; }

// Each block may have a length of its own.
bool is_ragged(Kind kind) { return kind >= Kind::gatherv; }

// "MPI_Reduce with root 1, MPI_SUM, 8 bytes of 4-byte integers"
std::string describe(const Called& called) {
  const Kind kind = kind_of(called);
  std::string text = name_of(kind);
  if (way_of(called) == Way::persistent) text += " (persistent)";
  const char* next = " with ";
  const auto add = [&](const std::string& part) {
    text += next + part;
    next = ", ";
  };
  if (has_root(kind)) add("root " + std::to_string(root_of(called)));
  if (op_of(called) != op::Reduction::kUserDefined) {
    add(op::name_of(op_of(called)));
  } else if (is_reduction(kind)) {
    add("an operation of the program");
  }
  if (kind != Kind::barrier && !is_ragged(kind)) {
    std::string data = std::to_string(called.bytes) + " bytes";
    if (signature_of(called) != datatype::kAnySignature) {
      data += " of " + datatype::describe(signature_of(called));
    }
    add(data);
  }
  if (way_of(called) == Way::messages) add("by messages");
  return text;
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
  return call_of(Kind::allgather, call.all.total_bytes(call.comm.size()));
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
  return call_of(Kind::reduce_scatter, call.with.contribution(), call.with.reduction());
}

Called call_of(const Prefix& call) {
  return call_of(call.exclusive ? Kind::exscan : Kind::scan, call.with.contribution(),
                 call.with.reduction());
}

namespace {

// Signatures need not be equal.
bool match(const Called& one, const Called& other) {
  constexpr std::uint64_t kExact = (1ull << kSignatureShift) - 1;
  return one.bytes == other.bytes && (one.what & kExact) == (other.what & kExact) &&
         datatype::signatures_match(signature_of(one), signature_of(other));
}

int error_class(const Called& mine, const Called& theirs) {
  if (kind_of(mine) != kind_of(theirs) || way_of(mine) != way_of(theirs)) return MPI_ERR_OTHER;
  if (root_of(mine) != root_of(theirs)) return MPI_ERR_ROOT;
  if (op_of(mine) != op_of(theirs)) return MPI_ERR_OP;
  return mine.bytes != theirs.bytes ? MPI_ERR_COUNT : MPI_ERR_TYPE;
}

}  // namespace

Fault compare_with_care(Channel& channel, int rank, const Called& theirs, const Called& mine) {
  if (match(mine, theirs)) return {};
  channel.alarm();
  return fail(error_class(mine, theirs),
              "the ranks of %s call what does not match: rank %d %s, rank %d %s",
              channel.comm().label().c_str(), channel.rank(), describe(mine).c_str(), rank,
              describe(theirs).c_str());
}

Fault compare_posted(Channel& channel) {
  const Step step = channel.first();
  if (!channel.posted(channel.rank(), step)) return {};
  const Called mine = channel.called(channel.rank(), step);
  for (int rank = 0; rank < channel.size(); ++rank) {
    if (!channel.posted(rank, step)) continue;
    if (Fault fault = compare(channel, rank, step, mine)) return fault;
  }
  return {};
}

}  // namespace atl::coll
