// Collectives and operations in C++.
#include <mpicxx.h>

#include <complex>
#include <vector>

#include "test/check.h"

namespace {

void add(const void* invec, void* inoutvec, int len, const MPI::Datatype& datatype) {
  CHECK(datatype == MPI::INT);
  for (int i = 0; i < len; ++i) static_cast<int*>(inoutvec)[i] += static_cast<const int*>(invec)[i];
}

void keep_first(const void* invec, void* inoutvec, int len, const MPI::Datatype&) {
  for (int i = 0; i < len; ++i) static_cast<int*>(inoutvec)[i] = static_cast<const int*>(invec)[i];
}

void operations() {
  check::set_case("operations");
  MPI::Op sum, first;
  sum.Init(add, true);
  first.Init(keep_first, false);
  CHECK(sum.Is_commutative());
  CHECK(!first.Is_commutative());
  int result = -1;
  MPI::COMM_WORLD.Allreduce(&check::rank, &result, 1, MPI::INT, sum);
  CHECK_EQ(result, check::size * (check::size - 1) / 2);
  MPI::COMM_WORLD.Allreduce(&check::rank, &result, 1, MPI::INT, first);
  CHECK_EQ(result, 0);
  int inout = 3;
  sum.Reduce_local(&check::rank, &inout, 1, MPI::INT);
  CHECK_EQ(inout, 3 + check::rank);
  sum.Free();
  first.Free();
  CHECK(sum == MPI::OP_NULL);
}

void types_of_cxx() {
  check::set_case("types of C++");
  const bool own = check::rank > 0;
  bool any = false;
  MPI::COMM_WORLD.Allreduce(&own, &any, 1, MPI::BOOL, MPI::LOR);
  CHECK_EQ(any, check::size > 1);
  const std::complex<double> value(1, check::rank);
  std::complex<double> sum;
  MPI::COMM_WORLD.Allreduce(&value, &sum, 1, MPI::DOUBLE_COMPLEX, MPI::SUM);
  CHECK(sum == std::complex<double>(check::size, check::size * (check::size - 1) / 2));
}

void data() {
  check::set_case("data");
  const MPI::Intracomm& world = MPI::COMM_WORLD;
  const auto size = static_cast<std::size_t>(check::size);
  int root = check::rank == 0 ? 42 : 0;
  world.Bcast(&root, 1, MPI::INT, 0);
  CHECK_EQ(root, 42);
  std::vector<int> all(size, -1), counts(size, 1), displacements(size);
  for (std::size_t i = 0; i < size; ++i) displacements[i] = static_cast<int>(size - 1 - i);
  world.Allgather(&check::rank, 1, MPI::INT, all.data(), 1, MPI::INT);
  for (std::size_t i = 0; i < size; ++i) CHECK_EQ(all[i], static_cast<int>(i));
  world.Allgatherv(&check::rank, 1, MPI::INT, all.data(), counts.data(), displacements.data(),
                   MPI::INT);
  for (std::size_t i = 0; i < size; ++i) CHECK_EQ(all[i], static_cast<int>(size - 1 - i));
  std::vector<int> turned(size, -1);
  const std::vector<int> offsets = [&] {
    std::vector<int> bytes;
    for (int i = 0; i < check::size; ++i) bytes.push_back(i * static_cast<int>(sizeof(int)));
    return bytes;
  }();
  const std::vector<MPI::Datatype> types(size, MPI::INT);
  world.Alltoallw(all.data(), counts.data(), offsets.data(), types.data(), turned.data(),
                  counts.data(), offsets.data(), types.data());
  for (const int value : turned) CHECK_EQ(value, static_cast<int>(size) - 1 - check::rank);
  int part = -1;
  world.Reduce_scatter(all.data(), &part, counts.data(), MPI::INT, MPI::MAX);
  CHECK_EQ(part, static_cast<int>(size) - 1 - check::rank);
  int before = -1;
  world.Exscan(&check::rank, &before, 1, MPI::INT, MPI::SUM);
  CHECK_EQ(before, check::rank == 0 ? -1 : check::rank * (check::rank - 1) / 2);
  int last = check::rank;
  if (check::rank == 0) {
    world.Reduce(MPI::IN_PLACE, &last, 1, MPI::INT, MPI::MAX, 0);
  } else {
    world.Reduce(&check::rank, nullptr, 1, MPI::INT, MPI::MAX, 0);
  }
  CHECK(check::rank != 0 || last == check::size - 1);
  world.Barrier();
}

void between_groups() {
  if (check::size < 2) return;
  check::set_case("between groups");
  const int color = check::rank % 2;
  MPI::Intracomm half = MPI::COMM_WORLD.Split(color, check::rank);
  MPI::Intercomm both = half.Create_intercomm(0, MPI::COMM_WORLD, 1 - color, 3);
  CHECK(both.Is_inter());
  CHECK_EQ(both.Get_remote_size() + both.Get_size(), check::size);
  int value = color == 0 && half.Get_rank() == 0 ? 7 : 0;
  const int root = color == 1 ? 0 : half.Get_rank() == 0 ? MPI_ROOT : MPI_PROC_NULL;
  both.Bcast(&value, 1, MPI::INT, root);
  CHECK_EQ(value, color == 1 || half.Get_rank() == 0 ? 7 : 0);
  MPI::Intracomm merged = both.Merge(color == 1);
  CHECK_EQ(merged.Get_size(), check::size);
  merged.Free();
  both.Free();
  half.Free();
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  operations();
  types_of_cxx();
  data();
  between_groups();
  return check::finish();
}
