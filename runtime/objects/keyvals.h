// Keyvals: the keys of attributes, with the callbacks for when an object is copied or freed
// (MPI 5.0, 7.7). `Handle`, the handle type, selects the kind of object: MPI_Comm, MPI_Datatype or
// MPI_Win.
#pragma once

#include <mpi.h>

#include <memory>
#include <unordered_map>

#include "runtime/core/error.h"

namespace atl {

// Exists until the program has freed it and no object has the attribute.
template <class Handle>
struct Keyval : std::enable_shared_from_this<Keyval<Handle>> {
  using Copy = int(Handle, int keyval, void* extra_state, void* value, void* copy, int* flag);
  using Delete = int(Handle, int keyval, void* value, void* extra_state);

  int number = MPI_KEYVAL_INVALID;
  Copy* copy = nullptr;      // or a small integer of the ABI: MPI_COMM_NULL_COPY_FN, ...
  Delete* remove = nullptr;  // MPI_COMM_NULL_DELETE_FN is null
  void* extra_state = nullptr;
  const char* standard = nullptr;  // name of a predefined keyval: "MPI_TAG_UB"
};

// All keyvals of one kind of object. A number is not used again, nor for another kind of object,
// before the counter has passed through all values of int.
template <class Handle>
class Keyvals {
 public:
  Keyval<Handle>& create(typename Keyval<Handle>::Copy* copy,
                         typename Keyval<Handle>::Delete* remove, void* extra_state);
  void add_standard(int number, const char* name);

  // Null when `number` is not a keyval, or was freed and no object has the attribute any more.
  Keyval<Handle>* find(int number) const {
    const auto found = table_.find(number);
    if (found != table_.end()) return found->second.get();
    const auto kept = freed_.find(number);
    return kept == freed_.end() ? nullptr : kept->second.lock().get();
  }

  // Attributes with this keyval stay, and the program can still get and delete them by the number
  // until no object has one (MPI 5.0, 7.7.2). No effect on a keyval that was already freed.
  void free(int number);

 private:
  bool knows(int number) const { return table_.contains(number) || freed_.contains(number); }

  std::unordered_map<int, std::shared_ptr<Keyval<Handle>>> table_;
  std::unordered_map<int, std::weak_ptr<Keyval<Handle>>> freed_;  // by the program
};

extern template class Keyvals<MPI_Comm>;
extern template class Keyvals<MPI_Datatype>;
extern template class Keyvals<MPI_Win>;

template <class Handle>
inline Keyvals<Handle> keyvals;

namespace objects {

// MPI_Comm_create_keyval, MPI_Type_create_keyval, MPI_Win_create_keyval.
template <class Handle>
Error create_keyval(typename Keyval<Handle>::Copy* copy, typename Keyval<Handle>::Delete* remove,
                    int* keyval, void* extra_state) {
  *keyval = keyvals<Handle>.create(copy, remove, extra_state).number;
  return {};
}

template <class Handle>
Error free_keyval(int* keyval) {
  keyvals<Handle>.free(*keyval);
  *keyval = MPI_KEYVAL_INVALID;
  return {};
}

}  // namespace objects
}  // namespace atl
