// Info objects (MPI 5.0, chapter 10). All of this may be used before MPI_Init,
// after MPI_Finalize, and by any thread at any level: it has a lock of its own.
#pragma once

#include <mpi.h>

#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/core/fault.h"
#include "runtime/core/handle_table.h"

namespace atl {

// Keys with their values, in the order in which the keys came.
class Info {
 public:
  static constexpr HandleKind kHandleKind = HandleKind::info;

  using Pair = std::pair<std::string, std::string>;

  const std::vector<Pair>& pairs() const { return pairs_; }
  const std::string* find(std::string_view key) const;  // the value, or null
  void set(std::string_view key, std::string_view value);
  bool remove(std::string_view key);  // false: there was none

 private:
  std::vector<Pair> pairs_;
};

// Everything a program can name with an MPI_Info. An object stays in its place
// until it is freed; two threads that use one are the program's affair (10).
class Infos {
 public:
  // Null when `handle` is none; MPI_INFO_NULL is none.
  const Info* find(MPI_Info handle);

  // As above, and null for MPI_INFO_ENV, which is only to be read.
  Info* find_own(MPI_Info handle);

  MPI_Info from_int(int number);
  int count();  // of those that live
  MPI_Info create(Info info);
  void destroy(Info& info);

 private:
  std::mutex lock_;  // of the table
  HandleTable<Info> table_;
};

inline Infos infos;

template <>
inline MPI_Info handle_from_int(int number) {
  return infos.from_int(number);
}

// What MPI_INFO_NULL stands for as an argument with hints.
const Info& no_hints();

namespace info {

Fault create(MPI_Info* info);
Fault create_env(int argc, char** argv, MPI_Info* info);
Fault dup(const Info& info, MPI_Info* newinfo);
Fault free(MPI_Info* info);

Fault set(Info& info, const char* key, const char* value);
Fault remove(Info& info, const char* key);  // MPI_Info_delete
Fault get_nkeys(const Info& info, int* nkeys);
Fault get_nthkey(const Info& info, int n, char* key);
Fault get(const Info& info, const char* key, int valuelen, char* value, int* flag);
Fault get_valuelen(const Info& info, const char* key, int* valuelen, int* flag);
Fault get_string(const Info& info, const char* key, int* buflen, char* value, int* flag);

}  // namespace info
}  // namespace atl
