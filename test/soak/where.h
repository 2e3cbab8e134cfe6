// Where each thread of this rank is, for the message of a check that fails and for the
// hang watch: mpiexec ends a job that takes too long by SIGTERM, and the ranks then say it.
#pragma once

#include <cstdint>

namespace soak {

inline constexpr int kMostThreads = 16;

// The run, as an argument that repeats it, is part of what the others say.
void set_seed(std::uint64_t seed);

// Of the calling thread, from 0; the thread that is called nothing is thread 0.
void set_thread(int thread);
int thread();

void set_round(long round);
// The operation of the plan, and its step; -1: its completion.
void set_operation(int number, const char* kind, int step);
// Nothing: between rounds.
void set_nowhere(const char* what);

// Lets SIGTERM print where the threads are, and end the process.
void tell_when_ended();

}  // namespace soak
