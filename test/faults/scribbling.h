// What a stray pointer of a program may do to the job's shared memory.
#pragma once

#include <cinttypes>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <random>
#include <vector>

namespace scribbling {

constexpr std::size_t kPage = 4096;

struct Mapping {
  unsigned char* begin = nullptr;
  std::size_t pages = 0;
  bool writable = false;
};

// How the segment is mapped here, from its start on.
inline std::vector<Mapping> segment() {
  std::vector<Mapping> found;
  std::FILE* maps = std::fopen("/proc/self/maps", "r");
  char line[512];
  while (maps != nullptr && std::fgets(line, sizeof line, maps) != nullptr) {
    std::uintptr_t begin = 0, end = 0;
    char rights[8] = "";
    if (std::strstr(line, "atoll-job") == nullptr) continue;
    if (std::sscanf(line, "%" SCNxPTR "-%" SCNxPTR " %7s", &begin, &end, rights) != 3) continue;
    found.push_back(
        {reinterpret_cast<unsigned char*>(begin), (end - begin) / kPage, rights[1] == 'w'});
  }
  if (maps != nullptr) std::fclose(maps);
  return found;
}

// Writes something else into the word of eight bytes there.
inline void damage(unsigned char* at, std::mt19937& random) {
  std::uint64_t word = 0;
  std::memcpy(&word, at, sizeof word);
  switch (random() % 5) {
    case 0: word = std::uint64_t{random()} << 32 | random(); break;
    case 1: word = random() % 256; break;
    case 2: word ^= std::uint64_t{1} << random() % 64; break;
    case 3: word += 1; break;
    default: word = ~std::uint64_t{0} - random() % 4096;
  }
  std::memcpy(at, &word, sizeof word);
}

}  // namespace scribbling
