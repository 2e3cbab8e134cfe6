// Lets a test see what shm::damaged() is called with.
#pragma once

#include <string>

#include "shm/damage.h"

namespace atl::shm::testing {

struct Damage {
  std::string what;
};

// While it lives, damage is thrown.
class ThrowsDamage {
 public:
  ThrowsDamage() {
    damage_handler = [](const char* what) { throw Damage{what}; };
  }
  ~ThrowsDamage() { damage_handler = nullptr; }
  ThrowsDamage(const ThrowsDamage&) = delete;
  ThrowsDamage& operator=(const ThrowsDamage&) = delete;
};

}  // namespace atl::shm::testing
