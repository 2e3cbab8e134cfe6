// Which files and pipes the ranks have as standard input, output and error.
#pragma once

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
  bool connect_files(int rank, RankWires& wires);
  bool connect_pipes(int rank, RankWires& wires);

  const Plan& plan_;
  Console& console_;
  InputCopier* copier_;
};

}  // namespace atl::launcher
