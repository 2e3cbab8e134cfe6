// Reduction operations (MPI 5.0, 6.9), predefined and user-defined.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>

#include "base/copy.h"
#include "datatype/datatype.h"
#include "runtime/core/error.h"
#include "runtime/core/handle_table.h"
#include "runtime/op/reduction_kernels.h"
#include "runtime/type/type_handles.h"

namespace atl {

struct Op {
  static constexpr HandleKind kHandleKind = HandleKind::op;

  // Exactly one is set: a predefined operation, or a user function with int or MPI_Count.
  op::Code code = op::Code::no_op;
  MPI_User_function* function = nullptr;
  MPI_User_function_c* large_function = nullptr;

  bool commutes = true;
  bool predefined = false;
  mutable std::uint32_t references = 1;  // the program's handle and operations under way
  mutable bool freed = false;            // by the program; operations under way keep it alive
};

// Null when `handle` is not an operation.
const Op* find_op(MPI_Op handle);
template <>
MPI_Op handle_from_int(int number);

// MPI_Op_free releases the program's reference: operations under way keep `op` alive.
inline void retain(const Op& op) {
  if (!op.predefined) ++op.references;
}
void release_one(const Op& op);
inline void release(const Op& op) {
  if (!op.predefined) release_one(op);
}

namespace op {

// An operation on a datatype, with the kernel looked up once. Keeps both alive.
class Reduction {
 public:
  // `handle` is the caller's handle of `datatype`, which is passed to a user function.
  Reduction(const Op& op, const datatype::Datatype& datatype, MPI_Datatype handle);
  Reduction(const Reduction& other) : Reduction(other.op_, *other.datatype_, other.handle_) {}
  ~Reduction() {
    if (object_ != nullptr) datatypes.release(*object_);
    release(op_);
  }
  Reduction& operator=(const Reduction&) = delete;

  // MPI_ERR_OP when the standard does not define the operation on the datatype; the object must
  // not be used then.
  Error check() const { return !op_.predefined || kernel_ != nullptr ? Error() : undefined(); }

  bool commutes() const { return op_.commutes; }
  // The code of a predefined operation; all user-defined operations have the same code.
  Code code() const { return op_.predefined ? op_.code : kUserDefined; }
  static constexpr Code kUserDefined{};

  // inout[i] = in[i] op inout[i] for `count` elements; the arrays do not overlap. User functions
  // run outside of MPI.
  void operator()(const void* in, void* inout, std::size_t count) const {
    if (count == 0) return;
    if (kernel_ != nullptr) {
      kernel_(in, inout, inout, count);
    } else {
      call(in, inout, count);
    }
  }

  // out[i] = left[i] op right[i], for elements without gaps. `out` may be `right`; with a
  // predefined operation it may also be `left`.
  void combine(const void* left, const void* right, void* out, std::size_t count) const {
    if (kernel_ != nullptr) return kernel_(left, right, out, count);
    if (out != right) copy_bytes(out, right, count * datatype_->size());
    (*this)(left, out, count);
  }

 private:
  Error undefined() const;
  void call(const void* in, void* inout, std::size_t count) const;

  const Op& op_;
  datatype::Reference datatype_;
  Kernel kernel_ = nullptr;       // null: a user function, or an undefined operation (check())
  TypeObject* object_ = nullptr;  // kept alive for a user function, which may inquire about it
  MPI_Datatype handle_;
};

// The kernel of a predefined operation on a datatype; null when the standard does not define it.
Kernel kernel_of(const Op& op, const datatype::Datatype& type);

// The name of a predefined operation.
const char* name_of(Code code);

Error create(MPI_User_function* user_fn, int commute, MPI_Op* op);
Error create(MPI_User_function_c* user_fn, int commute, MPI_Op* op);
Error free(MPI_Op* op);
Error commutative(const Op& op, int* commute);
Error reduce_local(const void* inbuf, void* inoutbuf, MPI_Count count, MPI_Datatype datatype,
                   const Op& op);

}  // namespace op
}  // namespace atl
