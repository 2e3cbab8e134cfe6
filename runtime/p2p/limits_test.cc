#include "runtime/p2p/limits.h"

#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>
#include <mpi.h>

#include "datatype/constructors.h"
#include "datatype/predefined.h"
#include "runtime/core/process.h"
#include "runtime/p2p/message_settings.h"

namespace atl::p2p {
namespace {

using datatype::Count;
using datatype::Datatype;
using datatype::Made;
using datatype::Reference;

constexpr std::uint64_t kKiB = 1024;
constexpr std::uint64_t kNear = 1;
constexpr std::uint64_t kFar = 1000 * 1000 * 1000;  // ticks

const Datatype& real() {
  return *datatype::predefined(reinterpret_cast<std::uintptr_t>(MPI_DOUBLE));
}

Reference committed(const Made& made) {
  REQUIRE(made);
  made.type->commit();
  return made.type;
}

Reference vector(Count count, Count blocklength, Count stride) {
  return committed(make_vector(count, blocklength, stride, real()));
}

// A column of a square matrix; the next element is the column beside it.
Reference column(Count rows) {
  return committed(make_resized(*vector(rows, 1, rows), 0, sizeof(double)));
}

TEST_CASE("the farther the receiver, the shorter the contiguous messages that the kernel copies") {
  CHECK(eager_limit(real(), 1024 * kKiB, kFar) == 32 * kKiB);
  CHECK(eager_limit(real(), 1024 * kKiB, kNear) >= 32 * kKiB);
  CHECK(eager_limit(real(), 1024 * kKiB, kNear) <= 1024 * kKiB);
}

TEST_CASE("the kernel copies no gaps: wherever the receiver is, the ring takes up to 1 MiB") {
  const Reference blocks = vector(4096, 16, 32);
  CHECK(eager_limit(*blocks, 512 * kKiB, kNear) == 1024 * kKiB);
  CHECK(eager_limit(*blocks, 512 * kKiB, kFar) == 1024 * kKiB);
}

TEST_CASE("the user's setting is the limit") {
  settings.eager_bytes = 12345;
  CHECK(eager_limit(real(), 1024 * kKiB, kFar) == 12345);
  CHECK(eager_limit(*vector(4096, 16, 32), 512 * kKiB, kFar) == 12345);
  CHECK(first_fragment_limit() == kFirstFragment);
  settings.eager_bytes = 0;
  CHECK(eager_limit(real(), 1024 * kKiB, kFar) == 0);
  CHECK(first_fragment_limit() == 0);
  settings.eager_bytes.reset();
  CHECK(first_fragment_limit() == kFirstFragment);
}

TEST_CASE("only short contiguous blocks for a far receiver are gathered") {
  CHECK(gathers(*vector(4096, 16, 32), kFar));
  CHECK(!gathers(*vector(4096, 16, 32), kNear));
  CHECK(!gathers(*vector(4096, 16, 32), 0));  // latency unknown
  CHECK(!gathers(*vector(64, 256, 512), kFar));
  CHECK(!gathers(real(), kFar));
}

TEST_CASE("the slower the blocks of a message, the shorter its fragments") {
  CHECK(fragment_limit(real(), 1024) == 8 * kKiB);
  CHECK(fragment_limit(real(), 16 * 1024) == 16 * kKiB);
  CHECK(fragment_limit(*vector(1024, 1, 2), 1) == 2 * kKiB);  // short blocks
  CHECK(fragment_limit(*vector(1024, 1, 1024), 1) == 256);    // each in a cache line of its own
  CHECK(fragment_limit(*vector(128 * 128, 1, 128), 1) == 4 * kKiB);
  CHECK(fragment_limit(*column(512), 512) == 16 * kKiB);  // columns share cache lines
  CHECK(fragment_limit(*column(512), 1) == 256);
}

TEST_CASE("transposes go by bands when their columns are long") {
  CHECK(goes_by_bands(*column(4096)));
  CHECK(!goes_by_bands(*column(512)));
  CHECK(!goes_by_bands(*vector(4096, 16, 32)));
  CHECK(!goes_by_bands(real()));
}

}  // namespace
}  // namespace atl::p2p
