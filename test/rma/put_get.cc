// MPI_Put and MPI_Get in all their forms: every flavor of window, every kind of epoch, sizes
// around every threshold, and each layout at the origin with each at the target.
#include <algorithm>
#include <vector>

#include "test/check.h"
#include "test/pattern.h"
#include "test/rma/epochs.h"
#include "test/rma/forms.h"
#include "test/rma/layouts.h"
#include "test/rma/windows.h"

namespace {

using namespace rma;

struct Ring {
  int target = (check::rank + 1) % check::size;
  int origin = (check::rank + check::size - 1) % check::size;
};

constexpr std::byte kNothing{0x5a};

void clear(const Window& window) {
  window.local([&] { std::fill_n(window.memory(), window.bytes(), kNothing); });
}

bool is_nothing(const std::byte* begin, const std::byte* end) {
  return std::all_of(begin, end, [](std::byte byte) { return byte == kNothing; });
}

std::uint64_t seed_of(int rank, std::size_t bytes) { return std::uint64_t(rank) * 131 + bytes; }

// Bytes at an odd displacement, with bytes around them that must stay.
void put_bytes(const Window& window, Sync sync, Form form, int bytes) {
  constexpr std::size_t kStart = 9;
  const Ring ring;
  check::Buffer data{std::size_t(bytes)};
  check::fill(data.data(), data.size(), seed_of(check::rank, data.size()));
  clear(window);
  epoch(sync, window, ring.target, ring.origin, [&] {
    put(form, data.data(), {bytes, MPI_BYTE}, ring.target, window.at(ring.target, kStart),
        {bytes, MPI_BYTE}, window);
  });
  const std::byte* begin = window.memory() + kStart;
  CHECK_PATTERN(begin, bytes, seed_of(ring.origin, data.size()));
  CHECK(is_nothing(window.memory(), begin));
  const std::byte* end = window.memory() + window.bytes();
  CHECK(is_nothing(begin + bytes, end - begin - bytes > 4096 ? begin + bytes + 4096 : end));
}

void get_bytes(const Window& window, Sync sync, Form form, int bytes) {
  constexpr std::size_t kStart = 3;
  const Ring ring;
  check::Buffer data{std::size_t(bytes)};
  window.local([&] {
    check::fill(window.memory() + kStart, data.size(), seed_of(check::rank, data.size()));
  });
  epoch(sync, window, ring.target, ring.origin, [&] {
    get(form, data.data(), {bytes, MPI_BYTE}, ring.target, window.at(ring.target, kStart),
        {bytes, MPI_BYTE}, window);
  });
  CHECK_PATTERN(data.data(), bytes, seed_of(ring.target, data.size()));
  CHECK(data.guards_intact());
}

// Every size; epochs and forms take turns.
void sizes(Flavor flavor) {
  const int most = std::min(check::largest_size(check::size), (1 << 20) + 3);
  const Window window(flavor, whole_lines(std::size_t(most) + 64));
  int turn = int(flavor);
  for (int bytes : check::interesting_sizes(most)) {
    const Sync sync = kAllSyncs[++turn % std::size(kAllSyncs)];
    const std::vector<Form> choices = forms(is_passive(sync));
    const Form form = choices[std::size_t(turn / 3) % choices.size()];
    check::set_case("%s, %s, put%s or get of %d bytes", name_of(flavor), kSyncs[int(sync)],
                    kForms[int(form)], bytes);
    put_bytes(window, sync, form, bytes);
    get_bytes(window, sync, form, bytes);
  }
}

// --- layouts ---

// A transfer of `count` elements of one side, as many values of the other.
struct Pair {
  const Layout* origin;
  const Layout* target;
  std::size_t place;  // at the target, of the first element
};

int elements(const Layout& layout, int values) { return values / layout.values(); }

int value(int rank, std::size_t pair, int i) {
  return rank * 1000003 + int(pair) * 1009 + i * 3 + 1;
}

// The transfers of one epoch, each at a place of its own.
class Pairs {
 public:
  Pairs(const Layouts& layouts, int count) : values_(count * kValues) {
    for (const Layout& origin : layouts.all()) {
      for (const Layout& target : layouts.all()) {
        const Span span = span_of(target, values_, sizeof(int));
        pairs_.push_back({&origin, &target, bytes_ + std::size_t(-span.begin)});
        bytes_ += span.bytes() + 8;
      }
    }
  }

  std::size_t bytes() const { return bytes_; }
  int values() const { return values_; }
  const std::vector<Pair>& all() const { return pairs_; }

 private:
  int values_;
  std::size_t bytes_ = 8;
  std::vector<Pair> pairs_;
};

// Memory of one side, of which `address` is that of the first element.
class Side {
 public:
  Side(const Layout& layout, int values)
      : layout_(layout),
        span_(span_of(layout, values, sizeof(int))),
        memory_(span_.bytes() + 2 * sizeof(int), kNothing) {}

