// The blocks of a buffer argument, one for each rank, as the different forms of
// the collectives describe them; and the checks on them.
#pragma once

#include <mpi.h>

#include <vector>

#include "runtime/coll/framework/data.h"
#include "runtime/comm/communicator.h"
#include "runtime/core/fault.h"

namespace atl::coll {

// Names of the parameters, for messages.
struct Names {
  const char* buffer;
  const char* count;
  const char* type;
};
inline constexpr Names kSend = {"sendbuf", "sendcount", "sendtype"};
inline constexpr Names kReceive = {"recvbuf", "recvcount", "recvtype"};
inline constexpr Names kSendListed = {"sendbuf", "sendcounts", "sendtype"};
inline constexpr Names kReceiveListed = {"recvbuf", "recvcounts", "recvtype"};

// A buffer that counts: the count is not negative, the type committed, the address real.
Fault check_with_care(const Names& names, const void* buffer, MPI_Count count,
                      const Datatype* type);
inline bool is_plain(const void* buffer, MPI_Count count, const Datatype* type) {
  const bool plain = count >= 0 && type != nullptr && type->committed() && buffer != nullptr &&
                     buffer != MPI_IN_PLACE;
  return __builtin_expect(plain, 1);
}
inline Fault check_data(const Names& names, const void* buffer, MPI_Count count,
                        const Datatype* type) {
  return is_plain(buffer, count, type) ? Fault() : check_with_care(names, buffer, count, type);
}

// What a rank sends and what it receives lie apart, as far as it is sure: a type with gaps may
// leave room for the other buffer.
Fault check_apart_with_care(const Data& out, const Data& in);
inline Fault check_apart(const Data& out, const Data& in) {
  const std::byte* from = out.type->run(out.address);
  const std::byte* to = in.type->run(in.address);
  const bool apart = from >= to + in.bytes() || to >= from + out.bytes();
  return __builtin_expect(apart, 1) ? Fault() : check_apart_with_care(out, in);
}

// Whether this rank is the root of a call: in an inter-communicator it passes MPI_ROOT then.
inline bool is_root(int root, const Communicator& comm) {
  return comm.is_inter() ? root == MPI_ROOT : comm.rank() == root;
}

class Blocks {
 public:
  // `count` elements for each rank, one block behind the other.
  Blocks(void* buffer, MPI_Count count, const Datatype* type);
  // Displacements count elements.
  Blocks(void* buffer, Numbers counts, Numbers displacements, const Datatype* type);
  // For `ranks` ranks; displacements are bytes.
  Blocks(void* buffer, Numbers counts, Numbers displacements, const MPI_Datatype* types, int ranks);

  // All blocks have the count and type of the argument, not each its own.
  bool alike() const { return form_ == Form::equal; }
  bool in_place() const { return buffer_ == MPI_IN_PLACE; }
  Data operator[](int rank) const {
    if (__builtin_expect(form_ != Form::equal, 0)) return listed(rank);
    return {static_cast<std::byte*>(buffer_) + rank * count_ * type_->extent(),
            static_cast<std::size_t>(count_), type_.get()};
  }

  // All of so many ranks as one, where they are alike.
  Data together(int ranks) const {
    return {buffer_, static_cast<std::size_t>(count_ * ranks), type_.get()};
  }

  // Of one block.
  std::size_t bytes(int rank) const {
    if (__builtin_expect(form_ != Form::equal, 0)) return listed(rank).bytes();
    return static_cast<std::size_t>(count_) * type_->size();
  }

  // Bytes of the blocks of so many ranks: of all, and of the longest.
  std::size_t total_bytes(int ranks) const;
  std::size_t most_bytes(int ranks) const;

  // The arrays of those of `ranks` ranks are copied. The types are the object's own already.
  void keep(KeptNumbers& kept, int ranks) {
    if (form_ == Form::equal) return;
    kept.keep(counts_, ranks);
    kept.keep(displacements_, ranks);
  }

  // All blocks; the message names the one that is wrong.
  Fault check(const Names& names, int ranks) const {
    return form_ == Form::equal ? check_data(names, buffer_, count_, type_.get())
                                : check_each(names, ranks);
  }

 private:
  enum class Form { equal, listed, typed };

  Fault check_each(const Names& names, int ranks) const;

  Data listed(int rank) const;  // where each has its own count
  const void* start(int rank) const;
  const Datatype* type(int rank) const {
    return form_ == Form::typed ? types_[static_cast<std::size_t>(rank)].get() : type_.get();
  }

  Form form_;
  void* buffer_;
  MPI_Count count_ = 0;
  Numbers counts_;
  Numbers displacements_;
  datatype::Reference type_;                // of all blocks, or
  std::vector<datatype::Reference> types_;  // one for each
};

// Of all blocks, when each by itself is right.
Fault check_each_apart(const Blocks& out, int outs, const Blocks& in, int ins);
inline Fault check_apart(const Blocks& out, int outs, const Blocks& in, int ins) {
  return out.alike() && in.alike() ? check_apart(out.together(outs), in.together(ins))
                                   : check_each_apart(out, outs, in, ins);
}

// What a rank gives to itself: the send arguments and the receive arguments say alike how
// many bytes that is.
Fault own_block_differs(std::size_t gives, std::size_t expects);
inline Fault check_own_block(std::size_t gives, std::size_t expects) {
  return __builtin_expect(gives == expects, 1) ? Fault() : own_block_differs(gives, expects);
}

}  // namespace atl::coll
