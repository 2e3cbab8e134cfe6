#include "runtime/objects/keyvals.h"

#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <memory>
#include <set>
#include <string>

#include "runtime/objects/attributes.h"

namespace atl {
namespace {

using Keys = Keyvals<MPI_Comm>;

int copy_nothing(MPI_Comm, int, void*, void*, void*, int*) { return MPI_SUCCESS; }
int delete_nothing(MPI_Comm, int, void*, void*) { return MPI_SUCCESS; }

int create(Keys& keys) { return keys.create(nullptr, nullptr, nullptr).number; }

TEST_CASE("a keyval is found by its number, with what it was created with") {
  Keys keys;
  int state = 0;
  const Keyval<MPI_Comm>& first = keys.create(copy_nothing, delete_nothing, &state);
  const Keyval<MPI_Comm>& second = keys.create(nullptr, nullptr, nullptr);
  CHECK(keys.find(first.number) == &first);
  CHECK(keys.find(second.number) == &second);
  CHECK((first.copy == copy_nothing));
  CHECK((first.remove == delete_nothing));
  CHECK(first.extra_state == &state);
  CHECK(first.standard == nullptr);
  CHECK(second.extra_state == nullptr);
}

TEST_CASE("numbers that are no keyval are none, of whatever size") {
  Keys keys;
  const int number = create(keys);
  for (const int other : {number + 1, number - 1, 0, -1, 2147483647, int{MPI_KEYVAL_INVALID}}) {
    CHECK(keys.find(other) == nullptr);
    keys.free(other);
  }
  CHECK(keys.find(number) != nullptr);
}

TEST_CASE("predefined keyvals have the numbers of the standard and a name") {
  Keys keys;
  keys.add_standard(MPI_TAG_UB, "MPI_TAG_UB");
  keys.add_standard(MPI_IO, "MPI_IO");
  REQUIRE(keys.find(MPI_TAG_UB) != nullptr);
  CHECK(keys.find(MPI_TAG_UB)->number == MPI_TAG_UB);
  CHECK(keys.find(MPI_TAG_UB)->standard == std::string("MPI_TAG_UB"));
  CHECK(keys.find(MPI_IO)->standard == std::string("MPI_IO"));
  for (const int standard : {MPI_TAG_UB, MPI_HOST, MPI_IO, MPI_WTIME_IS_GLOBAL, MPI_UNIVERSE_SIZE,
                             MPI_LASTUSEDCODE, MPI_APPNUM, MPI_WIN_BASE, MPI_WIN_MODEL}) {
    CHECK(create(keys) > standard);
  }
}

TEST_CASE("a number is used once, for one kind of object") {
  Keys keys;
  std::set<int> numbers;
  for (int i = 0; i < 500; ++i) {
    int comm = 0, type = 0, win = 0;
    REQUIRE_FALSE(objects::create_keyval<MPI_Comm>(nullptr, nullptr, &comm, nullptr));
    REQUIRE_FALSE(objects::create_keyval<MPI_Datatype>(nullptr, nullptr, &type, nullptr));
    REQUIRE_FALSE(objects::create_keyval<MPI_Win>(nullptr, nullptr, &win, nullptr));
    for (const int number : {comm, type, win}) CHECK(numbers.insert(number).second);
    CHECK(keyvals<MPI_Comm>.find(comm) != nullptr);
    CHECK(keyvals<MPI_Comm>.find(type) == nullptr);
    CHECK(keyvals<MPI_Datatype>.find(win) == nullptr);
    if (i % 2 == 0) continue;
    const int freed = win;
    REQUIRE_FALSE(objects::free_keyval<MPI_Win>(&win));
    CHECK(win == MPI_KEYVAL_INVALID);
    CHECK(keyvals<MPI_Win>.find(freed) == nullptr);
  }
}

TEST_CASE("a freed keyval is found as long as an object has the attribute") {
  Keys keys;
  Attributes<MPI_Comm> one, other;
  Keyval<MPI_Comm>& keyval = keys.create(nullptr, nullptr, nullptr);
  const std::weak_ptr<Keyval<MPI_Comm>> alive = keyval.weak_from_this();
  const int number = keyval.number;
  int value = 7;
  REQUIRE_FALSE(one.set(MPI_COMM_NULL, keyval, &value));
  REQUIRE_FALSE(other.set(MPI_COMM_NULL, keyval, &value));
  keys.free(number);
  keys.free(number);  // no effect
  const int unused = create(keys);
  keys.free(unused);
  CHECK(keys.find(unused) == nullptr);
  CHECK(keys.find(number) == &keyval);
  REQUIRE_FALSE(one.remove(MPI_COMM_NULL, keyval));
  CHECK(keys.find(number) == &keyval);
  void* found = nullptr;
  CHECK(other.get(*keys.find(number), &found));
  CHECK(found == &value);
  REQUIRE_FALSE(other.remove(MPI_COMM_NULL, *keys.find(number)));
  CHECK(alive.expired());
  CHECK(keys.find(number) == nullptr);
  CHECK(create(keys) != number);
}

TEST_CASE("a keyval that is not freed needs no attribute to exist") {
  Keys keys;
  Attributes<MPI_Comm> attributes;
  Keyval<MPI_Comm>& keyval = keys.create(nullptr, nullptr, nullptr);
  REQUIRE_FALSE(attributes.set(MPI_COMM_NULL, keyval, nullptr));
  REQUIRE_FALSE(attributes.remove(MPI_COMM_NULL, keyval));
  CHECK(keys.find(keyval.number) == &keyval);
}

}  // namespace
}  // namespace atl
