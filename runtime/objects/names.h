// Names of objects (MPI 5.0, 7.8): MPI_X_set_name and MPI_X_get_name.
#pragma once

#include <string>

namespace atl {

// What an object keeps of a name: as much as an array for one has room for.
std::string kept_name(const char* given);

// Into an array of MPI_MAX_OBJECT_NAME characters.
void give_name(const std::string& name, char* to, int* length);

}  // namespace atl
