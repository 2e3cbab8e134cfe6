// Where a processing unit, or a set of them, lies in the machine, according to hwloc.
#pragma once

#include <cstdint>

namespace atl::shm {

// hwloc's logical index of the object of each kind that contains it; -1: none, several, or
// unknown.
struct Location {
  std::int32_t machine = 0;  // there is only one
  std::int32_t package = -1;
  std::int32_t die = -1;
  std::int32_t group = -1;  // the innermost
  std::int32_t numa = -1;   // the smallest memory
  std::int32_t l5cache = -1;
  std::int32_t l4cache = -1;
  std::int32_t l3cache = -1;
  std::int32_t l2cache = -1;
  std::int32_t l1cache = -1;
  std::int32_t core = -1;
  std::int32_t pu = -1;  // hardware thread, by the operating system's number
};

// A kind of hardware, by hwloc's name for it.
struct HardwareKind {
  const char* name;
  std::int32_t Location::*instance;
};

inline constexpr HardwareKind kHardwareKinds[] = {
    {"Machine", &Location::machine}, {"Package", &Location::package},
    {"Die", &Location::die},         {"Group", &Location::group},
    {"NUMANode", &Location::numa},   {"L5Cache", &Location::l5cache},
    {"L4Cache", &Location::l4cache}, {"L3Cache", &Location::l3cache},
    {"L2Cache", &Location::l2cache}, {"L1Cache", &Location::l1cache},
    {"Core", &Location::core},       {"PU", &Location::pu},
};

}  // namespace atl::shm
