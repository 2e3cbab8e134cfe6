// Which files and pipes the ranks have as standard input, output and error.
#pragma once

#include <set>
#include <string>
#include <variant>

#include "launcher/console.h"
#include "launcher/descriptor.h"
#include "launcher/input.h"
#include "launcher/plan.h"
#include "launcher/program.h"

namespace atl::launcher {

// Descriptors of mpiexec that a rank takes over; those that were opened for it
// are closed with this.
struct RankWires {
  int input = 0;
  int output = 1;
  int error = 2;
  Descriptor opened_input;
  Descriptor opened_output;
  Descriptor opened_error;
};

class Wiring {
 public:
  // `copier` is used when all ranks read standard input.
  Wiring(const Plan& plan, Console& console, InputCopier* copier)
      : plan_(plan), console_(console), copier_(copier) {}

  std::variant<RankWires, StartFailure> connect(int rank);

 private:
  bool connect_input(int rank, RankWires& wires);
  bool connect_file(int rank, const std::string& pattern, Descriptor& into, int& number,
                    StartFailure& why);
  bool pipe_into(Funnel& funnel, int rank, int stream, Descriptor& into, int& number,
                 StartFailure& why);
  std::string filled_in(const std::string& pattern, int rank) const;

  const Plan& plan_;
  Console& console_;
  InputCopier* copier_;
  std::set<std::string> files_;  // that ranks write
};

}  // namespace atl::launcher
