// The data of collectives: elements of a datatype, scratch memory for them, and argument arrays.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "base/copy.h"
#include "datatype/datatype.h"

namespace atl::coll {

using datatype::Datatype;

// The caller holds a reference to the type.
struct Data {
  void* address = nullptr;  // of a send buffer: never written
  std::size_t count = 0;
  const Datatype* type = nullptr;

  std::size_t bytes() const { return count * type->size(); }
  // `count` elements, from element `first` on.
  Data part(std::size_t first, std::size_t count) const;
};

// No data, for messages that only synchronize.
Data nothing();

// Packs bytes [start, start + to.size()) of the packed form of `from` into `to`; unpacks them.
inline void pack(const Data& from, std::size_t start, std::span<std::byte> to) {
  if (from.type->is_contiguous()) {
    copy_bytes(to.data(), from.type->first_byte(from.address) + start, to.size());
  } else if (!to.empty()) {
    from.type->pack(from.address, start, to);
  }
}
inline void unpack(const Data& to, std::size_t start, std::span<const std::byte> from) {
  if (to.type->is_contiguous()) {
    copy_bytes(to.type->first_byte(to.address) + start, from.data(), from.size());
  } else if (!from.empty()) {
    to.type->unpack(to.address, start, from);
  }
}

// Copies bytes [start, start + bytes) of the packed form from one layout to another, as if this
// rank sent them to itself. Both have that many bytes.
void copy_part(const Data& from, const Data& to, std::size_t start, std::size_t bytes);
// Copies as many bytes as both have.
inline void copy(const Data& from, const Data& to) {
  const std::size_t bytes = std::min(from.bytes(), to.bytes());
  if (bytes == 0) return;
  if (from.type->is_contiguous() && to.type->is_contiguous()) {
    copy_bytes(to.type->first_byte(to.address), from.type->first_byte(from.address), bytes);
  } else {
    copy_part(from, to, 0, bytes);
  }
}

// Copies contiguous memory to two places, neither of which overlaps it, and reads it only once.
void copy_to_both(std::byte* one, std::byte* other, const std::byte* from, std::size_t bytes);

// Uninitialized memory for elements.
class Scratch {
 public:
  Scratch(std::size_t count, const Datatype* type);
  const Data& data() const { return data_; }

 private:
  std::unique_ptr<std::byte[]> memory_;
  Data data_;
};

// An array argument: of int, or of MPI_Aint or MPI_Count.
class Numbers {
 public:
  Numbers() = default;
  Numbers(const int* narrow) : narrow_(narrow) {}
  Numbers(const MPI_Count* wide) : wide_(wide) {}

  bool null() const { return narrow_ == nullptr && wide_ == nullptr; }
  MPI_Count operator[](int i) const { return narrow_ != nullptr ? narrow_[i] : wide_[i]; }

 private:
  const int* narrow_ = nullptr;
  const MPI_Count* wide_ = nullptr;
};

// Copies of argument arrays, for an operation that continues after its MPI call has returned: the
// program may then free or overwrite its arrays.
class KeptNumbers {
 public:
  // Makes `numbers` refer to a copy of its first `length` elements.
  void keep(Numbers& numbers, int length);

 private:
  std::vector<std::vector<MPI_Count>> arrays_;
};

}  // namespace atl::coll
