// Datatypes written as expressions: a constructor with its arguments in the order
// of the standard, "struct([1, 2], [0, 8], [int, vector(3, 1, 2, double)])".
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "datatype/datatype.h"

namespace atl::datatype {

// What is wrong, and its position in the text.
class BadExpression : public std::runtime_error {
 public:
  BadExpression(const std::string& what, std::size_t place)
      : std::runtime_error(what), place_(place) {}

  std::size_t place() const { return place_; }

 private:
  std::size_t place_;
};

// The type, not committed. Throws BadExpression.
Reference read_type(std::string_view text);

}  // namespace atl::datatype
