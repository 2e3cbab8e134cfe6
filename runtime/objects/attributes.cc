#include "runtime/objects/attributes.h"

#include <algorithm>
#include <cstdint>

#include "runtime/core/process.h"
#include "runtime/objects/error_codes.h"

namespace atl {
namespace {

// The ABI's numbers stand for functions that need not be called: MPI_COMM_DUP_FN, ...
template <class Function>
bool copies_value(Function* copy) {
  return reinterpret_cast<std::uintptr_t>(copy) ==
         reinterpret_cast<std::uintptr_t>(MPI_COMM_DUP_FN);
}

// The program's own code as the error code of the call, if it is one.
Fault failed(const char* callback, int keyval, int returned) {
  const int code = error_class_of(returned) ? returned : MPI_ERR_OTHER;
  return fail(code, "the %s callback of keyval %d returned %d", callback, keyval, returned);
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
Fault Attributes<Handle>::set(Handle object, Keyval<Handle>& keyval, void* value) {
  const auto kept = keyval.shared_from_this();  // a callback may free it
  while (true) {
    const auto found = find(keyval);
    if (found == list_.end()) break;
    if (Fault fault = remove_one(object, *found)) return fault;
  }
  list_.push_back({kept, value});
  return {};
}

template <class Handle>
Fault Attributes<Handle>::remove(Handle object, Keyval<Handle>& keyval) {
  const auto found = find(keyval);
  return found == list_.end() ? Fault() : remove_one(object, *found);
}

template <class Handle>
Fault Attributes<Handle>::remove_all(Handle object) {
  while (!list_.empty()) {
    if (Fault fault = remove_one(object, list_.back())) return fault;
  }
  return {};
}

// Takes a copy: the callback may change the list.
template <class Handle>
Fault Attributes<Handle>::remove_one(Handle object, Attribute attribute) {
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
Fault Attributes<Handle>::copy_to(Attributes& copy, Handle object, Handle copied_object) const {
  for (const Attribute& attribute : std::vector(list_)) {  // callbacks may change the list
    if (Fault fault = copy_one(attribute, object, copy)) {
      const std::string text = fault.text();
      [[maybe_unused]] const Fault second = copy.remove_all(copied_object);  // the first counts
      return fail(fault.error_class(), "%s", text.c_str());
    }
  }
  return {};
}

template <class Handle>
Fault Attributes<Handle>::copy_one(const Attribute& attribute, Handle object, Attributes& copy) {
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
