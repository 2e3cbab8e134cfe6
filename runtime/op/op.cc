#include "runtime/op/op.h"

#include <algorithm>
#include <array>
#include <limits>

#include "runtime/core/process.h"

namespace atl {
namespace {

HandleTable<Op> table;

constexpr std::uintptr_t kFirst = 0x20;  // MPI_OP_NULL, the lowest handle of the ABI's operations
constexpr std::uintptr_t kEnd = 0x40;

struct Standard {
  const char* name = nullptr;
  Op op;
};

// The predefined operation with this handle, or null.
const Standard* find_standard(std::uintptr_t handle) {
  using op::Code;
  static const auto all = [] {
    std::array<Standard, kEnd - kFirst> made{};
    const auto add = [&made](const char* name, Code code) {
      made[static_cast<std::size_t>(code) - kFirst] = {name, {.code = code, .predefined = true}};
    };
    add("MPI_SUM", Code::sum);
    add("MPI_MIN", Code::min);
    add("MPI_MAX", Code::max);
    add("MPI_PROD", Code::prod);
    add("MPI_BAND", Code::band);
    add("MPI_BOR", Code::bor);
    add("MPI_BXOR", Code::bxor);
    add("MPI_LAND", Code::land);
    add("MPI_LOR", Code::lor);
    add("MPI_LXOR", Code::lxor);
    add("MPI_MINLOC", Code::minloc);
    add("MPI_MAXLOC", Code::maxloc);
    add("MPI_REPLACE", Code::replace);
    add("MPI_NO_OP", Code::no_op);
    return made;
  }();
  const std::uintptr_t index = handle - kFirst;  // wraps for smaller handles
  return index < all.size() && all[index].name != nullptr ? &all[index] : nullptr;
}

MPI_Op handle_of(const Op& op) {
  return reinterpret_cast<MPI_Op>(HandleTable<Op>::handle(const_cast<Op&>(op)));
}

MPI_Op make(Op op) { return handle_of(table.create(op)); }

}  // namespace

const Op* find_op(MPI_Op handle) {
  const auto value = reinterpret_cast<std::uintptr_t>(handle);
  if (const Standard* found = find_standard(value)) return &found->op;
  const Op* found = table.find(value);
  return found != nullptr && !found->freed ? found : nullptr;
}

template <>
MPI_Op handle_from_int(int number) {
  return reinterpret_cast<MPI_Op>(table.from_int(number));
}

void release_one(const Op& op) {
  if (--op.references == 0) table.destroy(const_cast<Op&>(op));
}

namespace op {

const char* name_of(Code code) {
  const auto* found = find_standard(static_cast<std::uintptr_t>(code));
  return found != nullptr ? found->name : "an operation that does not exist";
}

namespace {

Kernel look_up_kernel(Code code, const datatype::Datatype& type) {
  const auto operand = operand_of(type);
  return operand ? find_kernel(code, *operand) : nullptr;
}

// Caches the last kernel of each operation: most programs use one or two datatypes.
Kernel kernel_of(Code code, const datatype::Datatype& type) {
  if (type.derived()) return look_up_kernel(code, type);
  struct Found {
    const datatype::Datatype* type = nullptr;
    Kernel kernel = nullptr;
  };
  static std::array<Found, kEnd - kFirst> last;
  Found& found = last[static_cast<std::size_t>(code) - kFirst];
  if (found.type != &type) found = {&type, look_up_kernel(code, type)};
  return found.kernel;
}

}  // namespace

Kernel kernel_of(const Op& op, const datatype::Datatype& type) { return kernel_of(op.code, type); }

Reduction::Reduction(const Op& op, const datatype::Datatype& datatype, MPI_Datatype handle)
    : op_(op), datatype_(&datatype), handle_(handle) {
  retain(op);
  if (op.predefined) {
    kernel_ = kernel_of(op.code, datatype);
    return;
  }
  // The program may free the datatype before the function is called.
  object_ = datatypes.made(handle);
  if (object_ != nullptr) datatypes.retain(*object_);
}

Error Reduction::undefined() const {
  return make_error(MPI_ERR_OP, "op=%s is not defined on datatype=%s", name_of(op_.code),
                    label(*datatype_).c_str());
}

void Reduction::call(const void* in, void* inout, std::size_t count) const {
  // The prototype of user functions has a pointer to non-const input.
  auto* from = static_cast<std::byte*>(const_cast<void*>(in));
  auto* to = static_cast<std::byte*>(inout);
  MPI_Datatype handle = handle_;
  const OutsideMpi outside;
  if (op_.large_function != nullptr) {
    auto length = static_cast<MPI_Count>(count);
    return op_.large_function(from, to, &length, &handle);
  }
  constexpr std::size_t kMost = std::numeric_limits<int>::max();
  while (count > 0) {
    int length = static_cast<int>(std::min(count, kMost));
    op_.function(from, to, &length, &handle);
    const std::ptrdiff_t bytes = datatype_->extent() * length;
    from += bytes;
    to += bytes;
    count -= static_cast<std::size_t>(length);
  }
}

Error create(MPI_User_function* user_fn, int commute, MPI_Op* op) {
  *op = make({.function = user_fn, .commutes = commute != 0});
  return {};
}

Error create(MPI_User_function_c* user_fn, int commute, MPI_Op* op) {
  *op = make({.large_function = user_fn, .commutes = commute != 0});
  return {};
}

Error free(MPI_Op* op) {
  const Op* found = find_op(*op);
  if (found->predefined) return make_error(MPI_ERR_OP, "op=%s is predefined", name_of(found->code));
  found->freed = true;
  release(*found);
  *op = MPI_OP_NULL;
  return {};
}

Error commutative(const Op& op, int* commute) {
  *commute = op.commutes;
  return {};
}

Error reduce_local(const void* inbuf, void* inoutbuf, MPI_Count count, MPI_Datatype datatype,
                   const Op& op) {
  const Reduction reduction(op, *datatypes.find(datatype), datatype);
  if (Error error = reduction.check()) return error;
  reduction(inbuf, inoutbuf, static_cast<std::size_t>(count));
  return {};
}

}  // namespace op
}  // namespace atl
