#include "datatype/contents.h"

namespace atl::datatype {
namespace {

// MPI_Type_get_contents returns no datatypes for these, because they are predefined.
bool hides_arguments(const Contents& contents) {
  return contents.combiner == Combiner::named || contents.combiner == Combiner::value_index;
}

std::size_t number_of_addresses(const Contents& contents) {
  const std::vector<Count>& arguments = contents.arguments;
  switch (contents.combiner) {
    case Combiner::hvector: return 1;
    case Combiner::hindexed:
    case Combiner::hindexed_block:
    case Combiner::structure: return static_cast<std::size_t>(arguments[0]);
    case Combiner::resized: return 2;
    default: return 0;
  }
}

bool is_large(const Contents& contents) { return contents.form == Form::large; }

// In the large forms of subarray and darray only the lengths are large counts: the first `first`
// arguments and all after `first` + `number` are integers.
struct Lengths {
  std::size_t first = 0;
  std::size_t number = 0;
};

Lengths lengths_of(const Contents& contents) {
  const std::vector<Count>& arguments = contents.arguments;
  switch (contents.combiner) {
    case Combiner::subarray: return {1, static_cast<std::size_t>(3 * arguments[0])};
    case Combiner::darray: return {3, static_cast<std::size_t>(arguments[2])};
    default: return {0, arguments.size()};
  }
}

}  // namespace

std::vector<Count> Contents::integers() const {
  if (hides_arguments(*this)) return {};
  if (!is_large(*this)) return {arguments.begin(), arguments.end() - number_of_addresses(*this)};
  const Lengths lengths = lengths_of(*this);
  std::vector<Count> rest(arguments.begin(), arguments.begin() + lengths.first);
  rest.insert(rest.end(), arguments.begin() + lengths.first + lengths.number, arguments.end());
  return rest;
}

std::vector<Count> Contents::addresses() const {
  if (is_large(*this)) return {};
  return {arguments.end() - number_of_addresses(*this), arguments.end()};
}

std::vector<Count> Contents::large_counts() const {
  if (!is_large(*this)) return {};
  const Lengths lengths = lengths_of(*this);
  return {arguments.begin() + lengths.first, arguments.begin() + lengths.first + lengths.number};
}

Envelope envelope(const Contents& contents) {
  Envelope sizes{.datatypes = contents.types.size()};
  if (hides_arguments(contents)) return sizes;
  if (is_large(contents)) {
    sizes.large_counts = lengths_of(contents).number;
    sizes.integers = contents.arguments.size() - sizes.large_counts;
  } else {
    sizes.addresses = number_of_addresses(contents);
    sizes.integers = contents.arguments.size() - sizes.addresses;
  }
  return sizes;
}

}  // namespace atl::datatype
