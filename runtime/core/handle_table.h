// Handles of objects that programs make: an index into a table and a
// generation, so that any value can be checked, a freed handle is recognised
// even when its place is in use again, and no object is reached by accident.
//
//   bits 0-31   kFirst + index; below kFirst are the ABI's predefined handles
//   bits 32-62  generation, odd while the object lives
//
// In Fortran a handle is an INTEGER, with less of the generation:
//
//   bits 0-23   as above
//   bits 24-30  generation / 2
#pragma once

#include <cstdint>
#include <memory>
#include <new>
#include <utility>
#include <vector>

namespace atl {

// A handle of any kind as an int; -1 where it is none, or the object one of more
// than 16 million of its kind.
inline int handle_to_int(std::uintptr_t handle) {
  const auto place = static_cast<std::uint32_t>(handle);
  const auto lives = static_cast<std::uint32_t>(handle >> 33) % 128;
  return place >> 24 == 0 ? static_cast<int>(lives << 24 | place) : -1;
}

// The handle behind an int; one that names no object where the int is none. The
// room that has the objects of a kind specialises it.
template <class Handle>
Handle handle_from_int(int number);

template <class T>
class HandleTable {
 public:
  static constexpr std::uint32_t kFirst = 4096;

  template <class... Arguments>
  T& create(Arguments&&... arguments) {
    if (__builtin_expect(free_ == nullptr, 0)) grow();
    Entry* entry = free_;
    free_ = entry->next_free;
    ++entry->generation;
    return *new (entry->storage) T(std::forward<Arguments>(arguments)...);
  }

  void destroy(T& object) {
    Entry& entry = entry_of(object);
    object.~T();
    ++entry.generation;
    entry.next_free = free_;
    free_ = &entry;
  }

  // Null when `handle` is not that of a living object of this table.
  T* find(std::uintptr_t handle) const {
    const std::uint32_t index = static_cast<std::uint32_t>(handle) - kFirst;
    if (index >= chunks_.size() * kChunk) return nullptr;
    Entry& entry = chunks_[index / kChunk][index % kChunk];
    if (entry.generation != handle >> 32 || entry.generation % 2 == 0) return nullptr;
    return std::launder(static_cast<T*>(static_cast<void*>(entry.storage)));
  }

  static std::uintptr_t handle(T& object) { return handle_of(entry_of(object)); }

  // What handle_to_int() made `number` of; `number` itself where that does not live.
  std::uintptr_t from_int(int number) const {
    const auto value = static_cast<std::uint32_t>(number);
    const std::uint32_t index = (value & 0xffffff) - kFirst;
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
  static constexpr std::uint32_t kChunk = 256;

  struct Entry {
    alignas(T) std::byte storage[sizeof(T)];  // first, so that an object's address is its entry's
    std::uint32_t index;
    std::uint32_t generation;  // 31 bits are used
    Entry* next_free;          // while no object lives here
  };

  static std::uintptr_t handle_of(const Entry& entry) {
    return std::uintptr_t{entry.generation} << 32 | (entry.index + kFirst);
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
  Entry* free_ = nullptr;  // last in, first out: what is hot in the cache comes next
};

}  // namespace atl
