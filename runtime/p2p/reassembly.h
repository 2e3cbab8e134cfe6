// Reassembly of an eager message that a ring delivers in several fragments: counts what has
// arrived, and says where the next fragment goes.
#pragma once

#include <cstdint>

#include "base/check.h"

namespace atl::p2p {

struct Request;
struct Unexpected;

class Reassembly {
 public:
  // Where the fragments go: to a receive or to an unexpected message. With neither, the remaining
  // fragments are dropped.
  struct Target {
    Request* receive = nullptr;
    Unexpected* message = nullptr;
  };

  // The first `arrived` of `total` bytes are there already.
  void start(std::uint64_t arrived, std::uint64_t total, Target target) {
    ATL_DCHECK(arrived < total);
    check_idle();
    arrived_ = arrived;
    total_ = total;
    target_ = target;
  }

  // A ring delivers its messages one after the other.
  void check_idle() const {
    ATL_CHECK(total_ == 0, "a ring brings a message before the one before it has ended");
  }

  // Counts a fragment; returns its offset in the message.
  std::uint64_t add(std::uint64_t bytes) {
    ATL_CHECK(bytes <= total_ - arrived_, "a ring brings more of a message than there is");
    const std::uint64_t offset = arrived_;
    arrived_ += bytes;
    return offset;
  }

  bool complete() const { return arrived_ == total_; }
  const Target& target() const { return target_; }

  // The unexpected message was matched, or destroyed: fragments go elsewhere from now on.
  void retarget(Target target) { target_ = target; }

  void finish() { *this = {}; }

 private:
  std::uint64_t arrived_ = 0;  // bytes
  std::uint64_t total_ = 0;    // bytes; 0: no message is being reassembled
  Target target_;
};

}  // namespace atl::p2p
