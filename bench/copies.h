// Methods to copy bytes from one process into another, without any overhead of MPI.
//
// A message is sent from the buffer into which the last message was received, as in a
// program that works on its data in place. Both sides know the other's buffer beforehand,
// so no handshake is needed.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <vector>

#include "bench/pair.h"

namespace atl::bench {

inline constexpr std::size_t kKiB = 1024;
inline constexpr std::size_t kMiB = 1024 * kKiB;

// The offset in its page at which malloc puts a large block. It matters: on some processors
// the copies of the C library and of the kernel become ten times slower when
// the target's offset in its page is slightly above the source's.
inline constexpr std::size_t kMallocOffset = 16;

// The memory of one side, at the same address on both.
class Buffer {
 public:
  explicit Buffer(std::size_t bytes);
  std::byte* data() { return room_.data() + start_; }
  std::size_t size() const { return size_; }

  // Gives this side pages of its own; after the fork both sides share the parent's.
  void own();

 private:
  std::size_t size_;
  std::vector<std::byte> room_;
  std::size_t start_;
  bool owned_ = false;
};

// The cache-line latency alone: one side writes a line, the other polls it.
class CacheLineExchange {
 public:
  // With `one_line` both directions use the same line, else one each.
  explicit CacheLineExchange(bool one_line)
      : lines_(make_shared_object<Lines>()), one_line_(one_line) {}

  void send(Side side, std::uint64_t sequence) { line(side.number).post(sequence); }
  void receive(Side side, std::uint64_t sequence) { line(1 - side.number).wait_for(sequence); }

 private:
  struct Lines {
    Line line[2];
  };
  Line& line(int sender) { return lines_.line[one_line_ ? 0 : sender]; }

  Lines& lines_;
  bool one_line_;
};

// Single copy, by the system calls that access another process's memory.
class SystemCopy {
 public:
  enum class Who {
    receiver,  // process_vm_readv of the whole message
    halves,    // the receiver reads one half while the sender writes the other
    pieces     // both claim fragments from a shared counter until none is left
  };

  SystemCopy(std::size_t bytes, Who who, std::size_t piece = 0)
      : buffer_(bytes), shared_(make_shared_object<Shared>()), who_(who), piece_(piece) {}

  void send(Side side, std::uint64_t sequence);
  void receive(Side side, std::uint64_t sequence);

 private:
  struct Shared {
    Line sent[2];  // by side
    Line claimed;  // fragments
    Line sender_done;
    Line receiver_done;
  };

  // Claims the next fragment; false when none is left.
  bool claim(std::size_t& from, std::size_t& to);
  void read(Side side, std::size_t from, std::size_t to);
  void write(Side side, std::size_t from, std::size_t to);

  Buffer buffer_;
  Shared& shared_;
  Who who_;
  std::size_t piece_;  // bytes
};

// Two copies: into a ring of chunks in shared memory, and out of it.
class RingCopy {
 public:
  static constexpr std::size_t kMaxRing = kMiB;

  RingCopy(std::size_t bytes, std::size_t ring, std::size_t chunk)
      : buffer_(bytes), shared_(make_shared_object<Shared>()), ring_(ring), chunk_(chunk) {}

  void send(Side side, std::uint64_t sequence);
  void receive(Side side, std::uint64_t sequence);

 private:
  struct Direction {
    Line filled;   // chunks since the start, written by the sender
    Line emptied;  // chunks since the start, written by the receiver
    // Chunks have the same offset in their page as the buffers: see kMallocOffset.
    alignas(4096) std::byte ring[kMallocOffset + kMaxRing];
  };
  struct Shared {
    Direction direction[2];  // by sending side
  };

  // Calls copy(address in the ring, address in the buffer, bytes) for each chunk,
  // as soon as ready(chunks so far) is true.
  template <class Ready, class Copy>
  void move(int sender, Line Direction::*counter, Ready ready, Copy copy);

  Buffer buffer_;
  Shared& shared_;
  std::size_t ring_;              // bytes
  std::size_t chunk_;             // bytes
  std::uint64_t chunks_[2] = {};  // filled or emptied by this side, by sending side
};

// Microseconds of one memcpy out of shared memory that the other core has just
// written: the least cost of receiving such data.
double copy_out_us(std::size_t bytes);

}  // namespace atl::bench
