// Visits the type map of some elements entry by entry, for code that needs the values themselves
// and not only their bytes.
#pragma once

#include "datatype/datatype.h"

namespace atl::datatype {

template <class Visit>
bool walk_element(const Datatype& type, Count at, Visit& visit);

// Visits `number` elements of `type`, the first at `at`. Calls
// visit(basic type, displacement, number of consecutive values) until it returns false.
template <class Visit>
bool walk(const Datatype& type, Count at, Count number, Visit& visit) {
  if (number == 0) return true;
  if (std::holds_alternative<Basic>(type.structure())) return visit(type, at, number);
  if (type.size() == 0) return true;
  for (Count i = 0; i < number; ++i) {
    if (!walk_element(type, at + i * type.extent(), visit)) return false;
  }
  return true;
}

template <class Visit>
bool walk_element(const Datatype& type, Count at, Visit& visit) {
  const auto& children = type.children();
  if (const auto* strided = std::get_if<Strided>(&type.structure())) {
    for (Count i = 0; i < strided->count; ++i) {
      if (!walk(*children[0], at + i * strided->stride, strided->blocklength, visit)) return false;
    }
  } else if (const auto* listed = std::get_if<Listed>(&type.structure())) {
    for (std::size_t i = 0; i < listed->displacements.size(); ++i) {
      if (listed->length(i) == 0) continue;
      if (!walk(*children[0], at + listed->displacement(i), listed->length(i), visit)) return false;
    }
  } else if (const auto* fields = std::get_if<Fields>(&type.structure())) {
    for (std::size_t i = 0; i < fields->displacements.size(); ++i) {
      if (fields->blocklengths[i] == 0) continue;
      const Count field = at + fields->displacements[i];
      if (!walk(*children[i], field, fields->blocklengths[i], visit)) return false;
    }
  }
  return true;
}

}  // namespace atl::datatype
