// Detects calls of collectives that do not match: each member publishes the signature of its call
// with a hash of its earlier calls, and a member that finds a difference reports it to all.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "runtime/coll/framework/shared_buffer.h"
#include "runtime/core/error.h"

namespace atl::coll {

// A hash of 16 bits of the calls of this rank so far.
class CallHistory {
 public:
  // The signature of the next call with the history in its upper bits.
  CollectiveSignature with_history(CollectiveSignature signature) const {
    signature.bytes |= hash_;
    return signature;
  }
  // Also adds the call to the history, except for its type signature. A call in which all members
  // wait for all others need not be added: all of them compare it.
  CollectiveSignature remember(const CollectiveSignature& signature) {
    constexpr std::uint64_t kMix = 0x9e3779b97f4a7c15;
    constexpr int kShift = CollectiveSignature::kHistoryShift;
    const CollectiveSignature next = with_history(signature);
    hash_ = ((hash_ + static_cast<std::uint32_t>(signature.call)) * kMix) >> kShift << kShift;
    return next;
  }

 private:
  std::uint64_t hash_ = 0;  // in the bits from kHistoryShift on
};

// The first mismatch, if any: the record in the collective buffer that all members see, and this
// rank's own finding.
class MismatchReport {
 public:
  // Calls from `round` on do not match: reports the error to all members. The first member that
  // claims the shared record fills it; other members that find a mismatch use their own error
  // until the record is published. From then on all calls fail.
  void publish(shm::CollectiveBuffer& buffer, Round round, int error_class,
               const std::string& text);

  // The error, if a mismatch is known for `round` or an earlier round.
  Error find(const shm::CollectiveBuffer& buffer, const Communicator& comm, Round round) const;

 private:
  // The mismatch that this rank found.
  Round round_ = ~Round{0};  // none
  int error_class_ = 0;
  std::string text_;
};

}  // namespace atl::coll
