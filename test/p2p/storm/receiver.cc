#include "test/p2p/storm/receiver.h"

namespace storm {
namespace {

int bytes_of(const MPI_Status& status) {
  int bytes = -1;
  MPI_Get_count(&status, MPI_PACKED, &bytes);
  return bytes;
}

}  // namespace

Receiver::Receiver(const Plan& plan, const std::vector<MPI_Comm>& comms) : comms_(comms) {
  for (const Message& message : plan) {
    if (message.dest != check::rank) continue;
    ++left_;
    streams_[{message.source, message.comm, message.tag}].push_back(message);
    if (message.mode == Mode::ready) post({message.source, message.comm, message.tag});
  }
}

// A message that is still expected, described more or less exactly.
Receiver::Pattern Receiver::draw_pattern(check::Random& random) const {
  auto stream = streams_.begin();
  std::advance(stream, random.below(streams_.size()));
  const Message& message = stream->second.front();
  Pattern pattern{message.source, message.comm, message.tag};
  if (random.one_in(2)) pattern.source = -1;
  if (random.one_in(2)) pattern.tag = -1;
  return pattern;
}

std::size_t Receiver::largest(const Pattern& pattern) const {
  std::size_t most = 0;
  for (const auto& [stream, messages] : streams_) {
    for (const Message& message : messages) {
      if (pattern.matches(message)) most = std::max(most, message.bytes);
    }
  }
  return most;
}

int Receiver::matching(const Pattern& pattern) const {
  int count = 0;
  for (const auto& [stream, messages] : streams_) {
    if (pattern.matches(messages.front())) count += int(messages.size());
  }
  return count;
}

void Receiver::post(const Pattern& pattern) {
  Posted& posted = batch_.emplace_back();
  posted.comm = pattern.comm;
  posted.data.resize(largest(pattern));
  MPI_Irecv(posted.data.data(), int(posted.data.size()), MPI_PACKED, pattern.source_argument(),
            pattern.tag_argument(), comms_[pattern.comm], &posted.request);
}

// All of one pattern, so that no receive can match a message that another receive needs.
void Receiver::post_batch(check::Random& random) {
  const Pattern pattern = draw_pattern(random);
  const int count = 1 + int(random.below(std::min(4, matching(pattern))));
  for (int i = 0; i < count; ++i) post(pattern);
  if (random.one_in(4)) post_and_cancel(pattern);
}

// One more receive, cancelled at once. If a message matched it first, it stays in the batch.
void Receiver::post_and_cancel(const Pattern& pattern) {
  post(pattern);
  Posted& posted = batch_.back();
  MPI_Cancel(&posted.request);
  MPI_Wait(&posted.request, &posted.status);
  int cancelled = 0;
  MPI_Test_cancelled(&posted.status, &cancelled);
  if (cancelled) batch_.pop_back();
}

void Receiver::complete_batch(check::Random& random, bool wait) {
  // In either order: from the front of the batch or from its end.
  const bool backwards = random.one_in(2);
  for (std::size_t i = 0; i < batch_.size(); ++i) {
    Posted& posted = batch_[backwards ? batch_.size() - 1 - i : i];
    if (posted.request == MPI_REQUEST_NULL) continue;
    int done = 1;
    if (wait) {
      MPI_Wait(&posted.request, &posted.status);
    } else {
      MPI_Test(&posted.request, &done, &posted.status);
    }
    if (!done) return;
  }
  for (const Posted& posted : batch_) accept(posted.comm, posted.data, posted.status);
  batch_.clear();
}

void Receiver::probe(const Pattern& pattern, bool wait) {
  MPI_Status status;
  int found = 1;
  if (wait) {
    MPI_Probe(pattern.source_argument(), pattern.tag_argument(), comms_[pattern.comm], &status);
  } else {
    MPI_Iprobe(pattern.source_argument(), pattern.tag_argument(), comms_[pattern.comm], &found,
               &status);
  }
  if (!found) return;
  std::vector<char> data(bytes_of(status));
  MPI_Recv(data.data(), int(data.size()), MPI_PACKED, status.MPI_SOURCE, status.MPI_TAG,
           comms_[pattern.comm], &status);
  accept(pattern.comm, data, status);
}

void Receiver::matched_probe(const Pattern& pattern, bool wait) {
  MPI_Status status;
  MPI_Message message = MPI_MESSAGE_NULL;
  int found = 1;
  if (wait) {
    MPI_Mprobe(pattern.source_argument(), pattern.tag_argument(), comms_[pattern.comm], &message,
               &status);
  } else {
    MPI_Improbe(pattern.source_argument(), pattern.tag_argument(), comms_[pattern.comm], &found,
                &message, &status);
  }
  if (!found) return;
  std::vector<char> data(bytes_of(status));
  MPI_Mrecv(data.data(), int(data.size()), MPI_PACKED, &message, &status);
  accept(pattern.comm, data, status);
}

void Receiver::cancel_unmatched(check::Random& random) {
  int value = 0, cancelled = 0;
  MPI_Request request;
  MPI_Irecv(&value, 1, MPI_INT, MPI_ANY_SOURCE, kNeverTag, comms_[random.below(kCommunicators)],
            &request);
  MPI_Cancel(&request);
  MPI_Status status;
  MPI_Wait(&request, &status);
  MPI_Test_cancelled(&status, &cancelled);
  CHECK_EQ(cancelled, 1);
}

void Receiver::accept(int comm, const std::vector<char>& data, const MPI_Status& status) {
  const auto stream = streams_.find({status.MPI_SOURCE, comm, status.MPI_TAG});
  CHECK(stream != streams_.end());
  const Message message = stream->second.front();
  stream->second.pop_front();
  if (stream->second.empty()) streams_.erase(stream);
  --left_;
  check::set_case("from %d, communicator %d, tag %d, %zu bytes, mode %d", message.source, comm,
                  message.tag, message.bytes, int(message.mode));
  CHECK_EQ(std::size_t(bytes_of(status)), message.bytes);
  CHECK_PATTERN(data.data(), message.bytes, message.seed);
  checksum_ += check::checksum(data.data(), message.bytes);
}

void Receiver::step(check::Random& random, bool may_block) {
  const bool wait = may_block && random.one_in(4);
  if (random.one_in(8)) cancel_unmatched(random);
  if (!batch_.empty()) return complete_batch(random, wait);
  if (streams_.empty()) return;
  switch (random.below(3)) {
    case 0: return post_batch(random);
    case 1: return probe(draw_pattern(random), wait);
    default: return matched_probe(draw_pattern(random), wait);
  }
}

}  // namespace storm
