// Reduction operations (MPI 5.0, 6.9): those of the standard and those that
// programs make.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>

#include "base/copy.h"
#include "datatype/datatype.h"
#include "runtime/core/fault.h"
#include "runtime/core/handle_table.h"
#include "runtime/op/kernels.h"
#include "runtime/type/handles.h"

namespace atl {

struct Op {
  static constexpr HandleKind kHandleKind = HandleKind::op;

  // One of the three: an operation of the standard, or a function of the program
  // with either kind of count.
  op::Code code = op::Code::no_op;
  MPI_User_function* function = nullptr;
  MPI_User_function_c* large_function = nullptr;

  bool commutes = true;
  bool predefined = false;
  mutable std::uint32_t references = 1;  // the program's handle and operations under way
  mutable bool freed = false;            // by the program; operations under way keep it
};

// Null when `handle` is none.
const Op* find_op(MPI_Op handle);
template <>
MPI_Op handle_from_int(int number);

// MPI_Op_free: what is under way with it goes on.
inline void retain(const Op& op) {
  if (!op.predefined) ++op.references;
}
void release_one(const Op& op);
inline void release(const Op& op) {
  if (!op.predefined) release_one(op);
}

namespace op {

// An operation with the datatype that it works on, looked up once. Keeps both alive.
class Reduction {
 public:
  // `handle` is the caller's for `datatype`: a function of the program gets the same one.
  Reduction(const Op& op, const datatype::Datatype& datatype, MPI_Datatype handle);
  Reduction(const Reduction& other) : Reduction(other.op_, *other.datatype_, other.handle_) {}
  ~Reduction() {
    if (object_ != nullptr) datatypes.release(*object_);
    release(op_);
  }
  Reduction& operator=(const Reduction&) = delete;

  // MPI_ERR_OP when the standard does not define the operation on the datatype;
  // then it must not be used.
  Fault check() const { return !op_.predefined || kernel_ != nullptr ? Fault() : undefined(); }

  bool commutes() const { return op_.commutes; }
  // Of a predefined operation; the program's functions cannot be told apart.
  Code code() const { return op_.predefined ? op_.code : kUserDefined; }
  static constexpr Code kUserDefined{};

  // inout[i] = in[i] op inout[i] for `count` elements, which do not overlap.
  // Functions of the program run outside of MPI.
  void operator()(const void* in, void* inout, std::size_t count) const {
    if (count == 0) return;
    if (kernel_ != nullptr) {
      kernel_(in, inout, inout, count);
    } else {
      call(in, inout, count);
    }
  }

  // out[i] = left[i] op right[i], for elements without gaps; `out` may be `right`,
  // and if only the processor's own arithmetic is at work, `left`.
  void combine(const void* left, const void* right, void* out, std::size_t count) const {
    if (kernel_ != nullptr) return kernel_(left, right, out, count);
    if (out != right) copy_bytes(out, right, count * datatype_->size());
    (*this)(left, out, count);
  }

 private:
  Fault undefined() const;
  void call(const void* in, void* inout, std::size_t count) const;

  const Op& op_;
  datatype::Reference datatype_;
  Kernel kernel_ = nullptr;       // null: a function of the program, or what check() refuses
  TypeObject* object_ = nullptr;  // kept for the function, which may ask about the type
  MPI_Datatype handle_;
};

// Of a predefined operation.
const char* name_of(Code code);

Fault create(MPI_User_function* user_fn, int commute, MPI_Op* op);
Fault create(MPI_User_function_c* user_fn, int commute, MPI_Op* op);
Fault free(MPI_Op* op);
Fault commutative(const Op& op, int* commute);
Fault reduce_local(const void* inbuf, void* inoutbuf, MPI_Count count, MPI_Datatype datatype,
                   const Op& op);

}  // namespace op
}  // namespace atl
