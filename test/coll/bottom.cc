// MPI_BOTTOM as buffer of collectives that take displacements: these are then absolute
// addresses, as MPI_Get_address gives them (5.1.12). In all forms, among neighbours too.
#include <vector>

#include "test/check.h"
#include "test/coll/forms.h"

namespace {

struct Nothing {
  void change() {}
  void restore(const Nothing&) {}
};
const coll::Contents<Nothing> none({});

// An int for each rank somewhere in memory, with its address and one of each as it needs them.
struct Places {
  explicit Places(int ranks)
      : values(ranks, -1), counts(ranks, 1), large_counts(ranks, 1), types(ranks, MPI_INT) {
    for (int& value : values) {
      MPI_Aint address = 0;
      MPI_Get_address(&value, &address);
      bytes.push_back(address);
      ints.push_back(address / MPI_Aint(sizeof(int)));
    }
  }
  std::vector<int> values;
  std::vector<int> counts;
  std::vector<MPI_Count> large_counts;
  std::vector<MPI_Datatype> types;
  std::vector<MPI_Aint> bytes;  // displacements that count bytes
  std::vector<MPI_Aint> ints;   // and elements
};

struct Ends {
  Places out, in;
  explicit Ends(int ranks) : out(ranks), in(ranks) {
    for (int i = 0; i < ranks; ++i) out.values[i] = 100 * check::rank + i;
  }
};

// What displacements of bytes take, with plain counts too.
template <class Call>
void typed(const char* name, coll::Form form, Call call, bool neighbours, MPI_Comm ring) {
  check::set_case("%s, %s", name, coll::kForms[int(form)]);
  const int ranks = neighbours ? 2 : check::size;
  for (const bool large : {false, true}) {
    Ends ends(ranks);
    CHECK_EQ(call(ends, form, large, neighbours ? ring : MPI_COMM_WORLD), MPI_SUCCESS);
    for (int i = 0; i < ranks; ++i) {
      const int from =
          neighbours ? (check::rank + (i == 0 ? check::size - 1 : 1)) % check::size : i;
      CHECK_EQ(ends.in.values[i], 100 * from + (neighbours ? 1 - i : check::rank));
    }
  }
}

int alltoallw(Ends& e, coll::Form form, bool large, MPI_Comm comm) {
  if (large) {
    return CALL_FORMS(form, none, MPI_Alltoallw_c, MPI_Ialltoallw_c, MPI_Alltoallw_init_c,
                      MPI_BOTTOM, e.out.large_counts.data(), e.out.bytes.data(), e.out.types.data(),
                      MPI_BOTTOM, e.in.large_counts.data(), e.in.bytes.data(), e.in.types.data(),
                      comm);
  }
  // Its displacements are int: the blocks are near a stack variable's address only by luck, so the
  // absolute part is in the datatypes.
  std::vector<int> zeros(e.in.values.size(), 0);
  std::vector<MPI_Datatype> out, in;
  for (std::size_t i = 0; i < e.in.values.size(); ++i) {
    const int one = 1;
    MPI_Datatype type;
    MPI_Type_create_hindexed(1, &one, &e.out.bytes[i], MPI_INT, &type);
    MPI_Type_commit(&type);
    out.push_back(type);
    MPI_Type_create_hindexed(1, &one, &e.in.bytes[i], MPI_INT, &type);
    MPI_Type_commit(&type);
    in.push_back(type);
  }
  const int code = CALL_FORMS(form, none, MPI_Alltoallw, MPI_Ialltoallw, MPI_Alltoallw_init,
                              MPI_BOTTOM, e.out.counts.data(), zeros.data(), out.data(), MPI_BOTTOM,
                              e.in.counts.data(), zeros.data(), in.data(), comm);
  for (auto* types : {&out, &in}) {
    for (MPI_Datatype& type : *types) MPI_Type_free(&type);
  }
  return code;
}

int neighbor_alltoallw(Ends& e, coll::Form form, bool large, MPI_Comm comm) {
  if (large) {
    return CALL_FORMS(form, none, MPI_Neighbor_alltoallw_c, MPI_Ineighbor_alltoallw_c,
                      MPI_Neighbor_alltoallw_init_c, MPI_BOTTOM, e.out.large_counts.data(),
                      e.out.bytes.data(), e.out.types.data(), MPI_BOTTOM, e.in.large_counts.data(),
                      e.in.bytes.data(), e.in.types.data(), comm);
  }
  return CALL_FORMS(form, none, MPI_Neighbor_alltoallw, MPI_Ineighbor_alltoallw,
                    MPI_Neighbor_alltoallw_init, MPI_BOTTOM, e.out.counts.data(),
                    e.out.bytes.data(), e.out.types.data(), MPI_BOTTOM, e.in.counts.data(),
                    e.in.bytes.data(), e.in.types.data(), comm);
}

// Large counts only: displacements of elements that are int cannot hold an address.
void listed(coll::Form form, MPI_Comm ring) {
  check::set_case("listed, %s", coll::kForms[int(form)]);
  const int size = check::size, rank = check::rank;
  Ends e(size);
  const int own = 100 * rank;
  MPI_Count* counts = e.in.large_counts.data();
  const auto expect = [&](auto value) {
    for (int i = 0; i < size; ++i) CHECK_EQ(e.in.values[i], value(i));
    e.in.values.assign(size, -1);
  };
  CHECK_EQ(CALL_FORMS(form, none, MPI_Alltoallv_c, MPI_Ialltoallv_c, MPI_Alltoallv_init_c,
                      MPI_BOTTOM, counts, e.out.ints.data(), MPI_INT, MPI_BOTTOM, counts,
                      e.in.ints.data(), MPI_INT, MPI_COMM_WORLD),
           MPI_SUCCESS);
  expect([&](int i) { return 100 * i + rank; });
  CHECK_EQ(CALL_FORMS(form, none, MPI_Allgatherv_c, MPI_Iallgatherv_c, MPI_Allgatherv_init_c, &own,
                      1, MPI_INT, MPI_BOTTOM, counts, e.in.ints.data(), MPI_INT, MPI_COMM_WORLD),
           MPI_SUCCESS);
  expect([&](int i) { return 100 * i; });
  CHECK_EQ(CALL_FORMS(form, none, MPI_Gatherv_c, MPI_Igatherv_c, MPI_Gatherv_init_c, &own, 1,
                      MPI_INT, MPI_BOTTOM, counts, e.in.ints.data(), MPI_INT, 0, MPI_COMM_WORLD),
           MPI_SUCCESS);
  if (rank == 0) expect([&](int i) { return 100 * i; });
  int got = -1;
  CHECK_EQ(CALL_FORMS(form, none, MPI_Scatterv_c, MPI_Iscatterv_c, MPI_Scatterv_init_c, MPI_BOTTOM,
                      counts, e.out.ints.data(), MPI_INT, &got, 1, MPI_INT, 0, MPI_COMM_WORLD),
           MPI_SUCCESS);
  CHECK_EQ(got, rank);
  Ends n(2);
  CHECK_EQ(CALL_FORMS(form, none, MPI_Neighbor_alltoallv_c, MPI_Ineighbor_alltoallv_c,
                      MPI_Neighbor_alltoallv_init_c, MPI_BOTTOM, n.out.large_counts.data(),
                      n.out.ints.data(), MPI_INT, MPI_BOTTOM, n.in.large_counts.data(),
                      n.in.ints.data(), MPI_INT, ring),
           MPI_SUCCESS);
  CHECK_EQ(n.in.values[0], 100 * ((rank + size - 1) % size) + 1);
  CHECK_EQ(n.in.values[1], 100 * ((rank + 1) % size));
  n.in.values.assign(2, -1);
  CHECK_EQ(CALL_FORMS(form, none, MPI_Neighbor_allgatherv_c, MPI_Ineighbor_allgatherv_c,
                      MPI_Neighbor_allgatherv_init_c, &own, 1, MPI_INT, MPI_BOTTOM,
                      n.in.large_counts.data(), n.in.ints.data(), MPI_INT, ring),
           MPI_SUCCESS);
  CHECK_EQ(n.in.values[1], 100 * ((rank + 1) % size));
}

// A pointer that was forgotten is still found.
void null_pointers() {
  if (!check::on_atoll()) return;
  check::set_case("null pointers");
  check::return_errors();
  const int size = check::size;
  std::vector<int> counts(size, 1), displs(size);
  for (int i = 0; i < size; ++i) displs[i] = i;
  int own = 1;
  CHECK_EQ(check::error_class(MPI_Allgatherv(&own, 1, MPI_INT, nullptr, counts.data(),
                                             displs.data(), MPI_INT, MPI_COMM_WORLD)),
           MPI_ERR_BUFFER);
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  const int periodic = 1;
  MPI_Comm ring;
  MPI_Cart_create(MPI_COMM_WORLD, 1, &check::size, &periodic, 0, &ring);
  for (int form = 0; form < 3; ++form) {
    typed("alltoallw", coll::Form(form), alltoallw, false, ring);
    typed("neighbor_alltoallw", coll::Form(form), neighbor_alltoallw, true, ring);
    listed(coll::Form(form), ring);
  }
  null_pointers();
  MPI_Comm_free(&ring);
  return check::finish();
}
