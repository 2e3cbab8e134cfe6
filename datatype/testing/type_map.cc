#include "datatype/testing/type_map.h"

#include <algorithm>
#include <limits>

#include "datatype/predefined.h"

namespace atl::datatype::testing {
namespace {

bool is_marker(const Entry& entry) {
  return entry.basic == predefined(kLowerBoundMarker) ||
         entry.basic == predefined(kUpperBoundMarker);
}

class Writer {
 public:
  explicit Writer(const Contents& contents) : contents_(contents) {}

  TypeMap map() && {
    write();
    return std::move(map_);
  }

 private:
  Count argument(std::size_t i) const { return contents_.arguments[i]; }

  void blocks(const TypeMap& old, Count displacement, Count length) {
    const Count extent = old.extent();
    for (Count i = 0; i < length; ++i) {
      const Count shift = displacement + i * extent;
      for (const Entry& entry : old.entries) {
        map_.entries.push_back({entry.basic, entry.displacement + shift});
      }
      if (old.marked_lower) mark_lower(old.marked_lb + shift);
      if (old.marked_upper) mark_upper(old.marked_ub + shift);
    }
  }

  void mark_lower(Count at) {
    map_.marked_lb = map_.marked_lower ? std::min(map_.marked_lb, at) : at;
    map_.marked_lower = true;
  }

  void mark_upper(Count at) {
    map_.marked_ub = map_.marked_upper ? std::max(map_.marked_ub, at) : at;
    map_.marked_upper = true;
  }

  void set_bounds(Count lb, Count extent) {
    std::erase_if(map_.entries, is_marker);
    map_.marked_lower = map_.marked_upper = true;
    map_.marked_lb = lb;
    map_.marked_ub = lb + extent;
  }

  void regular(const TypeMap& old, Count count, Count blocklength, Count stride) {
    for (Count i = 0; i < count; ++i) blocks(old, i * stride, blocklength);
  }

  void listed(const TypeMap& old, std::size_t lengths, std::size_t displacements, bool one_length,
              Count unit) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(argument(0)); ++i) {
      blocks(old, argument(displacements + i) * unit, argument(one_length ? lengths : lengths + i));
    }
  }

  // Calls visit for every index into the array in the order of its memory.
  template <class Visit>
  void for_each_index(const std::vector<Count>& sizes, bool order_c, Visit visit) {
    const std::size_t dimensions = sizes.size();
    std::vector<Count> index(dimensions, 0);
    for (Count linear = 0;; ++linear) {
      visit(index, linear);
      std::size_t step = 0;
      for (; step < dimensions; ++step) {
        const std::size_t i = order_c ? dimensions - 1 - step : step;
        if (++index[i] < sizes[i]) break;
        index[i] = 0;
      }
      if (step == dimensions) return;
    }
  }

  std::vector<Count> slice(std::size_t first, std::size_t number) const {
    return {contents_.arguments.begin() + first, contents_.arguments.begin() + first + number};
  }

  void subarray(const TypeMap& old) {
    const auto n = static_cast<std::size_t>(argument(0));
    const std::vector<Count> sizes = slice(1, n);
    const std::vector<Count> subsizes = slice(1 + n, n);
    const std::vector<Count> starts = slice(1 + 2 * n, n);
    Count total = 1;
    for (const Count size : sizes) total *= size;
    for_each_index(sizes, argument(1 + 3 * n) == 0xC, [&](const auto& index, Count linear) {
      for (std::size_t i = 0; i < n; ++i) {
        if (index[i] < starts[i] || index[i] >= starts[i] + subsizes[i]) return;
      }
      blocks(old, linear * old.extent(), 1);
    });
    set_bounds(0, total * old.extent());
  }

  void darray(const TypeMap& old) {
    constexpr Count kNone = 16;
    constexpr Count kBlock = 17;
    constexpr Count kDefault = 19;
    const auto n = static_cast<std::size_t>(argument(2));
    const std::vector<Count> sizes = slice(3, n);
    const std::vector<Count> distribs = slice(3 + n, n);
    const std::vector<Count> dargs = slice(3 + 2 * n, n);
    const std::vector<Count> psizes = slice(3 + 3 * n, n);
    std::vector<Count> mine(n);
    Count rest = argument(1);
    Count total = 1;
    for (std::size_t i = n; i-- > 0;) {
      mine[i] = rest % psizes[i];
      rest /= psizes[i];
      total *= sizes[i];
    }
    const auto owner = [&](std::size_t i, Count g) -> Count {
      if (distribs[i] == kNone) return 0;
      Count block = dargs[i];
      if (block == kDefault) {
        block = distribs[i] == kBlock ? (sizes[i] + psizes[i] - 1) / psizes[i] : 1;
      }
      return g / block % psizes[i];
    };
    for_each_index(sizes, argument(3 + 4 * n) == 0xC, [&](const auto& index, Count linear) {
      for (std::size_t i = 0; i < n; ++i) {
        if (owner(i, index[i]) != mine[i]) return;
      }
      blocks(old, linear * old.extent(), 1);
    });
    set_bounds(0, total * old.extent());
  }

