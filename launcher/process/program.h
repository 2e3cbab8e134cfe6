// The file behind the name of a program.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "launcher/placement/plan.h"

namespace atl::launcher {

// Why the ranks cannot be started, and mpiexec's exit status then.
struct StartFailure {
  std::string text;
  int status = 1;
};

class Program {
 public:
  // `name`: as the user wrote it.
  Program(std::string name, std::string file, std::vector<std::string> command);
  Program(Program&&) = default;

  const std::string& name() const { return name_; }
  const std::vector<std::string>& command() const { return command_; }
  const char* file() const { return file_.c_str(); }
  // For execve: the arguments, and those for the shell when the file is a
  // script that does not say what interprets it.
  char* const* arguments() const { return arguments_.data(); }
  char* const* shell_arguments() const { return shell_arguments_.data(); }

 private:
  std::string name_;
  std::string file_;
  std::vector<std::string> command_;
  std::vector<char*> arguments_;
  std::vector<char*> shell_arguments_;
};

// A name with a slash is the file, seen from the folder where the ranks start.
// Another name is looked for in the part's search path, in `path`, the value of
// PATH or null, and at last in the current folder.
std::variant<Program, StartFailure> find_program(const Part& part, const char* path);

// The program, started through the commands that are meant for the rank.
std::variant<Program, StartFailure> wrapped(const Program& program, const std::vector<Wrap>& wraps,
                                            int rank);

}  // namespace atl::launcher
