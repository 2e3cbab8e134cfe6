// Sequences of runs in their shortest form: adjacent runs are one, and what
// repeats is a loop, whichever constructors made it.
#pragma once

#include <optional>

#include "datatype/shape.h"

namespace atl::datatype {

class Normaliser {
 public:
  explicit Normaliser(Shapes& shapes) : shapes_(shapes) {}

  // Appends an item; where a run continues the last one, both become one.
  void append(Sequence& sequence, Item item);
  // Appends a sequence, as one item if both are long.
  void append(Sequence& sequence, const Sequence& block, Count shift);

  // The sequence `count` times, `stride` bytes apart.
  Sequence repeated(const Sequence& sequence, Count count, Count stride);

  // Finds loops: the whole as a loop, or else parts of it from left to right.
  Sequence folded(Sequence sequence);

  // The form that depends on the runs alone, for sequences that are not too
  // long to be written out as such; the folded form of others.
  Sequence canonical(Sequence sequence);

 private:
  Item loop(Count count, Count stride, Sequence body);
  Sequence repeated_joined(const Sequence& sequence, Count count, Count stride);
  void push_turns(Sequence& to, const Loop& loop, Count offset, Count first, Count number);
  void peel_last(Sequence& sequence);
  void peel_first(Sequence& sequence);
  bool is_grid(const Sequence& sequence) const;
  void expand(const Item& item, Sequence& runs) const;
  bool fold_parts(Sequence& sequence);
  std::optional<Item> joined_turns(const Item& first, const Item& second);
  void put_joining(Sequence& sequence, std::size_t& done, Item item);

  Shapes& shapes_;
};

}  // namespace atl::datatype
