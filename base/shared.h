// The only atomic type of Atoll, for memory that several processes map and for words shared by
// threads of one process.
//
// Each method names its memory order; every acquire and release states its partner at the call.
#pragma once

#include <atomic>

namespace atl {

// A word in shared memory. All-zero bytes, as in a new segment, are a valid Shared with value zero.
template <class T>
class Shared {
 public:
  static_assert(std::atomic<T>::is_always_lock_free,
                "a lock inside the word would be private to one process");

  Shared() = default;
  Shared(const Shared&) = delete;
  Shared& operator=(const Shared&) = delete;

  T load_relaxed() const { return word_.load(std::memory_order_relaxed); }
  T load_acquire() const { return word_.load(std::memory_order_acquire); }
  void store_relaxed(T value) { word_.store(value, std::memory_order_relaxed); }
  void store_release(T value) { word_.store(value, std::memory_order_release); }

  T exchange_acq_rel(T value) { return word_.exchange(value, std::memory_order_acq_rel); }
  T fetch_add_relaxed(T value) { return word_.fetch_add(value, std::memory_order_relaxed); }
  T fetch_add_acq_rel(T value) { return word_.fetch_add(value, std::memory_order_acq_rel); }
  T fetch_or_acq_rel(T value) { return word_.fetch_or(value, std::memory_order_acq_rel); }
  T fetch_and_acq_rel(T value) { return word_.fetch_and(value, std::memory_order_acq_rel); }

  // On failure `expected` receives the value found. That load is an acquire as well, because the
  // caller uses what the other side wrote before it.
  bool compare_exchange_acq_rel(T& expected, T desired) {
    return word_.compare_exchange_strong(expected, desired, std::memory_order_acq_rel,
                                         std::memory_order_acquire);
  }

  // Address of the raw word, for system calls such as futex.
  T* address() { return reinterpret_cast<T*>(&word_); }

 private:
  std::atomic<T> word_;
};

// ThreadSanitizer does not model fences, and warns. Only Shared words depend on the two below, so
// that does no harm.
template <std::memory_order order>
inline void fence() {
#ifdef __SANITIZE_THREAD__
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wtsan"
#endif
  std::atomic_thread_fence(order);
#ifdef __SANITIZE_THREAD__
#pragma GCC diagnostic pop
#endif
}

// All earlier stores to Shared words become visible before any later load of a Shared word.
inline void full_fence() { fence<std::memory_order_seq_cst>(); }

// Orders earlier loads before later loads. Callers name its partner.
inline void read_fence() { fence<std::memory_order_acquire>(); }

}  // namespace atl
