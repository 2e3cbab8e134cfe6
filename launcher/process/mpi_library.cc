#include "launcher/process/mpi_library.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <cstddef>
#include <string_view>

#include <fmt/format.h>

#include "launcher/base/descriptor.h"
#include "launcher/base/processes.h"
#include "launcher/base/text.h"

namespace atl::launcher {
namespace {

// A file mapped as text, until the object is destroyed.
class MappedFile {
 public:
  explicit MappedFile(const std::string& name) {
    const Descriptor file(::open(name.c_str(), O_RDONLY | O_CLOEXEC));
    struct stat facts {};
    if (!file.open() || ::fstat(file.number(), &facts) != 0 || facts.st_size <= 0) return;
    bytes_ = static_cast<std::size_t>(facts.st_size);
    base_ = ::mmap(nullptr, bytes_, PROT_READ, MAP_PRIVATE, file.number(), 0);
  }
  ~MappedFile() {
    if (base_ != MAP_FAILED) ::munmap(base_, bytes_);
  }
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::string_view text() const {
    if (base_ == MAP_FAILED) return {};
    return {static_cast<const char*>(base_), bytes_};
  }

 private:
  void* base_ = MAP_FAILED;
  std::size_t bytes_ = 0;
};

// "libmpi.so.40" and "libmpich.so.12", but neither "libmpi_cxx.so.40" nor "libmpi".
bool is_mpi_library(std::string_view name) {
  for (const std::string_view stem : {"libmpi.so", "libmpich.so", "libmpi_abi.so"}) {
    if (name == stem || (name.starts_with(stem) && name[stem.size()] == '.')) return true;
  }
  return false;
}

}  // namespace

// The file contains the names as null-terminated strings; nothing else of its format is
// used.
std::string mpi_library_of(const std::string& file) {
  const MappedFile mapped(file);
  const std::string_view text = mapped.text();
  if (!text.starts_with("\177ELF")) return {};
  constexpr std::string_view kStem("\0libmpi", 7);
  for (std::size_t at = 0; (at = text.find(kStem, at)) != text.npos; ++at) {
    const std::string_view name = text.substr(at + 1, text.find('\0', at + 1) - at - 1);
    if (is_mpi_library(name)) return std::string(name);
  }
  return {};
}

std::string mpi_library_in(pid_t process) {
  for (const std::string& line : split(read_file(fmt::format("/proc/{}/maps", process)), '\n')) {
    const std::string name = line.substr(line.rfind('/') + 1);
    if (is_mpi_library(name)) return name;
  }
  return {};
}

}  // namespace atl::launcher
