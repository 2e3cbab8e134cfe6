#include "datatype/constructors.h"

#include <utility>

#include "datatype/planner.h"

namespace atl::datatype {

Made make_contiguous(Count count, const Datatype& oldtype, Form form) {
  Planner planner(Combiner::contiguous, form);
  planner.not_negative("count", count);
  planner.arguments({count});
  return planner.strided({1, count, 0}, oldtype, "count", count);
}

Made make_vector(Count count, Count blocklength, Count stride, const Datatype& oldtype, Form form) {
  Planner planner(Combiner::vector, form);
  planner.not_negative("count", count);
  planner.not_negative("blocklength", blocklength);
  planner.arguments({count, blocklength, stride});
  Count bytes = 0;
  if (count > 1 && __builtin_mul_overflow(stride, oldtype.extent(), &bytes)) {
    planner.refuse(Problem::Reason::overflow, "stride", stride);
  }
  return planner.strided({count, blocklength, bytes}, oldtype, "stride", stride);
}

Made make_hvector(Count count, Count blocklength, Count stride, const Datatype& oldtype,
                  Form form) {
  Planner planner(Combiner::hvector, form);
  planner.not_negative("count", count);
  planner.not_negative("blocklength", blocklength);
  planner.arguments({count, blocklength, stride});
  return planner.strided({count, blocklength, stride}, oldtype, "stride", stride);
}

Made make_indexed(Counts blocklengths, Counts displacements, const Datatype& oldtype, Form form) {
  Planner planner(Combiner::indexed, form);
  return planner.listed(blocklengths, displacements, oldtype.extent(), oldtype);
}

Made make_hindexed(Counts blocklengths, Counts displacements, const Datatype& oldtype, Form form) {
  Planner planner(Combiner::hindexed, form);
  return planner.listed(blocklengths, displacements, 1, oldtype);
}

Made make_indexed_block(Count blocklength, Counts displacements, const Datatype& oldtype,
                        Form form) {
  Planner planner(Combiner::indexed_block, form);
  return planner.listed(blocklength, displacements, oldtype.extent(), oldtype);
}

Made make_hindexed_block(Count blocklength, Counts displacements, const Datatype& oldtype,
                         Form form) {
  Planner planner(Combiner::hindexed_block, form);
  return planner.listed(blocklength, displacements, 1, oldtype);
}

Made make_struct(Counts blocklengths, Counts displacements, std::span<const Datatype* const> types,
                 Form form) {
  Planner planner(Combiner::structure, form);
  return planner.fields(blocklengths, displacements, types);
}

Made make_dup(const Datatype& oldtype) {
  Planner planner(Combiner::dup, Form::plain);
  Made made = planner.strided({1, 1, 0}, oldtype, "", 0);
  if (made && oldtype.committed()) made.type->share_program(oldtype);
  return made;
}

Made make_resized(const Datatype& oldtype, Count lb, Count extent, Form form) {
  Planner planner(Combiner::resized, form);
  planner.arguments({lb, extent});
  planner.resize(lb, extent);
  return planner.strided({1, 1, 0}, oldtype, "extent", extent);
}

Made make_value_index(const Datatype& value, const Datatype& index, Combiner combiner) {
  const Count alignment = index.bounds().alignment();
  const Count at = (value.true_extent() + alignment - 1) / alignment * alignment;
  const Count lengths[] = {1, 1};
  const Count displacements[] = {0, at};
  const Datatype* const types[] = {&value, &index};
  Planner planner(combiner, Form::plain);
  if (combiner == Combiner::named) planner.types({});
  Made made = planner.fields(lengths, displacements, types);
  if (made) made.type->commit();
  return made;
}

Made make_f90(Combiner combiner, Counts arguments, const Datatype& basic) {
  Planner planner(combiner, Form::plain);
  planner.arguments({arguments.begin(), arguments.end()});
  planner.types({});
  Made made = planner.strided({1, 1, 0}, basic, "", 0);
  if (made) made.type->commit();
  return made;
}

}  // namespace atl::datatype
