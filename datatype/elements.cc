// Basic values and their signature in a part of the stream: recursion over nested types, with a
// division where all blocks have the same length.
#include <algorithm>

#include "datatype/datatype.h"

namespace atl::datatype {
namespace {

// Index of the field that contains byte or value `position`, from the number before each field.
std::size_t field_of(const std::vector<std::size_t>& before, std::size_t position) {
  return static_cast<std::size_t>(std::ranges::upper_bound(before, position) - before.begin()) - 1;
}

std::size_t values_within(const Datatype& type, std::size_t bytes);
std::size_t bytes_within(const Datatype& type, std::size_t values);

std::size_t values_of(const Datatype& type, std::size_t bytes) {
  if (type.size() == 0) return 0;
  return bytes / type.size() * type.basic_values() + values_within(type, bytes % type.size());
}

std::size_t bytes_of(const Datatype& type, std::size_t values) {
  if (type.basic_values() == 0) return 0;
  return values / type.basic_values() * type.size() +
         bytes_within(type, values % type.basic_values());
}

// For positions within one element.
std::size_t values_within(const Datatype& type, std::size_t bytes) {
  if (bytes == 0 || type.children().empty()) return 0;
  const auto* fields = std::get_if<Fields>(&type.structure());
  if (fields == nullptr) return values_of(*type.children()[0], bytes);
  const std::size_t i = field_of(fields->bytes_before, bytes);
  return fields->values_before[i] + values_of(*type.children()[i], bytes - fields->bytes_before[i]);
}

std::size_t bytes_within(const Datatype& type, std::size_t values) {
  if (values == 0 || type.children().empty()) return 0;
  const auto* fields = std::get_if<Fields>(&type.structure());
  if (fields == nullptr) return bytes_of(*type.children()[0], values);
  const std::size_t i = field_of(fields->values_before, values);
  return fields->bytes_before[i] + bytes_of(*type.children()[i], values - fields->values_before[i]);
}

SignatureHash signature_within(const Datatype& type, std::size_t bytes);

SignatureHash signature_of(const Datatype& type, std::size_t bytes) {
  if (type.size() == 0) return {};
  return type.signature_hash()
      .repeated(bytes / type.size())
      .then(signature_within(type, bytes % type.size()));
}

SignatureHash signature_of_fields(const Datatype& type, const Fields& fields, std::size_t bytes) {
  SignatureHash sum;
  const std::size_t last = field_of(fields.bytes_before, bytes);
  for (std::size_t i = 0; i <= last; ++i) {
    const std::size_t end = i == last ? bytes : fields.bytes_before[i + 1];
    sum = sum.then(signature_of(*type.children()[i], end - fields.bytes_before[i]));
  }
  return sum;
}

SignatureHash signature_within(const Datatype& type, std::size_t bytes) {
  if (bytes == 0) return {};
  if (const auto* basic = std::get_if<Basic>(&type.structure())) {
    return {basic_signature(basic->kind, basic->width), bytes / basic->width};
  }
  if (const auto* fields = std::get_if<Fields>(&type.structure())) {
    return signature_of_fields(type, *fields, bytes);
  }
  return signature_of(*type.children()[0], bytes);
}

}  // namespace

std::size_t Datatype::basic_values_in(std::size_t bytes) const { return values_of(*this, bytes); }

std::size_t Datatype::bytes_of_basic_values(std::size_t values) const {
  return bytes_of(*this, values);
}

Signature Datatype::mixed_signature(std::size_t bytes) const {
  return signature_of(*this, bytes).signature();
}

}  // namespace atl::datatype
