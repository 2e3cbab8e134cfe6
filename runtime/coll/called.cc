#include "runtime/coll/called.h"

#include "runtime/core/process.h"

namespace atl::coll {
namespace {

// Called::what: kind, operation, root, type signature.
constexpr int kOpShift = 8;
constexpr int kRootShift = 16;
constexpr int kSignatureShift = 32;

Kind kind_of(const Called& called) { return static_cast<Kind>(called.what & 0xff); }
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
  }
  return "a call of another version of this library";
}

bool has_root(Kind kind) {
  return kind == Kind::bcast || kind == Kind::gather || kind == Kind::scatter ||
         kind == Kind::reduce;
}

bool is_reduction(Kind kind) { return kind >= Kind::reduce; }

// "MPI_Reduce with root 1, MPI_SUM, 8 bytes of 4-byte integers"
std::string describe(const Called& called) {
  const Kind kind = kind_of(called);
  std::string text = name_of(kind);
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
  if (kind != Kind::barrier) {
    std::string data = std::to_string(called.bytes) + " bytes";
    if (signature_of(called) != datatype::kAnySignature) {
      data += " of " + datatype::describe(signature_of(called));
    }
    add(data);
  }
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

namespace {

// Signatures need not be equal.
bool match(const Called& one, const Called& other) {
  constexpr std::uint64_t kExact = (1ull << kSignatureShift) - 1;
  return one.bytes == other.bytes && (one.what & kExact) == (other.what & kExact) &&
         datatype::signatures_match(signature_of(one), signature_of(other));
}

int error_class(const Called& mine, const Called& theirs) {
  if (kind_of(mine) != kind_of(theirs)) return MPI_ERR_OTHER;
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

}  // namespace atl::coll
