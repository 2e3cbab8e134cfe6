// Info objects (chapter 10), also before MPI_Init and after MPI_Finalize.
#include <algorithm>
#include <string>
#include <vector>

#include "test/check.h"

namespace {

std::string get(MPI_Info info, const char* key) {
  int length = 0, flag = -1;
  char none = 0;
  char* const absent = check::on_atoll() ? nullptr : &none;  // there is no buffer (10.1)
  CHECK_EQ(MPI_Info_get_string(info, key, &length, absent, &flag), MPI_SUCCESS);
  if (!flag) return "(none)";
  std::string value(static_cast<std::size_t>(length), 'x');
  const int room = length;
  CHECK_EQ(MPI_Info_get_string(info, key, &length, value.data(), &flag), MPI_SUCCESS);
  CHECK_EQ(length, room);
  CHECK_EQ(flag, 1);
  CHECK_EQ(value.back(), '\0');
  value.pop_back();
  return value;
}

std::vector<std::string> keys(MPI_Info info) {
  int count = -1;
  CHECK_EQ(MPI_Info_get_nkeys(info, &count), MPI_SUCCESS);
  std::vector<std::string> list;
  for (int n = 0; n < count; ++n) {
    char key[MPI_MAX_INFO_KEY] = "";
    CHECK_EQ(MPI_Info_get_nthkey(info, n, key), MPI_SUCCESS);
    list.emplace_back(key);
  }
  return list;
}

MPI_Info create() {
  MPI_Info info = MPI_INFO_NULL;
  CHECK_EQ(MPI_Info_create(&info), MPI_SUCCESS);
  CHECK(info != MPI_INFO_NULL);
  return info;
}

void set_get_delete() {
  check::set_case("set, get, replace, delete");
  MPI_Info info = create();
  CHECK(keys(info).empty());
  CHECK_EQ(get(info, "colour"), "(none)");
  MPI_Info_set(info, "colour", "red");
  MPI_Info_set(info, "Colour", "capital");  // keys are case-sensitive
  MPI_Info_set(info, "empty", "");
  MPI_Info_set(info, "with spaces", "  kept in C  ");
  CHECK_EQ(get(info, "colour"), "red");
  CHECK_EQ(get(info, "Colour"), "capital");
  CHECK_EQ(get(info, "empty"), "");
  CHECK_EQ(get(info, "with spaces"), "  kept in C  ");
  MPI_Info_set(info, "colour", "dark green");
  CHECK_EQ(get(info, "colour"), "dark green");
  CHECK_EQ(keys(info).size(), std::size_t{4});
  CHECK_EQ(MPI_Info_delete(info, "Colour"), MPI_SUCCESS);
  CHECK_EQ(get(info, "Colour"), "(none)");
  const auto left = keys(info);
  for (const char* key : {"colour", "empty", "with spaces"}) {
    CHECK_EQ(std::ranges::count(left, key), 1);
  }
  CHECK_EQ(left.size(), std::size_t{3});
  MPI_Info_free(&info);
  CHECK(info == MPI_INFO_NULL);
}

// 10.1: a buffer that is too short gets what fits, and the length says what would.
void short_buffers() {
  check::set_case("MPI_Info_get_string into a short buffer");
  MPI_Info info = create();
  MPI_Info_set(info, "key", "123456789");
  for (int room : {1, 2, 5, 9, 10, 11}) {
    char value[16];
    std::memset(value, '#', sizeof value);
    int length = room, flag = 0;
    MPI_Info_get_string(info, "key", &length, value, &flag);
    CHECK_EQ(flag, 1);
    CHECK_EQ(length, 10);
    CHECK_EQ(std::string(value), std::string("123456789").substr(0, std::min(room - 1, 9)));
    CHECK_EQ(value[std::min(room, 10)], '#');
  }
  char untouched = '#';
  int length = 0, flag = 0;
  MPI_Info_get_string(info, "key", &length, &untouched, &flag);
  CHECK_EQ(length, 10);
  CHECK_EQ(untouched, '#');
  length = 1;
  MPI_Info_get_string(info, "no such key", &length, &untouched, &flag);
  CHECK_EQ(flag, 0);
  CHECK_EQ(length, 1);
  CHECK_EQ(untouched, '#');
  MPI_Info_free(&info);
}

// The older functions count without the null (16.2).
void deprecated() {
  check::set_case("MPI_Info_get and MPI_Info_get_valuelen");
  MPI_Info info = create();
  MPI_Info_set(info, "key", "12345");
  int length = -1, flag = 0;
  MPI_Info_get_valuelen(info, "key", &length, &flag);
  CHECK_EQ(flag, 1);
  CHECK_EQ(length, 5);
  for (int room : {0, 1, 4, 5, 8}) {
    if (room < 5 && !check::on_atoll()) continue;  // others refuse too short a value
    char value[16];
    std::memset(value, '#', sizeof value);
    MPI_Info_get(info, "key", room, value, &flag);
    CHECK_EQ(flag, 1);
    CHECK_EQ(std::string(value), std::string("12345").substr(0, room));
    CHECK_EQ(value[std::min(room, 5) + 1], '#');
  }
  char value[4] = "old";
  length = 77;
  MPI_Info_get(info, "no such key", 3, value, &flag);
  CHECK_EQ(flag, 0);
  CHECK_EQ(std::string(value), "old");
  MPI_Info_get_valuelen(info, "no such key", &length, &flag);
  CHECK_EQ(flag, 0);
  CHECK_EQ(length, 77);
  MPI_Info_free(&info);
}

void longest() {
  check::set_case("the longest key and value");
  MPI_Info info = create();
  const std::string key(MPI_MAX_INFO_KEY - 1, 'k');
  const std::string value(MPI_MAX_INFO_VAL - 1, 'v');
  CHECK_EQ(MPI_Info_set(info, key.c_str(), value.c_str()), MPI_SUCCESS);
  CHECK_EQ(get(info, key.c_str()), value);
  CHECK_EQ(keys(info)[0], key);
  MPI_Info_free(&info);
}

void copies() {
  check::set_case("MPI_Info_dup");
  MPI_Info info = create(), copy = MPI_INFO_NULL;
  for (int i = 0; i < 100; ++i) {
    MPI_Info_set(info, ("key " + std::to_string(i)).c_str(), std::to_string(i * i).c_str());
  }
  CHECK_EQ(MPI_Info_dup(info, &copy), MPI_SUCCESS);
  CHECK(copy != info);
  CHECK(keys(copy) == keys(info));  // the order too
  MPI_Info_set(info, "key 7", "changed");
  MPI_Info_delete(info, "key 8");
  CHECK_EQ(get(copy, "key 7"), "49");
  CHECK_EQ(get(copy, "key 8"), "64");
  MPI_Info_free(&info);
  CHECK_EQ(get(copy, "key 99"), "9801");
  MPI_Info_free(&copy);
}

void many() {
  check::set_case("many info objects");
  std::vector<MPI_Info> all(2000);
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i] = create();
    MPI_Info_set(all[i], "number", std::to_string(i).c_str());
  }
  for (std::size_t i = 0; i < all.size(); i += 3) MPI_Info_free(&all[i]);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i % 3 == 0) continue;
    CHECK_EQ(get(all[i], "number"), std::to_string(i));
    MPI_Info_free(&all[i]);
  }
}

// As an argument with hints.
void hints() {
  check::set_case("hints");
  MPI_Info info = create();
  MPI_Info_set(info, "nobody knows this key", "1");
  void* block = nullptr;
  CHECK_EQ(MPI_Alloc_mem(100, info, &block), MPI_SUCCESS);
  MPI_Free_mem(block);
  MPI_Info_free(&info);
}

void anytime() {
  set_get_delete();
  if (MPI_LEVEL >= 40) short_buffers();
  copies();
}

}  // namespace

int main(int argc, char** argv) {
  if (check::on_atoll()) anytime();  // before MPI_Init (11.6.1)
  check::start(argc, argv);
  anytime();
  deprecated();
  longest();
  many();
  hints();
  const int status = check::finish();
  if (check::on_atoll()) anytime();
  return status;
}
