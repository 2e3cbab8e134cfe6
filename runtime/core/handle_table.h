// Handles of objects that programs make: an index into a table and a generation, so that any
// value can be checked, a freed handle is recognised even when its place is in use again, and no
// object is reached by accident.
//
//   bits 0-27   place: kFirst + index; below kFirst are the ABI's predefined handles
//   bits 28-31  HandleKind
//   bits 32-62  generation, odd while the object lives
//
// In Fortran a handle is an INTEGER, with fewer bits of the place and the generation:
//
//   bits 0-19   place
//   bits 20-26  generation / 2
//   bits 27-30  HandleKind
#pragma once

#include <cstdint>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "base/check.h"
#include "runtime/core/error.h"

namespace atl {

// The kind of object that a handle names: a communicator is never mistaken for a group, not even
// where a cast or Fortran's INTEGER hides the type. A type of objects states its kind as
// kHandleKind.
enum class HandleKind : std::uint32_t {
  predefined,  // of any kind
  comm,
  group,
  datatype,
  op,
  request,
  message,
  errhandler,
  info,
  session,
  win,
  file,
};

// The error for a handle that names no object of the kind that the argument `name` expects: null,
// freed, or the handle of an object of another kind.
[[gnu::cold]] Error bad_handle(HandleKind kind, const char* name, const void* handle);

// "MPI_COMM_NULL", ...
const char* null_handle_name(HandleKind kind);

// A handle of any kind as an int; -1 if it is no handle, or its object's place is 2^20 or higher.
inline int handle_to_int(std::uintptr_t handle) {
  const auto place = static_cast<std::uint32_t>(handle) % (1u << 28);
  const auto kind = static_cast<std::uint32_t>(handle) >> 28;
  const auto lives = static_cast<std::uint32_t>(handle >> 33) % (1u << 7);
  return place < 1u << 20 ? static_cast<int>(kind << 27 | lives << 20 | place) : -1;
}

// The handle that an int stands for; a handle that names no object if the int is invalid. The
// layer that has the objects of a kind specialises it.
template <class Handle>
Handle handle_from_int(int number);

template <class T>
class HandleTable {
 public:
  template <class... Arguments>
  T& create(Arguments&&... arguments) {
    if (__builtin_expect(free_ == nullptr, 0)) grow();
    Entry* entry = free_;
    free_ = entry->next_free;
    ATL_DCHECK(entry->generation % 2 == 0);
    ++entry->generation;
    return *new (entry->storage) T(std::forward<Arguments>(arguments)...);
  }

  void destroy(T& object) {
    Entry& entry = entry_of(object);
    ATL_DCHECK(entry.generation % 2 != 0);  // the object lives
    object.~T();
    ++entry.generation;
    entry.next_free = free_;
    free_ = &entry;
  }

  // Null when `handle` does not name a living object of this table.
  T* find(std::uintptr_t handle) const {
    const std::uint32_t index = static_cast<std::uint32_t>(handle) - first();
    if (index >= chunks_.size() * kChunk) return nullptr;
    Entry& entry = chunks_[index / kChunk][index % kChunk];
    if (entry.generation != handle >> 32 || entry.generation % 2 == 0) return nullptr;
    return std::launder(static_cast<T*>(static_cast<void*>(entry.storage)));
  }

  static std::uintptr_t handle(T& object) { return handle_of(entry_of(object)); }

  // The handle that handle_to_int() converted to `number`; `number` itself if that object does
  // not live.
  std::uintptr_t from_int(int number) const {
    const auto value = static_cast<std::uint32_t>(number);
    const std::uint32_t index = value % (1u << 20) - kFirst;
    if (index >= chunks_.size() * kChunk) return value;
    const Entry& entry = chunks_[index / kChunk][index % kChunk];
    const std::uintptr_t handle = handle_of(entry);
    return entry.generation % 2 != 0 && handle_to_int(handle) == number ? handle : value;
  }

  // Calls visit(T&) for every living object.
  template <class Visit>
  void for_each(Visit visit) const {
    for (const auto& chunk : chunks_) {
      for (std::uint32_t i = 0; i < kChunk; ++i) {
        if (chunk[i].generation % 2 != 0) {
          visit(*std::launder(static_cast<T*>(static_cast<void*>(chunk[i].storage))));
        }
      }
    }
  }

 private:
  static constexpr std::uint32_t kFirst = 4096;
  static constexpr std::uint32_t kChunk = 256;

  // The lower half of the handle with index 0.
  static constexpr std::uint32_t first() {
    return static_cast<std::uint32_t>(T::kHandleKind) << 28 | kFirst;
  }

  struct Entry {
    alignas(T) std::byte storage[sizeof(T)];  // first, so that an object's address is its entry's
    std::uint32_t index;
    std::uint32_t generation;  // 31 bits are used
    Entry* next_free;          // while no object lives here
  };

  static std::uintptr_t handle_of(const Entry& entry) {
    return std::uintptr_t{entry.generation} << 32 | (entry.index + first());
  }

  static Entry& entry_of(T& object) { return *static_cast<Entry*>(static_cast<void*>(&object)); }

  [[gnu::cold]] void grow() {
    const auto first = static_cast<std::uint32_t>(chunks_.size()) * kChunk;
    chunks_.push_back(std::make_unique<Entry[]>(kChunk));
    // In reverse, so that the first object made gets the lowest index.
    for (std::uint32_t i = kChunk; i-- > 0;) {
      Entry& entry = chunks_.back()[i];
      entry.index = first + i;
      entry.generation = 0;
      entry.next_free = free_;
      free_ = &entry;
    }
  }

  std::vector<std::unique_ptr<Entry[]>> chunks_;  // never shrinks: a stale handle stays checkable
  Entry* free_ = nullptr;  // last in, first out: reuses what is hot in the cache
};

}  // namespace atl
