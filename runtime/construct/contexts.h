// Context ids for new communicators, out of the job's registry.
#pragma once

#include <cstdint>
#include <utility>

#include "runtime/core/fault.h"
#include "shm/context_registry.h"

namespace atl::construct {

using shm::kNoContext;  // all are in use

// For `members` ranks, or kNoContext. Whoever takes it tells the others.
shm::ContextId take_context(int members);
// Lets go on behalf of this process.
void release_context(shm::ContextId context);
Fault no_context_left();

// An id that a process offers in an exchange, in case that it turns out to be
// the one to give it. What was not needed is kept for the next time.
class Offer {
 public:
  Offer();
  ~Offer();
  Offer(const Offer&) = delete;
  Offer& operator=(const Offer&) = delete;

  shm::ContextId context() const { return context_; }

  // It was the one: the id belongs to so many.
  void give_to(int members);

 private:
  shm::ContextId context_;
};

// At MPI_Finalize: ids that were kept.
void return_offers();

}  // namespace atl::construct
