// The files and pipes of the ranks' standard input, output and error.
#pragma once

#include <set>
#include <string>
#include <variant>

#include "launcher/base/descriptor.h"
#include "launcher/placement/plan.h"
#include "launcher/process/program_file.h"
#include "launcher/stdio/console.h"
#include "launcher/stdio/input_copier.h"

namespace atl::launcher {

// Descriptors of mpiexec that a rank inherits; those that were opened for it
// are closed with this object.
struct RankStdio {
  int input = 0;
  int output = 1;
  int error = 2;
  Descriptor opened_input;
  Descriptor opened_output;
  Descriptor opened_error;
};

class StdioSetup {
 public:
  // `copier` is used when all ranks read standard input.
  StdioSetup(const Plan& plan, Console& console, InputCopier* copier)
      : plan_(plan), console_(console), copier_(copier) {}

  std::variant<RankStdio, StartFailure> connect(int rank);

 private:
  bool connect_input(int rank, RankStdio& stdio);
  bool connect_file(int rank, const std::string& pattern, Descriptor& into, int& number,
                    StartFailure& why);
  bool pipe_into(OutputForwarder& forwarder, int rank, int stream, Descriptor& into, int& number,
                 StartFailure& why);
  std::string filled_in(const std::string& pattern, int rank) const;

  const Plan& plan_;
  Console& console_;
  InputCopier* copier_;
  std::set<std::string> files_;  // output files opened so far
};

}  // namespace atl::launcher
