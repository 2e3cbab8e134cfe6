#include "runtime/objects/info_env.h"

#include <limits.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include "runtime/core/own_file.h"
#include "runtime/core/thread_levels.h"
#include "runtime/objects/errhandler.h"
#include "shm/job.h"

namespace atl {
namespace {

void add(Info& info, const char* key, std::string_view value) {
  info.set(key, value.substr(0, MPI_MAX_INFO_VAL - 1));
}

// What the command line of mpiexec gave: the program, its arguments, the number of processes, the
// directory.
void add_launched(Info& info) {
  for (char** entry = ::environ; *entry != nullptr; ++entry) {
    std::string_view text(*entry);
    if (!text.starts_with(shm::kInfoVariables)) continue;
    text.remove_prefix(std::strlen(shm::kInfoVariables));
    const std::size_t end = text.find('=');
    if (end != text.npos) add(info, std::string(text.substr(0, end)).c_str(), text.substr(end + 1));
  }
}

// The same for a program that runs without mpiexec.
void add_alone(Info& info) {
  std::string words = read_own_file("cmdline");  // each word ends with a null
  if (!words.empty()) words.pop_back();
  const std::size_t end = words.find('\0');
  add(info, "command", std::string_view(words).substr(0, end));
  std::string arguments = end == std::string::npos ? "" : words.substr(end + 1);
  for (char& c : arguments) {
    if (c == '\0') c = ' ';
  }
  add(info, "argv", arguments);
  add(info, "maxprocs", "1");
  char directory[PATH_MAX];
  if (::getcwd(directory, sizeof directory) != nullptr) add(info, "wdir", directory);
}

Info gather() {
  Info info;
  if (::secure_getenv(shm::kJobVariable) != nullptr) {
    add_launched(info);
  } else {
    add_alone(info);
  }
  utsname system{};
  if (::uname(&system) == 0) {
    add(info, "host", system.nodename);
    add(info, "arch", system.machine);
  }
  if (const auto level = thread_level_at_start()) {
    add(info, "thread_level", name_of_thread_level(*level));
  }
  add(info, "mpi_initial_errhandler", initial_errhandler_name());
  add(info, "mpi_memory_alloc_kinds", "system,mpi");
  return info;
}

}  // namespace

const Info& info_env() {
  static const Info env = gather();
  return env;
}

}  // namespace atl
