// The executable file of a program.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "launcher/placement/plan.h"

namespace atl::launcher {

// Why the ranks cannot be started, and mpiexec's exit status for this failure.
struct StartFailure {
  std::string text;
  int status = 1;
};

class Program {
 public:
  // `name` is the program as the user wrote it.
  Program(std::string name, std::string file, std::vector<std::string> command);
  Program(Program&&) = default;

  const std::string& name() const { return name_; }
  const std::vector<std::string>& command() const { return command_; }
  const char* file() const { return file_.c_str(); }
  // For execve: the arguments, and those for the shell when the file is a
  // script that names no interpreter.
  char* const* arguments() const { return arguments_.data(); }
  char* const* shell_arguments() const { return shell_arguments_.data(); }

 private:
  std::string name_;
  std::string file_;
  std::vector<std::string> command_;
  std::vector<char*> arguments_;
  std::vector<char*> shell_arguments_;
};

// A name with a slash is a path, relative to the folder where the ranks start.
// Any other name is searched in the part's search path, in `path`, the value of
// PATH or null, and finally in the current folder.
std::variant<Program, StartFailure> find_program(const Part& part, const char* path);

// The program, started through the commands of --wrap that apply to the rank.
std::variant<Program, StartFailure> wrapped(const Program& program, const std::vector<Wrap>& wraps,
                                            int rank);

}  // namespace atl::launcher
