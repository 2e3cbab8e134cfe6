// Info objects made, used and freed by many threads at once, before MPI_Init and
// at MPI_THREAD_SINGLE too: that is always safe (chapter 10).
#include <string>
#include <thread>
#include <vector>

#include "test/check.h"

namespace {

constexpr int kThreads = 4;
constexpr int kRounds = 300;

void work(int number) {
  std::vector<MPI_Info> mine;
  for (int i = 0; i < kRounds; ++i) {
    MPI_Info info;
    CHECK_EQ(MPI_Info_create(&info), MPI_SUCCESS);
    MPI_Info_set(info, "owner", std::to_string(number * kRounds + i).c_str());
    mine.push_back(info);
    if (i % 3 == 0) {
      MPI_Info copy;
      MPI_Info_dup(mine[mine.size() / 2], &copy);
      MPI_Info_free(&mine[mine.size() / 2]);
      mine[mine.size() / 2] = copy;
    }
  }
  for (int i = 0; i < kRounds; ++i) {
    char value[32] = "";
    int length = sizeof value, flag = 0;
    CHECK_EQ(MPI_Info_get_string(mine[i], "owner", &length, value, &flag), MPI_SUCCESS);
    CHECK_EQ(flag, 1);
    CHECK_EQ(std::string(value), std::to_string(number * kRounds + i));
    MPI_Info_free(&mine[i]);
  }
}

void all_at_once() {
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) threads.emplace_back(work, i);
  for (std::thread& thread : threads) thread.join();
}

}  // namespace

int main(int argc, char** argv) {
  if (check::on_atoll()) all_at_once();
  check::start(argc, argv);
  if (check::on_atoll()) all_at_once();
  CHECK(check::rank >= 0);
  return check::finish();
}
