// Windows as objects: memory of every flavor, sizes and displacement units that differ between
// ranks, groups, names, attributes, info and error handlers (MPI 5.0, 12.2).
#include <cstring>
#include <string>
#include <vector>

#include "test/check.h"
#include "test/rma/epochs.h"
#include "test/rma/windows.h"

namespace {

using namespace rma;

int next() { return (check::rank + 1) % check::size; }
int previous() { return (check::rank + check::size - 1) % check::size; }

template <class T>
T* attribute(MPI_Win win, int keyval) {
  T* value = nullptr;
  int found = 0;
  MPI_Win_get_attr(win, keyval, &value, &found);
  CHECK(found);
  return value;
}

int expected_flavor(Flavor flavor) {
  switch (flavor) {
    case Flavor::allocate: return MPI_WIN_FLAVOR_ALLOCATE;
    case Flavor::shared:
    case Flavor::shared_noncontig: return MPI_WIN_FLAVOR_SHARED;
    case Flavor::create:
    case Flavor::create_alloc_mem: return MPI_WIN_FLAVOR_CREATE;
    default: return MPI_WIN_FLAVOR_DYNAMIC;
  }
}

// --- what a window knows ---

void predefined_attributes(Flavor flavor) {
  constexpr int kUnit = 8;
  const std::size_t bytes = 64 * std::size_t(check::rank + 1);
  const Window window(flavor, bytes, kUnit);
  CHECK_EQ(*attribute<int>(window, MPI_WIN_CREATE_FLAVOR), expected_flavor(flavor));
  CHECK_EQ(*attribute<int>(window, MPI_WIN_MODEL), int(MPI_WIN_UNIFIED));
  if (is_dynamic(flavor)) {
    void* base = &base;
    int found = 0;
    MPI_Win_get_attr(window, MPI_WIN_BASE, &base, &found);
    CHECK(found && base == MPI_BOTTOM);
    CHECK_EQ(*attribute<MPI_Aint>(window, MPI_WIN_SIZE), MPI_Aint(0));
    return;
  }
  CHECK(attribute<std::byte>(window, MPI_WIN_BASE) == window.memory());
  CHECK_EQ(*attribute<MPI_Aint>(window, MPI_WIN_SIZE), MPI_Aint(bytes));
  CHECK_EQ(*attribute<int>(window, MPI_WIN_DISP_UNIT), kUnit);
}

void group_and_name(Flavor flavor) {
  MPI_Comm reversed;
  MPI_Comm_split(MPI_COMM_WORLD, 0, -check::rank, &reversed);
  {
    const Window window(flavor, 64, 1, reversed);
    MPI_Group group, wanted;
    MPI_Win_get_group(window, &group);
    MPI_Comm_group(reversed, &wanted);
    int result = -1;
    MPI_Group_compare(group, wanted, &result);
    CHECK_EQ(result, int(MPI_IDENT));
    MPI_Group_free(&group);
    MPI_Group_free(&wanted);
    char name[MPI_MAX_OBJECT_NAME] = "?";
    int length = -1;
    MPI_Win_get_name(window, name, &length);
    if (check::on_atoll()) CHECK_EQ(length, 0);  // Open MPI gives numbers
    MPI_Win_set_name(window, "the window");
    MPI_Win_get_name(window, name, &length);
    CHECK_EQ(std::string(name, std::size_t(length)), "the window");
    // The window goes by the ranks of its group.
    window.local([&] { *window.as<int>() = -1; });
    if (!is_dynamic(flavor)) MPI_Comm_free(&reversed);  // which the window outlives
    MPI_Barrier(MPI_COMM_WORLD);
    const int target = (window.rank() + 1) % window.size();
    MPI_Win_lock(MPI_LOCK_SHARED, target, 0, window);
    const int own = window.rank();
    MPI_Put(&own, 1, MPI_INT, target, window.at(target, 0), 1, MPI_INT, window);
    MPI_Win_unlock(target, window);
    MPI_Barrier(MPI_COMM_WORLD);
    window.local(
        [&] { CHECK_EQ(*window.as<int>(), (window.rank() + window.size() - 1) % window.size()); });
    MPI_Barrier(MPI_COMM_WORLD);
  }
  if (reversed != MPI_COMM_NULL) MPI_Comm_free(&reversed);
}

// --- user attributes ---

int deletions = 0;
int wanted_extra = 5;

int count_deletion(MPI_Win win, int, void* value, void* extra) {
  CHECK(win != MPI_WIN_NULL && extra == &wanted_extra);
  CHECK_EQ(*static_cast<int*>(value), deletions + 10);
  ++deletions;
  return MPI_SUCCESS;
}

void user_attributes(Flavor flavor) {
  deletions = 0;
  int values[] = {10, 11, 12}, keyval, other;
  MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, count_deletion, &keyval, &wanted_extra);
  MPI_Win_create_keyval(MPI_WIN_DUP_FN, MPI_WIN_NULL_DELETE_FN, &other, nullptr);
  {
    const Window window(flavor, 64);
    void* found_value = nullptr;
    int found = -1;
    MPI_Win_get_attr(window, keyval, &found_value, &found);
    CHECK_EQ(found, 0);
    MPI_Win_set_attr(window, keyval, &values[0]);
    MPI_Win_set_attr(window, other, &values[1]);
    CHECK(attribute<int>(window, keyval) == &values[0]);
    CHECK(attribute<int>(window, other) == &values[1]);
    MPI_Win_set_attr(window, keyval, &values[1]);
    CHECK_EQ(deletions, 1);
    MPI_Win_delete_attr(window, keyval);
    CHECK_EQ(deletions, 2);
    MPI_Win_set_attr(window, keyval, &values[2]);
    MPI_Win_free_keyval(&keyval);
  }
  CHECK_EQ(deletions, 3);  // by MPI_Win_free
  MPI_Win_free_keyval(&other);
}

