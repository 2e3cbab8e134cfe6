// Error codes and classes, those that programs add included (MPI 5.0, 9.4 and
// 9.5). The standard's codes are its classes; a class is a code of its own too.
// All of this may be used before MPI_Init, after MPI_Finalize, and by any
// thread at any level: it has a lock of its own.
#pragma once

#include <optional>
#include <string>

#include "runtime/core/fault.h"

namespace atl {

// Nothing when `code` is no error code.
std::optional<int> error_class_of(int code);

// "MPI_ERR_RANK", or what the program has said about its code.
std::string error_name(int code);

// The value of the attribute MPI_LASTUSEDCODE. It never gets smaller, so that no
// number is used twice.
int& last_used_code();

namespace objects {

Fault error_class(int errorcode, int* errorclass);
Fault error_string(int errorcode, char* string, int* resultlen);
Fault add_error_class(int* errorclass);
Fault add_error_code(int errorclass, int* errorcode);
Fault add_error_string(int errorcode, const char* string);
Fault remove_error_class(int errorclass);
Fault remove_error_code(int errorcode);
Fault remove_error_string(int errorcode);

}  // namespace objects
}  // namespace atl
