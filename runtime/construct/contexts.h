// Context ids for new communicators, from the job's registry.
#pragma once

#include <cstdint>
#include <utility>

#include "runtime/core/error.h"
#include "shm/context_registry.h"

namespace atl::construct {

using shm::kNoContext;  // all are in use

// Takes an id for `members` ranks, or returns kNoContext. The caller tells the other ranks.
shm::ContextId take_context(int members);
// Releases the id on behalf of this process.
void release_context(shm::ContextId context);
Error no_context_left();

// An id that a process contributes to an exchange, in case that the others use its id. An unused
// id is stored for the next exchange.
class ContextReservation {
 public:
  ContextReservation();
  ~ContextReservation();
  ContextReservation(const ContextReservation&) = delete;
  ContextReservation& operator=(const ContextReservation&) = delete;

  shm::ContextId context() const { return context_; }

  // The id is used: it belongs to `members` ranks.
  void assign_to(int members);

 private:
  shm::ContextId context_;
};

// Called when MPI ends in this process: releases the unused ids.
void return_reservations();

}  // namespace atl::construct