// --- info and error handlers ---

std::string hint(MPI_Win win, const char* key) {
  MPI_Info info;
  MPI_Win_get_info(win, &info);
  char value[MPI_MAX_INFO_VAL + 1] = "";
  int found = 0;
  MPI_Info_get(info, key, MPI_MAX_INFO_VAL, value, &found);
  MPI_Info_free(&info);
  return found ? value : "";
}

void hints(Flavor flavor) {
  MPI_Info info;
  MPI_Info_create(&info);
  MPI_Info_set(info, "no_locks", "false");
  MPI_Info_set(info, "accumulate_ordering", "rar,waw");
  MPI_Info_set(info, "accumulate_ops", "same_op_no_op");
  MPI_Info_set(info, "unknown_to_all", "yes");
  const Window window(flavor, 64, 1, MPI_COMM_WORLD, info);
  MPI_Info_free(&info);
  if (!check::on_atoll()) return check::passed();
  CHECK_EQ(hint(window, "no_locks"), "false");
  CHECK_EQ(hint(window, "accumulate_ops"), "same_op_no_op");
  CHECK(!hint(window, "accumulate_ordering").empty());
  CHECK(!hint(window, "same_size").empty());
  CHECK(!hint(window, "same_disp_unit").empty());
  CHECK_EQ(hint(window, "unknown_to_all"), "");
  MPI_Win_set_info(window, MPI_INFO_NULL);
  CHECK_EQ(hint(window, "no_locks"), "false");
}

int handled = 0;
void count_error(MPI_Win* win, int* code, ...) {
  CHECK(*win != MPI_WIN_NULL);
  CHECK_EQ(check::error_class(*code), MPI_ERR_RANK);
  ++handled;
}

void error_handlers(Flavor flavor) {
  const Window window(flavor, 64);
  MPI_Errhandler kept, made;
  MPI_Win_get_errhandler(window, &kept);
  CHECK(kept == MPI_ERRORS_ARE_FATAL);
  MPI_Errhandler_free(&kept);
  MPI_Win_create_errhandler(count_error, &made);
  MPI_Win_set_errhandler(window, made);
  MPI_Errhandler_free(&made);
  handled = 0;
  int value = 0;
  MPI_Win_lock_all(0, window);
  const int code = MPI_Put(&value, 1, MPI_INT, check::size, 0, 1, MPI_INT, window);
  MPI_Win_unlock_all(window);
  CHECK_EQ(check::error_class(code), MPI_ERR_RANK);
  CHECK_EQ(handled, 1);
  MPI_Win_call_errhandler(window, MPI_ERR_RANK);
  CHECK_EQ(handled, 2);
}

// --- sizes and units ---

// Rank r has r * 40 bytes, none at rank 0, counted in units of r + 1.
void different_sizes(Flavor flavor) {
  const auto unit = [](int rank) { return 4 * (rank % 3 + 1); };
  const auto bytes = [](int rank) { return std::size_t(rank % 5) * 48; };
  const Window window(flavor, bytes(check::rank), unit(check::rank));
  if (bytes(check::rank) > 0) {
    window.local([&] { std::memset(window.memory(), 0x5a, window.bytes()); });
  }
  MPI_Barrier(MPI_COMM_WORLD);
  const int target = next();
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, target, 0, window);
  for (std::size_t at = 0; at + 4 <= bytes(target); at += std::size_t(unit(target))) {
    const int value = int(at) + check::rank;
    MPI_Put(&value, 1, MPI_INT, target, window.at(target, at), 1, MPI_INT, window);
    MPI_Win_flush_local(target, window);
  }
  MPI_Put(&target, 0, MPI_INT, target, window.at(target, 0), 0, MPI_INT, window);
  MPI_Win_unlock(target, window);
  MPI_Barrier(MPI_COMM_WORLD);
  window.local([&] {
    for (std::size_t at = 0; at < window.bytes(); at += 4) {
      const bool put = at % std::size_t(unit(check::rank)) == 0;
      CHECK_EQ(window.as<int>()[at / 4], put ? int(at) + previous() : 0x5a5a5a5a);
    }
  });
  MPI_Barrier(MPI_COMM_WORLD);
}

