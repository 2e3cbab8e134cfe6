// What one rank gives is not what another one expects, where each pair has its own
// lengths: whoever gets it sees that, all others go on, and so does the communicator.
#include "test/check.h"

#include <functional>
#include <string>
#include <vector>

namespace {

constexpr int kMost = 50000;  // of one block
std::vector<int> out, in;
MPI_Comm comm;

// So many integers for each rank, and so many for one.
struct Lengths {
  Lengths(int usual, int special, int rank) : counts(check::size, usual), displs(check::size) {
    counts[rank] = special;
    for (int i = 0; i < check::size; ++i) displs[i] = i * kMost;
  }
  std::vector<int> counts, displs;
};

// Rank 0 gives the last one `gives`, which expects `expects`; all others agree on 2.
using Call = std::function<int(int gives, int expects)>;

bool first() { return check::rank == 0; }
bool last() { return check::rank == check::size - 1; }

int gatherv(int gives, int expects) {
  const Lengths in_all(2, expects, 0);
  return MPI_Gatherv(out.data(), first() ? gives : 2, MPI_INT, in.data(), in_all.counts.data(),
                     in_all.displs.data(), MPI_INT, check::size - 1, comm);
}
int scatterv(int gives, int expects) {
  const Lengths out_all(2, gives, check::size - 1);
  return MPI_Scatterv(out.data(), out_all.counts.data(), out_all.displs.data(), MPI_INT, in.data(),
                      last() ? expects : 2, MPI_INT, 0, comm);
}
struct Exchange {
  Exchange(int gives, int expects)
      : out(2, first() ? gives : 2, check::size - 1), in(2, last() ? expects : 2, 0) {}
  Lengths out, in;
};
int alltoallv(int gives, int expects) {
  const Exchange lengths(gives, expects);
  return MPI_Alltoallv(out.data(), lengths.out.counts.data(), lengths.out.displs.data(), MPI_INT,
                       in.data(), lengths.in.counts.data(), lengths.in.displs.data(), MPI_INT,
                       comm);
}
int alltoallw(int gives, int expects) {
  Exchange lengths(gives, expects);
  for (int& displ : lengths.out.displs) displ *= sizeof(int);
  for (int& displ : lengths.in.displs) displ *= sizeof(int);
  const std::vector<MPI_Datatype> types(check::size, MPI_INT);
  MPI_Request request;
  const int code = MPI_Ialltoallw(out.data(), lengths.out.counts.data(), lengths.out.displs.data(),
                                  types.data(), in.data(), lengths.in.counts.data(),
                                  lengths.in.displs.data(), types.data(), comm, &request);
  return code != MPI_SUCCESS ? code : MPI_Wait(&request, MPI_STATUS_IGNORE);
}
// Each time anew, since what went wrong once is forgotten.
int persistent(int gives, int expects) {
  const Exchange lengths(gives, expects);
  MPI_Request request;
  int code = MPI_Alltoallv_init(out.data(), lengths.out.counts.data(), lengths.out.displs.data(),
                                MPI_INT, in.data(), lengths.in.counts.data(),
                                lengths.in.displs.data(), MPI_INT, comm, MPI_INFO_NULL, &request);
  for (int i = 0; i < 2; ++i) {
    MPI_Start(&request);
    code = MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  MPI_Request_free(&request);
  return code;
}

void run(const char* name, const Call& call, int gives, int expects) {
  check::set_case("%s: gives %d, expects %d", name, gives, expects);
  const int code = call(gives, expects);
  CHECK_EQ(code != MPI_SUCCESS, last());
  if (last()) {
    CHECK_EQ(check::error_class(code), gives > expects ? MPI_ERR_TRUNCATE : MPI_ERR_COUNT);
    const std::string said = "rank 0 of lengths gives " + std::to_string(4 * gives) +
                             " bytes, rank " + std::to_string(check::rank) + " expects " +
                             std::to_string(4 * expects) + " of it";
    const std::string text = check::error_text(code);
    if (text.find(said) == std::string::npos) CHECK_EQ(text, said);
  }
  CHECK_EQ(call(2, 2), MPI_SUCCESS);
  CHECK_EQ(MPI_Barrier(comm), MPI_SUCCESS);
}

// Of its own block each rank says twice how long it is: that is found before anything is
// begun, so that all make the mistake or none.
void own_blocks() {
  check::set_case("own blocks");
  const std::vector<int> ones(check::size, 1), zeros(check::size, 0);
  const auto wrong = [](int code) { CHECK_EQ(check::error_class(code), MPI_ERR_COUNT); };
  if (first()) {
    wrong(MPI_Gather(out.data(), 2, MPI_INT, in.data(), 1, MPI_INT, 0, comm));
    wrong(MPI_Scatter(out.data(), 2, MPI_INT, in.data(), 1, MPI_INT, 0, comm));
    wrong(MPI_Gatherv(out.data(), 2, MPI_INT, in.data(), ones.data(), zeros.data(), MPI_INT, 0,
                      comm));
    wrong(MPI_Scatterv(out.data(), ones.data(), zeros.data(), MPI_INT, in.data(), 2, MPI_INT, 0,
                       comm));
  }
  wrong(MPI_Allgather(out.data(), 2, MPI_INT, in.data(), 1, MPI_INT, comm));
  wrong(MPI_Alltoall(out.data(), 1, MPI_INT, in.data(), 2, MPI_INT, comm));
  wrong(
      MPI_Allgatherv(out.data(), 2, MPI_INT, in.data(), ones.data(), zeros.data(), MPI_INT, comm));
  CHECK_EQ(MPI_Barrier(comm), MPI_SUCCESS);
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  out.resize(static_cast<std::size_t>(check::size) * kMost);
  in.resize(out.size());
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_name(comm, "lengths");
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  const std::pair<const char*, Call> calls[] = {{"gatherv", gatherv},
                                                {"scatterv", scatterv},
                                                {"alltoallv", alltoallv},
                                                {"alltoallw", alltoallw},
                                                {"persistent alltoallv", persistent}};
  for (const auto& [name, call] : calls) {
    if (check::size == 1) break;
    run(name, call, 3, 2);
    run(name, call, 1, 2);
    run(name, call, 0, 3);
    run(name, call, 3, 0);
    run(name, call, kMost, 7);
    run(name, call, kMost - 1, kMost);
  }
  own_blocks();
  MPI_Comm_free(&comm);
  return check::finish();
}
