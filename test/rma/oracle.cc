// Programs of epochs and operations at random against what one process computes: every flavor of
// window, every kind of epoch, each call in its forms, and layouts of both sides. What several
// origins do to one location in one epoch has a defined result: only sums are common, everything
// else has memory of its own, where accumulates of one origin keep their order.
#include <algorithm>
#include <memory>
#include <vector>

#include "test/pattern.h"
#include "test/rma/epochs.h"
#include "test/rma/forms.h"
#include "test/rma/layouts.h"
#include "test/rma/windows.h"
#include "test/seed.h"

namespace {

using namespace rma;

enum class Call { put, get, accumulate, get_accumulate, fetch, swap };
constexpr MPI_Aint kLong = sizeof(long);
constexpr int kCells = 4096;  // longs of each rank's memory
constexpr int kCommon = 32;   // of these, the last, for sums of all
constexpr int kFirstCommon = kCells - kCommon;

struct Operation {
  Call call;
  Form form;
  int origin, target;
  MPI_Op op;
  const Layout* from;  // at the origin
  const Layout* to;    // at the target
  int values;
  MPI_Aint place;  // in bytes, of the first element at the target
  std::uint64_t seed;
  bool common = false;

  long given(int i) const { return long(check::pattern_word(seed, std::size_t(i)) >> 40); }
  // Half of the swaps are for values that may be there.
  long compared(long there) const { return seed % 2 == 0 ? there : there + 1; }
  std::size_t cell(int i) const { return std::size_t((place + to->start(i)) / kLong); }
  Elements at_origin() const { return {values / from->values(), from->type}; }
  Elements at_target() const { return {values / to->values(), to->type}; }
};

long combined(MPI_Op op, long there, long given) {
  if (op == MPI_SUM) return there + given;
  if (op == MPI_MAX) return std::max(there, given);
  if (op == MPI_BXOR) return there ^ given;
  return op == MPI_REPLACE ? given : there;
}

// The memory of all ranks, as it should be.
using Model = std::vector<std::vector<long>>;

// What the operation does; the values that it finds.
std::vector<long> apply(const Operation& o, Model& model) {
  std::vector<long> found;
  for (int i = 0; i < o.values; ++i) {
    long& there = model[std::size_t(o.target)][o.cell(i)];
    found.push_back(there);
    if (o.call == Call::put) there = o.given(i);
    if (o.call == Call::swap && o.compared(there) == there) there = o.given(i);
    if (o.call != Call::put && o.call != Call::get && o.call != Call::swap) {
      there = combined(o.op, there, o.given(i));
    }
  }
  return found;
}

// --- drawing ---

class Program {
 public:
  Program(check::Random& random, const Layouts& layouts, Sync sync)
      : random_(random), layouts_(layouts.all()), forms_(forms(is_passive(sync))) {
    for (int target = 0; target < check::size; ++target) {
      draw_own(target);
      draw_common(target);
    }
  }
  const std::vector<Operation>& operations() const { return operations_; }

 private:
  int below(int bound) { return int(random_.below(std::uint64_t(bound))); }
  const Layout& layout() { return layouts_[std::size_t(below(int(layouts_.size())))]; }
  Form form() { return forms_[std::size_t(below(int(forms_.size())))]; }
  Operation& add(Call call, int origin, int target, const Layout& to, int values, MPI_Aint place) {
    const MPI_Op kOps[] = {MPI_SUM, MPI_MAX, MPI_BXOR, MPI_REPLACE};
    const Layout& from = values % kValues == 0 ? layout() : layouts_[0];
    operations_.push_back(
        {call, form(), origin, target, kOps[below(4)], &from, &to, values, place, random_.next()});
    return operations_.back();
  }

  // Each with memory of its own, from the beginning on.
  void draw_own(int target) {
    MPI_Aint free = 0;
    for (int count = below(6); count > 0; --count) {
      const bool single = random_.one_in(3);
      const Layout& to = single ? layouts_[0] : layout();
      const int values = single ? 1 : kValues * (random_.one_in(6) ? 40 : 1 + below(4));
      const Span span = span_of(to, values, sizeof(long));
      const MPI_Aint place = free - span.begin;
      free += MPI_Aint(span.bytes()) + below(2) * kLong;
      if (free > kFirstCommon * kLong || values > 50 * to.values()) return;
      const int origin = below(check::size);
      if (random_.one_in(2)) {
        add(random_.one_in(2) ? Call::put : Call::get, origin, target, to, values, place);
        continue;
      }
      for (int length = 1 + below(4); length > 0; --length) {
        const Call calls[] = {Call::accumulate, Call::get_accumulate, Call::fetch, Call::swap};
        const Call call = calls[below(single ? 4 : 2)];
        Operation& o = add(call, origin, target, to, values, place);
        if (call != Call::accumulate && random_.one_in(4)) o.op = MPI_NO_OP;
      }
    }
  }

  void draw_common(int target) {
    for (int count = below(4); count > 0; --count) {
      const int first = below(kCommon), values = 1 + below(kCommon - first);
      const bool single = values == 1 && random_.one_in(2);
      Operation& o = add(single ? Call::fetch : Call::accumulate, below(check::size), target,
                         layouts_[0], values, (kFirstCommon + first) * kLong);
      o.op = MPI_SUM;
      o.common = true;
    }
  }

