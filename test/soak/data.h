// What a message carries, and a buffer that holds it in a datatype drawn by its owner alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "test/soak/layout.h"

namespace soak {

// The contents of a message. Both sides know it.
struct Contents {
  BaseKind kind = BaseKind::bytes;
  std::size_t bases = 0;
  std::uint64_t pattern = 0;

  std::size_t bytes() const { return bases * base(kind).bytes; }
};

// A length in bytes: half of them around the borders of a protocol.
std::size_t draw_bytes(check::Random& random, std::size_t most);
Contents draw_contents(check::Random& random, BaseKind kind, std::size_t most_bytes);

class MessageBuffer {
 public:
  // For `bases` of them, or some more where the receiver's elements do not divide them.
  // An exact one is as long as the message is: a sender's.
  MessageBuffer(BaseKind kind, std::size_t bases, bool exact, check::Random& random);
  // For several messages of so many bases, one behind the other.
  MessageBuffer(BaseKind kind, std::size_t bases, int blocks, check::Random& random);

  void* address() const { return const_cast<unsigned char*>(memory_.data()) + kGuard; }
  int count() const { return int(count_); }
  MPI_Datatype type() const { return layout_.type(); }

  void fill(const Contents& contents) { fill(std::vector<Contents>{contents}); }
  void fill(const std::vector<Contents>& blocks);
  // That this came, that the status says so, and that nothing lies in the gaps.
  void verify(const Contents& contents, MPI_Status& status);
  // As above, of a call without a status.
  void verify(const Contents& contents) { verify(std::vector<Contents>{contents}); }
  void verify(const std::vector<Contents>& blocks);

 private:
  static constexpr std::size_t kGuard = 32;
  static constexpr unsigned char kGuardByte = 0xa5;

  void check_count(const Contents& contents, MPI_Status& status) const;

  BaseKind kind_;
  Layout layout_;
  std::size_t count_;  // elements, of all blocks
  std::vector<unsigned char> memory_;
};

}  // namespace soak
