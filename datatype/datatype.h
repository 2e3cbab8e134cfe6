// A datatype as the rest of Atoll sees it: immutable but for its name, made by
// the constructors of constructors.h, and, once committed, a program that copies
// the data of any number of elements between their layout in memory and a stream
// of bytes, starting and stopping at any byte of the stream.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/check.h"
#include "base/shared.h"
#include "datatype/bounds.h"
#include "datatype/contents.h"
#include "datatype/program.h"
#include "datatype/reference.h"
#include "datatype/signature.h"
#include "datatype/structure.h"

namespace atl::datatype {

class Datatype {
 public:
  // Constructors.h and predefined.cc know how to make one.
  struct Plan {
    Contents contents = {};
    Structure structure;
    std::vector<Reference> children = {};
    Bounds bounds = {};
    std::size_t size = 0;
    std::size_t values = 0;
    SignatureHash signature = {};
  };
  explicit Datatype(Plan plan);
  Datatype(const Datatype&) = delete;
  Datatype& operator=(const Datatype&) = delete;

  const std::string& name() const { return name_; }
  void set_name(std::string name) { name_ = std::move(name); }

  // What all messages of elements of this type hold; those of a mixed type
  // differ, so ask for their bytes.
  Signature signature() const { return uniform_signature_; }
  Signature signature(std::size_t bytes) const {
    return is_mixed(uniform_signature_) ? mixed_signature(bytes) : uniform_signature_;
  }

  // Bytes; the standard's terms (MPI 5.0, 5.1).
  std::size_t size() const { return size_; }
  Count lower_bound() const { return lower_bound_; }
  Count extent() const { return extent_; }
  Count true_lower_bound() const { return true_lower_bound_; }
  Count true_extent() const { return true_extent_; }
  const Bounds& bounds() const { return bounds_; }

  // Basic values in one element, how many whole ones `bytes` of the stream hold,
  // and the bytes that so many of them have.
  std::size_t basic_values() const { return values_; }
  std::size_t basic_values_in(std::size_t bytes) const;
  std::size_t bytes_of_basic_values(std::size_t values) const;

  // Ends when the last Reference goes; named predefined types never do.
  bool derived() const { return derived_; }

  // How it was made and of what.
  const Contents& contents() const { return contents_; }
  const Structure& structure() const { return structure_; }
  const std::vector<Reference>& children() const { return children_; }
  const SignatureHash& signature_hash() const { return signature_; }
  std::uint32_t depth() const { return depth_; }

  // Compiles; from then on data can be moved. No effect on a committed type.
  void commit();
  bool committed() const { return program_ != nullptr; }
  const Program& program() const {
    ATL_DCHECK(committed());
    return *program_;
  }
  // Commits a type with the same type map as a committed one.
  void share_program(const Datatype& committed);

  // True when the data of any number of elements is one run of memory. Of
  // committed types, as all that follows.
  bool flat() const { return flat_; }
  // Where that run starts, for elements at `address`; of other types, the lowest byte of data of
  // an element there.
  const std::byte* run(const void* address) const {
    return static_cast<const std::byte*>(address) + true_lower_bound_;
  }
  std::byte* run(void* address) const {
    return static_cast<std::byte*>(address) + true_lower_bound_;
  }

  // Copies bytes [start, start + to.size()) of the stream of the elements at
  // `from` into `to`; the caller keeps within the elements there are.
  void pack(const void* from, std::size_t start, std::span<std::byte> to) const;

  // The reverse: the bytes `from` become bytes [start, ...) of the stream of `to`.
  void unpack(void* to, std::size_t start, std::span<const std::byte> from) const;

 private:
  // What Reference calls.
  friend void intrusive_ptr_add_ref(const Datatype* type);
  friend void intrusive_ptr_release(const Datatype* type);

  Signature mixed_signature(std::size_t bytes) const;

  std::size_t size_;
  Count lower_bound_;
  Count extent_;
  Count true_lower_bound_;
  Count true_extent_;
  Signature uniform_signature_;
  bool flat_ = false;
  bool derived_;
  std::shared_ptr<const Program> program_;  // shared with duplicates
  mutable Shared<std::uint32_t> references_;
  std::uint32_t depth_;
  std::size_t values_;
  SignatureHash signature_;
  Bounds bounds_;
  Structure structure_;
  std::vector<Reference> children_;
  Contents contents_;
  std::string name_;
};

// Nothing is counted for named types, which never end: most calls have one.
inline void intrusive_ptr_add_ref(const Datatype* type) {
  // Relaxed: whoever adds holds one, so it cannot end now.
  if (type->derived_) type->references_.fetch_add_relaxed(1);
}

inline void intrusive_ptr_release(const Datatype* type) {
  if (!type->derived_) return;
  ATL_DCHECK(type->references_.load_relaxed() != 0);  // relaxed: the caller holds one
  // Pairs with the other releases: the last one sees what all before it did.
  if (type->references_.fetch_add_acq_rel(~std::uint32_t{0}) == 1) delete type;
}

}  // namespace atl::datatype
