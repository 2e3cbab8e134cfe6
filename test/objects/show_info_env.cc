// Shows MPI_INFO_ENV as it is before MPI_Init, a line "RANK KEY=VALUE" for each
// key, and "RANK provided=LEVEL": the thread level that MPI_Init gives.
#include <mpi.h>

#include <cstdio>
#include <string>

int main() {
  std::string lines;
  int count = 0, rank = -1, provided = -1;
  MPI_Info_get_nkeys(MPI_INFO_ENV, &count);
  for (int n = 0; n < count; ++n) {
    char key[MPI_MAX_INFO_KEY], value[MPI_MAX_INFO_VAL];
    int length = sizeof value, flag = 0;
    MPI_Info_get_nthkey(MPI_INFO_ENV, n, key);
    MPI_Info_get_string(MPI_INFO_ENV, key, &length, value, &flag);
    lines += std::string("RANK ") + key + "=" + value + "\n";
  }
  MPI_Init(nullptr, nullptr);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Query_thread(&provided);
  lines += "RANK provided=" + std::to_string(provided) + "\n";
  for (std::size_t at = 0; (at = lines.find("RANK", at)) != lines.npos;) {
    lines.replace(at, 4, std::to_string(rank));
  }
  std::fputs(lines.c_str(), stdout);
  MPI_Finalize();
}
