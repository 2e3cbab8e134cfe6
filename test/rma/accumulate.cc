// MPI_Accumulate, MPI_Get_accumulate, MPI_Fetch_and_op and MPI_Compare_and_swap: every operation
// on every type that the standard allows (MPI 5.0, 12.3.4), from many origins at once, also at
// misaligned displacements; and derived types of one predefined type.
#include <algorithm>
#include <vector>

#include "test/coll/predefined.h"
#include "test/rma/epochs.h"
#include "test/rma/forms.h"
#include "test/rma/layouts.h"
#include "test/rma/windows.h"

namespace {

using namespace rma;
using coll::Number;
using coll::StandardOp;
using coll::StandardType;

struct Ring {
  int target = (check::rank + 1) % check::size;
  int origin = (check::rank + check::size - 1) % check::size;
};

// Of accumulates: all that the type takes for a reduction, and MPI_REPLACE, on every type.
bool allowed(const StandardOp& op, const StandardType& type) {
  const bool compares = op.handle == MPI_MAX || op.handle == MPI_MIN;
  if (type.handle == MPI_OFFSET && compares && !check::on_atoll()) return false;  // Open MPI 4.1
  return op.handle == MPI_REPLACE || (op.apply != nullptr && op.takes(type.group));
}
bool fetches_only(const StandardOp& op) { return op.handle == MPI_NO_OP; }

// What stands at the target after the operation.
Number combined(const StandardOp& op, const StandardType& type, const Number& there,
                const Number& given) {
  if (op.handle == MPI_NO_OP) return there;
  if (op.handle == MPI_REPLACE) return given;
  return type.held(op.apply(type.group, there, given));
}

// Values of one type: of each rank, and those at its memory before (of rank `size + rank`).
struct Drawn {
  const StandardType& type;
  const StandardOp& op;

  Number value(int name, int i) const {
    check::Random random(
        check::pattern_word(std::uint64_t(name) * 77 + std::uint64_t(type.bytes), std::size_t(i)));
    return coll::draw_number(random, type, op.handle, check::size + 1);
  }
  Number given(int rank, int i) const { return value(rank, i); }
  Number before(int rank, int i) const { return value(check::size + rank, i); }
};

// Values of one type in memory.
struct Array {
  std::byte* begin;
  const StandardType& type;
  Number get(int i) const { return type.get(begin + std::size_t(i) * type.bytes); }
  void put(int i, const Number& number) const {
    type.put(number, begin + std::size_t(i) * type.bytes);
  }
};

void expect(const Number& found, const Number& wanted, int i) {
  if (found == wanted) return check::passed();
  check::fail(__FILE__, __LINE__,
              "value " + std::to_string(i) + " is " + std::to_string(std::int64_t(found.first)) +
                  " with " + std::to_string(std::int64_t(found.second)) + ", not " +
                  std::to_string(std::int64_t(wanted.first)) + " with " +
                  std::to_string(std::int64_t(wanted.second)));
}

// The places in the window of what is done with one operation.
constexpr int kMost = 150;           // values
constexpr std::size_t kValue = 32;   // bytes, of the largest type
constexpr std::size_t kArea = 5120;  // bytes
static_assert(kArea >= kMost * kValue + kValue);

struct Round {
  const Window& window;
  const StandardType& type;
  const StandardOp& op;
  std::size_t place;  // of the first area
  int count;
  Form form;

