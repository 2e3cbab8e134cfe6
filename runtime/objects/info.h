// Info objects (MPI 5.0, chapter 10). All functions here may be used before MPI_Init, after
// MPI_Finalize, and by any thread at any level: they have their own lock.
#pragma once

#include <mpi.h>

#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/core/error.h"
#include "runtime/core/handle_table.h"

namespace atl {

// Keys with their values, in the order in which the keys were first set.
class Info {
 public:
  static constexpr HandleKind kHandleKind = HandleKind::info;

  using Pair = std::pair<std::string, std::string>;

  const std::vector<Pair>& pairs() const { return pairs_; }
  const std::string* find(std::string_view key) const;  // the value, or null
  void set(std::string_view key, std::string_view value);
  bool remove(std::string_view key);  // false: no such key

 private:
  std::vector<Pair> pairs_;
};

// All info objects of the program. The address of an object is constant until it is freed. The
// program must serialize the use of one object by several threads (10).
class Infos {
 public:
  // Null when `handle` is not an info object, or is MPI_INFO_NULL.
  const Info* find(MPI_Info handle);

  // As find(), but null for MPI_INFO_ENV, which is read-only.
  Info* find_own(MPI_Info handle);

  MPI_Info from_int(int number);
  int count();  // objects that are not freed
  MPI_Info create(Info info);
  void destroy(Info& info);

 private:
  std::mutex lock_;  // guards the table
  HandleTable<Info> table_;
};

inline Infos infos;

template <>
inline MPI_Info handle_from_int(int number) {
  return infos.from_int(number);
}

// The empty info that MPI_INFO_NULL means as an argument with hints.
const Info& no_hints();

namespace info {

Error create(MPI_Info* info);
Error create_env(int argc, char** argv, MPI_Info* info);
Error dup(const Info& info, MPI_Info* newinfo);
Error free(MPI_Info* info);

Error set(Info& info, const char* key, const char* value);
Error remove(Info& info, const char* key);  // MPI_Info_delete
Error get_nkeys(const Info& info, int* nkeys);
Error get_nthkey(const Info& info, int n, char* key);
Error get(const Info& info, const char* key, int valuelen, char* value, int* flag);
Error get_valuelen(const Info& info, const char* key, int* valuelen, int* flag);
Error get_string(const Info& info, const char* key, int* buflen, char* value, int* flag);

}  // namespace info
}  // namespace atl
