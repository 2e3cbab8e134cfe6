// The datatype handle that a reduction hands to the program's function is the one that its
// caller passed: functions compare it, ask about it and look at its attributes (6.9.5).
#include <vector>

#include "test/check.h"
#include "test/coll/forms.h"

namespace {

MPI_Datatype wanted = MPI_DATATYPE_NULL;
int keyval = MPI_KEYVAL_INVALID;
int cached = 0;
bool freed = false;  // by the program, after it began the operation
long calls = 0;
constexpr int kInts = 2;  // of an element

void look_at(MPI_Datatype datatype) {
  ++calls;
  CHECK(datatype == wanted);
  int size = 0;
  MPI_Type_size(datatype, &size);
  CHECK_EQ(size, int(kInts * sizeof(int)));
  if (freed) return;
  int* value = nullptr;
  int flag = 0;
  MPI_Type_get_attr(datatype, keyval, &value, &flag);
  CHECK(flag);
  CHECK(value == &cached);
}

template <class Count>
void add(void* in, void* inout, Count* length, MPI_Datatype* datatype) {
  look_at(*datatype);
  for (Count i = 0; i < *length * kInts; ++i)
    static_cast<int*>(inout)[i] += static_cast<int*>(in)[i];
}

MPI_Op ops[2];  // with plain and with large counts

// A type with two handles: MPI_Type_get_contents gives out another one. Alternately the first
// and the second one is used.
MPI_Datatype make(bool second) {
  MPI_Datatype pair, outer, inner;
  MPI_Type_contiguous(kInts, MPI_INT, &pair);
  MPI_Type_contiguous(1, pair, &outer);
  int count = 0;
  MPI_Aint address = 0;
  MPI_Type_get_contents(outer, 1, 0, 1, &count, &address, &inner);
  MPI_Type_free(&outer);
  if (second) std::swap(pair, inner);
  MPI_Type_free(&inner);
  MPI_Type_commit(&pair);
  MPI_Type_set_attr(pair, keyval, &cached);
  wanted = pair;
  return pair;
}

struct Values {
  std::vector<int> all;
  void change() {}
  void restore(const Values&) {}
};

// All reductions of a communicator; `partners` give what this rank gets.
void reductions(MPI_Comm comm, int partners, coll::Form form, bool large, bool second) {
  int size = 0, rank = 0, inter = 0;
  MPI_Comm_size(comm, &size);
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_test_inter(comm, &inter);
  MPI_Datatype pair = make(second);
  const MPI_Op op = ops[large];
  const int parts = size * partners;
  Values in, out;
  in.all.assign(kInts * parts, 1);
  out.all.assign(kInts * parts, 0);
  const coll::Contents<Values> none({});
  CALL(form, large, none, Allreduce, Iallreduce, in.all.data(), out.all.data(), 1, pair, op, comm);
  CHECK_EQ(out.all[1], partners);
  int root = 0;
  if (inter && check::rank % 2 == 0) root = rank == 0 ? MPI_ROOT : MPI_PROC_NULL;
  CALL(form, large, none, Reduce, Ireduce, in.all.data(), out.all.data(), 1, pair, op, root, comm);
  CALL(form, large, none, Reduce_scatter_block, Ireduce_scatter_block, in.all.data(),
       out.all.data(), partners, pair, op, comm);
  CHECK_EQ(out.all[0], partners);
  coll::Numbers counts;
  for (int i = 0; i < size; ++i) counts.push_back(partners);
  CALL(form, large, none, Reduce_scatter, Ireduce_scatter, in.all.data(), out.all.data(), counts,
       pair, op, comm);
  if (!inter) {
    CALL(form, large, none, Scan, Iscan, in.all.data(), out.all.data(), 1, pair, op, comm);
    CHECK_EQ(out.all[0], rank + 1);
    CALL(form, large, none, Exscan, Iexscan, in.all.data(), out.all.data(), 1, pair, op, comm);
  }
  MPI_Type_free(&pair);
}

// What is freed while it is under way: its handle still means it in the function.
void free_early(bool second) {
  check::set_case("freed early");
  MPI_Datatype pair = make(second);
  int in[kInts] = {1, 2}, out[kInts] = {0, 0}, again[kInts] = {0, 0};
  MPI_Request requests[2];
  MPI_Allreduce_init(in, again, 1, pair, ops[0], MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]);
  MPI_Iallreduce(in, out, 1, pair, ops[0], MPI_COMM_WORLD, &requests[0]);
  freed = true;
  MPI_Type_free(&pair);
  MPI_Start(&requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  CHECK_EQ(out[1], 2 * check::size);
  CHECK_EQ(again[1], 2 * check::size);
  MPI_Request_free(&requests[1]);
  freed = false;
}

void reduce_locally(bool second) {
  check::set_case("MPI_Reduce_local");
  MPI_Datatype pair = make(second);
  int in[kInts] = {1, 2}, inout[kInts] = {3, 4};
  MPI_Reduce_local(in, inout, 1, pair, ops[0]);
  MPI_Reduce_local_c(in, inout, 1, pair, ops[1]);
  CHECK_EQ(inout[1], 8);
  MPI_Type_free(&pair);
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, &keyval, nullptr);
  MPI_Op_create(add<int>, 1, &ops[0]);
  MPI_Op_create_c(add<MPI_Count>, 1, &ops[1]);
  MPI_Comm inter = MPI_COMM_NULL, half = MPI_COMM_NULL;
  if (check::size > 1) {
    MPI_Comm_split(MPI_COMM_WORLD, check::rank % 2, check::rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - check::rank % 2, 0, &inter);
  }
  for (int number = 0; number < 12; ++number) {
    const auto form = coll::Form(number % 3);
    const bool large = number / 3 % 2 == 1, second = number / 6 == 1;
    check::set_case("%s, %s counts, handle %d", coll::kForms[number % 3], large ? "large" : "plain",
                    second + 1);
    reductions(MPI_COMM_WORLD, check::size, form, large, second);
    if (inter == MPI_COMM_NULL) continue;
    int theirs = 0;
    MPI_Comm_remote_size(inter, &theirs);
    reductions(inter, theirs, form, large, second);
  }
  for (const bool second : {false, true}) {
    free_early(second);
    reduce_locally(second);
  }
  CHECK(calls > 0);
  if (inter != MPI_COMM_NULL) MPI_Comm_free(&inter);
  if (half != MPI_COMM_NULL) MPI_Comm_free(&half);
  for (MPI_Op& op : ops) MPI_Op_free(&op);
  MPI_Type_free_keyval(&keyval);
  return check::finish();
}
