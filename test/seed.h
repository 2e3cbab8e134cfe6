// The seed of a test that draws at random: the variable SEED, or another one each time.
#pragma once

#include <mpi.h>

#include <cstdlib>
#include <random>

namespace check {

// The same in all ranks.
inline unsigned shared_seed() {
  unsigned seed = std::random_device()();
  if (const char* given = std::getenv("SEED")) seed = unsigned(std::strtoul(given, nullptr, 10));
  MPI_Bcast(&seed, 1, MPI_UNSIGNED, 0, MPI_COMM_WORLD);
  return seed;
}

}  // namespace check
