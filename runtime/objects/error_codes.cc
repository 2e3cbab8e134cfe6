#include "runtime/objects/error_codes.h"

#include <mpi.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>

#include "runtime/objects/error_classes.h"
#include "runtime/objects/error_handling.h"

namespace atl {
namespace {

struct Added {
  int error_class;  // of a class: its own value
  std::optional<std::string> text;
};

std::mutex lock;             // guards the variables below
std::map<int, Added> added;  // by code
int last_used = MPI_ERR_LASTCODE;

int add(std::optional<int> error_class) {
  ++last_used;
  added[last_used] = {error_class.value_or(last_used), std::nullopt};
  return last_used;
}

// Called with the lock held. Null when the program has not added this code.
Added* find_added(int code) {
  const auto found = added.find(code);
  return found == added.end() ? nullptr : &found->second;
}

bool is_class(int value) {
  const Added* one = find_added(value);
  return one != nullptr ? one->error_class == value : find_error_class(value) != nullptr;
}

Error not_a_code(int code) {
  return make_error(MPI_ERR_ARG, "errorcode=%d is not an error code", code);
}

// The error for a code or class that cannot be changed because the program has not added it.
Error not_added(const char* argument, int value) {
  if (find_error_class(value) != nullptr) {
    return make_error(MPI_ERR_ARG, "%s=%d belongs to the standard and cannot be changed", argument,
                      value);
  }
  return make_error(MPI_ERR_ARG, "%s=%d was not added, or is removed", argument, value);
}

}  // namespace

std::optional<int> error_class_of(int code) {
  const std::lock_guard guard(lock);
  if (const Added* one = find_added(code)) return one->error_class;
  if (find_error_class(code) != nullptr) return code;
  return std::nullopt;
}

std::string error_name(int code) {
  const std::lock_guard guard(lock);
  if (const ErrorClass* one = find_error_class(code)) return one->name;
  const Added* one = find_added(code);
  if (one == nullptr) return "unknown error code " + std::to_string(code);
  return one->text.value_or("error code " + std::to_string(code));
}

int& last_used_code() { return last_used; }

namespace objects {

Error error_class(int errorcode, int* errorclass) {
  const std::optional<int> found = error_class_of(errorcode);
  if (!found) return not_a_code(errorcode);
  *errorclass = *found;
  return {};
}

Error error_string(int errorcode, char* string, int* resultlen) {
  std::string text;
  if (const ErrorClass* one = find_error_class(errorcode)) {
    const std::string& sentence = last_sentence(errorcode);
    text = std::string(one->name) + ": " + (sentence.empty() ? one->meaning : sentence);
  } else {
    const std::lock_guard guard(lock);
    const Added* found = find_added(errorcode);
    if (found == nullptr) return not_a_code(errorcode);
    text = found->text.value_or("");
  }
  const std::size_t length = std::min(text.size(), std::size_t{MPI_MAX_ERROR_STRING - 1});
  std::memcpy(string, text.data(), length);
  string[length] = '\0';
  *resultlen = static_cast<int>(length);
  return {};
}

Error add_error_class(int* errorclass) {
  const std::lock_guard guard(lock);
  *errorclass = add(std::nullopt);
  return {};
}

Error add_error_code(int errorclass, int* errorcode) {
  const std::lock_guard guard(lock);
  if (!is_class(errorclass)) {
    return make_error(MPI_ERR_ARG, "errorclass=%d is not an error class", errorclass);
  }
  *errorcode = add(errorclass);
  return {};
}

Error add_error_string(int errorcode, const char* string) {
  const std::size_t length = std::strlen(string);
  if (length >= MPI_MAX_ERROR_STRING) {
    return make_error(MPI_ERR_ARG, "string has %zu characters, more than the %d of an error string",
                      length, MPI_MAX_ERROR_STRING - 1);
  }
  const std::lock_guard guard(lock);
  Added* one = find_added(errorcode);
  if (one == nullptr) return not_added("errorcode", errorcode);
  one->text = string;
  return {};
}

// MPI 5.0, 9.5: the codes of the class must have been removed before; its string is removed too.
Error remove_error_class(int errorclass) {
  const std::lock_guard guard(lock);
  const Added* one = find_added(errorclass);
  if (one == nullptr) return not_added("errorclass", errorclass);
  if (one->error_class != errorclass) {
    return make_error(MPI_ERR_ARG, "errorclass=%d is an error code, not a class", errorclass);
  }
  const auto codes = std::ranges::count_if(added, [&](const auto& entry) {
    return entry.second.error_class == errorclass && entry.first != errorclass;
  });
  if (codes != 0) {
    return make_error(MPI_ERR_ARG, "errorclass=%d has %td error codes still", errorclass, codes);
  }
  added.erase(errorclass);
  return {};
}

// MPI 5.0, 9.5: the string of the code must have been removed before.
Error remove_error_code(int errorcode) {
  const std::lock_guard guard(lock);
  const Added* one = find_added(errorcode);
  if (one == nullptr) return not_added("errorcode", errorcode);
  if (one->error_class == errorcode) {
    return make_error(MPI_ERR_ARG,
                      "errorcode=%d is an error class: MPI_Remove_error_class removes it",
                      errorcode);
  }
  if (one->text) {
    return make_error(MPI_ERR_ARG,
                      "errorcode=%d has its error string still; call MPI_Remove_error_string first",
                      errorcode);
  }
  added.erase(errorcode);
  return {};
}

Error remove_error_string(int errorcode) {
  const std::lock_guard guard(lock);
  Added* one = find_added(errorcode);
  if (one == nullptr) return not_added("errorcode", errorcode);
  if (!one->text) return make_error(MPI_ERR_ARG, "errorcode=%d has no error string", errorcode);
  one->text.reset();
  return {};
}

}  // namespace objects
}  // namespace atl
