// Error codes and classes, including those that programs add (MPI 5.0, 9.4 and 9.5). Every class is
// also a code; the standard's codes are its classes. All functions here may be used before
// MPI_Init, after MPI_Finalize, and by any thread at any level: they have their own lock.
#pragma once

#include <optional>
#include <string>

#include "runtime/core/error.h"

namespace atl {

// Empty when `code` is not an error code.
std::optional<int> error_class_of(int code);

// "MPI_ERR_RANK", or the string that the program has added for its code.
std::string error_name(int code);

// The value of the attribute MPI_LASTUSEDCODE. It never decreases, so that no number is used twice.
int& last_used_code();

namespace objects {

Error error_class(int errorcode, int* errorclass);
Error error_string(int errorcode, char* string, int* resultlen);
Error add_error_class(int* errorclass);
Error add_error_code(int errorclass, int* errorcode);
Error add_error_string(int errorcode, const char* string);
Error remove_error_class(int errorclass);
Error remove_error_code(int errorcode);
Error remove_error_string(int errorcode);

}  // namespace objects
}  // namespace atl
