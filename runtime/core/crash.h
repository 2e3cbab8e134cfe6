// Records where a rank was when a signal ended it.
#pragma once

#include <signal.h>

namespace atl {

// Catches the signals that a program's own faults raise, if the program left them at their
// default; writes the place to the rank's crash record for the launcher, and lets the signal end
// the program as it would have.
void note_crashes();

// Installs `ours` for a signal that the program neither handles nor ignores.
void replace_default(int signal, const struct sigaction& ours);

}  // namespace atl
