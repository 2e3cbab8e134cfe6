// Which algorithm each collective takes, at the limits of the table's rows.
#include <optional>
#include <string>
#include <variant>

#include "runtime/coll/calls.h"
#include "runtime/coll/selection_text.h"
#include "runtime/p2p/message_settings.h"

#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

namespace atl::coll {
namespace {

// Rank 0 of a job, with a collective buffer.
class Job {
 public:
  explicit Job(int size, std::uint32_t flags = 0) {
    auto made = shm::Segment::create({.size = static_cast<std::uint32_t>(size), .flags = flags});
    REQUIRE(std::holds_alternative<shm::Segment>(made));
    process.segment.emplace(std::move(std::get<shm::Segment>(made)));
    p2p::settings.single_copy = true;
    comm_.emplace(RankMap::range(0, 1, size), 0, 3);
    channel_.emplace(*comm_);
    REQUIRE(channel_->attached());
  }

  std::size_t slot() const { return channel_->slot_bytes(); }

  std::string barrier() { return taken(Barrier(*comm_)); }
  std::string bcast(std::size_t bytes) {
    return taken(Bcast(memory_, count(bytes), byte_, 0, *comm_));
  }
  std::string gather(std::size_t block) {
    return taken(Gather(memory_, count(block), byte_, other_, count(block), byte_, 0, *comm_));
  }
  std::string scatter(std::size_t block) {
    return taken(Scatter(memory_, count(block), byte_, other_, count(block), byte_, 0, *comm_));
  }
  std::string allgather(std::size_t block) {
    return taken(Allgather(memory_, count(block), byte_, other_, count(block), byte_, *comm_));
  }
  std::string alltoall(std::size_t block) {
    return taken(Alltoall(memory_, count(block), byte_, other_, count(block), byte_, *comm_));
  }

  // Of `bytes` in all.
  std::string reduce(std::size_t bytes) {
    return taken(Reduce(memory_, other_, count(bytes), MPI_BYTE, bor_, 0, *comm_));
  }
  std::string allreduce(std::size_t bytes) {
    return taken(Allreduce(memory_, other_, count(bytes), MPI_BYTE, bor_, *comm_));
  }
  std::string scan(std::size_t bytes) {
    return taken(Scan(memory_, other_, count(bytes), MPI_BYTE, bor_, *comm_));
  }
  std::string reduce_scatter(std::size_t block) {
    return taken(ReduceScatter(memory_, other_, count(block), MPI_BYTE, bor_, *comm_));
  }
  // Values with a gap between them.
  std::string allreduce_pairs() {
    return taken(Allreduce(memory_, other_, 1, MPI_DOUBLE_INT, minloc_, *comm_));
  }
  std::string reduce_pairs() {
    return taken(Reduce(memory_, other_, 1, MPI_DOUBLE_INT, minloc_, 0, *comm_));
  }
  std::string scan_pairs() {
    return taken(Scan(memory_, other_, 1, MPI_DOUBLE_INT, minloc_, *comm_));
  }
  std::string reduce_scatter_pairs() {
    return taken(ReduceScatter(memory_, other_, 1, MPI_DOUBLE_INT, minloc_, *comm_));
  }

 private:
  static MPI_Count count(std::size_t bytes) { return static_cast<MPI_Count>(bytes); }
  template <class Call>
  std::string taken(const Call& call) {
    return suitable(call, *channel_).name;
  }

