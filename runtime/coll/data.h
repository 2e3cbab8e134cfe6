// What collectives move: elements of a datatype, and rows of them, one for each rank.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <memory>

#include "datatype/datatype.h"
#include "datatype/reference.h"

namespace atl::coll {

using datatype::Datatype;

struct Data {
  void* address = nullptr;  // only read where it is sent
  std::size_t count = 0;
  datatype::Reference type;

  std::size_t bytes() const { return count * type->size(); }
  // `count` elements from element `first` on.
  Data part(std::size_t first, std::size_t count) const;
};

// From one layout to another, as if sent to oneself. No more than there is room for.
void copy(const Data& from, const Data& to);

// Memory for elements, without values.
class Scratch {
 public:
  Scratch(std::size_t count, const datatype::Reference& type);
  const Data& data() const { return data_; }

 private:
  std::unique_ptr<std::byte[]> memory_;
  Data data_;
};

// An argument that is an array of int, or of MPI_Aint or MPI_Count.
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

}  // namespace atl::coll
