// How a datatype was made: the results of MPI_Type_get_envelope and MPI_Type_get_contents (MPI 5.0,
// 5.1.13).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "datatype/problem.h"
#include "datatype/reference.h"

namespace atl::datatype {

// The values are those of MPI_COMBINER_ in the standard ABI.
enum class Combiner : std::uint8_t {
  named = 101,
  dup,
  contiguous,
  vector,
  hvector,
  indexed,
  hindexed,
  indexed_block,
  hindexed_block,
  structure,
  subarray,
  darray,
  f90_real,
  f90_complex,
  f90_integer,
  resized,
  value_index,
};

// Whether a type was made by the large-count call, whose name ends in _c.
enum class Form : bool { plain, large };

struct Contents {
  Combiner combiner = Combiner::named;
  Form form = Form::plain;
  // All numbers in the order of MPI_Type_get_contents, integers before addresses.
  std::vector<Count> arguments = {};
  std::vector<Reference> types = {};

  std::vector<Count> integers() const;
  std::vector<Count> addresses() const;
  std::vector<Count> large_counts() const;
};

// The lengths of the four arrays of MPI_Type_get_contents.
struct Envelope {
  std::size_t integers = 0;
  std::size_t addresses = 0;
  std::size_t large_counts = 0;
  std::size_t datatypes = 0;
};

Envelope envelope(const Contents& contents);

}  // namespace atl::datatype
