// What one-sided operations do to the memory of another process, without any overhead of MPI.
//
// All are times of one access in microseconds, on one core, the best batch. The memory is
// mapped by a process on the other core as well, which has touched it and then leaves it alone.
#pragma once

#include <cstddef>

namespace atl::bench {

// A store of 8 bytes to one place, and a full fence.
double store_us();

// A load of 8 bytes.
double load_us();

// A fetch_add of 8 bytes to one place.
double atomic_us();

// The same to a cache line that the other core has just written.
double held_atomic_us();

// A memcpy from memory of this process into shared memory, or out of it.
double copy_in_us(std::size_t bytes);
double copy_back_us(std::size_t bytes);

// A copy by the kernel into memory of the other process, or out of it.
double system_write_us(std::size_t bytes);
double system_read_us(std::size_t bytes);

// a[i] += b[i], where `a` is in shared memory.
double add_us(std::size_t doubles);

// Copies the first column of a matrix of so many rows and columns of doubles into the first column
// of one in shared memory.
double column_us(std::size_t rows);

}  // namespace atl::bench
