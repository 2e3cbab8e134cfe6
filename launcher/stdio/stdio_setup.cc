#include "launcher/stdio/stdio_setup.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>
#include <system_error>

#include <fmt/format.h>

#include "launcher/base/hosts.h"

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

}  // namespace

std::variant<RankStdio, StartFailure> StdioSetup::connect(int rank) {
  RankStdio stdio;
  if (!connect_input(rank, stdio)) {
    return StartFailure{fmt::format("standard input of rank {}: {}", rank, std::strerror(errno))};
  }
  const OutputChoice& choice = plan_.output;
  const bool through_us = plan_.ranks() > 1 || choice.time || choice.merge || !choice.label.empty();
  StartFailure why;
  const auto connect = [&](const std::string& files, OutputForwarder& forwarder, int stream,
                           Descriptor& into, int& number) {
    if (!files.empty()) return connect_file(rank, files, into, number, why);
    return !through_us || pipe_into(forwarder, rank, stream, into, number, why);
  };
  if (!connect(choice.output_files, console_.output(), 0, stdio.opened_output, stdio.output) ||
      !connect(choice.error_files, console_.error(), 1, stdio.opened_error, stdio.error)) {
    return why;
  }
  return stdio;
}

bool StdioSetup::connect_input(int rank, RankStdio& stdio) {
  const InputChoice& choice = plan_.input;
  if (choice.kind == InputChoice::Kind::one && choice.rank == rank) return true;  // mpiexec's own
  if (choice.kind == InputChoice::Kind::all) {
    Pipe pipe;
    if (!make_pipe(pipe)) return false;
    copier_->add(std::move(pipe.writing));
    stdio.opened_input = std::move(pipe.reading);
  } else {
    stdio.opened_input = Descriptor(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  }
  stdio.input = stdio.opened_input.number();
  return stdio.opened_input.open();
}

// Ranks may share a file; opening it for the first rank truncates it. Missing folders are
// created.
bool StdioSetup::connect_file(int rank, const std::string& pattern, Descriptor& into, int& number,
                              StartFailure& why) {
  const std::string name = filled_in(pattern, rank);
  const int start = files_.insert(name).second ? O_TRUNC : 0;
  std::error_code unmade;  // ignored: opening the file reports the error
  std::filesystem::create_directories(std::filesystem::path(name).parent_path(), unmade);
  into = Descriptor(::open(name.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | start, 0666));
  number = into.number();
  if (!into.open()) why.text = fmt::format("cannot write '{}': {}", name, std::strerror(errno));
  return into.open();
}

// The rank writes into `forwarder`.
bool StdioSetup::pipe_into(OutputForwarder& forwarder, int rank, int stream, Descriptor& into,
                           int& number, StartFailure& why) {
  Pipe pipe;
  if (!make_pipe(pipe)) {
    why.text = fmt::format("output of rank {}: {}", rank, std::strerror(errno));
    return false;
  }
  ::fcntl(pipe.reading.number(), F_SETFL, O_NONBLOCK);
  forwarder.add(rank, stream, std::move(pipe.reading), filled_in(plan_.output.label, rank));
  into = std::move(pipe.writing);
  number = into.number();
  return true;
}

std::string StdioSetup::filled_in(const std::string& pattern, int rank) const {
  std::string text;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const char next = pattern[i] == '%' && i + 1 < pattern.size() ? pattern[i + 1] : '\0';
    switch (next) {
      case 'r': text += std::to_string(rank); break;
      case 'h': text += own_host_name(); break;
      case 'p': text += std::to_string(::getpid()); break;
      case '%': text += '%'; break;
      default: text += pattern[i]; continue;
    }
    ++i;
  }
  return text;
}

}  // namespace atl::launcher
