#include "runtime/comm/window.h"

#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <vector>

#include "runtime/comm/raise.h"
#include "runtime/objects/names.h"

namespace atl {
namespace {

// A window without memory, destroyed in the same way as the windows that RMA makes.
struct Made {
  Window& window = windows.create();
  MPI_Win handle = handle_of(window);
  ~Made() { windows.destroy(window); }
};

struct Called {
  MPI_Win window;
  int code;
};
std::vector<Called> called;

void note(MPI_Win* window, int* code, ...) { called.push_back({*window, *code}); }

TEST_CASE("a handle is that of a living window") {
  MPI_Win stale;
  {
    const Made made;
    CHECK(find_window(made.handle) == &made.window);
    stale = made.handle;
  }
  CHECK(find_window(stale) == nullptr);
  CHECK(find_window(MPI_WIN_NULL) == nullptr);
}

TEST_CASE("a window has its error handler") {
  const Made one, other;
  CHECK(&one.window.errhandler() == &initial_errhandler());
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  REQUIRE_FALSE(objects::create_errhandler<MPI_Win>(note, &handler));
  REQUIRE_FALSE(objects::set_errhandler(one.window, *find_errhandler(handler)));
  REQUIRE_FALSE(objects::set_errhandler(other.window, errors_return()));

  REQUIRE_FALSE(objects::call_errhandler(one.window, MPI_ERR_OTHER));
  CHECK(raise(make_error(MPI_ERR_RMA_SYNC, "no epoch"), &one.window, "MPI_Put") ==
        MPI_ERR_RMA_SYNC);
  CHECK(raise(make_error(MPI_ERR_RMA_SYNC, "no epoch"), &other.window, "MPI_Put") ==
        MPI_ERR_RMA_SYNC);
  REQUIRE(called.size() == 2);
  CHECK(called[0].window == one.handle);
  CHECK(called[0].code == MPI_ERR_OTHER);
  CHECK(called[1].window == one.handle);
  CHECK(called[1].code == MPI_ERR_RMA_SYNC);

  MPI_Errhandler got = MPI_ERRHANDLER_NULL;
  REQUIRE_FALSE(objects::get_errhandler(one.window, &got));
  CHECK(got == handler);
  REQUIRE_FALSE(objects::errhandler_free(&got));
  REQUIRE_FALSE(objects::errhandler_free(&handler));
}

int deleted = 0;

int count_deletions(MPI_Win, int, void*, void*) {
  ++deleted;
  return MPI_SUCCESS;
}

TEST_CASE("a window has attributes and a name") {
  const Made made;
  int key = MPI_KEYVAL_INVALID, data = 0, flag = -1;
  REQUIRE_FALSE(objects::create_keyval<MPI_Win>(MPI_WIN_NULL_COPY_FN, count_deletions, &key, {}));
  Keyval<MPI_Win>& keyval = *keyvals<MPI_Win>.find(key);
  void* value = nullptr;
  REQUIRE_FALSE(objects::get_attr(made.window, keyval, &value, &flag));
  CHECK(flag == 0);
  REQUIRE_FALSE(objects::set_attr(made.window, keyval, &data));
  REQUIRE_FALSE(objects::get_attr(made.window, keyval, &value, &flag));
  CHECK(flag == 1);
  CHECK(value == &data);
  REQUIRE_FALSE(objects::delete_attr(made.window, keyval));
  CHECK(deleted == 1);
  CHECK(made.window.attributes.empty());

  // The keyval exists until the last attribute is deleted.
  const int number = key;
  REQUIRE_FALSE(objects::set_attr(made.window, keyval, &data));
  REQUIRE_FALSE(objects::free_keyval<MPI_Win>(&key));
  REQUIRE(keyvals<MPI_Win>.find(number) == &keyval);
  REQUIRE_FALSE(objects::delete_attr(made.window, *keyvals<MPI_Win>.find(number)));
  CHECK(deleted == 2);
  CHECK(keyvals<MPI_Win>.find(number) == nullptr);

  char name[MPI_MAX_OBJECT_NAME];
  int length = -1;
  REQUIRE_FALSE(objects::get_name(&made.window, name, &length));
  CHECK(length == 0);
  REQUIRE_FALSE(objects::set_name(made.window, "halo"));
  REQUIRE_FALSE(objects::get_name(&made.window, name, &length));
  CHECK(std::string(name, std::size_t(length)) == "halo");
}

}  // namespace
}  // namespace atl
