// MPI_Alloc_mem and MPI_Free_mem (MPI 5.0, 9.2): alignment, contents, memory that is given back,
// and what there is no memory for.
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "test/check.h"
#include "test/pattern.h"

namespace {

constexpr MPI_Aint kMiB = 1 << 20;

char* allocate(MPI_Aint bytes, MPI_Info info = MPI_INFO_NULL) {
  void* block = nullptr;
  CHECK_EQ(MPI_Alloc_mem(bytes, info, &block), MPI_SUCCESS);
  CHECK(block != nullptr);
  return static_cast<char*>(block);
}

void free(char* block) { CHECK_EQ(MPI_Free_mem(block), MPI_SUCCESS); }

// Bytes of memory that this process uses, with what it shares.
long resident() {
  long size = 0, pages = 0;
  std::FILE* file = std::fopen("/proc/self/statm", "r");
  CHECK(std::fscanf(file, "%ld %ld", &size, &pages) == 2);
  std::fclose(file);
  return pages * sysconf(_SC_PAGESIZE);
}

void contents() {
  check::set_case("contents");
  std::vector<char*> blocks;
  for (int i = 0; i < 200; ++i) {
    blocks.push_back(allocate(i * i));
    check::fill(blocks.back(), i * i, i);
  }
  CHECK_EQ(std::set<char*>(blocks.begin(), blocks.end()).size(), blocks.size());
  for (int i = 0; i < 200; ++i) CHECK_PATTERN(blocks[i], i * i, i);
  for (int i = 0; i < 200; i += 2) free(blocks[i]);
  for (int i = 1; i < 200; i += 2) CHECK_PATTERN(blocks[i], i * i, i);
  for (int i = 1; i < 200; i += 2) free(blocks[i]);
}

char* allocate_aligned(MPI_Aint bytes, const std::string& alignment) {
  MPI_Info info;
  MPI_Info_create(&info);
  MPI_Info_set(info, "mpi_minimum_memory_alignment", alignment.c_str());
  MPI_Info_set(info, "mpi_memory_alloc_kinds", "mpi:alloc_mem");
  char* block = allocate(bytes, info);
  MPI_Info_free(&info);
  return block;
}

void alignment() {
  check::set_case("mpi_minimum_memory_alignment");
  std::vector<char*> blocks;
  for (std::uintptr_t alignment = 1; alignment <= 8u << 20; alignment *= 2) {
    for (const MPI_Aint bytes : {MPI_Aint{1}, 5000 * MPI_Aint{1}, 3 * kMiB}) {
      blocks.push_back(allocate_aligned(bytes, std::to_string(alignment)));
      blocks.back()[bytes - 1] = 1;
      CHECK_EQ(reinterpret_cast<std::uintptr_t>(blocks.back()) % alignment, 0u);
      CHECK_EQ(reinterpret_cast<std::uintptr_t>(blocks.back()) % alignof(std::max_align_t), 0u);
    }
  }
  if (check::on_atoll()) {  // what is no power of two is ignored
    for (const char* other : {"0", "3", "-64", "64k", "", " ", "99999999999999999999999"}) {
      if (*other != '\0') blocks.push_back(allocate_aligned(100, other));
    }
  }
  for (char* block : blocks) free(block);
}

void exchanges() {
  check::set_case("as buffers of messages");
  const int next = (check::rank + 1) % check::size;
  const int before = (check::rank + check::size - 1) % check::size;
  for (const int bytes : {1, 3000, 300000}) {
    char* out = allocate(bytes);
    char* in = allocate(bytes);
    check::fill(out, bytes, check::rank);
    MPI_Sendrecv(out, bytes, MPI_BYTE, next, 1, in, bytes, MPI_BYTE, before, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    CHECK_PATTERN(in, bytes, before);
    free(out);
    free(in);
  }
}

// Ten thousand in a row, a thousand at once, or much at once: afterwards little memory is in use.
void given_back() {
  char* kept = allocate(1000);
  const long before = resident();
  const auto check_little = [&](const char* what) {
    check::set_case("%s: %ld bytes before, %ld now", what, before, resident());
    CHECK(!check::on_atoll() || resident() < before + 6 * kMiB);
  };
  for (int i = 0; i < 10000; ++i) {
    const MPI_Aint bytes = i % 100 == 0 ? kMiB : 100 + i % 7 * 3000;
    char* block = allocate(bytes);
    block[0] = block[bytes - 1] = 1;
    free(block);
  }
  check_little("one after the other");
  std::vector<char*> blocks(1000);
  for (char*& block : blocks) std::memset(block = allocate(20000), 1, 20000);
  for (char* block : blocks) free(block);
  check_little("many at once");
  char* much = allocate(32 * kMiB);
  std::memset(much, 1, 32 * kMiB);
  free(much);
  check_little("much at once");
  free(kept);
}

void no_memory() {
  check::set_case("more than there is");
  if (!check::on_atoll()) return;
  char* kept = allocate(1000);
  check::fill(kept, 1000, 5);
  for (const MPI_Aint bytes : {MPI_Aint{1} << 46, MPI_Aint{1} << 62}) {
    void* block = &block;
    const int code = MPI_Alloc_mem(bytes, MPI_INFO_NULL, &block);
    CHECK_EQ(check::error_class(code), MPI_ERR_NO_MEM);
    CHECK(check::error_text(code).find(std::to_string(bytes)) != std::string::npos);
    CHECK(block == &block);
  }
  // As much as there is, in pieces that nobody touches.
  std::vector<void*> pieces;
  void* piece = nullptr;
  while (pieces.size() < 200 && MPI_Alloc_mem(16 * kMiB, MPI_INFO_NULL, &piece) == MPI_SUCCESS) {
    pieces.push_back(piece);
  }
  CHECK(pieces.size() > 1);
  for (void* one : pieces) CHECK_EQ(MPI_Free_mem(one), MPI_SUCCESS);
  free(allocate(16 * kMiB));
  CHECK_PATTERN(kept, 1000, 5);
  free(kept);
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  check::return_errors();
  contents();
  alignment();
  exchanges();
  given_back();
  no_memory();
  if (check::on_atoll()) CHECK_EQ(MPI_Free_mem(nullptr), MPI_SUCCESS);
  return check::finish();
}
