// What a program adds stays for the tests after it: each adds its own.
#include "runtime/objects/error_codes.h"

#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>
#include <mpi.h>

#include <cstring>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "runtime/objects/error_classes.h"
#include "runtime/objects/error_handling.h"

namespace atl {
namespace {

int added_class() {
  int error_class = -1;
  REQUIRE_FALSE(objects::add_error_class(&error_class));
  return error_class;
}

int added_code(int error_class) {
  int code = -1;
  REQUIRE_FALSE(objects::add_error_code(error_class, &code));
  return code;
}

int class_of(int code) {
  int error_class = -1;
  REQUIRE_FALSE(objects::error_class(code, &error_class));
  CHECK(error_class_of(code) == error_class);
  return error_class;
}

std::string text_of(int code) {
  char text[MPI_MAX_ERROR_STRING];
  std::memset(text, '#', sizeof text);
  int length = -1;
  REQUIRE_FALSE(objects::error_string(code, text, &length));
  CHECK(length == static_cast<int>(std::strlen(text)));
  return text;
}

// The error of a refused call.
std::string refused(Error error) {
  CHECK(error.error_class() == MPI_ERR_ARG);
  return error ? error.text() : "";
}

bool unknown(int code) {
  int untouched = -7;
  char text[MPI_MAX_ERROR_STRING] = "untouched";
  const bool none = objects::error_class(code, &untouched).error_class() == MPI_ERR_ARG &&
                    objects::error_string(code, text, &untouched).error_class() == MPI_ERR_ARG;
  CHECK((!none || (untouched == -7 && text == std::string("untouched"))));
  CHECK(error_class_of(code).has_value() != none);
  return none;
}

TEST_CASE("the classes of the standard are codes with a name and cannot be changed") {
  for (const ErrorClass& one : standard_error_classes()) {
    CAPTURE(one.name);
    CHECK(class_of(one.value) == one.value);
    CHECK(text_of(one.value) == std::string(one.name) + ": " + one.meaning);
    CHECK(error_name(one.value) == one.name);
    for (const auto call :
         {objects::remove_error_class, objects::remove_error_code, objects::remove_error_string}) {
      CHECK(refused(call(one.value)).ends_with("belongs to the standard and cannot be changed"));
    }
    CHECK(refused(objects::add_error_string(one.value, "another")) != "");
  }
}

TEST_CASE("the string of a standard class has the sentence of this thread's last error") {
  note_sentence(MPI_ERR_RANK, "dest=7");
  CHECK(text_of(MPI_ERR_RANK) == "MPI_ERR_RANK: dest=7");
  CHECK(text_of(MPI_ERR_TAG).starts_with("MPI_ERR_TAG: invalid tag"));
  note_sentence(MPI_ERR_RANK, std::string(2 * MPI_MAX_ERROR_STRING, 'x'));
  CHECK(text_of(MPI_ERR_RANK).size() == MPI_MAX_ERROR_STRING - 1);
}

TEST_CASE("added codes belong to their class and have the string that was added last") {
  const int one = added_class();
  const int first = added_code(one), second = added_code(one), other = added_code(MPI_ERR_TAG);
  CHECK(one > MPI_ERR_LASTCODE);
  CHECK(std::set{one, first, second, other}.size() == 4);
  CHECK(last_used_code() == other);
  CHECK(class_of(one) == one);
  CHECK(class_of(first) == one);
  CHECK(class_of(second) == one);
  CHECK(class_of(other) == MPI_ERR_TAG);
  CHECK(text_of(first) == "");
  CHECK(error_name(first) == "error code " + std::to_string(first));
  const std::string longest(MPI_MAX_ERROR_STRING - 1, 't');
  REQUIRE_FALSE(objects::add_error_string(first, "before"));
  REQUIRE_FALSE(objects::add_error_string(first, longest.c_str()));
  REQUIRE_FALSE(objects::add_error_string(one, "of the class"));
  CHECK(refused(objects::add_error_string(first, (longest + "t").c_str())) != "");
  CHECK(text_of(first) == longest);
  CHECK(text_of(one) == "of the class");
  CHECK(text_of(second) == "");
  CHECK(error_name(one) == "of the class");
}

TEST_CASE("strings, codes and classes are removed in this order, and each once") {
  const int one = added_class(), code = added_code(one);
  REQUIRE_FALSE(objects::add_error_string(one, "of the class"));
  REQUIRE_FALSE(objects::add_error_string(code, "of the code"));
  CHECK(refused(objects::remove_error_class(one)).ends_with("has 1 error codes still"));
  CHECK(refused(objects::remove_error_class(code)).ends_with("is an error code, not a class"));
  CHECK(refused(objects::remove_error_code(code)).find("has its error string still") !=
        std::string::npos);
  CHECK(refused(objects::remove_error_code(one)).find("is an error class") != std::string::npos);
  CHECK(text_of(code) == "of the code");  // nothing was removed
  REQUIRE_FALSE(objects::remove_error_string(code));
  CHECK(text_of(code) == "");
  CHECK(refused(objects::remove_error_string(code)).ends_with("has no error string"));
  REQUIRE_FALSE(objects::remove_error_code(code));
  CHECK(unknown(code));
  CHECK_FALSE(unknown(one));
  REQUIRE_FALSE(objects::remove_error_class(one));  // with its string
  CHECK(unknown(one));
  for (const auto call :
       {objects::remove_error_class, objects::remove_error_code, objects::remove_error_string}) {
    CHECK(refused(call(one)).ends_with("was not added, or is removed"));
    CHECK(refused(call(code)).ends_with("was not added, or is removed"));
  }
  CHECK(refused(objects::add_error_string(code, "again")) != "");
  int untouched = -7;
  CHECK(refused(objects::add_error_code(one, &untouched)) != "");
  CHECK(untouched == -7);
}

TEST_CASE("codes of a class of the standard do not keep another class") {
  const int one = added_class(), code = added_code(MPI_ERR_OTHER);
  REQUIRE_FALSE(objects::remove_error_class(one));
  CHECK(class_of(code) == MPI_ERR_OTHER);
  REQUIRE_FALSE(objects::remove_error_code(code));
}

TEST_CASE("a number is not used again") {
  std::set<int> used;
  for (int i = 0; i < 300; ++i) {
    const int before = last_used_code();
    const int one = added_class(), code = added_code(one);
    CHECK(used.insert(one).second);
    CHECK(used.insert(code).second);
    CHECK(last_used_code() == before + 2);
    if (i % 3 == 0) continue;
    REQUIRE_FALSE(objects::remove_error_code(code));
    REQUIRE_FALSE(objects::remove_error_class(one));
    CHECK(last_used_code() == before + 2);
  }
}

TEST_CASE("other numbers are no codes") {
  const int code = added_code(MPI_ERR_ARG);
  for (const int none : {-1, code + 1, int{MPI_ERR_LASTCODE}, 2147483647, -2147483647 - 1}) {
    CAPTURE(none);
    CHECK(unknown(none));
    CHECK(error_name(none) == "unknown error code " + std::to_string(none));
    int untouched = -7;
    CHECK(refused(objects::add_error_code(none, &untouched)) != "");
    CHECK(untouched == -7);
  }
  int untouched = -7;
  CHECK(refused(objects::add_error_code(code, &untouched)) != "");  // a code, not a class
}

TEST_CASE("threads that add at the same time get different codes") {
  std::vector<std::vector<int>> codes(4);
  std::vector<std::thread> threads;
  for (auto& mine : codes) {
    threads.emplace_back([&mine] {
      for (int i = 0; i < 500; ++i) {
        int code = -1;
        if (!objects::add_error_class(&code)) mine.push_back(code);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::set<int> all;
  for (const auto& mine : codes) all.insert(mine.begin(), mine.end());
  CHECK(all.size() == 2000);
}

}  // namespace
}  // namespace atl
