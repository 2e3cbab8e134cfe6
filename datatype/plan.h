// Checks the arguments of a constructor and finds size, bounds and signature of
// the new type, in time linear in the arguments. The first problem stays.
#pragma once

#include <initializer_list>
#include <span>
#include <vector>

#include "datatype/constructors.h"

namespace atl::datatype {

// Types within types; functions that walk them call themselves so often.
inline constexpr std::uint32_t kMaximalDepth = 1000;

class Planner {
 public:
  Planner(Combiner combiner, Form form) : plan_{.contents{combiner, form}, .structure{Marker{}}} {}

  void not_negative(const char* argument, Count value, Count index = -1);
  void refuse(Problem::Reason reason, const char* argument, Count value, Count index = -1);
  const Problem& problem() const { return problem_; }

  // What MPI_Type_get_contents tells of the numbers, in its order.
  void arguments(std::vector<Count> numbers) { plan_.contents.arguments = std::move(numbers); }
  // And of the types, if it is not what the new type consists of.
  void types(std::vector<Reference> types);

  // New bounds, in the end.
  void resize(Count lb, Count extent);

  // The new type, or the first problem. When its size or bounds do not fit,
  // `argument` with its `value` is to blame.
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

  // `times` more elements of `type` follow.
  void append(const Datatype& type, Wide times, const char* argument, Count value,
              Count index = -1);
  // To blame: the length of block `index`, or the one of all blocks.
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
