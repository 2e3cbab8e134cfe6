// Receives the plan's messages for this rank in randomly chosen ways and compares them: of each
// stream (source, communicator, tag) the next message.
#pragma once

#include <deque>
#include <map>
#include <tuple>
#include <vector>

#include "test/p2p/storm/plan.h"

namespace storm {

class Receiver {
 public:
  // Posts the receives of the ready messages.
  Receiver(const Plan& plan, const std::vector<MPI_Comm>& comms);

  bool done() const { return left_ == 0; }
  std::uint64_t checksum() const { return checksum_; }

  // Does one step. `may_block`: all of this rank's messages are sent, so no other rank waits for
  // it.
  void step(check::Random& random, bool may_block);

 private:
  // Messages that a receive may ask for; a field of -1 stands for the wildcard.
  struct Pattern {
    int source;
    int comm;
    int tag;
    bool matches(const Message& message) const {
      return comm == message.comm && (source == -1 || source == message.source) &&
             (tag == -1 || tag == message.tag);
    }
    int source_argument() const { return source == -1 ? MPI_ANY_SOURCE : source; }
    int tag_argument() const { return tag == -1 ? MPI_ANY_TAG : tag; }
  };

  struct Posted {
    int comm;
    std::vector<char> data;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Status status;
  };

  using Stream = std::tuple<int, int, int>;  // source, communicator, tag

  Pattern draw_pattern(check::Random& random) const;
  std::size_t largest(const Pattern& pattern) const;  // bytes
  int matching(const Pattern& pattern) const;
  void post(const Pattern& pattern);
  void post_batch(check::Random& random);
  void post_and_cancel(const Pattern& pattern);
  void complete_batch(check::Random& random, bool wait);
  void probe(const Pattern& pattern, bool wait);
  void matched_probe(const Pattern& pattern, bool wait);
  void cancel_unmatched(check::Random& random);
  void accept(int comm, const std::vector<char>& data, const MPI_Status& status);

  const std::vector<MPI_Comm>& comms_;
  std::map<Stream, std::deque<Message>> streams_;
  // In the order posted: the first receives of a batch get the first messages.
  std::deque<Posted> batch_;
  int left_ = 0;  // messages not yet accepted
  std::uint64_t checksum_ = 0;
};

}  // namespace storm
