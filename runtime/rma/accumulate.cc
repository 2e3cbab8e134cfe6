#include "runtime/rma/accumulate.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "runtime/rma/accumulate_claim.h"
#include "runtime/rma/bulk_update.h"
#include "runtime/rma/element_update.h"
#include "runtime/rma/place.h"
#include "runtime/rma/request_forms.h"
#include "runtime/type/type_handles.h"

namespace atl::rma {
namespace {

// Elements that an operation updates with atomic instructions, one by one; more are a bulk
// operation.
constexpr std::size_t kMostAtomic = 8;

bool is_small(const AccumulateArguments& call, const Place& place) {
  if (place.direct == nullptr || !call.update.is_atomic()) return false;
  const std::size_t bytes = call.update.element->size();
  if (call.bytes > kMostAtomic * bytes) return false;
  const auto address = reinterpret_cast<std::uintptr_t>(call.target.type.first_byte(place.direct));
  const auto contiguous = [](const std::optional<Buffer>& buffer) {
    return !buffer || buffer->layout.type.is_contiguous();
  };
  return address % bytes == 0 && call.target.type.is_contiguous() && contiguous(call.origin) &&
         contiguous(call.result);
}

std::byte* first_byte(const std::optional<Buffer>& buffer) {
  return buffer ? buffer->layout.type.first_byte(buffer->address) : nullptr;
}

// The elements one by one, each with an atomic instruction.
Error update_elements(const AccumulateArguments& call, const Place& place) {
  const std::size_t width = call.update.element->size();
  std::byte* at = call.target.type.first_byte(place.direct);
  const std::byte* origin = first_byte(call.origin);
  std::byte* result = first_byte(call.result);
  for (std::size_t left = call.bytes; left != 0; left -= width) {
    update_element(at, origin, result, call.update);
    at += width;
    if (origin != nullptr) origin += width;
    if (result != nullptr) result += width;
  }
  return {};
}

// Checks that the data of the origin fits into the target, and that of the target into the result.
Error check_data(AccumulateArguments& call) {
  call.bytes = call.origin ? call.origin->layout.bytes() : call.target.bytes();
  if (call.origin) {
    if (Error error = check_fits(call.origin->layout, call.target)) return error;
  }
  return call.result ? check_fits(call.target, call.result->layout) : Error();
}

Error run(WindowState& state, AccumulateArguments& call, int target_rank, MPI_Aint target_disp) {
  Place place;
  if (Error error = find_place(state, target_rank, target_disp, call.target, place)) return error;
  if (Error error = check_data(call)) return error;
  if (place.target == nullptr || call.bytes == 0) return {};
  if (__builtin_expect(is_small(call, place), 1)) {
    return guarded(state, *place.target, UpdateKind::small,
                   [&] { return update_elements(call, place); });
  }
  return bulk_update(state, call, place);
}

}  // namespace

Error accumulate(const void* origin_addr, MPI_Count origin_count, const Datatype& origin_datatype,
                 int target_rank, MPI_Aint target_disp, MPI_Count target_count,
                 const Datatype& target_datatype, const Op& op, Window& win) {
  if (op.predefined && op.code == op::Code::no_op) {
    return make_error(MPI_ERR_OP, "op=MPI_NO_OP: only calls that fetch values take it");
  }
  AccumulateArguments call{.target = layout_of(target_datatype, target_count)};
  if (Error error = find_update(op, target_datatype, call.update)) return error;
  call.origin.emplace(
      Buffer{layout_of(origin_datatype, origin_count), const_cast<void*>(origin_addr)});
  return run(state_of(win), call, target_rank, target_disp);
}

Error get_accumulate(const void* origin_addr, MPI_Count origin_count,
                     const Datatype* origin_datatype, void* result_addr, MPI_Count result_count,
                     const Datatype& result_datatype, int target_rank, MPI_Aint target_disp,
                     MPI_Count target_count, const Datatype& target_datatype, const Op& op,
                     Window& win) {
  AccumulateArguments call{.target = layout_of(target_datatype, target_count)};
  if (Error error = find_update(op, target_datatype, call.update)) return error;
  if (call.update.code != op::Code::no_op) {
    if (origin_count < 0) {
      return make_error(MPI_ERR_COUNT, "origin_count=%lld is negative",
                        static_cast<long long>(origin_count));
    }
    if (origin_datatype == nullptr || !origin_datatype->committed()) {
      return make_error(MPI_ERR_TYPE, "origin_datatype is no committed datatype");
    }
    if (origin_addr == nullptr && origin_count != 0 && origin_datatype->size() != 0) {
      return make_error(MPI_ERR_BUFFER, "origin_addr is a null pointer");
    }
    call.origin.emplace(
        Buffer{layout_of(*origin_datatype, origin_count), const_cast<void*>(origin_addr)});
  }
  call.result.emplace(Buffer{layout_of(result_datatype, result_count), result_addr});
  return run(state_of(win), call, target_rank, target_disp);
}

Error fetch_and_op(const void* origin_addr, void* result_addr, const Datatype& datatype,
                   int target_rank, MPI_Aint target_disp, const Op& op, Window& win) {
  AccumulateArguments call{.target = layout_of(datatype, 1)};
  if (__builtin_expect(!is_predefined(datatype), 0)) {
    return make_error(MPI_ERR_TYPE, "datatype=%s is not predefined", label(datatype).c_str());
  }
  if (Error error = find_update(op, datatype, call.update)) return error;
  if (call.update.code != op::Code::no_op) {
    if (origin_addr == nullptr) return make_error(MPI_ERR_BUFFER, "origin_addr is a null pointer");
    call.origin.emplace(Buffer{call.target, const_cast<void*>(origin_addr)});
  }
  call.result.emplace(Buffer{call.target, result_addr});
  return run(state_of(win), call, target_rank, target_disp);
}

namespace {

// The types of MPI_Compare_and_swap (12.3.4): integers, logicals, multi-language types and bytes.
Error check_comparable(const Datatype& type) {
  const Datatype* named = predefined_element(type);
  const auto* basic =
      named == nullptr ? nullptr : std::get_if<datatype::Basic>(&named->structure());
  if (basic != nullptr && basic->kind != datatype::Kind::floating) return {};
  return make_error(MPI_ERR_TYPE,
                    "datatype=%s: MPI_Compare_and_swap compares integers, logicals and bytes",
                    label(type).c_str());
}

template <class Word>
void swap_word(std::byte* at, const void* origin, const void* compare, void* result) {
  Word expected;
  Word desired;
  std::memcpy(&expected, compare, sizeof expected);
  std::memcpy(&desired, origin, sizeof desired);
  // Pairs with itself in other processes, and with the guard of bulk operations.
  reinterpret_cast<Shared<Word>*>(at)->compare_exchange_acq_rel(expected, desired);
  std::memcpy(result, &expected, sizeof expected);
}

void swap_element(std::size_t width, std::byte* at, const void* origin, const void* compare,
                  void* result) {
  switch (width) {
    case 8: return swap_word<std::uint64_t>(at, origin, compare, result);
    case 4: return swap_word<std::uint32_t>(at, origin, compare, result);
    case 2: return swap_word<std::uint16_t>(at, origin, compare, result);
    default: return swap_word<std::uint8_t>(at, origin, compare, result);
  }
}

}  // namespace

Error compare_and_swap(const void* origin_addr, const void* compare_addr, void* result_addr,
                       const Datatype& datatype, int target_rank, MPI_Aint target_disp,
                       Window& win) {
  if (Error error = check_comparable(datatype)) return error;
  WindowState& state = state_of(win);
  const Layout layout = layout_of(datatype, 1);
  Place place;
  if (Error error = find_place(state, target_rank, target_disp, layout, place)) return error;
  if (place.target == nullptr) return {};
  const std::size_t width = datatype.size();
  const auto address = reinterpret_cast<std::uintptr_t>(place.direct);
  if (__builtin_expect(place.direct != nullptr && width <= 8 && address % width == 0, 1)) {
    return guarded(state, *place.target, UpdateKind::small, [&] {
      swap_element(width, place.direct, origin_addr, compare_addr, result_addr);
      return Error();
    });
  }
  return bulk_compare_and_swap(state, layout, place, origin_addr, compare_addr, result_addr);
}

Error raccumulate(const void* origin_addr, MPI_Count origin_count, const Datatype& origin_datatype,
                  int target_rank, MPI_Aint target_disp, MPI_Count target_count,
                  const Datatype& target_datatype, const Op& op, Window& win,
                  MPI_Request* request) {
  return with_request(win, request, [&] {
    return accumulate(origin_addr, origin_count, origin_datatype, target_rank, target_disp,
                      target_count, target_datatype, op, win);
  });
}

Error rget_accumulate(const void* origin_addr, MPI_Count origin_count,
                      const Datatype* origin_datatype, void* result_addr, MPI_Count result_count,
                      const Datatype& result_datatype, int target_rank, MPI_Aint target_disp,
                      MPI_Count target_count, const Datatype& target_datatype, const Op& op,
                      Window& win, MPI_Request* request) {
  return with_request(win, request, [&] {
    return get_accumulate(origin_addr, origin_count, origin_datatype, result_addr, result_count,
                          result_datatype, target_rank, target_disp, target_count, target_datatype,
                          op, win);
  });
}

}  // namespace atl::rma
