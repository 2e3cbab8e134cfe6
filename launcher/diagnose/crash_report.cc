#include "launcher/diagnose/crash_report.h"

#include <signal.h>

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "launcher/base/text.h"

namespace atl::launcher {
namespace {

std::string file_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

// Whether the file belongs to the system or to Atoll, not to the program.
bool is_system(const std::string& file) {
  const std::string name = file_name(file);
  return name.starts_with("libc.") || name.starts_with("libc-") || name.starts_with("libm.") ||
         name.starts_with("libm-") || name.starts_with("libstdc++.") ||
         name.starts_with("libpthread") || name.starts_with("libgcc_s.") ||
         name.starts_with("libmpi_abi.") || name.starts_with("ld-linux") || name.starts_with("[");
}

// The source line, or without debug information the nearest name and the offset in the file.
std::string describe(const shm::CodePlace& place, bool returns, const FindSource& find) {
  const std::string file = text_of(place.file);
  if (file.empty()) return fmt::format("instruction {:#x}", place.offset);
  const std::string source = find(file, place.offset, returns);
  if (source.find(':') != source.npos) return source;
  const std::string function = source.empty() ? text_of(place.function) : source;
  const std::string where = fmt::format("{}+{:#x}", file_name(file), place.offset);
  return function.empty() ? where : fmt::format("{} ({})", function, where);
}

}  // namespace

int crash_signal(const shm::CrashRecord& crash) {
  // Pairs with the release store of `signal` in note() of runtime/core/crash.cc: the record is
  // complete.
  const std::uint32_t signal = crash.signal.load_acquire();
  return signal < NSIG ? static_cast<int>(signal) : 0;
}

std::string describe_crash(const shm::CrashRecord& crash, const FindSource& find) {
  if (crash_signal(crash) == 0) return {};
  const std::string touched =
      crash.address != 0 ? fmt::format(", at address {:#x}", crash.address) : "";
  const std::string call = text_of(crash.call);
  if (is_name(call)) {
    return fmt::format("in {} called at {}{}", call, describe(crash.site, true, find), touched);
  }
  // Pairs with the release store of `known` in add_frame() of runtime/core/crash.cc: that many
  // frames are complete.
  const std::uint32_t known = std::min(crash.known.load_acquire(), shm::CrashRecord::kFrames);
  std::uint32_t frame = 0;
  while (frame + 1 < known && is_system(text_of(crash.frames[frame].file))) ++frame;
  if (is_system(text_of(crash.frames[frame].file))) frame = 0;  // nothing else is known
  return fmt::format("at {}{}", describe(crash.frames[frame], frame > 0, find), touched);
}

}  // namespace atl::launcher
