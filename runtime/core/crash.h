// What a rank leaves behind when a signal ends it: where it was.
#pragma once

#include <signal.h>

namespace atl {

// Catches the signals that a program's own faults raise, where the program left
// them at their default, notes the place in the rank's slot for the launcher,
// and lets the signal end the program as it would have.
void note_crashes();

// Installs `ours` for a signal for which the program has neither a handler nor another wish.
void replace_default(int signal, const struct sigaction& ours);

}  // namespace atl
