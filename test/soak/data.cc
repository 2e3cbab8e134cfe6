#include "test/soak/data.h"

#include <algorithm>
#include <cstring>

#include "test/check.h"

namespace soak {
namespace {

constexpr std::size_t kBorders[] = {0,          40,         64,        2 * 1024,
                                    8 * 1024,   16 * 1024,  32 * 1024, 64 * 1024,
                                    256 * 1024, 512 * 1024, 1 << 20,   (1 << 20) + (1 << 19),
                                    2 << 20};

// How many bases an element has: a divisor of `bases` where the elements must be exact.
std::size_t draw_bases(std::size_t bases, bool exact, check::Random& random) {
  if (bases == 0) return 1 + random.below(4);
  if (random.one_in(3)) return bases;
  for (std::size_t wanted = 1 + random.below(24); wanted > 1; --wanted) {
    if (!exact || bases % wanted == 0) return wanted;
  }
  return 1;
}

std::size_t bytes_of(const std::vector<Contents>& blocks) {
  std::size_t bytes = 0;
  for (const Contents& block : blocks) bytes += block.bytes();
  return bytes;
}

}  // namespace

std::size_t draw_bytes(check::Random& random, std::size_t most) {
  if (random.one_in(2)) return random.size(most);
  const auto end = std::upper_bound(std::begin(kBorders), std::end(kBorders), most);
  const std::size_t border = kBorders[random.below(std::uint64_t(end - std::begin(kBorders)))];
  const std::size_t near = border + random.below(17);
  return std::min(most, near < 8 ? 0 : near - 8);
}

Contents draw_contents(check::Random& random, BaseKind kind, std::size_t most_bytes) {
  return {kind, draw_bytes(random, most_bytes) / base(kind).bytes, random.next()};
}

MessageBuffer::MessageBuffer(BaseKind kind, std::size_t bases, bool exact, check::Random& random)
    : kind_(kind),
      layout_(base(kind), draw_bases(bases, exact, random), random),
      count_((bases + layout_.bases() - 1) / layout_.bases()),
      memory_(layout_.memory(count_) + 2 * kGuard, kGuardByte) {}

MessageBuffer::MessageBuffer(BaseKind kind, std::size_t bases, int blocks, check::Random& random)
    : kind_(kind),
      layout_(base(kind), draw_bases(bases, true, random), random),
      count_(std::size_t(blocks) * (bases / layout_.bases())),
      memory_(layout_.memory(count_) + 2 * kGuard, kGuardByte) {}

void MessageBuffer::fill(const std::vector<Contents>& blocks) {
  std::vector<unsigned char> packed(bytes_of(blocks));
  unsigned char* at = packed.data();
  for (const Contents& block : blocks) {
    check::fill(at, block.bytes(), block.pattern);
    at += block.bytes();
  }
  layout_.scatter(packed.data(), packed.size(), memory_.data() + kGuard);
}

void MessageBuffer::verify(const std::vector<Contents>& blocks) {
  std::vector<unsigned char> packed(bytes_of(blocks));
  unsigned char* const buffer = memory_.data() + kGuard;
  layout_.gather(buffer, packed.size(), packed.data());
  const unsigned char* at = packed.data();
  for (const Contents& block : blocks) {
    CHECK_PATTERN(at, block.bytes(), block.pattern);
    at += block.bytes();
  }
  std::fill(packed.begin(), packed.end(), kGuardByte);
  layout_.scatter(packed.data(), packed.size(), buffer);
  // Now nothing but guards is there.
  CHECK(memory_[0] == kGuardByte);
  CHECK(std::memcmp(memory_.data(), memory_.data() + 1, memory_.size() - 1) == 0);
}

void MessageBuffer::verify(const Contents& contents, MPI_Status& status) {
  check_count(contents, status);
  verify(contents);
}

void MessageBuffer::check_count(const Contents& contents, MPI_Status& status) const {
  int elements = -1, basics = -1;
  MPI_Get_elements(&status, layout_.type(), &basics);
  CHECK_EQ(std::size_t(basics), contents.bases * std::size_t(base(kind_).basics));
  MPI_Get_count(&status, layout_.type(), &elements);
  const bool whole = contents.bases % layout_.bases() == 0;
  CHECK_EQ(elements, whole ? int(contents.bases / layout_.bases()) : MPI_UNDEFINED);
}

}  // namespace soak
