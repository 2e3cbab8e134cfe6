// A datatype. It is made by the functions of constructors.h and immutable except for its name. A
// committed type has a program that copies the data of any number of elements between their layout
// in memory and a stream of bytes, from any byte to any byte of the stream.
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
  // The arguments of the constructor, made in planner.cc and predefined.cc.
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

  // The signature of messages of this type. For a mixed type it depends on the number of bytes, so
  // call the second overload.
  Signature signature() const { return uniform_signature_; }
  Signature signature(std::size_t bytes) const {
    return is_mixed(uniform_signature_) ? mixed_signature(bytes) : uniform_signature_;
  }

  // In bytes, as the standard defines them (MPI 5.0, 5.1).
  std::size_t size() const { return size_; }
  Count lower_bound() const { return lower_bound_; }
  Count extent() const { return extent_; }
  Count true_lower_bound() const { return true_lower_bound_; }
  Count true_extent() const { return true_extent_; }
  const Bounds& bounds() const { return bounds_; }

  // Number of basic values in one element, number of whole ones in the first `bytes` bytes of the
  // stream, and number of bytes of the first `values` ones.
  std::size_t basic_values() const { return values_; }
  std::size_t basic_values_in(std::size_t bytes) const;
  std::size_t bytes_of_basic_values(std::size_t values) const;

  // Whether the type is destroyed with its last Reference; named predefined types never are.
  bool derived() const { return derived_; }

  // How it was made and of what.
  const Contents& contents() const { return contents_; }
  const Structure& structure() const { return structure_; }
  const std::vector<Reference>& children() const { return children_; }
  const SignatureHash& signature_hash() const { return signature_; }
  std::uint32_t depth() const { return depth_; }

  // Compiles the type; afterwards pack() and unpack() work. No effect on a committed type.
  void commit();
  bool committed() const { return program_ != nullptr; }
  const Program& program() const {
    ATL_DCHECK(committed());
    return *program_;
  }
  // Commits this type with the program of `committed`, which has the same type map.
  void share_program(const Datatype& committed);

  // True when the data of any number of elements is one contiguous block of memory. Requires a
  // committed type, like everything below.
  bool is_contiguous() const { return contiguous_; }
  // Start of that contiguous block for elements at `address`. For types with gaps, the
  // lowest byte of data of an element at `address`.
  const std::byte* first_byte(const void* address) const {
    return static_cast<const std::byte*>(address) + true_lower_bound_;
  }
  std::byte* first_byte(void* address) const {
    return static_cast<std::byte*>(address) + true_lower_bound_;
  }

  // Copies bytes [start, start + to.size()) of the stream of the elements at `from` into `to`. The
  // caller must not exceed the elements that exist.
  void pack(const void* from, std::size_t start, std::span<std::byte> to) const;

  // The reverse: copies `from` to bytes [start, start + from.size()) of the stream of `to`.
  void unpack(void* to, std::size_t start, std::span<const std::byte> from) const;

 private:
  // Called by Reference. The release pairs with itself, see below.
  friend void intrusive_ptr_add_ref(const Datatype* type);
  friend void intrusive_ptr_release(const Datatype* type);

  Signature mixed_signature(std::size_t bytes) const;

  std::size_t size_;
  Count lower_bound_;
  Count extent_;
  Count true_lower_bound_;
  Count true_extent_;
  Signature uniform_signature_;
  bool contiguous_ = false;
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

// Named types, which most calls have, are not counted, because they are never destroyed.
inline void intrusive_ptr_add_ref(const Datatype* type) {
  // Relaxed: the caller holds a reference, so the type cannot be destroyed now.
  if (type->derived_) type->references_.fetch_add_relaxed(1);
}

inline void intrusive_ptr_release(const Datatype* type) {
  if (!type->derived_) return;
  ATL_DCHECK(type->references_.load_relaxed() != 0);  // Relaxed: the caller holds a reference.
  // Pairs with the same fetch_add of other threads: the last one sees what all earlier ones did.
  if (type->references_.fetch_add_acq_rel(~std::uint32_t{0}) == 1) delete type;
}

}  // namespace atl::datatype