  check::Random& random_;
  const std::vector<Layout>& layouts_;
  std::vector<Form> forms_;
  std::vector<Operation> operations_;
};

// --- doing ---

// Memory of the origin for one operation, until the end of its epoch.
class Side {
 public:
  explicit Side(const Operation& o) : layout_(*o.from) {
    const Span span = span_of(layout_, o.values, sizeof(long));
    first_ = std::size_t(-span.begin / kLong);
    memory_.resize(span.bytes() / sizeof(long) + 1, -1);
  }
  long* address() { return memory_.data() + first_; }
  long& at(int i) { return address()[layout_.start(i) / kLong]; }

 private:
  const Layout& layout_;
  std::size_t first_;
  std::vector<long> memory_;
};

struct Execution {
  explicit Execution(const Operation& operation, const std::vector<long>& wanted)
      : o(operation), given(operation), got(operation), found(wanted) {
    for (int i = 0; i < o.values; ++i) given.at(i) = o.given(i);
    compared = o.compared(found[0]);
  }

  void call(const Window& window) {
    const MPI_Aint disp = window.at(o.target, std::size_t(o.place));
    switch (o.call) {
      case Call::put:
        return put(o.form, given.address(), o.at_origin(), o.target, disp, o.at_target(), window);
      case Call::get:
        return get(o.form, got.address(), o.at_origin(), o.target, disp, o.at_target(), window);
      case Call::accumulate:
        return accumulate(o.form, given.address(), o.at_origin(), o.target, disp, o.at_target(),
                          o.op, window);
      case Call::get_accumulate:
        return get_accumulate(o.form, given.address(), o.at_origin(), got.address(), o.at_origin(),
                              o.target, disp, o.at_target(), o.op, window);
      case Call::fetch:
        MPI_Fetch_and_op(given.address(), got.address(), MPI_LONG, o.target, disp, o.op, window);
        return;
      case Call::swap:
        MPI_Compare_and_swap(given.address(), &compared, got.address(), MPI_LONG, o.target, disp,
                             window);
        return;
    }
  }

  // After the epoch.
  void expect() {
    if (o.call == Call::put || o.call == Call::accumulate || o.common) return;
    for (int i = 0; i < o.values; ++i) CHECK_EQ(got.at(i), found[std::size_t(i)]);
  }

  const Operation& o;
  Side given, got;
  long compared;
  std::vector<long> found;  // as it should be
};

// The own operations, those to one target together where it is locked alone.
void execute(const Window& window, Sync sync, std::vector<Execution>& own) {
  const auto all = [&] {
    for (Execution& execution : own) execution.call(window);
  };
  if (sync == Sync::fence) {
    MPI_Win_fence(0, window);
    all();
    MPI_Win_fence(MPI_MODE_NOSUCCEED, window);
  } else if (sync == Sync::pscw) {
    MPI_Group group;
    MPI_Win_get_group(window, &group);
    MPI_Win_post(group, 0, window);
    MPI_Win_start(group, 0, window);
    all();
    MPI_Win_complete(window);
    MPI_Win_wait(window);
    MPI_Group_free(&group);
  } else if (sync == Sync::lock_all) {
    MPI_Win_lock_all(0, window);
    all();
    MPI_Win_unlock_all(window);
  } else {
    for (int i = 0; i < check::size; ++i) {
      const int target = (check::rank + i) % check::size;
      locked(sync, window, target, [&] {
        for (Execution& execution : own) {
          if (execution.o.target == target) execution.call(window);
        }
      });
    }
  }
}

void run(const Window& window, Sync sync, check::Random& random, const Layouts& layouts,
         Model& model) {
  const Program program(random, layouts, sync);
  std::vector<Execution> own;
  for (const Operation& o : program.operations()) {
    const std::vector<long> found = apply(o, model);
    if (o.origin == check::rank) own.emplace_back(o, found);
  }
  execute(window, sync, own);
  MPI_Barrier(MPI_COMM_WORLD);
  for (Execution& execution : own) execution.expect();
  window.local([&] {
    const std::vector<long>& wanted = model[std::size_t(check::rank)];
    for (int i = 0; i < kCells; ++i) CHECK_EQ(window.as<long>()[i], wanted[std::size_t(i)]);
  });
  MPI_Barrier(MPI_COMM_WORLD);
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  const unsigned seed = check::shared_seed();
  check::Random random(seed);  // the same numbers everywhere
  {
    const Layouts layouts(MPI_LONG, sizeof(long));
    std::vector<std::unique_ptr<Window>> windows;
    std::vector<Model> models;
    for (Flavor flavor : flavors()) {
      windows.push_back(std::make_unique<Window>(flavor, kCells * sizeof(long)));
      windows.back()->local([&] { std::fill_n(windows.back()->as<long>(), kCells, 0L); });
      models.emplace_back(check::size, std::vector<long>(kCells, 0));
    }
    MPI_Barrier(MPI_COMM_WORLD);
    for (int round = 0; round < 2000 / (check::size + 4); ++round) {
      const std::size_t w = random.below(windows.size());
      const Sync sync = kAllSyncs[random.below(std::size(kAllSyncs))];
      check::set_case("SEED=%u, round %d: %s, %s", seed, round, name_of(windows[w]->flavor()),
                      kSyncs[int(sync)]);
      run(*windows[w], sync, random, layouts, models[w]);
    }
  }
  return check::finish();
}