  std::optional<Communicator> comm_;
  std::optional<Channel> channel_;
  const Datatype* byte_ = datatypes.find(MPI_BYTE);
  const Op& bor_ = *find_op(MPI_BOR);
  const Op& minloc_ = *find_op(MPI_MINLOC);
  std::byte* memory_ = nullptr;  // nothing is read or written
  std::byte* other_ = nullptr;
};

constexpr std::size_t kKiB = 1024;

TEST_CASE("short data goes in one round, among many ranks by a tree") {
  CHECK(Job(16).barrier() == "flat");
  CHECK(Job(17).barrier() == "hierarchical");
  CHECK(Job(17, shm::kJobSharedCores).barrier() == "flat");
  CHECK(Job(16).bcast(4 * kKiB) == "flat");
  CHECK(Job(17).bcast(4 * kKiB) == "hierarchical");
  CHECK(Job(17).bcast(4 * kKiB + 1) != "hierarchical");
  CHECK(Job(16).allreduce(8) == "flat");
  CHECK(Job(17).allreduce(8) == "hierarchical");
  CHECK(Job(17).reduce(8) == "hierarchical");
  CHECK(Job(17, shm::kJobSharedCores).reduce(8) == "flat");
}

TEST_CASE("what does not fit into a slot goes through several, or by messages") {
  Job job(5);
  CHECK(job.bcast(job.slot()) == "flat");
  CHECK(job.bcast(job.slot() + 1) == "pipelined");
  CHECK(job.gather(job.slot()) == "flat");
  CHECK(job.gather(job.slot() + 1) == "linear");
  CHECK(job.scatter(job.slot() / 5) == "flat");
  CHECK(job.scatter(job.slot() / 5 + 1) == "linear");
  CHECK(job.allgather(job.slot()) == "flat");
  CHECK(job.allgather(job.slot() + 1) == "pipelined");
  CHECK(job.alltoall(job.slot() / 5) == "flat");
  CHECK(job.alltoall(job.slot() / 5 + 1) == "pipelined");
}

TEST_CASE("few ranks with cores of their own may copy long data once") {
  constexpr std::size_t kLong = 128 * kKiB;
  CHECK(Job(4).bcast(kLong) == "pipelined");
  CHECK(Job(4).bcast(kLong + 1) == "binomial");
  CHECK(Job(5).bcast(kLong + 1) == "pipelined");
  CHECK(Job(4, shm::kJobSharedCores).bcast(kLong + 1) == "pipelined");
  CHECK(Job(4).allgather(kLong) == "pipelined");
  CHECK(Job(4).allgather(kLong + 1) == "pipelined_if_near");
  CHECK(Job(5).allgather(kLong + 1) == "pipelined");
  CHECK(Job(4).alltoall(kLong + 1) == "pipelined_if_near");
  CHECK(Job(4, shm::kJobSharedCores).alltoall(kLong + 1) == "pipelined");
}

TEST_CASE("reductions in one round have little data in all") {
  const std::size_t each = 32 * kKiB / 16;  // of 16 ranks
  CHECK(Job(16).reduce(each) == "flat");
  CHECK(Job(16).reduce(each + 1) == "reduce_scatter_gather");
  CHECK(Job(16).allreduce(each) == "flat");
  CHECK(Job(16).allreduce(each + 1) == "reduce_scatter_allgather");
  CHECK(Job(16).scan(each) == "flat");
  CHECK(Job(16).scan(each + 1) == "linear");
}

TEST_CASE("reductions of more data are pipelined between few ranks, and divided among others") {
  constexpr std::size_t kMuch = 64 * kKiB;
  CHECK(Job(2).reduce(kMuch) == "pipelined");
  CHECK(Job(3).reduce(kMuch) == "pipelined");
  CHECK(Job(4).reduce(kMuch) == "reduce_scatter_gather");
  CHECK(Job(2, shm::kJobSharedCores).reduce(kMuch) == "reduce_scatter_gather");
  CHECK(Job(2).allreduce(kMuch) == "pipelined");
  CHECK(Job(3).allreduce(kMuch) == "reduce_scatter_allgather");
  CHECK(Job(2, shm::kJobSharedCores).allreduce(kMuch) == "reduce_scatter_allgather");
  CHECK(Job(3).reduce_scatter(kMuch) == "pipelined");
}

TEST_CASE("values with gaps between them are reduced by messages") {
  for (const int size : {2, 17}) {
    CHECK(Job(size).reduce_pairs() == "binomial");
    CHECK(Job(size).allreduce_pairs() == "binomial");
    CHECK(Job(size).scan_pairs() == "linear");
    CHECK(Job(size).reduce_scatter_pairs() == "binomial");
  }
}

TEST_CASE("the text says what the table says") {
  const std::string text = algorithm_table();
  const auto has = [&](const char* rows) { return text.find(rows) != std::string::npos; };
  CHECK(
      has("barrier\n"
          "  flat                      not for (up to 4 KiB, more than 16 ranks with cores of "
          "their own)\n"));
  CHECK(
      has("allreduce\n"
          "  flat                      the data fits into a buffer slot, contiguous values, up to "
          "32 KiB of all ranks together, not for (up to 4 KiB, more than 16 ranks with cores of "
          "their own)\n"
          "  hierarchical              the data fits into a buffer slot, contiguous values, up to "
          "4 KiB, more than 16 ranks with cores of their own\n"
          "  pipelined                 contiguous values, at most 2 ranks with cores of their "
          "own\n"
          "  reduce_scatter_allgather  contiguous values\n"
          "  binomial                  otherwise\n"));
  CHECK(
      has("alltoall\n"
          "  flat                      a block for each rank fits into a buffer slot, equal "
          "blocks\n"
          "  pipelined_if_near         equal blocks, more than 128 KiB, at most 4 ranks with "
          "cores of their own, the kernel may copy, like linear if the cores are far apart\n"));
}

}  // namespace
}  // namespace atl::coll
