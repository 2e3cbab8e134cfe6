#include "datatype/testing/random_type.h"

#include <limits>
#include <random>

#include "datatype/predefined.h"

namespace atl::datatype::testing {
namespace {

constexpr std::uintptr_t kBasics[] = {579, 520, 521, 532, 544, 534, 556, 553, 557, 561};

class Maker {
 public:
  Maker(Choices& choices, std::size_t values) : choices_(choices), values_(values) {}

  Reference nested(int depth) {
    Reference type = basic();
    for (int level = 0; level < depth && !choices_.exhausted(); ++level) {
      const Made made = around(*type, depth - level - 1);
      if (!made || made.type->basic_values() > values_) break;
      if (made.type->size() == 0 && choices_.number(0, 3) != 0) continue;
      type = made.type;
    }
    return type;
  }

 private:
  Reference basic() {
    const Count i = choices_.number(0, std::size(kBasics) - 1);
    return predefined(kBasics[i]);
  }

  Count count() { return choices_.number(0, 5); }
  Count bytes() { return choices_.number(-40, 40); }
  Count elements() { return choices_.number(-6, 6); }

  std::vector<Count> counts(std::size_t n) {
    std::vector<Count> list(n);
    for (Count& each : list) each = choices_.number(0, 3);
    return list;
  }

  // Often at a constant distance, so that there are loops to find.
  std::vector<Count> displacements(std::size_t n, Count unit) {
    std::vector<Count> list(n);
    Count step = 0;
    Count at = choices_.number(-4, 4) * unit;
    for (Count& each : list) {
      if (step == 0 || choices_.number(0, 2) == 0) step = choices_.number(-5, 10) * unit;
      each = at;
      at += step;
    }
    return list;
  }

  Made around(const Datatype& old, int depth) {
    const auto n = static_cast<std::size_t>(choices_.number(0, 6));
    switch (choices_.number(0, 12)) {
      case 0: return make_contiguous(count(), old);
      case 1: return make_vector(count(), choices_.number(0, 3), elements(), old);
      case 2: return make_hvector(count(), choices_.number(0, 3), bytes(), old);
      case 3: return make_indexed(counts(n), displacements(n, 1), old);
      case 4: return make_hindexed(counts(n), displacements(n, choices_.number(1, 8)), old);
      case 5: return make_indexed_block(choices_.number(0, 3), displacements(n, 1), old);
      case 6: return make_hindexed_block(choices_.number(0, 3), displacements(n, 4), old);
      case 7: return structure(old, n, depth);
      case 8: return make_dup(old);
      case 9: return make_resized(old, bytes(), choices_.number(-20, 90));
      case 10: return subarray(old);
      case 11: return darray(old);
      default: return structure(old, n, 0);
    }
  }

  Made structure(const Datatype& old, std::size_t n, int depth) {
    std::vector<Reference> kept{&old};
    if (choices_.number(0, 7) == 0) kept.push_back(predefined(kLowerBoundMarker));
    if (choices_.number(0, 7) == 0) kept.push_back(predefined(kUpperBoundMarker));
    while (kept.size() < n) kept.push_back(nested(depth));
    std::vector<const Datatype*> types;
    for (const Reference& type : kept) types.push_back(type.get());
    return make_struct(counts(kept.size()), displacements(kept.size(), choices_.number(1, 16)),
                       types);
  }

  Order order() { return choices_.number(0, 1) == 0 ? Order::c : Order::fortran; }

  Made subarray(const Datatype& old) {
    const auto n = static_cast<std::size_t>(choices_.number(1, 3));
    std::vector<Count> sizes(n), subsizes(n), starts(n);
    for (std::size_t i = 0; i < n; ++i) {
      sizes[i] = choices_.number(1, 5);
      subsizes[i] = choices_.number(1, sizes[i]);
      starts[i] = choices_.number(0, sizes[i] - subsizes[i]);
    }
    return make_subarray(sizes, subsizes, starts, order(), old);
  }

  Made darray(const Datatype& old) {
    const auto n = static_cast<std::size_t>(choices_.number(1, 3));
    std::vector<Count> gsizes(n), dargs(n), psizes(n);
    std::vector<Distribution> distribs(n);
    Count size = 1;
    for (std::size_t i = 0; i < n; ++i) {
      gsizes[i] = choices_.number(1, 6);
      distribs[i] = static_cast<Distribution>(choices_.number(16, 18));
      psizes[i] = distribs[i] == Distribution::none ? 1 : choices_.number(1, 3);
      dargs[i] = choices_.number(0, 1) == 0 ? kDefaultDistributionArgument : choices_.number(1, 4);
      size *= psizes[i];
    }
    return make_darray(size, choices_.number(0, size - 1), gsizes, distribs, dargs, psizes, order(),
                       old);
  }

  Choices& choices_;
  std::size_t values_;
};

}  // namespace

Count Choices::number(Count low, Count high) {
  const std::uint64_t draw = exhausted() ? 0 : bytes_[next_++];
  return low + static_cast<Count>(draw % static_cast<std::uint64_t>(high - low + 1));
}

Count Choices::wild() {
  constexpr Count kMost = std::numeric_limits<Count>::max();
  const Count few = number(-8, 8);
  switch (number(0, 7)) {
    case 0: return kMost - (few < 0 ? -few : few);
    case 1: return -kMost - 1 + (few < 0 ? -few : few);
    case 2: return (kMost >> number(1, 62)) + few;
    case 3: return -(kMost >> number(1, 62)) + few;
    default: return few;
  }
}

namespace {

Made wild_around(Choices& choices, const Datatype& old) {
  const auto n = static_cast<std::size_t>(choices.number(0, 4));
  const auto list = [&] {
    std::vector<Count> numbers(n);
    for (Count& each : numbers) each = choices.wild();
    return numbers;
  };
  const Count a = choices.wild();
  const Count b = choices.wild();
  const Count c = choices.wild();
  const Order order = choices.number(0, 1) == 0 ? Order::c : Order::fortran;
  switch (choices.number(0, 10)) {
    case 0: return make_contiguous(a, old);
    case 1: return make_vector(a, b, c, old);
    case 2: return make_hvector(a, b, c, old);
    case 3: return make_indexed(list(), list(), old);
    case 4: return make_hindexed(list(), list(), old);
    case 5: return make_indexed_block(a, list(), old);
    case 6: return make_hindexed_block(a, list(), old);
    case 7: return make_struct(list(), list(), std::vector<const Datatype*>(n, &old));
    case 8: return make_resized(old, a, b);
    case 9: return make_subarray(list(), list(), list(), order, old);
    default: break;
  }
  std::vector<Distribution> distribs(n);
  for (Distribution& each : distribs) each = static_cast<Distribution>(choices.number(15, 19));
  return make_darray(a, b, list(), distribs, list(), list(), order, old);
}

}  // namespace

Reference wild_type(Choices& choices, int depth) {
  Reference type = predefined(kBasics[choices.number(0, std::size(kBasics) - 1)]);
  for (int level = 0; level < depth && !choices.exhausted(); ++level) {
    const Made made = wild_around(choices, *type);
    if (!made) return nullptr;
    type = made.type;
  }
  return type;
}

Reference random_type(Choices& choices, int depth, std::size_t values) {
  return Maker(choices, values).nested(depth);
}

std::vector<std::uint8_t> random_bytes(std::uint64_t seed, std::size_t number) {
  std::mt19937_64 generator(seed);
  std::vector<std::uint8_t> bytes(number);
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(generator() >> 56);
  return bytes;
}

}  // namespace atl::datatype::testing
