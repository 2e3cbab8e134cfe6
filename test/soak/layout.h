// Datatypes of many kinds with what a test knows of them without asking MPI: which bytes of
// memory they describe, in the order of the type map.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <vector>

#include "test/pattern.h"

namespace soak {

struct Run {  // of memory
  MPI_Aint offset;
  std::size_t bytes;
};

// What the layouts are made of. Sender and receiver must have the same.
struct Base {
  MPI_Datatype type = MPI_BYTE;
  std::vector<Run> runs;
  MPI_Aint extent = 1;
  std::size_t bytes = 1;  // of data
  int basics = 1;         // basic elements, as MPI_Get_elements counts them
};

enum class BaseKind { bytes, ints, doubles, mixed, count };

// Those of this process; made on the first call, freed by free_bases().
const Base& base(BaseKind kind);
void make_bases();
void free_bases();

// A datatype of so many bases. Frees its handle when it goes.
class Layout {
 public:
  // Any kind that has `bases` of them.
  Layout(const Base& base, std::size_t bases, check::Random& random);
  Layout(Layout&& other) noexcept;
  Layout& operator=(Layout&&) = delete;
  ~Layout();

  MPI_Datatype type() const { return type_; }
  std::size_t bases() const { return bases_; }
  std::size_t bytes() const { return bytes_; }
  std::size_t memory(std::size_t count) const;  // bytes that `count` elements span

  // The first `bytes` of the data of a buffer, to it or from it.
  void scatter(const unsigned char* packed, std::size_t bytes, unsigned char* buffer) const;
  void gather(const unsigned char* buffer, std::size_t bytes, unsigned char* packed) const;

 private:
  struct Block {
    MPI_Aint at;  // bytes
    int bases;
  };
  void contiguous(const Base& base);
  void vector(const Base& base, check::Random& random);
  void indexed(const Base& base, check::Random& random);
  void structure(const Base& base, check::Random& random);
  void subarray(const Base& base, check::Random& random);
  void resize(check::Random& random);
  std::vector<Block> draw_blocks(const Base& base, check::Random& random) const;
  void add_runs(const Base& base, MPI_Aint at, std::size_t bases);
  template <class Copy>
  void each_run(std::size_t bytes, Copy copy) const;

  MPI_Datatype type_ = MPI_DATATYPE_NULL;
  std::size_t bases_;
  std::size_t bytes_;
  MPI_Aint extent_ = 0;
  std::vector<Run> runs_;
};

}  // namespace soak
