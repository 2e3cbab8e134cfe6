// The sizes and offsets on which launcher and ranks must agree. A change here requires a new
// kLayoutVersion.
#include "shm/job.h"

#include <doctest/doctest.h>

#include <cstddef>
#include <type_traits>

#include "shm/context_registry.h"
#include "shm/rendezvous.h"
#include "shm/ring.h"

namespace atl::shm {
namespace {

TEST_CASE("sizes of the shared structures") {
  CHECK(sizeof(Slot) == 64);
  CHECK(sizeof(Ring) == 64 + 64 + Ring::kSlots * 64 + Ring::kMostPayload);
  CHECK(sizeof(RendezvousRecord) == 192);
  CHECK(sizeof(Doorbell) == 4);
  CHECK(sizeof(WaitInfo) == 208);
  CHECK(sizeof(WaitRecord) == 216);
  CHECK(sizeof(PendingInfo) == 56);
  CHECK(sizeof(ArrivedInfo) == 64);
  CHECK(sizeof(WaitReport) < 8192);
  CHECK(sizeof(JobHeader) == 192);
  CHECK(sizeof(RankSlot) == 512);
  CHECK(sizeof(CrashRecord) < 16384);  // touched only by ranks that crash
  CHECK(sizeof(ContextRegistry) == (1 << 20) / 8 / 64 + (1 << 20) / 8 + (1 << 20) * 16);
}

TEST_CASE("sizes of the private ends of a ring") {
  CHECK(sizeof(RingProducer) == 56);
  CHECK(sizeof(RingConsumer) == 64);
}

TEST_CASE("the launcher of another version is recognised by the first bytes") {
  static_assert(std::is_standard_layout_v<JobHeader>);
  CHECK(offsetof(JobHeader, magic) == 0);
  CHECK(offsetof(JobHeader, layout_version) == 8);
  CHECK(offsetof(JobHeader, nonce) == 16);
}

TEST_CASE("fields with different writers lie in different cache lines") {
  static_assert(std::is_standard_layout_v<RankSlot>);
  CHECK(sizeof(JobState) == kCacheLine);
  CHECK(offsetof(RankSlot, app_number) == 0);
  CHECK(offsetof(RankSlot, doorbell) == 1 * kCacheLine);
  CHECK(offsetof(RankSlot, life) == 2 * kCacheLine);
  CHECK(offsetof(RankSlot, inbound_rings) == 3 * kCacheLine);
  CHECK(offsetof(RankSlot, waiting) == 4 * kCacheLine);
}

}  // namespace
}  // namespace atl::shm
