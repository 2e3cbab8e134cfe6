#include "runtime/objects/attributes.h"

#include <algorithm>
#include <cstdint>

#include "runtime/core/process.h"
#include "runtime/objects/error_codes.h"

namespace atl {
namespace {

// MPI_COMM_DUP_FN and its like are small integers in the ABI, not functions to call.
template <class Function>
bool copies_value(Function* copy) {
  return reinterpret_cast<std::uintptr_t>(copy) ==
         reinterpret_cast<std::uintptr_t>(MPI_COMM_DUP_FN);
}

// The error code of the call is what the callback returned, if that is a valid error code.
Error failed(const char* callback, int keyval, int returned) {
  const int code = error_class_of(returned) ? returned : MPI_ERR_OTHER;
  return make_error(code, "the %s callback of keyval %d returned %d", callback, keyval, returned);
}

}  // namespace

template <class Handle>
typename std::vector<typename Attributes<Handle>::Attribute>::const_iterator
Attributes<Handle>::find(const Keyval<Handle>& keyval) const {
  return std::ranges::find_if(list_, [&](const auto& one) { return one.keyval.get() == &keyval; });
}

template <class Handle>
bool Attributes<Handle>::get(const Keyval<Handle>& keyval, void** value) const {
  const auto found = find(keyval);
  if (found == list_.end()) return false;
  *value = found->value;
  return true;
}

template <class Handle>
Error Attributes<Handle>::set(Handle object, Keyval<Handle>& keyval, void* value) {
  const auto kept = keyval.shared_from_this();  // a callback may free it
  while (true) {
    const auto found = find(keyval);
    if (found == list_.end()) break;
    if (Error error = remove_one(object, *found)) return error;
  }
  list_.push_back({kept, value});
  return {};
}

template <class Handle>
Error Attributes<Handle>::remove(Handle object, Keyval<Handle>& keyval) {
  const auto found = find(keyval);
  return found == list_.end() ? Error() : remove_one(object, *found);
}

template <class Handle>
Error Attributes<Handle>::remove_all(Handle object) {
  while (!list_.empty()) {
    if (Error error = remove_one(object, list_.back())) return error;
  }
  return {};
}

// `attribute` is passed by value: the callback may change the list.
template <class Handle>
Error Attributes<Handle>::remove_one(Handle object, Attribute attribute) {
  const Keyval<Handle>& keyval = *attribute.keyval;
  if (keyval.remove != nullptr) {
    const OutsideMpi outside;
    const int code = keyval.remove(object, keyval.number, attribute.value, keyval.extra_state);
    if (code != MPI_SUCCESS) return failed("delete", keyval.number, code);
  }
  const auto found = find(keyval);
  if (found != list_.end()) list_.erase(found);
  return {};
}

template <class Handle>
Error Attributes<Handle>::copy_to(Attributes& copy, Handle object, Handle copied_object) const {
  for (const Attribute& attribute : std::vector(list_)) {  // callbacks may change the list
    if (Error error = copy_one(attribute, object, copy)) {
      const std::string text = error.text();
      [[maybe_unused]] const Error second = copy.remove_all(copied_object);  // the first counts
      return make_error(error.error_class(), "%s", text.c_str());
    }
  }
  return {};
}

template <class Handle>
Error Attributes<Handle>::copy_one(const Attribute& attribute, Handle object, Attributes& copy) {
  const Keyval<Handle>& keyval = *attribute.keyval;
  void* value = attribute.value;
  int flag = copies_value(keyval.copy);
  if (keyval.copy != nullptr && !copies_value(keyval.copy)) {
    const OutsideMpi outside;
    const int code =
        keyval.copy(object, keyval.number, keyval.extra_state, attribute.value, &value, &flag);
    if (code != MPI_SUCCESS) return failed("copy", keyval.number, code);
  }
  if (flag) copy.list_.push_back({attribute.keyval, value});
  return {};
}

template class Attributes<MPI_Comm>;
template class Attributes<MPI_Datatype>;
template class Attributes<MPI_Win>;

}  // namespace atl
