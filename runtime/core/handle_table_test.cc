#include "runtime/core/handle_table.h"

#include <mpi.h>

#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <set>
#include <string>

namespace atl {
namespace {

// Counts those that live.
struct Object {
  static constexpr HandleKind kHandleKind = HandleKind::group;
  explicit Object(int number) : value(std::make_unique<int>(number)) { ++alive; }
  ~Object() { --alive; }

  static inline int alive = 0;
  std::unique_ptr<int> value;
};

using Table = HandleTable<Object>;

constexpr int kMany = 1000;  // more than a chunk has

std::vector<Object*> made(Table& table, int count) {
  std::vector<Object*> objects;
  for (int i = 0; i < count; ++i) objects.push_back(&table.create(i));
  return objects;
}

TEST_CASE("a handle leads to its object and to no other, however many there are") {
  Table table;
  std::set<std::uintptr_t> handles;
  const std::vector<Object*> objects = made(table, kMany);
  for (int i = 0; i < kMany; ++i) {
    const std::uintptr_t handle = Table::handle(*objects[i]);
    CHECK(handles.insert(handle).second);
    REQUIRE(table.find(handle) == objects[i]);  // it has not moved since it was made
    CHECK(*objects[i]->value == i);
  }
  for (Object* object : objects) table.destroy(*object);
  CHECK(Object::alive == 0);
}

TEST_CASE("what differs from a handle in its place, kind or generation is none") {
  Table table;
  Object& object = table.create(1);
  const std::uintptr_t handle = Table::handle(object);
  for (int bit = 0; bit < 64; ++bit) {
    CAPTURE(bit);
    CHECK(table.find(handle ^ std::uintptr_t{1} << bit) == nullptr);
  }
  CHECK(table.find(handle + kMany) == nullptr);  // behind the places that there are
  CHECK(table.find(handle - 1) == nullptr);
  CHECK(table.find(static_cast<std::uint32_t>(handle + 1)) == nullptr);  // a place not used yet
  table.destroy(object);
}

TEST_CASE("handles that mpi.h predefines are none of a table") {
  Table table;
  const std::vector<Object*> objects = made(table, kMany);
  for (std::uintptr_t predefined = 0; predefined < 4096; ++predefined) {
    REQUIRE(table.find(predefined) == nullptr);
  }
  CHECK((Table::handle(*objects[0]) & 0xfffffff) == 4096);
  for (Object* object : objects) {
    REQUIRE((Table::handle(*object) & 0xfffffff) >= 4096);
    table.destroy(*object);
  }
}

TEST_CASE("a freed handle is none, also when its place is in use again") {
  Table table;
  Object* object = &table.create(1);
  std::set<std::uintptr_t> stale;
  for (int i = 0; i < kMany; ++i) {
    const std::uintptr_t handle = Table::handle(*object);
    table.destroy(*object);
    CHECK(stale.insert(handle).second);
    CHECK(table.find(handle) == nullptr);
    Object* next = &table.create(2);
    REQUIRE(next == object);
    REQUIRE(table.find(handle) == nullptr);
    REQUIRE(table.find(Table::handle(*next)) == next);
  }
  table.destroy(*object);
}

TEST_CASE("what was freed last is used first, and all places before the table grows") {
  Table table;
  const std::vector<Object*> objects = made(table, 3);
  table.destroy(*objects[0]);
  table.destroy(*objects[2]);
  CHECK(&table.create(3) == objects[2]);
  CHECK(&table.create(4) == objects[0]);
  for (Object* object : objects) table.destroy(*object);

  std::set<Object*> places;
  for (Object* object : made(table, 256)) places.insert(object);  // a chunk
  for (Object* object : places) table.destroy(*object);
  for (Object* object : made(table, 256)) {
    CHECK(places.contains(object));
    table.destroy(*object);
  }
}

TEST_CASE("those that live are visited, each once") {
  Table table;
  const std::vector<Object*> objects = made(table, kMany);
  for (int i = 0; i < kMany; i += 3) table.destroy(*objects[i]);
  std::set<int> visited;
  table.for_each([&](Object& object) { CHECK(visited.insert(*object.value).second); });
  CHECK(static_cast<int>(visited.size()) == Object::alive);
  for (const int value : visited) CHECK(value % 3 != 0);
  table.for_each([&](Object& object) { table.destroy(object); });
  CHECK(Object::alive == 0);
}

TEST_CASE("Fortran's integers lead back to the handle, until it is freed") {
  Table table;
  const std::vector<Object*> objects = made(table, kMany);
  std::set<int> numbers;
  for (Object* object : objects) {
    const std::uintptr_t handle = Table::handle(*object);
    const int number = handle_to_int(handle);
    REQUIRE(number >= 0);
    CHECK(numbers.insert(number).second);
    CHECK(table.from_int(number) == handle);
  }
  const int stale = handle_to_int(Table::handle(*objects[7]));
  table.destroy(*objects[7]);
  CHECK(table.find(table.from_int(stale)) == nullptr);
  CHECK(&table.create(7) == objects[7]);
  CHECK(table.find(table.from_int(stale)) == nullptr);
  CHECK(handle_to_int(Table::handle(*objects[7])) != stale);
  CHECK(table.find(table.from_int(-1)) == nullptr);
  CHECK(table.find(table.from_int(0)) == nullptr);
  for (Object* object : objects) table.destroy(*object);
}

TEST_CASE("an integer keeps the kind, and there is none for a place that it has no room for") {
  const auto handle = [](HandleKind kind, std::uintptr_t place) {
    return std::uintptr_t{1} << 32 | std::uintptr_t{static_cast<std::uint32_t>(kind)} << 28 | place;
  };
  CHECK(handle_to_int(handle(HandleKind::group, 5000)) !=
        handle_to_int(handle(HandleKind::comm, 5000)));
  CHECK(handle_to_int(handle(HandleKind::file, (1 << 20) - 1)) > 0);
  CHECK(handle_to_int(handle(HandleKind::file, 1 << 20)) == -1);
}

std::string complaint(HandleKind kind, std::uintptr_t handle) {
  const auto fault = bad_handle(kind, "group", reinterpret_cast<void*>(handle));
  CHECK(fault.error_class() == MPI_ERR_GROUP);
  return fault.text();
}

TEST_CASE("a handle that is none is told by what it looks like") {
  Table table;
  Object& object = table.create(1);
  const std::uintptr_t handle = Table::handle(object);
  table.destroy(object);
  CHECK(complaint(HandleKind::group, reinterpret_cast<std::uintptr_t>(MPI_GROUP_NULL)) ==
        "group is MPI_GROUP_NULL");
  CHECK(complaint(HandleKind::group, handle).ends_with(" is not a group; was it freed?"));
  CHECK(complaint(HandleKind::group, handle ^ 3u << 28)
            .ends_with(" is the handle of a communicator, not of a group"));
  CHECK(complaint(HandleKind::group, 0x7fff00000010) ==
        "group=0x7fff00000010 is not a group; was it freed?");
  CHECK(null_handle_name(HandleKind::file) == std::string("MPI_FILE_NULL"));
}

}  // namespace
}  // namespace atl
