#include "datatype/normalise.h"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

namespace atl::datatype {
namespace {

// A type map of at most so many contiguous blocks is expanded, so that its form depends on these
// blocks alone.
constexpr std::size_t kWrittenOut = 4096;
// A sequence of more than kShort items is appended as one item if the result would exceed kLong.
constexpr std::size_t kLong = 4096;
constexpr std::size_t kShort = 4;
// Minimal number of items that a loop over a part of a sequence must save. With fewer, blocks at
// random offsets would be split wherever two or three happen to have the same distance.
constexpr std::size_t kWorthwhile = 8;
// Maximal number of items in the body of such a loop.
constexpr std::size_t kLongestPeriod = 16;
// The last block of an iteration is merged with the first of the next one only if the body has at
// most so many items.
constexpr std::size_t kLongestMiddle = 256;

using Items = std::span<const Item>;

// Whether item `at` has the shape of the item `period` before, and the same distance from its
// predecessor.
bool continues(Items items, std::size_t at, std::size_t period) {
  return items[at].shape == items[at - period].shape &&
         items[at].offset - items[at - 1].offset ==
             items[at - period].offset - items[at - period - 1].offset;
}

// How many times the first `period` items repeat from the start, with a constant stride.
std::size_t turns_at_start(Items items, std::size_t period) {
  if (items.size() < 2 * period || items[period].shape != items[0].shape) return 1;
  std::size_t at = period + 1;
  // The first item of the second iteration defines the stride; all later items must match it.
  while (at < items.size() && continues(items, at, period)) ++at;
  return at / period;
}

// A hash for each item, of its shape and its distance from the previous item.
std::vector<std::uint32_t> steps_of(Items items) {
  std::vector<std::uint32_t> steps(items.size());
  for (std::size_t i = 1; i < items.size(); ++i) {
    const auto way = static_cast<std::uint64_t>(items[i].offset - items[i - 1].offset);
    const std::uint64_t both = (way ^ items[i].shape.code() << 32) * 0x9e3779b97f4a7c15u;
    steps[i] = static_cast<std::uint32_t>(both >> 32);
  }
  return steps;
}

// The shortest period for which folding the items from `at` on saves kWorthwhile items, or 0.
std::size_t worthwhile_period(Items items, const std::vector<std::uint32_t>& steps,
                              std::size_t at) {
  // kWorthwhile items of the second and later iterations must match. Comparing one of them first
  // rules out most periods.
  constexpr std::size_t kProbe = kWorthwhile / 2;
  if (items.size() - at <= kWorthwhile) return 0;
  const std::size_t longest = std::min(kLongestPeriod, items.size() - at - kWorthwhile);
  const std::uint32_t* probe = steps.data() + at + kProbe;
  for (std::size_t period = 1; period <= longest; ++period) {
    if (probe[period] != probe[0]) continue;
    const std::size_t turns = turns_at_start(items.subspan(at), period);
    if ((turns - 1) * period >= kWorthwhile) return period;
  }
  return 0;
}

bool is_periodic(Items items, std::size_t period) {
  if (items[period].shape != items[0].shape) return false;
  for (std::size_t at = period + 1; at < items.size(); ++at) {
    if (!continues(items, at, period)) return false;
  }
  return true;
}

// Length in items of the shortest part whose repetition is the whole sequence.
std::size_t root(Items items) {
  std::size_t period = items.size();
  std::size_t rest = period;
  for (std::size_t factor = 2; rest > 1; ++factor) {
    if (factor * factor > rest) factor = rest;
    for (; rest % factor == 0; rest /= factor) {
      if (is_periodic(items, period / factor)) period /= factor;
    }
  }
  return period;
}

Sequence moved(Items items, Count way) {
  Sequence copy(items.begin(), items.end());
  for (Item& item : copy) item.offset += way;
  return copy;
}

}  // namespace

// Appends `number` iterations of the loop from iteration `first` on; a single one without the loop.
void Normaliser::push_turns(Sequence& to, const Loop& loop, Count offset, Count first,
                            Count number) {
  const Count at = offset + first * loop.stride;
  if (number == 0) return;
  if (number > 1) {
    to.push_back({at, shapes_.intern(number, loop.stride, Sequence(loop.body))});
    return;
  }
  for (const Item& item : loop.body) to.push_back({at + item.offset, item.shape});
}

// Splits the last iteration off loops until the last item is a contiguous block.
void Normaliser::peel_last(Sequence& sequence) {
  while (!sequence.back().shape.is_run()) {
    const Item item = sequence.back();
    const Loop loop = shapes_.loop(item.shape);
    sequence.pop_back();
    push_turns(sequence, loop, item.offset, 0, loop.count - 1);
    push_turns(sequence, loop, item.offset, loop.count - 1, 1);
  }
}

void Normaliser::peel_first(Sequence& sequence) {
  while (!sequence.front().shape.is_run()) {
    const Item item = sequence.front();
    const Loop loop = shapes_.loop(item.shape);
    Sequence apart;
    push_turns(apart, loop, item.offset, 0, 1);
    push_turns(apart, loop, item.offset, 1, loop.count - 1);
    apart.insert(apart.end(), sequence.begin() + 1, sequence.end());
    sequence = std::move(apart);
  }
}

void Normaliser::append(Sequence& sequence, Item item) {
  if (sequence.empty() ||
      end_of(shapes_.last_run(sequence.back())) != shapes_.first_run(item).offset) {
    sequence.push_back(item);
    return;
  }
  peel_last(sequence);
  Sequence apart{item};
  peel_first(apart);
  Item& last = sequence.back();
  last.shape = Shape::run(last.shape.bytes() + apart.front().shape.bytes());
  sequence.insert(sequence.end(), apart.begin() + 1, apart.end());
}

void Normaliser::append(Sequence& sequence, const Sequence& block, Count shift) {
  if (block.size() > kShort && sequence.size() + block.size() > kLong) {
    Sequence body = moved(block, -block.front().offset);
    append(sequence, {block.front().offset + shift, shapes_.intern(1, 0, std::move(body))});
    return;
  }
  for (const Item& item : block) append(sequence, Item{item.offset + shift, item.shape});
}

Item Normaliser::loop(Count count, Count stride, Sequence body) {
  const Count offset = body.front().offset;
  if (body.size() == 1 && !body[0].shape.is_run()) {
    const Loop& inner = shapes_.loop(body[0].shape);
    const bool goes_on = fits(Wide{inner.count} * inner.stride) &&
                         inner.count * inner.stride == stride && inner.count > 1;
    if (goes_on) return {offset, shapes_.intern(count * inner.count, inner.stride, inner.body)};
    if (inner.count == 1) return {offset, shapes_.intern(count, stride, inner.body)};
  }
  return {offset, shapes_.intern(count, stride, moved(body, -offset))};
}

// Each iteration ends with a contiguous block that the first block of the next one continues:
// F M L, F M L, F M L becomes F, 2 x (M LF), M, L.
Sequence Normaliser::repeated_joined(const Sequence& sequence, Count count, Count stride) {
  Sequence middle = sequence;
  peel_first(middle);
  peel_last(middle);
  const Item first = middle.front();
  const Item last = middle.back();
  middle.erase(middle.begin());
  middle.pop_back();
  Sequence body = middle;
  body.push_back({last.offset, Shape::run(last.shape.bytes() + first.shape.bytes())});
  const Count end = (count - 1) * stride;
  Sequence all{first};
  if (count == 2) {
    all.insert(all.end(), body.begin(), body.end());
  } else {
    all.push_back(loop(count - 1, stride, folded(std::move(body))));
  }
  for (const Item& item : middle) all.push_back({item.offset + end, item.shape});
  all.push_back({last.offset + end, last.shape});
  return folded(std::move(all));
}

Sequence Normaliser::repeated(const Sequence& sequence, Count count, Count stride) {
  if (sequence.empty() || count == 0) return {};
  if (count == 1) return sequence;
  const Item first = shapes_.first_run(sequence.front());
  const bool joined = end_of(shapes_.last_run(sequence.back())) == first.offset + stride;
  if (joined && sequence.size() == 1 && sequence[0].shape.is_run()) {
    const std::size_t bytes = first.shape.bytes() * static_cast<std::size_t>(count);
    return {{first.offset, Shape::run(bytes)}};
  }
  if (joined && sequence.size() <= kLongestMiddle) return repeated_joined(sequence, count, stride);
  return {loop(count, stride, sequence)};
}

// Merges `first` and `second` into one loop, if one continues the loop of the other.
std::optional<Item> Normaliser::joined_turns(const Item& first, const Item& second) {
  const auto loop_of = [&](const Item& item) -> const Loop* {
    if (item.shape.is_run()) return nullptr;
    const Loop& loop = shapes_.loop(item.shape);
    return loop.count > 1 ? &loop : nullptr;
  };
  const auto is_turn = [](const Loop* loop, const Item& item) {
    return loop != nullptr && loop->body.size() == 1 && loop->body[0].shape == item.shape;
  };
  const auto longer = [&](const Loop& loop, Count more) {
    return Item{first.offset, shapes_.intern(loop.count + more, loop.stride, Sequence(loop.body))};
  };
  const Loop* a = loop_of(first);
  const Loop* b = loop_of(second);
  const Wide way = Wide{second.offset} - first.offset;
  const bool follows = a != nullptr && way == Wide{a->count} * a->stride;
  if (follows && is_turn(a, second)) return longer(*a, 1);
  if (is_turn(b, first) && way == b->stride) return longer(*b, 1);
  if (follows && b != nullptr && a->stride == b->stride && a->body == b->body) {
    return longer(*a, b->count);
  }
  return std::nullopt;
}

// Writes an item after the first `done` items, or merges it with the last of them.
void Normaliser::put_joining(Sequence& sequence, std::size_t& done, Item item) {
  if (done != 0 && !(sequence[done - 1].shape.is_run() && item.shape.is_run())) {
    if (const std::optional<Item> both = joined_turns(sequence[done - 1], item)) {
      --done;
      item = *both;
    }
  }
  sequence[done++] = item;
}

// One pass from left to right, in place. True if it removed more than an eighth of the items, so
// that another pass may find more.
bool Normaliser::fold_parts(Sequence& sequence) {
  const std::vector<std::uint32_t> steps = steps_of(sequence);
  const std::size_t before = sequence.size();
  std::size_t done = 0;
  std::size_t at = 0;
  while (at < before) {
    const std::size_t period = worthwhile_period(sequence, steps, at);
    if (period == 0) {
      put_joining(sequence, done, sequence[at++]);
      continue;
    }
    const Items rest = Items(sequence).subspan(at);
    const std::size_t turns = turns_at_start(rest, period);
    const Count stride = rest[period].offset - rest[0].offset;
    Sequence body = folded({rest.begin(), rest.begin() + static_cast<Count>(period)});
    put_joining(sequence, done, loop(static_cast<Count>(turns), stride, std::move(body)));
    at += turns * period;
  }
  sequence.erase(sequence.begin() + static_cast<Count>(done), sequence.end());
  return done < before - before / 8;
}

Sequence Normaliser::folded(Sequence sequence) {
  do {
    if (sequence.size() < 2) return sequence;
    const std::size_t period = root(sequence);
    if (period < sequence.size()) {
      const auto turns = static_cast<Count>(sequence.size() / period);
      const Count stride = sequence[period].offset - sequence[0].offset;
      sequence.resize(period, sequence[0]);
      return {loop(turns, stride, folded(std::move(sequence)))};
    }
  } while (fold_parts(sequence));
  return sequence;
}

// Whether the sequence is nested loops around one contiguous block, which expanding and folding
// would reproduce.
bool Normaliser::is_grid(const Sequence& sequence) const {
  const Sequence* inner = &sequence;
  while (inner->size() == 1) {
    if (inner->front().shape.is_run()) return true;
    inner = &shapes_.loop(inner->front().shape).body;
  }
  return false;
}

void Normaliser::expand(const Item& item, Sequence& runs) const {
  if (item.shape.is_run()) {
    const bool goes_on = !runs.empty() && end_of(runs.back()) == item.offset;
    if (!goes_on) return runs.push_back(item);
    runs.back().shape = Shape::run(runs.back().shape.bytes() + item.shape.bytes());
    return;
  }
  const Loop& loop = shapes_.loop(item.shape);
  for (Count turn = 0; turn < loop.count; ++turn) {
    for (const Item& inner : loop.body) {
      expand({item.offset + turn * loop.stride + inner.offset, inner.shape}, runs);
    }
  }
}

Sequence Normaliser::canonical(Sequence sequence) {
  if (is_grid(sequence) || shapes_.runs(sequence) > kWrittenOut) return sequence;
  Sequence runs;
  for (const Item& item : sequence) expand(item, runs);
  return folded(std::move(runs));
}

}  // namespace atl::datatype
