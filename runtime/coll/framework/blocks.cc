#include "runtime/coll/framework/blocks.h"

#include <algorithm>
#include <cstdint>

#include "runtime/type/type_handles.h"

namespace atl::coll {

Error check_slow_path(const Names& names, const void* buffer, MPI_Count count,
                      const Datatype* type) {
  if (count < 0) {
    return make_error(MPI_ERR_COUNT, "%s=%lld is negative", names.count,
                      static_cast<long long>(count));
  }
  if (type == nullptr)
    return make_error(MPI_ERR_TYPE, "%s is MPI_DATATYPE_NULL or was freed", names.type);
  if (!type->committed()) {
    return make_error(MPI_ERR_TYPE, "%s=%s is not committed", names.type, label(*type).c_str());
  }
  const bool empty = count == 0 || type->size() == 0;
  if (buffer == MPI_IN_PLACE) {
    return make_error(MPI_ERR_BUFFER, "%s=MPI_IN_PLACE is not allowed here", names.buffer);
  }
  if (buffer == nullptr && !empty && type->true_lower_bound() == 0) {
    return make_error(MPI_ERR_BUFFER, "%s is a null pointer, but there are %lld elements of %s",
                      names.buffer, static_cast<long long>(count), label(*type).c_str());
  }
  return {};
}

// Types with gaps overlap for certain only where run() is equal: run() is the lowest data byte of
// the first element.
Error check_apart_slow_path(const Data& out, const Data& in) {
  const std::byte* from = out.type->first_byte(out.address);
  const std::byte* to = in.type->first_byte(in.address);
  const bool sure = from == to || (out.type->is_contiguous() && in.type->is_contiguous());
  if (!sure || out.bytes() == 0 || in.bytes() == 0) return {};
  return make_error(
      MPI_ERR_BUFFER,
      "sendbuf and recvbuf overlap at address %p: what is received there overwrites what "
      "is sent; MPI_IN_PLACE, where it is allowed, is for one buffer that serves as both",
      static_cast<const void*>(std::max(from, to)));
}

namespace {

const std::byte* begin_of(const Data& block) { return block.type->first_byte(block.address); }
const std::byte* end_of(const Data& block) { return begin_of(block) + block.bytes(); }

// Calls visit(Data) for each block that has data and is contiguous.
template <class Visit>
void for_each_run(const Blocks& blocks, int ranks, Visit visit) {
  for (int rank = 0; rank < ranks; ++rank) {
    const Data block = blocks[rank];
    if (block.bytes() != 0 && block.type->is_contiguous()) visit(block);
  }
}

struct Bounds {
  const std::byte* begin = nullptr;
  const std::byte* end = nullptr;
};
Bounds bounds_of(const Blocks& blocks, int ranks) {
  Bounds all;
  for_each_run(blocks, ranks, [&all](const Data& block) {
    if (all.begin == nullptr || begin_of(block) < all.begin) all.begin = begin_of(block);
    all.end = std::max(all.end, end_of(block));
  });
  return all;
}

std::vector<Data> sorted_runs(const Blocks& blocks, int ranks) {
  std::vector<Data> runs;
  for_each_run(blocks, ranks, [&runs](const Data& block) { runs.push_back(block); });
  std::ranges::sort(runs, {}, begin_of);
  return runs;
}

}  // namespace

// Usually the bounds of the two buffers do not overlap, which is quick to find.
Error check_each_apart(const Blocks& out, int outs, const Blocks& in, int ins) {
  const Bounds out_bounds = bounds_of(out, outs);
  const Bounds in_bounds = bounds_of(in, ins);
  if (out_bounds.begin >= in_bounds.end || in_bounds.begin >= out_bounds.end) return {};
  const std::vector<Data> from = sorted_runs(out, outs);
  const std::vector<Data> to = sorted_runs(in, ins);
  for (std::size_t i = 0, j = 0; i < from.size() && j < to.size();) {
    if (Error error = check_apart(from[i], to[j])) return error;
    // The block that ends first cannot overlap later blocks of the other buffer.
    ++(end_of(from[i]) < end_of(to[j]) ? i : j);
  }
  return {};
}

Blocks::Blocks(void* buffer, MPI_Count count, const Datatype* type)
    : form_(Form::equal), buffer_(buffer), count_(count), type_(type) {}

Blocks::Blocks(void* buffer, Numbers counts, Numbers displacements, const Datatype* type)
    : form_(Form::listed),
      buffer_(buffer),
      counts_(counts),
      displacements_(displacements),
      type_(type) {}

Blocks::Blocks(void* buffer, Numbers counts, Numbers displacements, const MPI_Datatype* types,
               int ranks)
    : form_(Form::typed), buffer_(buffer), counts_(counts), displacements_(displacements) {
  if (types == nullptr || in_place()) return;
  for (int rank = 0; rank < ranks; ++rank) types_.emplace_back(datatypes.find(types[rank]));
}

Data Blocks::listed(int rank) const {
  const Datatype* type = this->type(rank);
  const datatype::Count unit = form_ == Form::typed ? 1 : type->extent();
  return {static_cast<std::byte*>(buffer_) + displacements_[rank] * unit,
          static_cast<std::size_t>(counts_[rank]), type};
}

// The address to check for a block: the buffer, or, with MPI_BOTTOM, the block itself, since the
// displacements are addresses then. Null if no data can be at that address.
const void* Blocks::start(int rank) const {
  constexpr std::uintptr_t kPage = 4096;  // the first one is never mapped
  if (buffer_ != MPI_BOTTOM || type(rank) == nullptr) return buffer_;
  const void* address = listed(rank).address;
  return reinterpret_cast<std::uintptr_t>(address) < kPage ? nullptr : address;
}

std::size_t Blocks::total_bytes(int ranks) const {
  if (alike()) return static_cast<std::size_t>(ranks) * bytes(0);
  std::size_t total = 0;
  for (int rank = 0; rank < ranks; ++rank) total += bytes(rank);
  return total;
}

std::size_t Blocks::most_bytes(int ranks) const {
  if (alike()) return bytes(0);
  std::size_t most = 0;
  for (int rank = 0; rank < ranks; ++rank) most = std::max(most, bytes(rank));
  return most;
}

Error Blocks::check_each(const Names& names, int ranks) const {
  if (counts_.null()) return make_error(MPI_ERR_ARG, "%s is a null pointer", names.count);
  if (displacements_.null()) return make_error(MPI_ERR_ARG, "the displacements are a null pointer");
  if (form_ == Form::typed && types_.empty())
    return make_error(MPI_ERR_ARG, "%s is a null pointer", names.type);
  for (int rank = 0; rank < ranks; ++rank) {
    if (is_plain(start(rank), counts_[rank], this->type(rank))) continue;
    const std::string element = "[" + std::to_string(rank) + "]";
    const std::string count = names.count + element;
    const std::string type = form_ == Form::typed ? names.type + element : names.type;
    const Names named = {names.buffer, count.c_str(), type.c_str()};
    if (Error error = check_data(named, start(rank), counts_[rank], this->type(rank))) return error;
  }
  return {};
}

Error own_block_differs(std::size_t gives, std::size_t expects) {
  return make_error(
      MPI_ERR_COUNT,
      "this rank gives itself %zu bytes by the send arguments, and expects %zu by the "
      "receive arguments",
      gives, expects);
}

}  // namespace atl::coll