  void structure() {
    const auto n = static_cast<std::size_t>(argument(0));
    for (std::size_t i = 0; i < n; ++i) {
      blocks(type_map(*contents_.types[i]), argument(1 + n + i), argument(1 + i));
    }
  }

  void write() {
    if (contents_.combiner == Combiner::structure) return structure();
    const TypeMap old = type_map(*contents_.types[0]);
    const auto n = static_cast<std::size_t>(contents_.arguments.empty() ? 0 : argument(0));
    switch (contents_.combiner) {
      case Combiner::contiguous: return blocks(old, 0, argument(0));
      case Combiner::vector:
        return regular(old, argument(0), argument(1), argument(2) * old.extent());
      case Combiner::hvector: return regular(old, argument(0), argument(1), argument(2));
      case Combiner::indexed: return listed(old, 1, 1 + n, false, old.extent());
      case Combiner::hindexed: return listed(old, 1, 1 + n, false, 1);
      case Combiner::indexed_block: return listed(old, 1, 2, true, old.extent());
      case Combiner::hindexed_block: return listed(old, 1, 2, true, 1);
      case Combiner::subarray: return subarray(old);
      case Combiner::darray: return darray(old);
      case Combiner::resized: blocks(old, 0, 1); return set_bounds(argument(0), argument(1));
      default: return blocks(old, 0, 1);
    }
  }

  const Contents& contents_;
  TypeMap map_;
};

TypeMap named(const Datatype& type) {
  TypeMap map;
  if (type.children().empty()) {
    map.entries.push_back({&type, 0});
    if (&type == predefined(kLowerBoundMarker)) map.marked_lower = true;
    if (&type == predefined(kUpperBoundMarker)) map.marked_upper = true;
    return map;
  }
  // A pair for MINLOC and MAXLOC, laid out as a C struct.
  const Datatype& first = *type.children()[0];
  const Datatype& second = *type.children()[1];
  const Count align = std::min<Count>(static_cast<Count>(second.size()), 16);
  const auto size = static_cast<Count>(first.size());
  map.entries = {{&first, 0}, {&second, (size + align - 1) / align * align}};
  return map;
}

}  // namespace

TypeMap type_map(const Datatype& type) {
  if (type.contents().combiner == Combiner::named) return named(type);
  return Writer(type.contents()).map();
}

Count TypeMap::lower() const {
  if (marked_lower) return marked_lb;
  if (entries.empty()) return marked_upper ? marked_ub : 0;
  return std::ranges::min_element(entries, {}, &Entry::displacement)->displacement;
}

Count TypeMap::upper() const {
  if (marked_upper) return marked_ub;
  if (entries.empty()) return marked_lower ? marked_lb : 0;
  Count high = std::numeric_limits<Count>::min();
  Count alignment = 1;
  for (const Entry& entry : entries) {
    const auto size = static_cast<Count>(entry.basic->size());
    high = std::max(high, entry.displacement + size);
    const auto* basic = std::get_if<Basic>(&entry.basic->structure());
    if (basic != nullptr) alignment = std::max(alignment, std::min<Count>(basic->width, 16));
  }
  while ((high - lower()) % alignment != 0) ++high;
  return high;
}

std::size_t TypeMap::size() const {
  std::size_t size = 0;
  for (const Entry& entry : entries) size += entry.basic->size();
  return size;
}

std::vector<Run> runs(const TypeMap& map) {
  std::vector<Run> found;
  for (const Entry& entry : map.entries) {
    const auto size = static_cast<Count>(entry.basic->size());
    if (size == 0) continue;
    if (!found.empty() && found.back().offset + found.back().bytes == entry.displacement) {
      found.back().bytes += size;
    } else {
      found.push_back({entry.displacement, size});
    }
  }
  return found;
}

std::vector<std::byte> naive_pack(const TypeMap& map, const std::byte* from, Count count) {
  std::vector<std::byte> stream;
  for (Count i = 0; i < count; ++i) {
    const std::byte* element = from + i * map.extent();
    for (const Entry& entry : map.entries) {
      const std::byte* value = element + entry.displacement;
      stream.insert(stream.end(), value, value + entry.basic->size());
    }
  }
  return stream;
}

void naive_unpack(const TypeMap& map, std::span<const std::byte> stream, std::byte* to,
                  Count count) {
  for (Count i = 0; i < count; ++i) {
    std::byte* element = to + i * map.extent();
    for (const Entry& entry : map.entries) {
      std::ranges::copy(stream.first(entry.basic->size()), element + entry.displacement);
      stream = stream.subspan(entry.basic->size());
    }
  }
}

}  // namespace atl::datatype::testing
