// What a rank leaves behind when a signal ends it: where it was.
#pragma once

namespace atl {

// Catches the signals that a program's own faults raise, where the program left
// them at their default, notes the place in the rank's slot for the launcher,
// and lets the signal end the program as it would have.
void note_crashes();

}  // namespace atl
