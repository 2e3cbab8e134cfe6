#include "launcher/diagnose/source_location.h"

#include <cxxabi.h>
#include <dlfcn.h>
#include <elfutils/libdwfl.h>
#include <sys/stat.h>

#include <cstdlib>
#include <memory>
#include <string_view>

#include <fmt/format.h>

namespace atl::launcher {
namespace {

// libdw is loaded only when needed, which is rare; mpiexec starts faster without it.
class Library {
 public:
  Library() : handle_(::dlopen("libdw.so.1", RTLD_NOW | RTLD_LOCAL)) {
    // Debug information is searched on this machine only, not on a server.
    ::unsetenv("DEBUGINFOD_URLS");
    if (handle_ == nullptr) return;
    usable_ = find(begin, "dwfl_begin") && find(end, "dwfl_end") &&
              find(report_process, "dwfl_linux_proc_report") &&
              find(report_file, "dwfl_report_offline") && find(report_end, "dwfl_report_end") &&
              find(module_of, "dwfl_addrmodule") && find(module_info, "dwfl_module_info") &&
              find(name_of, "dwfl_module_addrname") && find(line_of, "dwfl_module_getsrc") &&
              find(line_info, "dwfl_lineinfo") &&
              find(callbacks.find_elf, "dwfl_linux_proc_find_elf") &&
              find(callbacks.find_debuginfo, "dwfl_standard_find_debuginfo") &&
              find(callbacks.section_address, "dwfl_offline_section_address");
  }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  bool usable() const { return usable_; }

  decltype(&dwfl_begin) begin = nullptr;
  decltype(&dwfl_end) end = nullptr;
  decltype(&dwfl_linux_proc_report) report_process = nullptr;
  decltype(&dwfl_report_offline) report_file = nullptr;
  decltype(&dwfl_report_end) report_end = nullptr;
  decltype(&dwfl_addrmodule) module_of = nullptr;
  decltype(&dwfl_module_info) module_info = nullptr;
  decltype(&dwfl_module_addrname) name_of = nullptr;
  decltype(&dwfl_module_getsrc) line_of = nullptr;
  decltype(&dwfl_lineinfo) line_info = nullptr;
  Dwfl_Callbacks callbacks{};

 private:
  template <class Function>
  bool find(Function& function, const char* name) {
    function = reinterpret_cast<Function>(::dlsym(handle_, name));
    return function != nullptr;
  }

  void* handle_;  // never closed
  bool usable_ = false;
};

const Library& library() {
  static const Library loaded;
  return loaded;
}

struct End {
  void operator()(Dwfl* session) const { library().end(session); }
};
using Session = std::unique_ptr<Dwfl, End>;

Session begin() {
  return Session(library().usable() ? library().begin(&library().callbacks) : nullptr);
}

std::string base_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

// "exchange" for "_ZN4heat8exchangeEi"; empty for templates and names of more than 40
// characters.
std::string readable(const char* name) {
  if (name == nullptr) return {};
  constexpr std::size_t kLongest = 40;
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> plain(
      abi::__cxa_demangle(name, nullptr, nullptr, &status), std::free);
  std::string text = status == 0 ? plain.get() : name;
  constexpr std::string_view kNowhere = "(anonymous namespace)::";
  for (std::size_t at; (at = text.find(kNowhere)) != text.npos;) text.erase(at, kNowhere.size());
  text = text.substr(0, text.find('('));
  const bool plain_name = text.find('<') == text.npos && text.size() <= kLongest;
  return plain_name ? text : "";
}

std::string describe(Dwfl_Module* module, Dwarf_Addr address) {
  if (module == nullptr) return {};
  const std::string function = readable(library().name_of(module, address));
  int line = 0;
  Dwfl_Line* found = library().line_of(module, address);
  const char* file = found == nullptr
                         ? nullptr
                         : library().line_info(found, nullptr, &line, nullptr, nullptr, nullptr);
  if (file == nullptr || line == 0) return function;
  const std::string place = fmt::format("{}:{}", base_name(file), line);
  return function.empty() ? place : fmt::format("{} ({})", place, function);
}

}  // namespace

std::string source_of_call(pid_t process, std::uint64_t address) {
  const Session session = address != 0 ? begin() : nullptr;
  if (!session || library().report_process(session.get(), process) != 0) return {};
  library().report_end(session.get(), nullptr, nullptr);
  return describe(library().module_of(session.get(), address - 1), address - 1);
}

std::string source_in_file(const std::string& file, std::uint64_t offset, bool returns) {
  struct stat facts {};
  // Reading something other than a regular file, such as a pipe, might never end.
  const bool is_file = ::stat(file.c_str(), &facts) == 0 && S_ISREG(facts.st_mode);
  const Session session = is_file ? begin() : nullptr;
  if (!session) return {};
  Dwfl_Module* module = library().report_file(session.get(), "", file.c_str(), -1);
  library().report_end(session.get(), nullptr, nullptr);
  Dwarf_Addr low = 0;
  if (module == nullptr || library().module_info(module, nullptr, &low, nullptr, nullptr, nullptr,
                                                 nullptr, nullptr) == nullptr) {
    return {};
  }
  return describe(module, low + offset - (returns ? 1 : 0));
}

}  // namespace atl::launcher
