#include "launcher/diagnose/debuggers.h"

#include <doctest/doctest.h>

namespace atl::launcher {
namespace {

TEST_CASE("a window of tmux, or else of the desktop, or else none") {
  CHECK(window_command("rank 3", "gdb -q -p 71", "/tmp/tmux-0/default,1,0", ":0") ==
        "tmux new-window -d -n 'rank 3' 'gdb -q -p 71'");
  CHECK(window_command("rank 3", "gdb -q -p 71", nullptr, ":0") ==
        "xterm -T 'rank 3' -e gdb -q -p 71");
  CHECK(window_command("rank 3", "gdb -q -p 71", "", "") == "");
}

}  // namespace
}  // namespace atl::launcher
