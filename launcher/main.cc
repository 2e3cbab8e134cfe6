// mpiexec: starts the ranks of a job on this node and supervises them.
#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <variant>
#include <vector>

#include "launcher/cli/help.h"
#include "launcher/cli/options.h"
#include "launcher/run_job.h"

namespace {

constexpr int kUsageStatus = 2;

// Opens missing standard streams, so that no pipe of a rank gets the number of one.
void open_standard_streams() {
  while (true) {
    const int descriptor = ::open("/dev/null", O_RDWR);
    if (descriptor < 0) return;
    if (descriptor > STDERR_FILENO) {
      ::close(descriptor);
      return;
    }
  }
}

int print(const std::string& text) {
  const bool written = std::fputs(text.c_str(), stdout) >= 0 && std::fflush(stdout) == 0;
  return written ? 0 : 1;
}

}  // namespace

int main(int count, char** words) {
  using namespace atl::launcher;
  open_standard_streams();
  const std::vector<std::string> arguments(words + 1, words + count);
  auto parsed = parse_options(arguments, std::getenv("MPIEXEC_TIMEOUT"));
  if (const auto* error = std::get_if<UsageError>(&parsed)) {
    std::fprintf(stderr, "mpiexec: %s (mpiexec --help explains the options)\n",
                 error->text.c_str());
    return kUsageStatus;
  }
  Plan& plan = std::get<Plan>(parsed);
  switch (plan.action) {
    case Plan::Action::help: return print(help_text());
    case Plan::Action::version: return print(version_text());
    case Plan::Action::manual: return print(manual_page());
    case Plan::Action::information: return print(node_text());
    case Plan::Action::run: break;
  }
  return plan.dry_run ? show_placement(plan) : run_job(plan, environ);
}