  Drawn drawn() const { return {type, op}; }
  std::size_t area(int i) const { return place + std::size_t(i) * kArea; }
  Array at(std::size_t byte) const { return {window.memory() + byte, type}; }
  Elements elements() const { return {count, type.handle}; }
};

// MPI_Fetch_and_op and MPI_Compare_and_swap take predefined types: also those without a name,
// but to MPICH 4.0 these are derived ones.
bool is_named(MPI_Datatype type) {
  int integers, addresses, datatypes, combiner;
  MPI_Type_get_envelope(type, &integers, &addresses, &datatypes, &combiner);
  return combiner == MPI_COMBINER_NAMED;
}
bool has_single(const Round& r) { return check::on_atoll() || is_named(r.type.handle); }

constexpr int kAreas = 3;
// One byte further than it should be, if the unit of displacements allows that.
std::size_t all_at(const Round& r) { return r.area(0); }
std::size_t one_at(const Round& r) { return r.area(1) + 1; }
std::size_t single_at(const Round& r) { return r.area(2); }

void fill_memory(const Round& r) {
  for (std::size_t place : {all_at(r), one_at(r), single_at(r)}) {
    for (int i = 0; i < r.count; ++i) r.at(place).put(i, r.drawn().before(check::rank, i));
  }
}

// Each rank accumulates to all, to the next one's misaligned values, and to one value there.
void operate(const Round& r) {
  const Ring ring;
  std::vector<std::byte> own(std::size_t(r.count + 1) * r.type.bytes), got(own.size());
  const Array given{own.data(), r.type}, result{got.data(), r.type};
  for (int i = 0; i < r.count; ++i) given.put(i, r.drawn().given(check::rank, i));
  for (int target = 0; !fetches_only(r.op) && target < check::size; ++target) {
    accumulate(r.form, own.data(), r.elements(), target, r.window.at(target, all_at(r)),
               r.elements(), r.op.handle, r.window);
  }
  const MPI_Win win = r.window;
  get_accumulate(r.form, own.data(), r.elements(), got.data(), r.elements(), ring.target,
                 r.window.at(ring.target, one_at(r)), r.elements(), r.op.handle, r.window);
  MPI_Win_flush(ring.target, win);
  for (int i = 0; i < r.count; ++i) expect(result.get(i), r.drawn().before(ring.target, i), i);
  if (!has_single(r)) return;
  MPI_Fetch_and_op(own.data(), got.data(), r.type.handle, ring.target,
                   r.window.at(ring.target, single_at(r)), r.op.handle, win);
  MPI_Win_flush_local(ring.target, win);
  expect(result.get(0), r.drawn().before(ring.target, 0), 0);
}

void check_memory(const Round& r) {
  const Ring ring;
  const Drawn drawn = r.drawn();
  for (int i = 0; i < r.count; ++i) {
    const Number before = drawn.before(check::rank, i);
    const Number one = combined(r.op, r.type, before, drawn.given(ring.origin, i));
    expect(r.at(one_at(r)).get(i), one, i);
    expect(r.at(single_at(r)).get(i), i == 0 && has_single(r) ? one : before, i);
    const Number found = r.at(all_at(r)).get(i);
    if (r.op.handle == MPI_REPLACE) {  // somebody's
      bool known = false;
      for (int rank = 0; rank < check::size; ++rank) known |= found == drawn.given(rank, i);
      CHECK(known);
      continue;
    }
    Number all = before;
    for (int rank = 0; rank < check::size; ++rank) {
      all = combined(r.op, r.type, all, drawn.given(rank, i));
    }
    expect(found, all, i);
  }
}

template <class Step>
void each(std::vector<Round>& rounds, const char* doing, Step step) {
  for (const Round& r : rounds) {
    check::set_case("%s: %s of %d %s%s%s", name_of(r.window.flavor()), r.op.name, r.count,
                    r.type.name, kForms[int(r.form)], doing);
    step(r);
  }
}

// All operations of a type in one epoch.
void operations(const Window& window, const StandardType& type, int& turn) {
  const std::vector<Form> choices = forms(true);
  std::vector<Round> rounds;
  for (const StandardOp& op : coll::standard_operations()) {
    if (!allowed(op, type) && !fetches_only(op)) continue;
    constexpr int kCounts[] = {1, 4, kMost, 2, 17};
    ++turn;
    rounds.push_back({window, type, op, rounds.size() * kAreas * kArea,
                      kCounts[turn % int(std::size(kCounts))],
                      choices[std::size_t(turn) % choices.size()]});
  }
  window.local([&] { each(rounds, ", before", fill_memory); });
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock_all(0, window);
  each(rounds, "", operate);
  MPI_Win_unlock_all(window);
  MPI_Barrier(MPI_COMM_WORLD);
  window.local([&] { each(rounds, ", result", check_memory); });
}

// Only integers, logicals, bytes and what MPI has of its own.
void swaps(const Window& window, const StandardType& type) {
  using coll::Group;
  const bool swappable = type.group == Group::c_integer || type.group == Group::integer ||
                         type.group == Group::logical || type.group == Group::byte;
  if (!swappable || !(check::on_atoll() || is_named(type.handle))) return;
  check::set_case("%s: compare and swap of %s", name_of(window.flavor()), type.name);
  constexpr std::size_t kPlaces[] = {0, 64 + 1};
  const Number one = type.held({1}), zero = type.held({0});
  window.local([&] {
    for (std::size_t place : kPlaces) type.put(one, window.memory() + place);
  });
  std::byte given[kValue], compared[kValue], found[kValue];
  MPI_Barrier(MPI_COMM_WORLD);
  for (std::size_t place : kPlaces) {
    const int target = Ring().target;
    const MPI_Aint disp = window.at(target, place);
    const auto swap = [&](const Number& compare, const Number& origin, const Number& was) {
      type.put(origin, given);
      type.put(compare, compared);
      MPI_Win_lock(MPI_LOCK_SHARED, target, 0, window);
      MPI_Compare_and_swap(given, compared, found, type.handle, target, disp, window);
      MPI_Win_unlock(target, window);
      expect(type.get(found), was, 0);
    };
    swap(zero, zero, one);  // fails
    swap(one, zero, one);
    swap(one, one, zero);  // fails
    swap(zero, one, zero);
    swap(one, zero, one);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  window.local([&] {
    for (std::size_t place : kPlaces) expect(type.get(window.memory() + place), zero, 0);
  });
}

// The sum of all ranks' values in each layout, with each layout at the origin; got in another.
void layouts(Flavor flavor) {
  const Layouts types(MPI_LONG, sizeof(long));
  constexpr int kCount = 3 * kValues;
  std::size_t bytes = 0;
  for (const Layout& layout : types.all()) {
    bytes = std::max(bytes, span_of(layout, kCount, sizeof(long)).bytes());
  }
  const Window window(flavor, whole_lines(bytes));
  for (const Layout& target : types.all()) {
    const Span span = span_of(target, kCount, sizeof(long));
    const std::size_t start = std::size_t(-span.begin);
    window.local([&] { std::fill_n(window.as<long>(), window.bytes() / sizeof(long), 1000L); });
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, window);
    for (const Layout& origin : types.all()) {
      check::set_case("%s: sum of %s, at the target %s", name_of(flavor), origin.name.c_str(),
                      target.name.c_str());
      const Span own = span_of(origin, kCount, sizeof(long));
      std::vector<std::byte> memory(own.bytes()), result(own.bytes(), std::byte{0x5a});
      const auto at = [&](std::vector<std::byte>& in, int i) -> long& {
        return *reinterpret_cast<long*>(in.data() - own.begin + origin.start(i));
      };
      for (int i = 0; i < kCount; ++i) at(memory, i) = i;
      const Elements from{kCount / origin.values(), origin.type};
      const Elements to{kCount / target.values(), target.type};
      for (int rank = 0; rank < check::size; ++rank) {
        accumulate(Form::plain, memory.data() - own.begin, from, rank, window.at(rank, start), to,
                   MPI_SUM, window);
        get_accumulate(Form::plain, memory.data() - own.begin, from, result.data() - own.begin,
                       from, rank, window.at(rank, start), to, MPI_SUM, window);
        MPI_Win_flush(rank, window);
        for (int i = 0; i < kCount; ++i) CHECK(i == 0 || (at(result, i) - 1000) % i == 0);
        CHECK_EQ(at(result, 0), 1000L);
      }
    }
    MPI_Win_unlock_all(window);
    MPI_Barrier(MPI_COMM_WORLD);
    const long times = 2L * long(types.all().size()) * check::size;
    window.local([&] {
      long sum = 0;
      for (std::size_t i = 0; i < bytes / sizeof(long); ++i) sum += window.as<long>()[i];
      for (int i = 0; i < kCount; ++i) {
        const std::byte* found = window.memory() - span.begin + target.start(i);
        CHECK_EQ(*reinterpret_cast<const long*>(found), 1000 + times * i);
      }
      CHECK_EQ(sum, 1000L * long(bytes / sizeof(long)) + times * kCount * (kCount - 1) / 2);
    });
  }
}

// What only reads needs nothing at the origin.
void nothing_given(const Window& window) {
  check::set_case("%s: MPI_NO_OP without an origin", name_of(window.flavor()));
  window.local([&] {
    for (int i = 0; i < 8; ++i) window.as<int>()[i] = 100 * check::rank + i;
  });
  MPI_Barrier(MPI_COMM_WORLD);
  const int target = Ring().target;
  int got[8] = {}, one = -1;
  MPI_Win_lock(MPI_LOCK_SHARED, target, 0, window);
  MPI_Get_accumulate(nullptr, 0, MPI_INT, got, 8, MPI_INT, target, window.at(target, 0), 8, MPI_INT,
                     MPI_NO_OP, window);
  MPI_Fetch_and_op(nullptr, &one, MPI_INT, target, window.at(target, 4), MPI_NO_OP, window);
  MPI_Win_flush(target, window);
  for (int i = 0; i < 8; ++i) CHECK_EQ(got[i], 100 * target + i);
  CHECK_EQ(one, 100 * target + 1);
  if (check::on_atoll()) {  // the type of the origin is ignored as well
    MPI_Get_accumulate(nullptr, 0, MPI_DATATYPE_NULL, got, 1, MPI_INT, target, window.at(target, 8),
                       1, MPI_INT, MPI_NO_OP, window);
    MPI_Win_flush(target, window);
    CHECK_EQ(got[0], 100 * target + 2);
  }
  MPI_Win_unlock(target, window);
  MPI_Barrier(MPI_COMM_WORLD);
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  const coll::StandardTypes types;
  int turn = 0;
  for (Flavor flavor : flavors()) {
    {
      const Window window(flavor, coll::standard_operations().size() * kAreas * kArea);
      for (const StandardType& type : types.all()) {
        operations(window, type, turn);
        swaps(window, type);
      }
      nothing_given(window);
    }
    layouts(flavor);
  }
  return check::finish();
}
