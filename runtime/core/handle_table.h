// Handles of objects that programs make: an index into a table and a
// generation, so that any value can be checked, a freed handle is recognised
// even when its place is in use again, and no object is reached by accident.
//
//   bits 0-31   kFirst + index; below kFirst are the ABI's predefined handles
//   bits 32-62  generation, odd while the object lives
#pragma once

#include <cstdint>
#include <memory>
#include <new>
#include <utility>
#include <vector>

namespace atl {

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

  static std::uintptr_t handle(T& object) {
    const Entry& entry = entry_of(object);
    return std::uintptr_t{entry.generation} << 32 | (entry.index + kFirst);
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
