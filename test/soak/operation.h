// One kind of thing that programs do, drawn at random. A kind is added by a class derived from
// Operation in a file of its own, and a line in kinds.cc.
//
// An operation has steps. All ranks draw it alike, with a plan's random numbers, and go
// through the steps of all operations of a plan in one order. What a rank does in a step may
// wait for what others do in the same step and in those before it, and for nothing else. So
// every rank reaches the end: the first step in the order that somebody has not done can be
// done. Choices that change nothing for others are drawn with the rank's own numbers.
#pragma once

#include <mpi.h>

#include <deque>
#include <memory>
#include <vector>

#include "test/pattern.h"
#include "test/soak/community.h"

namespace soak {

// What an operation leaves to be completed, alone or together with that of others.
struct Pending {
  MPI_Request* request;
  MPI_Status* status;
};

class Operation {
 public:
  virtual ~Operation() = default;

  virtual int steps() const = 0;
  virtual void step(int number, check::Random& own) = 0;

  // What this rank has begun in the steps and not completed.
  virtual void collect(std::vector<Pending>&) {}
  // When it is complete.
  virtual void finish() {}
  // Which communicators must live until the last step.
  virtual std::vector<int> uses() const = 0;
  // And which live from its completion on.
  virtual std::vector<int> makes() const { return {}; }
};

// What an operation is drawn from. Communicators are named by their index.
struct Draw {
  check::Random& random;  // the plan's
  std::deque<Community>& communities;
  int self;    // this process
  int number;  // of the operation
  long round;
  std::size_t& bytes_left;     // that messages may take in this round, over all ranks
  std::size_t& buffered_left;  // the same of each process that are buffered

  // Tags that no other operation has which is under way at the same time.
  int tag(int which) const { return (int(round % 16) * 256 + number % 256) * 4 + which; }

  // A communicator that lives; one where messages may be sent. -1: there is none.
  int any() const;
  int for_messages() const;
  Community& at(int index) { return communities[std::size_t(index)]; }
};

inline constexpr int kMostOperations = 256;  // of a round: their tags are told apart
inline constexpr int kTags = 4;              // of an operation

// One that needs a communicator and nothing else.
template <class Kind>
std::unique_ptr<Operation> draw_on_any(Draw& draw) {
  const int community = draw.any();
  return community < 0 ? nullptr : std::make_unique<Kind>(draw, community);
}

using DrawOperation = std::unique_ptr<Operation> (*)(Draw&);  // null: there is no place for it

struct Kind {
  const char* name;
  DrawOperation draw;
  int weight;  // how often it is drawn
};
const std::vector<Kind>& kinds();

// One function for each, in the file of its name.
std::unique_ptr<Operation> draw_stream(Draw& draw);
std::unique_ptr<Operation> draw_repeated(Draw& draw);
std::unique_ptr<Operation> draw_exchange(Draw& draw);
std::unique_ptr<Operation> draw_cancel(Draw& draw);
std::unique_ptr<Operation> draw_collective(Draw& draw);
std::unique_ptr<Operation> draw_typed_collective(Draw& draw);
std::unique_ptr<Operation> draw_communicators(Draw& draw);
std::unique_ptr<Operation> draw_attributes(Draw& draw);
std::unique_ptr<Operation> draw_groups(Draw& draw);

}  // namespace soak
