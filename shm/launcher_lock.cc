#include "shm/launcher_lock.h"

#include <fcntl.h>
#include <unistd.h>

namespace atl::shm {
namespace {

// Locks the first byte. No other lock on this file exists.
struct flock first_byte() {
  struct flock lock {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  lock.l_len = 1;
  return lock;
}

}  // namespace

bool hold_launcher_lock(int segment) {
  struct flock lock = first_byte();
  return ::fcntl(segment, F_SETLK, &lock) == 0;
}

bool launcher_lives(int segment) {
  struct flock lock = first_byte();
  return ::fcntl(segment, F_GETLK, &lock) != 0 || lock.l_type != F_UNLCK;
}

}  // namespace atl::shm
