// The blocks of a buffer argument, one per rank, for all forms of the collectives (equal blocks,
// v and w); and the checks on them.
#pragma once

#include <mpi.h>

#include <vector>

#include "runtime/coll/framework/data.h"
#include "runtime/comm/communicator.h"
#include "runtime/core/error.h"

namespace atl::coll {

// Names of the parameters, for error messages.
struct Names {
  const char* buffer;
  const char* count;
  const char* type;
};
inline constexpr Names kSend = {"sendbuf", "sendcount", "sendtype"};
inline constexpr Names kReceive = {"recvbuf", "recvcount", "recvtype"};
inline constexpr Names kSendListed = {"sendbuf", "sendcounts", "sendtype"};
inline constexpr Names kReceiveListed = {"recvbuf", "recvcounts", "recvtype"};

// Checks a significant buffer argument: the count is not negative, the type is committed, and the
// address is neither MPI_IN_PLACE nor a null pointer to data.
Error check_slow_path(const Names& names, const void* buffer, MPI_Count count,
                      const Datatype* type);
inline bool is_plain(const void* buffer, MPI_Count count, const Datatype* type) {
  const bool plain = count >= 0 && type != nullptr && type->committed() && buffer != nullptr &&
                     buffer != MPI_IN_PLACE;
  return __builtin_expect(plain, 1);
}
inline Error check_data(const Names& names, const void* buffer, MPI_Count count,
                        const Datatype* type) {
  return is_plain(buffer, count, type) ? Error() : check_slow_path(names, buffer, count, type);
}

// Error when the send and the receive buffer of a rank are certain to overlap. With types that
// have gaps, one buffer may lie in the gaps of the other.
Error check_apart_slow_path(const Data& out, const Data& in);
inline Error check_apart(const Data& out, const Data& in) {
  const std::byte* from = out.type->first_byte(out.address);
  const std::byte* to = in.type->first_byte(in.address);
  const bool apart = from >= to + in.bytes() || to >= from + out.bytes();
  return __builtin_expect(apart, 1) ? Error() : check_apart_slow_path(out, in);
}

// Whether this rank is the root of a call. In an inter-communicator the root passes MPI_ROOT.
inline bool is_root(int root, const Communicator& comm) {
  return comm.is_inter() ? root == MPI_ROOT : comm.rank() == root;
}

class Blocks {
 public:
  // `count` elements for each rank, the blocks directly one after another.
  Blocks(void* buffer, MPI_Count count, const Datatype* type);
  // Displacements are in elements.
  Blocks(void* buffer, Numbers counts, Numbers displacements, const Datatype* type);
  // For `ranks` ranks; displacements are in bytes.
  Blocks(void* buffer, Numbers counts, Numbers displacements, const MPI_Datatype* types, int ranks);

  // Whether one count and one type argument describe all blocks.
  bool alike() const { return form_ == Form::equal; }
  bool in_place() const { return buffer_ == MPI_IN_PLACE; }
  Data operator[](int rank) const {
    if (__builtin_expect(form_ != Form::equal, 0)) return listed(rank);
    return {static_cast<std::byte*>(buffer_) + rank * count_ * type_->extent(),
            static_cast<std::size_t>(count_), type_.get()};
  }

  // The blocks of `ranks` ranks as one, if alike().
  Data together(int ranks) const {
    return {buffer_, static_cast<std::size_t>(count_ * ranks), type_.get()};
  }

  // Bytes of one block.
  std::size_t bytes(int rank) const {
    if (__builtin_expect(form_ != Form::equal, 0)) return listed(rank).bytes();
    return static_cast<std::size_t>(count_) * type_->size();
  }

  // Bytes of the blocks of `ranks` ranks: of all together, and of the longest.
  std::size_t total_bytes(int ranks) const;
  std::size_t most_bytes(int ranks) const;

  // Copies the arrays of counts and displacements of `ranks` ranks into `kept`. The array of types
  // was copied by the constructor.
  void keep(KeptNumbers& kept, int ranks) {
    if (form_ == Form::equal) return;
    kept.keep(counts_, ranks);
    kept.keep(displacements_, ranks);
  }

  // Checks all blocks; the error message names the first that is wrong.
  Error check(const Names& names, int ranks) const {
    return form_ == Form::equal ? check_data(names, buffer_, count_, type_.get())
                                : check_each(names, ranks);
  }

 private:
  enum class Form { equal, listed, typed };

  Error check_each(const Names& names, int ranks) const;

  Data listed(int rank) const;  // a block with its own count and displacement
  const void* start(int rank) const;
  const Datatype* type(int rank) const {
    return form_ == Form::typed ? types_[static_cast<std::size_t>(rank)].get() : type_.get();
  }

  Form form_;
  void* buffer_;
  MPI_Count count_ = 0;
  Numbers counts_;
  Numbers displacements_;
  datatype::Reference type_;                // of all blocks: Form::equal and listed
  std::vector<datatype::Reference> types_;  // one per block: Form::typed
};

// check_apart() for all blocks, each of which has passed Blocks::check().
Error check_each_apart(const Blocks& out, int outs, const Blocks& in, int ins);
inline Error check_apart(const Blocks& out, int outs, const Blocks& in, int ins) {
  return out.alike() && in.alike() ? check_apart(out.together(outs), in.together(ins))
                                   : check_each_apart(out, outs, in, ins);
}

// The send and the receive arguments of a rank must give the same number of bytes for the block
// that the rank sends to itself.
Error own_block_differs(std::size_t gives, std::size_t expects);
inline Error check_own_block(std::size_t gives, std::size_t expects) {
  return __builtin_expect(gives == expects, 1) ? Error() : own_block_differs(gives, expects);
}

}  // namespace atl::coll
