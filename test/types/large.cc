// Messages of more bytes, and of more elements, than an int counts. Their memory is
// small: a piece of it that appears in address space again and again.
#include <sys/mman.h>
#include <unistd.h>

#include <climits>
#include <cstring>
#include <vector>

#include "test/check.h"

namespace {

constexpr std::size_t kPiece = std::size_t{16} << 20;
constexpr MPI_Count kBytes = MPI_Count{INT_MAX} + 9;  // no multiple of anything above 8

std::byte expected(std::size_t at) { return static_cast<std::byte>(at % kPiece * 0x9e37 >> 8); }

// More than kBytes of address space, where what is written at one place can be read
// kPiece bytes further on.
class Folded {
 public:
  Folded() {
    const int file = memfd_create("folded", 0);
    if (ftruncate(file, kPiece) != 0) MPI_Abort(MPI_COMM_WORLD, 1);
    void* room = mmap(nullptr, kRoom, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    start_ = static_cast<std::byte*>(room);
    for (std::size_t at = 0; at < kRoom; at += kPiece) {
      mmap(start_ + at, kPiece, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0);
    }
    close(file);
  }
  ~Folded() { munmap(start_, kRoom); }
  Folded(const Folded&) = delete;
  Folded& operator=(const Folded&) = delete;

  std::byte* data() const { return start_; }
  void fill() {
    for (std::size_t i = 0; i < kPiece; ++i) start_[i] = expected(i);
  }
  void clear() { std::memset(start_, 0xee, kPiece); }

  void check(std::size_t from, std::size_t to) const {
    for (std::size_t i = from; i < to; ++i) {
      if (start_[i] != expected(i)) return CHECK_EQ(int(start_[i]), int(expected(i)));
    }
    CHECK(true);
  }

 private:
  static constexpr std::size_t kRoom = (kBytes / kPiece + 2) * kPiece;

  std::byte* start_;
};

void check_status(MPI_Status& status, MPI_Datatype type, MPI_Count count, MPI_Count elements) {
  int small = -2;
  MPI_Count large = -2;
  MPI_Get_count(&status, type, &small);
  CHECK_EQ(small, count > INT_MAX ? MPI_UNDEFINED : static_cast<int>(count));
  MPI_Get_count_c(&status, type, &large);
  CHECK_EQ(large, count);
  MPI_Get_elements(&status, type, &small);
  CHECK_EQ(small, elements > INT_MAX ? MPI_UNDEFINED : static_cast<int>(elements));
  MPI_Get_elements_c(&status, type, &large);
  CHECK_EQ(large, elements);
  MPI_Get_elements_x(&status, type, &large);
  CHECK_EQ(large, elements);
}

// More elements than an int counts.
void bytes(Folded& memory) {
  check::set_case("%lld bytes", static_cast<long long>(kBytes));
  if (check::rank == 0) {
    memory.fill();
    MPI_Send_c(memory.data(), kBytes, MPI_BYTE, 1, 1, MPI_COMM_WORLD);
    return;
  }
  memory.clear();
  MPI_Status status;
  MPI_Recv_c(memory.data(), kBytes, MPI_BYTE, 0, 1, MPI_COMM_WORLD, &status);
  check_status(status, MPI_BYTE, kBytes, kBytes);
  memory.check(0, kPiece);
}

// Few elements of a type that is larger than an int says; in a short receive.
void cut_short(Folded& memory) {
  check::set_case("a large type, cut short");
  MPI_Datatype half;
  MPI_Type_contiguous_c(kBytes / 2, MPI_BYTE, &half);
  MPI_Type_commit(&half);
  int size = -2;
  MPI_Type_size(half, &size);
  CHECK_EQ(size, static_cast<int>(kBytes / 2));
  if (check::rank == 0) {
    MPI_Send(memory.data(), 2, half, 1, 2, MPI_COMM_WORLD);
  } else {
    memory.clear();
    MPI_Status status;
    CHECK_EQ(check::error_class(
                 MPI_Recv_c(memory.data(), kBytes - 4096, MPI_BYTE, 0, 2, MPI_COMM_WORLD, &status)),
             MPI_ERR_TRUNCATE);
  }
  MPI_Type_free(&half);
}

// The same block over and over, which only a sender may do.
void typed(Folded& memory) {
  check::set_case("blocks, %lld bytes", static_cast<long long>(kBytes));
  constexpr int kBlock = 1024, kStep = 4096;
  constexpr MPI_Count kBlocks = kBytes / kBlock + 1;
  MPI_Datatype gaps;
  MPI_Datatype blocks;
  MPI_Type_create_hvector_c(kBlocks, kBlock / 8, kStep, MPI_INT64_T, &blocks);
  MPI_Type_create_resized_c(blocks, 0, kBlocks * kStep, &gaps);
  MPI_Type_free(&blocks);
  MPI_Type_commit(&gaps);
  MPI_Count size = -2;
  MPI_Type_size_c(gaps, &size);
  CHECK_EQ(size, kBlocks * kBlock);
  int small = -2;
  MPI_Type_size(gaps, &small);
  CHECK_EQ(small, MPI_UNDEFINED);
  MPI_Type_free(&gaps);
  MPI_Type_create_hvector_c(kBlocks, kBlock / 8, 0, MPI_INT64_T, &gaps);
  MPI_Type_commit(&gaps);
  if (check::rank == 0) {
    memory.fill();
    MPI_Send(memory.data(), 1, gaps, 1, 3, MPI_COMM_WORLD);
  } else {
    memory.clear();
    MPI_Status status;
    MPI_Recv_c(memory.data(), kBlocks * kBlock / 8, MPI_INT64_T, 0, 3, MPI_COMM_WORLD, &status);
    check_status(status, gaps, 1, kBlocks * kBlock / 8);
    check_status(status, MPI_INT64_T, kBlocks * kBlock / 8, kBlocks * kBlock / 8);
    for (std::size_t i = 0; i < kPiece; ++i) {
      if (memory.data()[i] != expected(i % kBlock)) return CHECK_EQ(i, kPiece);
    }
  }
  MPI_Type_free(&gaps);
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  check::return_errors();
  {
    Folded memory;
    if (check::rank < 2) {
      bytes(memory);
      cut_short(memory);
      typed(memory);
    }
  }
  return check::finish();
}
