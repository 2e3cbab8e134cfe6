#include "launcher/wiring.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include <fmt/format.h>

namespace atl::launcher {
namespace {

struct Pipe {
  Descriptor reading;
  Descriptor writing;
};

bool make_pipe(Pipe& pipe) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return false;
  pipe.reading = Descriptor(ends[0]);
  pipe.writing = Descriptor(ends[1]);
  return true;
}

bool open_file(const std::string& name, Descriptor& into, int& number) {
  into = Descriptor(::open(name.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  number = into.number();
  return into.open();
}

// The rank writes into `funnel`.
bool lead_into(Funnel& funnel, int writer, const std::string& label, Descriptor& into,
               int& number) {
  Pipe pipe;
  if (!make_pipe(pipe)) return false;
  ::fcntl(pipe.reading.number(), F_SETFL, O_NONBLOCK);
  funnel.add(writer, std::move(pipe.reading), label);
  into = std::move(pipe.writing);
  number = into.number();
  return true;
}

}  // namespace

std::variant<RankWires, StartFailure> Wiring::connect(int rank) {
  RankWires wires;
  if (!connect_input(rank, wires)) {
    return StartFailure{fmt::format("standard input of rank {}: {}", rank, std::strerror(errno))};
  }
  if (!plan_.output_files.empty()) {
    if (!connect_files(rank, wires)) {
      return StartFailure{fmt::format("--output-filename: cannot write '{}.{}.out' and '.err': {}",
                                      plan_.output_files, rank, std::strerror(errno))};
    }
  } else if (plan_.ranks() > 1 || plan_.label_output) {
    if (!connect_pipes(rank, wires)) {
      return StartFailure{fmt::format("output of rank {}: {}", rank, std::strerror(errno))};
    }
  }
  return wires;
}

bool Wiring::connect_input(int rank, RankWires& wires) {
  const InputChoice& choice = plan_.input;
  if (choice.kind == InputChoice::Kind::one && choice.rank == rank) return true;  // mpiexec's own
  if (choice.kind == InputChoice::Kind::all) {
    Pipe pipe;
    if (!make_pipe(pipe)) return false;
    copier_->add(std::move(pipe.writing));
    wires.opened_input = std::move(pipe.reading);
  } else {
    wires.opened_input = Descriptor(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  }
  wires.input = wires.opened_input.number();
  return wires.opened_input.open();
}

bool Wiring::connect_files(int rank, RankWires& wires) {
  const std::string base = fmt::format("{}.{}", plan_.output_files, rank);
  return open_file(base + ".out", wires.opened_output, wires.output) &&
         open_file(base + ".err", wires.opened_error, wires.error);
}

bool Wiring::connect_pipes(int rank, RankWires& wires) {
  const std::string label = plan_.label_output ? fmt::format("[{}] ", rank) : "";
  return lead_into(console_.output(), 2 * rank, label, wires.opened_output, wires.output) &&
         lead_into(console_.error(), 2 * rank + 1, label, wires.opened_error, wires.error);
}

}  // namespace atl::launcher
