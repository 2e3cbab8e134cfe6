// One-sided communication in C++ (MPI-2.2, chapter 11): windows, transfers and all three kinds of
// epochs, attributes and error handlers.
#include <mpicxx.h>

#include <cstring>
#include <vector>

#include "test/check.h"

namespace {

struct Ring {
  int left = (check::rank + check::size - 1) % check::size;
  int right = (check::rank + 1) % check::size;
};

constexpr int kCount = 8;
constexpr MPI::Aint kBytes = kCount * sizeof(int);

int* memory() {
  int* made = static_cast<int*>(MPI::Alloc_mem(kBytes, MPI::INFO_NULL));
  for (int i = 0; i < kCount; ++i) made[i] = 100 * check::rank + i;
  return made;
}

void fences() {
  check::set_case("fences");
  const Ring ring;
  int* own = memory();
  MPI::Win win = MPI::Win::Create(own, kBytes, sizeof(int), MPI::INFO_NULL, MPI::COMM_WORLD);
  const int put = check::rank, added = 1000;
  int got = -1;
  win.Fence(MPI::MODE_NOPRECEDE);
  win.Get(&got, 1, MPI::INT, ring.right, 3, 1, MPI::INT);
  win.Put(&put, 1, MPI::INT, ring.right, 0, 1, MPI::INT);
  win.Accumulate(&added, 1, MPI::INT, ring.right, 1, 1, MPI::INT, MPI::SUM);
  win.Fence(MPI::MODE_NOSUCCEED);
  CHECK_EQ(got, 100 * ring.right + 3);
  CHECK_EQ(own[0], ring.left);
  CHECK_EQ(own[1], 100 * check::rank + 1 + 1000);
  CHECK_EQ(own[2], 100 * check::rank + 2);
  win.Free();
  CHECK(win == MPI::WIN_NULL);
  MPI::Free_mem(own);
}

void posts_and_starts() {
  check::set_case("post and start");
  const Ring ring;
  int* own = memory();
  MPI::Win win = MPI::Win::Create(own, kBytes, sizeof(int), MPI::INFO_NULL, MPI::COMM_WORLD);
  MPI::Group all = win.Get_group();
  CHECK_EQ(all.Get_size(), check::size);
  MPI::Group origins = all.Incl(1, &ring.left), targets = all.Incl(1, &ring.right);
  for (int i = 0; i < 4; ++i) {
    const int put = 7 * i + check::rank;
    win.Post(origins, 0);
    win.Start(targets, 0);
    win.Put(&put, 1, MPI::INT, ring.right, i, 1, MPI::INT);
    win.Complete();
    if (i % 2 == 0) {
      win.Wait();
    } else {
      while (!win.Test()) {
      }
    }
    CHECK_EQ(own[i], 7 * i + ring.left);
  }
  for (MPI::Group* group : {&all, &origins, &targets}) group->Free();
  win.Free();
  MPI::Free_mem(own);
}

void locks() {
  check::set_case("locks");
  int* own = memory();
  std::memset(own, 0, kBytes);
  MPI::Win win = MPI::Win::Create(own, kBytes, sizeof(int), MPI::INFO_NULL, MPI::COMM_WORLD);
  const int one = 1;
  for (int i = 0; i < 20; ++i) {
    win.Lock(i % 2 == 0 ? MPI::LOCK_SHARED : MPI::LOCK_EXCLUSIVE, 0, 0);
    win.Accumulate(&one, 1, MPI::INT, 0, 5, 1, MPI::INT, MPI::SUM);
    win.Unlock(0);
  }
  MPI::COMM_WORLD.Barrier();
  int sum = -1;
  win.Lock(MPI::LOCK_EXCLUSIVE, 0, 0);
  win.Get(&sum, 1, MPI::INT, 0, 5, 1, MPI::INT);
  win.Unlock(0);
  CHECK_EQ(sum, 20 * check::size);
  win.Free();
  MPI::Free_mem(own);
}

int deletions = 0;
int delete_attribute(MPI::Win& win, int, void* value, void*) {
  CHECK(win != MPI::WIN_NULL);
  CHECK_EQ(*static_cast<int*>(value), 3);
  ++deletions;
  return MPI::SUCCESS;
}

void attributes() {
  check::set_case("attributes");
  int* own = memory();
  MPI::Win win = MPI::Win::Create(own, kBytes, sizeof(int), MPI::INFO_NULL, MPI::COMM_WORLD);
  void* base = nullptr;
  MPI::Aint* bytes = nullptr;
  int* unit = nullptr;
  CHECK(win.Get_attr(MPI::WIN_BASE, &base));
  CHECK(win.Get_attr(MPI::WIN_SIZE, &bytes));
  CHECK(win.Get_attr(MPI::WIN_DISP_UNIT, &unit));
  CHECK(base == own);
  CHECK_EQ(*bytes, kBytes);
  CHECK_EQ(*unit, static_cast<int>(sizeof(int)));
  win.Set_name("of C++");
  char name[MPI::MAX_OBJECT_NAME];
  int length = 0;
  win.Get_name(name, length);
  CHECK_EQ(std::string(name, static_cast<std::size_t>(length)), "of C++");
  int value = 3;
  int keyval = MPI::Win::Create_keyval(MPI_WIN_NULL_COPY_FN, delete_attribute, nullptr);
  win.Set_attr(keyval, &value);
  win.Free();
  CHECK_EQ(deletions, 1);
  MPI::Win::Free_keyval(keyval);
  MPI::Free_mem(own);
}

void errors() {
  check::set_case("errors");
  int* own = memory();
  MPI::Win win = MPI::Win::Create(own, kBytes, sizeof(int), MPI::INFO_NULL, MPI::COMM_WORLD);
  win.Set_errhandler(MPI::ERRORS_THROW_EXCEPTIONS);
  int error = MPI::SUCCESS, got = -1;
  win.Fence(0);
  try {
    win.Get(&got, 1, MPI::INT, check::size, 0, 1, MPI::INT);
  } catch (const MPI::Exception& exception) {
    error = exception.Get_error_class();
  }
  CHECK_EQ(error, static_cast<int>(MPI::ERR_RANK));
  win.Fence(0);
  win.Free();
  MPI::Free_mem(own);
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  fences();
  posts_and_starts();
  locks();
  attributes();
  errors();
  return check::finish();
}
