#include "launcher/process/program_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <optional>

#include <fmt/format.h>

#include "launcher/base/text.h"

namespace atl::launcher {
namespace {

constexpr const char* kShell = "/bin/sh";
constexpr const char* kUsualPath = "/usr/local/bin:/usr/bin:/bin";  // without PATH

bool can_be_run(const std::string& file) {
  struct stat facts {};
  return ::stat(file.c_str(), &facts) == 0 && S_ISREG(facts.st_mode) &&
         ::access(file.c_str(), X_OK) == 0;
}

// Makes the path absolute, because the ranks may start in another folder.
std::optional<std::string> look_in(const std::string& folders, const std::string& name) {
  for (const std::string& folder : split(folders, ':')) {
    const std::string file = (folder.empty() ? "." : folder) + '/' + name;
    if (!can_be_run(file)) continue;
    std::error_code error;
    const auto absolute = std::filesystem::absolute(file, error);
    return error ? file : absolute.string();
  }
  return std::nullopt;
}

}  // namespace

Program::Program(std::string name, std::string file, std::vector<std::string> command)
    : name_(std::move(name)), file_(std::move(file)), command_(std::move(command)) {
  shell_arguments_.push_back(const_cast<char*>(kShell));
  shell_arguments_.push_back(file_.data());
  for (std::string& word : command_) arguments_.push_back(word.data());
  shell_arguments_.insert(shell_arguments_.end(), arguments_.begin() + 1, arguments_.end());
  arguments_.push_back(nullptr);
  shell_arguments_.push_back(nullptr);
}

std::variant<Program, StartFailure> find_program(const Part& part, const char* path) {
  const std::string& name = part.command[0];
  if (name.find('/') != std::string::npos) return Program(name, name, part.command);
  if (!part.search_path.empty()) {
    if (auto file = look_in(part.search_path, name)) return Program(name, *file, part.command);
  }
  if (auto file = look_in(path != nullptr ? path : kUsualPath, name)) {
    return Program(name, *file, part.command);
  }
  if (auto file = look_in(".", name)) return Program(name, *file, part.command);
  return StartFailure{fmt::format("cannot run '{}': not found in {}PATH or this folder", name,
                                  part.search_path.empty() ? "" : "-path, "),
                      127};
}

std::variant<Program, StartFailure> wrapped(const Program& program, const std::vector<Wrap>& wraps,
                                            int rank) {
  Part part;
  for (const Wrap& wrap : wraps) {
    if (!wrap.ranks.contains(rank)) continue;
    part.command.insert(part.command.end(), wrap.command.begin(), wrap.command.end());
  }
  std::string file = program.file();
  if (!part.command.empty()) {
    auto outermost = find_program(part, std::getenv("PATH"));
    if (auto* failure = std::get_if<StartFailure>(&outermost)) return *failure;
    file = std::get<Program>(outermost).file();
    part.command.emplace_back(program.file());
    part.command.insert(part.command.end(), program.command().begin() + 1, program.command().end());
  } else {
    part.command = program.command();
  }
  return Program(program.name(), file, part.command);
}

}  // namespace atl::launcher
