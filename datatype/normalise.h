// The shortest form of a sequence of contiguous blocks: adjacent blocks are merged and repetitions
// become loops, whichever constructors made the type.
#pragma once

#include <optional>

#include "datatype/shape.h"

namespace atl::datatype {

class Normaliser {
 public:
  explicit Normaliser(Shapes& shapes) : shapes_(shapes) {}

  // Appends an item; a contiguous block that continues the last one is merged with it.
  void append(Sequence& sequence, Item item);
  // Appends `block`, as one item if it has more than a few items and the result would be long.
  void append(Sequence& sequence, const Sequence& block, Count shift);

  // The sequence `count` times, `stride` bytes apart.
  Sequence repeated(const Sequence& sequence, Count count, Count stride);

  // Finds loops: the whole sequence as a loop, otherwise parts of it from left to right.
  Sequence folded(Sequence sequence);

  // For sequences of at most kWrittenOut contiguous blocks, the form that depends on these blocks
  // alone; longer sequences are returned unchanged.
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
