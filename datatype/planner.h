// Checks the arguments of a constructor and computes size, bounds and signature of the new type, in
// time linear in the arguments. Reports the first problem.
#pragma once

#include <initializer_list>
#include <span>
#include <vector>

#include "datatype/constructors.h"

namespace atl::datatype {

// Maximal nesting of types, and so the recursion depth of functions that walk them.
inline constexpr std::uint32_t kMaximalDepth = 1000;

class Planner {
 public:
  Planner(Combiner combiner, Form form) : plan_{.contents{combiner, form}, .structure{Marker{}}} {}

  void not_negative(const char* argument, Count value, Count index = -1);
  void refuse(Problem::Reason reason, const char* argument, Count value, Count index = -1);
  const Problem& problem() const { return problem_; }

  // Sets the numbers that MPI_Type_get_contents returns, in its order.
  void arguments(std::vector<Count> numbers) { plan_.contents.arguments = std::move(numbers); }
  // Sets the types that it returns, if they are not the children of the new type.
  void types(std::vector<Reference> types);

  // Sets explicit bounds for the new type.
  void resize(Count lb, Count extent);

  // Make the new type, or return the first problem. When size or bounds overflow, the problem names
  // `argument` with its `value`.
  Made strided(Strided structure, const Datatype& oldtype, const char* argument, Count value);
  // Displacements in units of `unit` bytes.
  Made listed(Counts blocklengths, Counts displacements, Count unit, const Datatype& oldtype);
  Made listed(Count blocklength, Counts displacements, Count unit, const Datatype& oldtype);
  Made fields(Counts blocklengths, Counts displacements, std::span<const Datatype* const> types);

 private:
  struct Resized {
    Count lb;
    Count extent;
  };

  // Adds size, values and signature of `times` elements of `type`.
  void append(const Datatype& type, Wide times, const char* argument, Count value,
              Count index = -1);
  // Refuses the length of block `index`, or the common length of all blocks.
  void refuse_length(Problem::Reason reason, const Listed& blocks, Count index);
  void cover_blocks(const Listed& blocks, const Datatype& oldtype);
  void cover_fields(Fields& fields, std::span<const Datatype* const> types);
  Made finish(const char* argument, Count value);
  Made finish_listed(Listed blocks, const Datatype& oldtype);

  Datatype::Plan plan_;
  std::optional<Resized> resized_;
  bool types_told_ = false;
  Problem problem_;
};

}  // namespace atl::datatype
