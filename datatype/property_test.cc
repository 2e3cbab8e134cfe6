// Random types against the oracle that writes type maps out.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "datatype/predefined.h"
#include "datatype/testing/random_type.h"
#include "datatype/testing/type_map.h"

namespace atl::datatype {
namespace {

using testing::TypeMap;

constexpr int kTypes = 5000;
constexpr std::size_t kValues = 400;

Reference type_of(std::uint64_t seed) {
  const std::vector<std::uint8_t> bytes = testing::random_bytes(seed, 96);
  testing::Choices choices(bytes);
  return testing::random_type(choices, 4, kValues);
}

template <class Check>
void for_random_types(Check check) {
  for (std::uint64_t seed = 0; seed < kTypes; ++seed) {
    CAPTURE(seed);
    const Reference type = type_of(seed);
    const_cast<Datatype&>(*type).commit();
    check(*type, testing::type_map(*type));
  }
}

TEST_CASE("size and bounds are those of the type map") {
  for_random_types([](const Datatype& type, const TypeMap& map) {
    CHECK(type.size() == map.size());
    CHECK(type.lower_bound() == map.lower());
    CHECK(type.extent() == map.extent());
    const std::vector<testing::Run> runs = testing::runs(map);
    Count low = 0;
    Count high = 0;
    if (!runs.empty()) low = high = runs[0].offset;
    for (const testing::Run& run : runs) {
      low = std::min(low, run.offset);
      high = std::max(high, run.offset + run.bytes);
    }
    CHECK(type.true_lower_bound() == low);
    CHECK(type.true_extent() == high - low);
  });
}

// Memory around an address to which the elements of a type belong.
class Memory {
 public:
  Memory(const Datatype& type, Count count, std::uint8_t fill)
      : before_(kMargin + reach(type, count)), bytes_(2 * before_, std::byte{fill}) {}

  std::byte* address() { return bytes_.data() + before_; }
  std::vector<std::byte>& bytes() { return bytes_; }

 private:
  static constexpr std::size_t kMargin = 64;
  static std::size_t reach(const Datatype& type, Count count) {
    return static_cast<std::size_t>(std::abs(type.extent()) * count +
                                    std::abs(type.true_lower_bound()) + type.true_extent());
  }

