// What an accumulate does to one element at the target (MPI 5.0, 12.3.4).
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <variant>

#include "base/shared.h"
#include "datatype/datatype.h"
#include "runtime/core/error.h"
#include "runtime/op/op.h"

namespace atl::rma {

using datatype::Datatype;

struct ElementUpdate {
  op::Code code;
  op::Kernel kernel = nullptr;        // null: MPI_REPLACE or MPI_NO_OP
  const Datatype* element = nullptr;  // the predefined type of each element
  bool adds = false;  // the sum of integers, which processors have an instruction for

  // Elements that one atomic instruction can update at an aligned address.
  bool is_atomic() const {
    const std::size_t bytes = element->size();
    return bytes <= sizeof(std::uint64_t) && (bytes & (bytes - 1)) == 0 && bytes != 0 &&
           std::holds_alternative<datatype::Basic>(element->structure());
  }
};

// Whether the standard predefines the type, also without a name: MPI_Type_create_f90_real and
// others (19.1.5).
bool is_predefined(const Datatype& type);
// The named type that a predefined type is or stands for; null for other types.
const Datatype* predefined_element(const Datatype& type);

// Checks that the operation is predefined and defined on the type, whose elements must all have the
// same predefined type: MPI_ERR_OP, MPI_ERR_TYPE.
Error find_update(const Op& operation, const Datatype& type, ElementUpdate& update);

// Updates the element at `at` with an atomic instruction, or a few. Returns its value before.
template <class Word>
Word update_word(std::byte* at, Word operand, const ElementUpdate& update) {
  auto& word = *reinterpret_cast<Shared<Word>*>(at);
  // All pair with themselves in other processes, and with the guard of bulk operations.
  if (update.code == op::Code::no_op) return word.load_acquire();
  if (update.code == op::Code::replace) return word.exchange_acq_rel(operand);
  if (update.adds) return word.fetch_add_acq_rel(operand);
  Word before = word.load_relaxed();  // Relaxed: the compare-exchange validates it.
  Word after;
  do {
    update.kernel(&operand, &before, &after, 1);
  } while (!word.compare_exchange_acq_rel(before, after));  // pairs with itself, as above
  return before;
}

// As update_word(), for any width that is_atomic() allows. `origin` is read unless the operation is
// MPI_NO_OP; `result` may be null.
inline void update_element(std::byte* at, const std::byte* origin, std::byte* result,
                           const ElementUpdate& update) {
  const auto as = [&]<class Word>(Word operand) {
    if (origin != nullptr) std::memcpy(&operand, origin, sizeof operand);
    const Word before = update_word(at, operand, update);
    if (result != nullptr) std::memcpy(result, &before, sizeof before);
  };
  switch (update.element->size()) {
    case 8: return as(std::uint64_t{0});
    case 4: return as(std::uint32_t{0});
    case 2: return as(std::uint16_t{0});
    default: return as(std::uint8_t{0});
  }
}

}  // namespace atl::rma
