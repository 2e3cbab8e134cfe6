#include "datatype/planner.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace atl::datatype {
namespace {

constexpr const char* kDisplacements = "array_of_displacements";
constexpr const char* kBlocklength = "blocklength";
constexpr const char* kBlocklengths = "array_of_blocklengths";

std::vector<Count> joined(Count count, Counts first, Counts second) {
  std::vector<Count> all;
  all.reserve(1 + first.size() + second.size());
  all.push_back(count);
  all.insert(all.end(), first.begin(), first.end());
  all.insert(all.end(), second.begin(), second.end());
  return all;
}

// The lowest and the highest displacement of some elements.
struct Span {
  Wide first;
  Wide last;
};

Span elements(Wide displacement, Count number, Count stride) {
  const Wide way = Wide{number - 1} * stride;
  return {displacement + std::min<Wide>(way, 0), displacement + std::max<Wide>(way, 0)};
}

}  // namespace

void Planner::refuse(Problem::Reason reason, const char* argument, Count value, Count index) {
  if (!problem_) problem_ = {reason, argument, index, value};
}

void Planner::not_negative(const char* argument, Count value, Count index) {
  if (value < 0) refuse(Problem::Reason::negative, argument, value, index);
}

void Planner::types(std::vector<Reference> types) {
  plan_.contents.types = std::move(types);
  types_told_ = true;
}

void Planner::resize(Count lb, Count extent) { resized_ = {lb, extent}; }

void Planner::append(const Datatype& type, Wide times, const char* argument, Count value,
                     Count index) {
  if (problem_ || type.size() == 0 || times == 0) return;
  if (!fits(times) || !fits(times * static_cast<Count>(type.size()) + plan_.size)) {
    return refuse(Problem::Reason::overflow, argument, value, index);
  }
  plan_.size += static_cast<std::size_t>(times) * type.size();
  plan_.values += static_cast<std::size_t>(times) * type.basic_values();
  plan_.signature =
      plan_.signature.then(type.signature_hash().repeated(static_cast<std::uint64_t>(times)));
}

Made Planner::finish(const char* argument, Count value) {
  if (resized_ && !plan_.bounds.resize(resized_->lb, resized_->extent)) {
    refuse(Problem::Reason::overflow, argument, value);
  }
  if (!plan_.bounds.valid()) refuse(Problem::Reason::overflow, argument, value);
  for (const Reference& child : plan_.children) {
    if (child->depth() >= kMaximalDepth) {
      refuse(Problem::Reason::too_deep, "oldtype", child->depth() + 1);
    }
  }
  if (problem_) return {nullptr, problem_};
  if (!types_told_) plan_.contents.types = plan_.children;
  return {new Datatype(std::move(plan_)), {}};
}

Made Planner::strided(Strided structure, const Datatype& oldtype, const char* argument,
                      Count value) {
  const auto [count, blocklength, stride] = structure;
  plan_.structure = structure;
  plan_.children = {&oldtype};
  if (!problem_ && count != 0 && blocklength != 0) {
    const Span blocks = elements(0, count, stride);
    const Span block = elements(0, blocklength, oldtype.extent());
    append(oldtype, Wide{count} * blocklength, argument, value);
    if (!plan_.bounds.add(oldtype.bounds(), blocks.first + block.first, blocks.last + block.last)) {
      refuse(Problem::Reason::overflow, argument, value);
    }
  }
  return finish(argument, value);
}

void Planner::refuse_length(Problem::Reason reason, const Listed& blocks, Count index) {
  const Count length = blocks.length(static_cast<std::size_t>(index));
  if (blocks.blocklengths.empty()) return refuse(reason, kBlocklength, length);
  refuse(reason, kBlocklengths, length, index);
}

void Planner::cover_blocks(const Listed& blocks, const Datatype& oldtype) {
  Count first = std::numeric_limits<Count>::max();
  Count last = std::numeric_limits<Count>::min();
  Wide total = 0;
  for (std::size_t i = 0; i < blocks.displacements.size(); ++i) {
    const Count length = blocks.length(i);
    const auto index = static_cast<Count>(i);
    if (length <= 0) {
      not_negative(kBlocklengths, length, index);
      continue;
    }
    Count start = 0;
    Count way = 0;
    Count end = 0;
    total += length;
    if (__builtin_mul_overflow(length - 1, oldtype.extent(), &way) ||
        !fits(total * static_cast<Count>(oldtype.size()))) {
      return refuse_length(Problem::Reason::overflow, blocks, index);
    }
    if (__builtin_mul_overflow(blocks.displacements[i], blocks.unit, &start) ||
        __builtin_add_overflow(start, way, &end)) {
      return refuse(Problem::Reason::overflow, kDisplacements, blocks.displacements[i], index);
    }
    first = std::min({first, start, end});
    last = std::max({last, start, end});
  }
  if (total == 0) return;
  append(oldtype, total, kBlocklengths, blocks.length(0), 0);
  if (!plan_.bounds.add(oldtype.bounds(), first, last)) {
    refuse(Problem::Reason::overflow, kDisplacements, blocks.displacements[0], 0);
  }
}

Made Planner::finish_listed(Listed blocks, const Datatype& oldtype) {
  plan_.structure = blocks;
  plan_.children = {&oldtype};
  if (!problem_) cover_blocks(blocks, oldtype);
  return finish(kDisplacements, static_cast<Count>(blocks.displacements.size()));
}

Made Planner::listed(Counts blocklengths, Counts displacements, Count unit,
                     const Datatype& oldtype) {
  const auto count = static_cast<Count>(displacements.size());
  arguments(joined(count, blocklengths, displacements));
  const Counts all = plan_.contents.arguments;
  const std::size_t n = displacements.size();
  return finish_listed({all.subspan(1 + n, n), unit, all.subspan(1, n), 0}, oldtype);
}

Made Planner::listed(Count blocklength, Counts displacements, Count unit, const Datatype& oldtype) {
  const auto count = static_cast<Count>(displacements.size());
  not_negative(kBlocklength, blocklength);
  arguments(joined(count, {&blocklength, 1}, displacements));
  const Counts all = plan_.contents.arguments;
  return finish_listed({all.subspan(2), unit, {}, blocklength}, oldtype);
}

void Planner::cover_fields(Fields& fields, std::span<const Datatype* const> types) {
  for (std::size_t i = 0; i < types.size() && !problem_; ++i) {
    fields.bytes_before.push_back(plan_.size);
    fields.values_before.push_back(plan_.values);
    const Count length = fields.blocklengths[i];
    const auto index = static_cast<Count>(i);
    not_negative(kBlocklengths, length, index);
    if (length <= 0) continue;
    append(*types[i], length, kBlocklengths, length, index);
    const Span part = elements(fields.displacements[i], length, types[i]->extent());
    if (!plan_.bounds.add(types[i]->bounds(), part.first, part.last)) {
      refuse(Problem::Reason::overflow, kDisplacements, fields.displacements[i], index);
    }
  }
}

Made Planner::fields(Counts blocklengths, Counts displacements,
                     std::span<const Datatype* const> types) {
  const std::size_t n = types.size();
  arguments(joined(static_cast<Count>(n), blocklengths, displacements));
  const Counts all = plan_.contents.arguments;
  Fields fields{all.subspan(1 + n, n), all.subspan(1, n), {}, {}};
  plan_.children.assign(types.begin(), types.end());
  cover_fields(fields, types);
  plan_.structure = std::move(fields);
  return finish(kDisplacements, static_cast<Count>(n));
}

}  // namespace atl::datatype
