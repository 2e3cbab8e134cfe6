#include "launcher/termination.h"

#include <signal.h>
#include <unistd.h>

#include "launcher/base/processes.h"

namespace atl::launcher {
namespace {

constexpr auto kGrace = std::chrono::seconds(2);  // from SIGTERM to SIGKILL
constexpr auto kBetweenKills = std::chrono::milliseconds(100);
constexpr int kKills = 50;

}  // namespace

void send_to_job(int signal, bool already_in_our_group) {
  for (const pid_t pid : descendants(::getpid())) {
    if (already_in_our_group && ::getpgid(pid) == ::getpgrp()) continue;
    ::kill(pid, signal);
  }
}

void Termination::ask() {
  stage_ = Stage::asked;
  send_to_job(SIGTERM, false);
  send_to_job(SIGCONT, false);  // a stopped process handles SIGTERM only then
  due_ = Clock::now() + kGrace;
}

// Repeated, because a process may have started another meanwhile.
void Termination::kill() {
  if (stage_ != Stage::killed) {
    stage_ = Stage::killed;
    kills_left_ = kKills;
  }
  if (kills_left_-- == 0) {
    console_.say("some processes of the job do not end; leaving them behind");
    stage_ = Stage::abandoned;
    return;
  }
  send_to_job(SIGKILL, false);
  due_ = Clock::now() + kBetweenKills;
}

void Termination::go_on(Clock::time_point now) {
  if (due_ && *due_ <= now) kill();
}

}  // namespace atl::launcher