  std::size_t before_;
  std::vector<std::byte> bytes_;
};

TEST_CASE("any cut of the stream packs what the type map says") {
  for_random_types([](const Datatype& type, const TypeMap& map) {
    constexpr Count kCount = 3;
    Memory memory(type, kCount, 0);
    std::uint8_t next = 1;
    for (std::byte& byte : memory.bytes()) byte = std::byte{next += 7};
    const std::vector<std::byte> expected = testing::naive_pack(map, memory.address(), kCount);
    for (const std::size_t piece : {std::size_t{1}, std::size_t{13}, expected.size() + 1}) {
      std::vector<std::byte> stream(expected.size());
      for (std::size_t start = 0; start < stream.size(); start += piece) {
        const std::size_t length = std::min(piece, stream.size() - start);
        type.pack(memory.address(), start, std::span(stream).subspan(start, length));
      }
      CHECK(stream == expected);
    }
  });
}

// Whether elements write some byte twice, which no receive may.
bool overlaps(const TypeMap& map, Count count) {
  std::vector<testing::Run> all;
  for (Count i = 0; i < count; ++i) {
    for (const testing::Run& run : testing::runs(map)) {
      all.push_back({run.offset + i * map.extent(), run.bytes});
    }
  }
  std::ranges::sort(all, {}, &testing::Run::offset);
  for (std::size_t i = 1; i < all.size(); ++i) {
    if (all[i - 1].offset + all[i - 1].bytes > all[i].offset) return true;
  }
  return false;
}

TEST_CASE("any cut of the stream unpacks to where the type map says and nowhere else") {
  for_random_types([](const Datatype& type, const TypeMap& map) {
    constexpr Count kCount = 3;
    if (overlaps(map, kCount)) return;
    Memory expected(type, kCount, 0xee);
    std::vector<std::byte> stream(type.size() * kCount);
    std::uint8_t next = 1;
    for (std::byte& byte : stream) byte = std::byte{next += 7};
    testing::naive_unpack(map, stream, expected.address(), kCount);
    for (const std::size_t piece : {std::size_t{1}, std::size_t{13}, stream.size() + 1}) {
      Memory memory(type, kCount, 0xee);
      for (std::size_t start = 0; start < stream.size(); start += piece) {
        const std::size_t length = std::min(piece, stream.size() - start);
        type.unpack(memory.address(), start, std::span(stream).subspan(start, length));
      }
      CHECK(memory.bytes() == expected.bytes());
    }
  });
}

TEST_CASE("basic values are counted in every part of the stream") {
  for_random_types([](const Datatype& type, const TypeMap& map) {
    std::size_t bytes = 0;
    std::size_t values = 0;
    for (int element = 0; element < 2; ++element) {
      for (const testing::Entry& entry : map.entries) {
        if (entry.basic->size() == 0) continue;
        REQUIRE(type.basic_values_in(bytes) == values);
        REQUIRE(type.basic_values_in(bytes + entry.basic->size() - 1) == values);
        REQUIRE(type.bytes_of_basic_values(values) == bytes);
        bytes += entry.basic->size();
        ++values;
      }
    }
    CHECK(type.basic_values_in(bytes) == values);
    CHECK(type.basic_values() * 2 == values);
  });
}

// The same runs in another guise.
Reference list_of_runs(const TypeMap& map) {
  std::vector<Count> lengths;
  std::vector<Count> displacements;
  for (const testing::Run& run : testing::runs(map)) {
    lengths.push_back(run.bytes);
    displacements.push_back(run.offset);
  }
  const Made list = make_hindexed(lengths, displacements, bytes());
  return make_resized(*list.type, map.lower(), map.extent()).type;
}

Reference struct_of_bytes(const TypeMap& map) {
  std::vector<Count> displacements;
  for (const testing::Run& run : testing::runs(map)) {
    for (Count i = 0; i < run.bytes; ++i) displacements.push_back(run.offset + i);
  }
  const std::vector<Count> lengths(displacements.size(), 1);
  const std::vector<const Datatype*> types(displacements.size(), &bytes());
  const Made all = make_struct(lengths, displacements, types);
  return make_resized(*all.type, map.lower(), map.extent()).type;
}

TEST_CASE("types with the same type map have the same program, however they were built") {
  for_random_types([](const Datatype& type, const TypeMap& map) {
    for (const Reference& other : {list_of_runs(map), struct_of_bytes(map)}) {
      const_cast<Datatype&>(*other).commit();
      CHECK(other->program() == type.program());
      CHECK(other->flat() == type.flat());
    }
  });
}

// What a signature stands for, written out.
using Sequence = std::vector<Signature>;

Sequence sequence_of(const TypeMap& map) {
  Sequence sequence;
  for (const testing::Entry& entry : map.entries) {
    const auto* basic = std::get_if<Basic>(&entry.basic->structure());
    if (basic == nullptr) continue;
    for (int part = 0; part < basic->parts; ++part) {
      sequence.push_back(basic_signature(basic->kind, basic->width));
    }
  }
  return sequence;
}

TEST_CASE("the signature of every part of the stream depends on its values alone") {
  for_random_types([](const Datatype& type, const TypeMap& map) {
    const Sequence values = sequence_of(map);
    SignatureHash written;
    std::size_t bytes = 0;
    for (int element = 0; element < 2; ++element) {
      for (const Signature value : values) {
        written = written.then({value, 1});
        bytes += value & 0xff;
        REQUIRE(type.signature(bytes) == written.signature());
      }
    }
  });
}

}  // namespace
}  // namespace atl::datatype
