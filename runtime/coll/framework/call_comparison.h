// How the members of a communicator find that they call collectives that do not match: each
// publishes what it calls together with a hash of what it called before, and whoever finds a
// difference reports it to all.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "runtime/coll/framework/shared_buffer.h"
#include "runtime/core/fault.h"

namespace atl::coll {

// What this rank has called so far, as a hash of 16 bits.
class CallHistory {
 public:
  // The signature of the next call, with the history in it.
  CollectiveSignature with_history(CollectiveSignature signature) const {
    signature.bytes |= hash_;
    return signature;
  }
  // The same, and the call becomes part of the history. A call in which everybody waits for all
  // need not: all see that it matches. Type signatures do not count.
  CollectiveSignature remember(const CollectiveSignature& signature) {
    constexpr std::uint64_t kMix = 0x9e3779b97f4a7c15;
    constexpr int kShift = CollectiveSignature::kHistoryShift;
    const CollectiveSignature next = with_history(signature);
    hash_ = ((hash_ + static_cast<std::uint32_t>(signature.call)) * kMix) >> kShift << kShift;
    return next;
  }

 private:
  std::uint64_t hash_ = 0;  // in the upper bits
};

// The mismatch that somebody has found, if any: in the collective buffer, and here.
class MismatchReport {
 public:
  // Calls from `round` on do not match: makes the error for all members. The first member that
  // publishes one says what it is; another one that found it as well keeps its own error until
  // then. From then on all calls fail.
  void publish(shm::CollectiveBuffer& buffer, Round round, int error_class,
               const std::string& text);

  // The error, if one was found for `round` or an earlier one.
  Fault find(const shm::CollectiveBuffer& buffer, const Communicator& comm, Round round) const;

 private:
  // What this rank has found by itself.
  Round round_ = ~Round{0};  // none
  int error_class_ = 0;
  std::string text_;
};

}  // namespace atl::coll