  std::byte* address() { return memory_.data() + sizeof(int) - span_.begin; }
  int& at(int i) { return *reinterpret_cast<int*>(address() + layout_.start(i)); }
  // Whether all was nothing but the values, which it forgets.
  bool rest_is_nothing(int values) {
    for (int i = 0; i < values; ++i) std::memset(&at(i), int(kNothing), sizeof(int));
    return is_nothing(memory_.data(), memory_.data() + memory_.size());
  }

 private:
  const Layout& layout_;
  Span span_;
  std::vector<std::byte> memory_;
};

// Where value i of a pair lies in the memory of the target.
int* target_value(const Window& window, const Pair& pair, int i) {
  return reinterpret_cast<int*>(window.memory() + pair.place + pair.target->start(i));
}

void name_pair(Flavor flavor, Sync sync, const char* call, const Pair& pair, int values) {
  check::set_case("%s, %s, %s of %d values: origin %s, target %s", name_of(flavor),
                  kSyncs[int(sync)], call, values, pair.origin->name.c_str(),
                  pair.target->name.c_str());
}

void put_layouts(const Window& window, Sync sync, Form form, const Pairs& pairs) {
  const Ring ring;
  const int values = pairs.values();
  clear(window);
  std::vector<Side> sides;
  for (const Pair& pair : pairs.all()) {
    Side& side = sides.emplace_back(*pair.origin, values);
    for (int i = 0; i < values; ++i) side.at(i) = value(check::rank, sides.size() - 1, i);
  }
  epoch(sync, window, ring.target, ring.origin, [&] {
    for (std::size_t p = 0; p < sides.size(); ++p) {
      const Pair& pair = pairs.all()[p];
      name_pair(window.flavor(), sync, "put", pair, values);
      put(form, sides[p].address(), {elements(*pair.origin, values), pair.origin->type},
          ring.target, window.at(ring.target, pair.place),
          {elements(*pair.target, values), pair.target->type}, window);
    }
  });
  for (std::size_t p = 0; p < sides.size(); ++p) {
    name_pair(window.flavor(), sync, "put", pairs.all()[p], values);
    for (int i = 0; i < values; ++i) {
      int* found = target_value(window, pairs.all()[p], i);
      CHECK_EQ(*found, value(ring.origin, p, i));
    }
  }
  window.local([&] {
    for (const Pair& pair : pairs.all()) {
      for (int i = 0; i < values; ++i) {
        std::memset(target_value(window, pair, i), int(kNothing), sizeof(int));
      }
    }
  });
  CHECK(is_nothing(window.memory(), window.memory() + window.bytes()));
}

void get_layouts(const Window& window, Sync sync, Form form, const Pairs& pairs) {
  const Ring ring;
  const int values = pairs.values();
  window.local([&] {
    for (std::size_t p = 0; p < pairs.all().size(); ++p) {
      for (int i = 0; i < values; ++i) {
        *target_value(window, pairs.all()[p], i) = value(check::rank, p, i);
      }
    }
  });
  std::vector<Side> sides;
  for (const Pair& pair : pairs.all()) sides.emplace_back(*pair.origin, values);
  epoch(sync, window, ring.target, ring.origin, [&] {
    for (std::size_t p = 0; p < sides.size(); ++p) {
      const Pair& pair = pairs.all()[p];
      name_pair(window.flavor(), sync, "get", pair, values);
      get(form, sides[p].address(), {elements(*pair.origin, values), pair.origin->type},
          ring.target, window.at(ring.target, pair.place),
          {elements(*pair.target, values), pair.target->type}, window);
    }
  });
  for (std::size_t p = 0; p < sides.size(); ++p) {
    name_pair(window.flavor(), sync, "get", pairs.all()[p], values);
    for (int i = 0; i < values; ++i) CHECK_EQ(sides[p].at(i), value(ring.target, p, i));
    CHECK(sides[p].rest_is_nothing(values));
  }
}

void layouts(Flavor flavor, const Layouts& types) {
  int turn = int(flavor);
  for (int count : {1, 3, 20}) {
    const Pairs pairs(types, count);
    const Window window(flavor, whole_lines(pairs.bytes()));
    for (Sync sync : kAllSyncs) {
      const std::vector<Form> choices = forms(is_passive(sync));
      const Form form = choices[std::size_t(++turn) % choices.size()];
      put_layouts(window, sync, form, pairs);
      get_layouts(window, sync, form, pairs);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  {
    const Layouts types(MPI_INT, sizeof(int));
    for (Flavor flavor : flavors()) {
      sizes(flavor);
      layouts(flavor, types);
    }
  }
  return check::finish();
}
