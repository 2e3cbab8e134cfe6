// Subarray and darray types, built from simpler types as the standard defines them (MPI 5.0, 5.1.3
// and 5.1.4).
#include <algorithm>
#include <numeric>
#include <utility>

#include "datatype/planner.h"

namespace atl::datatype {
namespace {

using Reason = Problem::Reason;

// The dimensions in order of increasing stride in memory.
std::vector<std::size_t> inner_first(std::size_t dimensions, Order order) {
  std::vector<std::size_t> sequence(dimensions);
  std::iota(sequence.begin(), sequence.end(), 0);
  if (order == Order::c) std::ranges::reverse(sequence);
  return sequence;
}

std::vector<Count> joined(std::initializer_list<Counts> parts) {
  std::vector<Count> all;
  for (const Counts part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

// A type for a part of the array, built step by step until the first failure.
class Inner {
 public:
  explicit Inner(const Datatype& type) : type_(&type) {}

  void become(Made made) {
    if (!made) failed_ = true;
    if (!failed_) type_ = made.type;
  }

  bool failed() const { return failed_; }
  const Datatype& type() const { return *type_; }

 private:
  Reference type_;
  bool failed_ = false;
};

void check_dimensions(Planner& planner, std::size_t dimensions, Order order) {
  if (dimensions == 0) planner.refuse(Reason::out_of_range, "ndims", 0);
  if (order != Order::c && order != Order::fortran) {
    planner.refuse(Reason::out_of_range, "order", static_cast<Count>(order));
  }
}

void check_subarray(Planner& planner, Counts sizes, Counts subsizes, Counts starts) {
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const auto index = static_cast<Count>(i);
    if (sizes[i] < 1) planner.refuse(Reason::out_of_range, "array_of_sizes", sizes[i], index);
    if (subsizes[i] < 1 || subsizes[i] > sizes[i]) {
      planner.refuse(Reason::out_of_range, "array_of_subsizes", subsizes[i], index);
    }
    if (starts[i] < 0 || starts[i] > Wide{sizes[i]} - subsizes[i]) {
      planner.refuse(Reason::out_of_range, "array_of_starts", starts[i], index);
    }
  }
}

// The blocks of one dimension that belong to a process (MPI 5.0, 5.1.4: cyclic()).
struct Cyclic {
  Cyclic(Count darg, Count gsize, Count coordinate, Count psize)
      : block(darg), cycle(Wide{darg} * psize), first(Wide{darg} * coordinate) {
    const Count blocks = gsize / darg + (gsize % darg != 0);
    count = blocks / psize + (coordinate < blocks % psize);
    const Wide rest = gsize % cycle - first;  // in the last cycle
    last_block = rest <= 0 || rest > darg ? darg : static_cast<Count>(rest);
  }

  Count block;
  Wide cycle;  // elements from one block to the next
  Wide first;
  Count count;
  Count last_block;
};

// Displacements do not overflow, because they lie within the array, whose extent fits.
void distribute(Inner& inner, const Cyclic& blocks, Count extent) {
  const auto at = [&](Wide element) { return static_cast<Count>(element * extent); };
  if (blocks.count == 0) return inner.become(make_contiguous(0, inner.type()));
  const Count cycle = blocks.count > 1 ? at(blocks.cycle) : 0;
  Inner full = inner;
  full.become(make_resized(inner.type(), 0, extent));
  Inner all = full;
  all.become(make_hvector(blocks.count - 1, blocks.block, cycle, full.type()));
  if (all.failed()) return inner.become({});
  const Count lengths[] = {1, blocks.last_block};
  const Count displacements[] = {at(blocks.first),
                                 at(blocks.first + (blocks.count - 1) * blocks.cycle)};
  const Datatype* const types[] = {&all.type(), &full.type()};
  inner.become(make_struct(lengths, displacements, types));
}

struct Grid {
  Counts gsizes;
  std::span<const Distribution> distribs;
  Counts dargs;
  Counts psizes;

  // The block length in dimension i.
  Count block(std::size_t i) const {
    if (distribs[i] == Distribution::none) return gsizes[i];
    if (dargs[i] != kDefaultDistributionArgument) return dargs[i];
    if (distribs[i] == Distribution::cyclic) return 1;
    return gsizes[i] / psizes[i] + (gsizes[i] % psizes[i] != 0);
  }
};

void check_grid(Planner& planner, const Grid& grid, std::size_t i) {
  const auto index = static_cast<Count>(i);
  const auto positive = [&](const char* argument, Count value) {
    if (value < 1) planner.refuse(Reason::out_of_range, argument, value, index);
  };
  const Distribution distribution = grid.distribs[i];
  positive("array_of_gsizes", grid.gsizes[i]);
  positive("array_of_psizes", grid.psizes[i]);
  if (distribution < Distribution::none || distribution > Distribution::cyclic) {
    return planner.refuse(Reason::out_of_range, "array_of_distribs",
                          static_cast<Count>(distribution), index);
  }
  if (distribution == Distribution::none) {
    if (grid.psizes[i] != 1) {
      planner.refuse(Reason::out_of_range, "array_of_psizes", grid.psizes[i], index);
    }
    return;
  }
  positive("array_of_dargs", grid.dargs[i]);
  if (!planner.problem() && distribution == Distribution::block &&
      Wide{grid.block(i)} * grid.psizes[i] < grid.gsizes[i]) {
    planner.refuse(Reason::out_of_range, "array_of_dargs", grid.dargs[i], index);
  }
}

void check_darray(Planner& planner, Count size, Count rank, const Grid& grid) {
  Wide processes = 1;
  for (std::size_t i = 0; i < grid.gsizes.size(); ++i) {
    check_grid(planner, grid, i);
    if (processes <= size) processes *= std::max<Count>(grid.psizes[i], 0);
  }
  if (processes != size) planner.refuse(Reason::out_of_range, "size", size);
  if (rank < 0 || rank >= size) planner.refuse(Reason::out_of_range, "rank", rank);
}

// Coordinates of `rank` in the process grid, which is always in C order.
std::vector<Count> coordinates_of(Count rank, Counts psizes) {
  std::vector<Count> coordinates(psizes.size());
  for (std::size_t i = psizes.size(); i-- > 0;) {
    coordinates[i] = rank % psizes[i];
    rank /= psizes[i];
  }
  return coordinates;
}

// Stride in bytes of each dimension, followed by the bytes of the whole array. Empty when they
// overflow.
std::vector<Count> strides(Counts sizes, const std::vector<std::size_t>& inner_first,
                           Count extent) {
  std::vector<Count> strides(sizes.size() + 1);
  for (const std::size_t i : inner_first) {
    strides[i] = extent;
    if (__builtin_mul_overflow(extent, sizes[i], &extent)) return {};
  }
  strides.back() = extent;
  return strides;
}

// Makes the array type from `inner`, with the bounds of the whole array.
Made finish(Planner& planner, const Inner& inner, const Datatype& oldtype, const char* argument,
            Count value) {
  if (inner.failed()) planner.refuse(Reason::overflow, argument, value);
  planner.types({&oldtype});
  return planner.strided({1, 1, 0}, inner.type(), argument, value);
}

}  // namespace

Made make_subarray(Counts sizes, Counts subsizes, Counts starts, Order order,
                   const Datatype& oldtype, Form form) {
  const auto dimensions = static_cast<Count>(sizes.size());
  const auto order_number = static_cast<Count>(order);
  Planner planner(Combiner::subarray, form);
  planner.arguments(joined({{&dimensions, 1}, sizes, subsizes, starts, {&order_number, 1}}));
  check_dimensions(planner, sizes.size(), order);
  check_subarray(planner, sizes, subsizes, starts);
  if (planner.problem()) return {nullptr, planner.problem()};
  const std::vector<std::size_t> sequence = inner_first(sizes.size(), order);
  const std::vector<Count> stride = strides(sizes, sequence, oldtype.extent());
  Inner inner(oldtype);
  if (stride.empty()) {
    inner.become({});
    return finish(planner, inner, oldtype, "array_of_sizes", sizes[0]);
  }
  Count displacement = 0;
  for (const std::size_t i : sequence) {
    inner.become(make_hvector(subsizes[i], 1, stride[i], inner.type()));
    displacement += starts[i] * stride[i];
  }
  inner.become(make_hindexed_block(1, {&displacement, 1}, inner.type()));
  planner.resize(0, stride.back());
  return finish(planner, inner, oldtype, "array_of_sizes", sizes[0]);
}

Made make_darray(Count size, Count rank, Counts gsizes, std::span<const Distribution> distribs,
                 Counts dargs, Counts psizes, Order order, const Datatype& oldtype, Form form) {
  const Count head[] = {size, rank, static_cast<Count>(gsizes.size())};
  const auto order_number = static_cast<Count>(order);
  std::vector<Count> distributions;
  for (const Distribution each : distribs) distributions.push_back(static_cast<Count>(each));
  Planner planner(Combiner::darray, form);
  planner.arguments(joined({head, gsizes, distributions, dargs, psizes, {&order_number, 1}}));
  const Grid grid{gsizes, distribs, dargs, psizes};
  check_dimensions(planner, gsizes.size(), order);
  check_darray(planner, size, rank, grid);
  if (planner.problem()) return {nullptr, planner.problem()};
  const std::vector<std::size_t> sequence = inner_first(gsizes.size(), order);
  const std::vector<Count> stride = strides(gsizes, sequence, oldtype.extent());
  Inner inner(oldtype);
  if (stride.empty()) {
    inner.become({});
    return finish(planner, inner, oldtype, "array_of_gsizes", gsizes[0]);
  }
  const std::vector<Count> coordinates = coordinates_of(rank, psizes);
  for (const std::size_t i : sequence) {
    distribute(inner, {grid.block(i), gsizes[i], coordinates[i], psizes[i]}, stride[i]);
  }
  planner.resize(0, stride.back());
  return finish(planner, inner, oldtype, "array_of_gsizes", gsizes[0]);
}

}  // namespace atl::datatype
