#include "runtime/coll/framework/call_comparison.h"

#include <cstdio>
#include <cstring>

namespace atl::coll {
namespace {

Error mismatch_error(const Communicator& comm, int error_class, std::string_view text) {
  return make_error(error_class, "the ranks of %s call what does not match: %.*s",
                    comm.label().c_str(), static_cast<int>(text.size()), text.data());
}

}  // namespace

void MismatchReport::publish(shm::CollectiveBuffer& buffer, Round round, int error_class,
                             const std::string& text) {
  shm::CollectiveBuffer::Mismatch& shared = buffer.mismatch();
  // Relaxed: only decides which member fills the record; `round` publishes it.
  if (shared.claims.fetch_add_relaxed(1) == 0) {
    shared.error_class = error_class;
    std::snprintf(shared.text, sizeof shared.text, "%s", text.c_str());
    shared.round.store_release(round + 1);  // pairs with find(), which then reads the record
  }
  if (round >= round_) return;
  round_ = round;
  error_class_ = error_class;
  text_ = text;
}

Error MismatchReport::find(const shm::CollectiveBuffer& buffer, const Communicator& comm,
                           Round round) const {
  const shm::CollectiveBuffer::Mismatch& shared = buffer.mismatch();
  // Pairs with publish(): the rest of the record is written.
  const std::uint64_t first = shared.round.load_acquire();
  if (__builtin_expect(first != 0, 0) && first <= round + 1) {
    const int error_class = shared.error_class;
    ATL_CHECK(error_class > MPI_SUCCESS && error_class <= MPI_ERR_LASTCODE,
              "a reported mismatch of collectives has no error class");
    return mismatch_error(comm, error_class,
                          {shared.text, strnlen(shared.text, sizeof shared.text)});
  }
  if (__builtin_expect(round_ > round, 1)) return {};
  return mismatch_error(comm, error_class_, text_);
}

}  // namespace atl::coll