void one_rank(Flavor flavor) {
  const Window window(flavor, 64, 1, MPI_COMM_SELF);
  int value = 7, got = -1;
  window.local([&] { *window.as<int>() = 0; });
  MPI_Win_fence(MPI_MODE_NOPRECEDE, window);
  MPI_Put(&value, 1, MPI_INT, 0, window.at(0, 0), 1, MPI_INT, window);
  MPI_Win_fence(MPI_MODE_NOSUCCEED, window);
  CHECK_EQ(*window.as<int>(), 7);
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
  MPI_Fetch_and_op(&value, &got, MPI_INT, 0, window.at(0, 0), MPI_SUM, window);
  MPI_Win_unlock(0, window);
  CHECK_EQ(got, 7);
  MPI_Win_lock_all(0, window);
  MPI_Get(&got, 1, MPI_INT, 0, window.at(0, 0), 1, MPI_INT, window);
  MPI_Win_unlock_all(window);
  CHECK_EQ(got, 14);
}

// Operations on MPI_PROC_NULL do nothing, in every kind of epoch.
void no_target(Flavor flavor) {
  const Window window(flavor, 64);
  for (Sync sync : kAllSyncs) {
    int value = 3, got = -1;
    epoch(sync, window, next(), previous(), [&] {
      const MPI_Win win = window;
      MPI_Put(&value, 1, MPI_INT, MPI_PROC_NULL, 999, 1, MPI_INT, win);
      MPI_Get(&got, 1, MPI_INT, MPI_PROC_NULL, 999, 1, MPI_INT, win);
      MPI_Accumulate(&value, 1, MPI_INT, MPI_PROC_NULL, 999, 1, MPI_INT, MPI_SUM, win);
      MPI_Get_accumulate(&value, 1, MPI_INT, &got, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT,
                         MPI_SUM, win);
      MPI_Fetch_and_op(&value, &got, MPI_INT, MPI_PROC_NULL, 0, MPI_SUM, win);
      MPI_Compare_and_swap(&value, &value, &got, MPI_INT, MPI_PROC_NULL, 0, win);
      if (!is_passive(sync)) return;
      MPI_Request requests[2];
      MPI_Rput(&value, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, win, &requests[0]);
      MPI_Rget(&got, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, win, &requests[1]);
      MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    });
    CHECK_EQ(got, -1);
  }
}

// --- dynamic memory ---

// Several ranges, of this program and of MPI_Alloc_mem, attached and detached in any order.
void attach_and_detach() {
  check::set_case("attach and detach");
  MPI_Win win;
  MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  std::vector<std::vector<int>> ranges;
  std::vector<MPI_Aint> own(20), theirs(20);
  for (std::size_t i = 0; i < own.size(); ++i) {
    ranges.emplace_back(i * 50 + 1, int(i));
    MPI_Win_attach(win, ranges[i].data(), MPI_Aint(ranges[i].size() * sizeof(int)));
    MPI_Get_address(ranges[i].data(), &own[i]);
  }
  MPI_Sendrecv(own.data(), 20, MPI_AINT, previous(), 1, theirs.data(), 20, MPI_AINT, next(), 1,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (int removed : {0, 7, 19, -1}) {
    MPI_Win_lock_all(0, win);
    for (int i = 0; i < 20; ++i) {
      if (ranges[std::size_t(i)].empty()) continue;
      int got = -1;
      MPI_Get(&got, 1, MPI_INT, next(), MPI_Aint_add(theirs[std::size_t(i)], 50L * i * 4), 1,
              MPI_INT, win);
      MPI_Win_flush(next(), win);
      CHECK_EQ(got, i);
    }
    MPI_Win_unlock_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (removed < 0) continue;
    MPI_Win_detach(win, ranges[std::size_t(removed)].data());
    ranges[std::size_t(removed)].clear();
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Win_free(&win);  // with what is still attached
  check::passed();
}

struct Subject {
  const char* name;
  void (*run)(Flavor flavor);
};
constexpr Subject kSubjects[] = {
    {"predefined attributes", predefined_attributes},
    {"group and name", group_and_name},
    {"user attributes", user_attributes},
    {"hints", hints},
    {"error handlers", error_handlers},
    {"different sizes", different_sizes},
    {"one rank", one_rank},
    {"no target", no_target},
};

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  for (Flavor flavor : flavors()) {
    for (const Subject& subject : kSubjects) {
      check::set_case("%s, %s", name_of(flavor), subject.name);
      subject.run(flavor);
    }
  }
  attach_and_detach();
  return check::finish();
}
