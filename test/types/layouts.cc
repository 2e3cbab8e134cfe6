// Every constructor's types on both sides of a message, in all combinations: the
// same values leave one layout and arrive in another, and no gap is written. Sizes
// run from nothing to several MiB, so that every way a message can take is used.
#include <functional>
#include <string>
#include <vector>

#include "test/types/type_map.h"

namespace {

using types::Map;

// A type of `values` doubles, and where they lie.
struct Layout {
  std::string name;
  MPI_Datatype type;
  Map map;
  MPI_Aint extent;
};

constexpr int kDouble = 8;

Map doubles(int number, MPI_Aint step) {
  Map map;
  for (int i = 0; i < number; ++i) map.push_back({i * step, kDouble});
  return map;
}

Layout made(const char* name, MPI_Datatype type, Map map) {
  MPI_Aint lb = 0, extent = 0;
  MPI_Type_get_extent(type, &lb, &extent);
  MPI_Type_commit(&type);
  return {name, type, std::move(map), extent};
}

Layout contiguous(int n) {
  MPI_Datatype type;
  MPI_Type_contiguous(n, MPI_DOUBLE, &type);
  return made("contiguous", type, doubles(n, kDouble));
}

Layout vector(int n, int stride) {
  MPI_Datatype type;
  MPI_Type_vector(n, 1, stride, MPI_DOUBLE, &type);
  return made(stride < 0 ? "backward vector" : "vector", type, doubles(n, stride * kDouble));
}

Layout hvector_of_pairs(int n) {
  MPI_Datatype type;
  MPI_Type_create_hvector(n / 2, 2, 40, MPI_DOUBLE, &type);
  Map map;
  for (int i = 0; i < n / 2; ++i) types::add(map, doubles(2, kDouble), i * 40);
  return made("hvector", type, map);
}

// Blocks of 1, 2, 3, 4 doubles in turn, from the last to the first.
Layout indexed(int n) {
  std::vector<int> lengths, places;
  for (int left = n, i = 0; left > 0; ++i) {
    lengths.push_back(std::min(left, 1 + i % 4));
    left -= lengths.back();
  }
  Map map;
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    places.push_back(static_cast<int>(lengths.size() - i) * 6);
    types::add(map, doubles(lengths[i], kDouble), places.back() * kDouble);
  }
  MPI_Datatype type;
  MPI_Type_indexed(static_cast<int>(lengths.size()), lengths.data(), places.data(), MPI_DOUBLE,
                   &type);
  return made("indexed", type, map);
}

Layout hindexed(int n) {
  std::vector<int> lengths(static_cast<std::size_t>(n / 2), 2);
  std::vector<MPI_Aint> places;
  Map map;
  for (int i = 0; i < n / 2; ++i) {
    places.push_back(i * 24 + i % 3 * 4);
    types::add(map, doubles(2, kDouble), places.back());
  }
  MPI_Datatype type;
  MPI_Type_create_hindexed(n / 2, lengths.data(), places.data(), MPI_DOUBLE, &type);
  return made("hindexed", type, map);
}

Layout indexed_block(int n) {
  std::vector<int> places;
  Map map;
  for (int i = 0; i < n / 4; ++i) {
    places.push_back(i * 5 + i % 2);
    types::add(map, doubles(4, kDouble), places.back() * kDouble);
  }
  MPI_Datatype type;
  MPI_Type_create_indexed_block(n / 4, 4, places.data(), MPI_DOUBLE, &type);
  return made("indexed_block", type, map);
}

Layout hindexed_block(int n) {
  std::vector<MPI_Aint> places;
  Map map;
  for (int i = 0; i < n; ++i) {
    places.push_back(i * 12);  // not aligned
    map.push_back({places.back(), kDouble});
  }
  MPI_Datatype type;
  MPI_Type_create_hindexed_block(n, 1, places.data(), MPI_DOUBLE, &type);
  return made("hindexed_block", type, map);
}

Layout structure(int n) {
  Layout first = vector(n / 4, 3), second = contiguous(n / 4);
  const int lengths[] = {1, n / 4, 2};
  const MPI_Aint places[] = {64, -n / 4 * kDouble - 32, n * 8 + 128};
  const MPI_Datatype parts[] = {first.type, MPI_DOUBLE, second.type};
  MPI_Datatype type;
  MPI_Type_create_struct(3, lengths, places, parts, &type);
  Map map;
  types::add(map, first.map, places[0]);
  types::add(map, doubles(n / 4, kDouble), places[1]);
  types::add(map, doubles(n / 2, kDouble), places[2]);
  MPI_Type_free(&first.type);
  MPI_Type_free(&second.type);
  return made("struct", type, map);
}

// A quarter of the columns of a matrix with rows of 16.
Layout subarray(int n) {
  const int sizes[] = {n / 4, 16}, parts[] = {n / 4, 4}, starts[] = {0, 5};
  MPI_Datatype type;
  MPI_Type_create_subarray(2, sizes, parts, starts, MPI_ORDER_C, MPI_DOUBLE, &type);
  Map map;
  for (int i = 0; i < n / 4; ++i) types::add(map, doubles(4, kDouble), (i * 16 + 5) * kDouble);
  return made("subarray", type, map);
}

// Process 1 of 3 has blocks of 2 in turn.
Layout darray(int n) {
  const int gsizes[] = {3 * n}, distribs[] = {MPI_DISTRIBUTE_CYCLIC}, dargs[] = {2}, psizes[] = {3};
  MPI_Datatype type;
  MPI_Type_create_darray(3, 1, 1, gsizes, distribs, dargs, psizes, MPI_ORDER_C, MPI_DOUBLE, &type);
  Map map;
  for (int i = 0; i < n / 2; ++i) types::add(map, doubles(2, kDouble), (6 * i + 2) * kDouble);
  return made("darray", type, map);
}

Layout resized(int n) {
  Layout inner = vector(n, 2);
  MPI_Datatype type, copy;
  MPI_Type_create_resized(inner.type, -16, n * 16 + 48, &type);
  MPI_Type_dup(type, &copy);
  MPI_Type_free(&type);
  MPI_Type_free(&inner.type);
  return made("dup of resized", copy, inner.map);
}

// Twenty constructors deep; each adds a gap.
Layout deep(int n) {
  MPI_Datatype type;
  MPI_Type_contiguous(n / 4, MPI_DOUBLE, &type);
  Map map = doubles(n / 4, kDouble);
  MPI_Aint lb, extent;
  for (int level = 0; level < 20; ++level) {
    MPI_Type_get_extent(type, &lb, &extent);
    const int number = level % 10 == 0 ? 2 : 1;
    MPI_Datatype outer;
    const int lengths[] = {number};
    const MPI_Aint places[] = {8};
    MPI_Type_create_struct(1, lengths, places, &type, &outer);
    Map outer_map;
    for (int i = 0; i < number; ++i) types::add(outer_map, map, 8 + i * extent);
    MPI_Type_free(&type);
    MPI_Type_create_resized(outer, 0, number * extent + 24, &type);
    MPI_Type_free(&outer);
    map = outer_map;
  }
  return made("twenty deep", type, map);
}

// Of `n` doubles each; n is a multiple of 4.
std::vector<Layout> layouts(int n) {
  return {contiguous(n), vector(n, 3), vector(n, -2),    hvector_of_pairs(n), indexed(n),
          hindexed(n),   darray(n),    indexed_block(n), hindexed_block(n),   structure(n),
          subarray(n),   resized(n),   deep(n)};
}

std::vector<int> sizes() {
  if (check::size <= 2) return {4, 8, 64, 500, 4096, 20000, 200000};
  if (check::size <= 4) return {4, 64, 4096, 40000};
  return {4, 500, 20000};
}

int left() { return (check::rank + check::size - 1) % check::size; }
int right() { return (check::rank + 1) % check::size; }

// Elements of `from` to the right; from the left into elements of `to`, of
// which there may be more than come.
void pass(const Layout& from, const Layout& to, int count, int more, int way) {
  check::set_case("%s to %s, %d elements and %d more, way %d", from.name.c_str(), to.name.c_str(),
                  count, more, way);
  types::Memory out(from.map, from.extent, count);
  types::Memory in(to.map, to.extent, count + more), wanted(to.map, to.extent, count + more);
  const auto seed = [&](int rank) { return static_cast<std::uint64_t>(100 * rank + count); };
  out.fill(seed(left()));
  const auto packed = types::naive_pack(from.map, from.extent, count, out.address());
  out.fill(seed(check::rank));
  in.clear();
  wanted.clear();
  types::naive_unpack(to.map, to.extent, count + more, packed, wanted.address());
  MPI_Status status;
  MPI_Request requests[2];
  switch (way) {
    case 0:  // the receive is there first
      MPI_Irecv(in.address(), count + more, to.type, left(), 1, MPI_COMM_WORLD, &requests[0]);
      MPI_Isend(out.address(), count, from.type, right(), 1, MPI_COMM_WORLD, &requests[1]);
      MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
      MPI_Wait(&requests[0], &status);
      break;
    case 1:  // the message is there first
      MPI_Isend(out.address(), count, from.type, right(), 1, MPI_COMM_WORLD, &requests[1]);
      MPI_Probe(left(), 1, MPI_COMM_WORLD, &status);
      MPI_Recv(in.address(), count + more, to.type, left(), 1, MPI_COMM_WORLD, &status);
      MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
      break;
    default:
      MPI_Sendrecv(out.address(), count, from.type, right(), 1, in.address(), count + more, to.type,
                   left(), 1, MPI_COMM_WORLD, &status);
  }
  int elements = -1;
  MPI_Get_elements(&status, to.type, &elements);
  CHECK_EQ(elements, static_cast<int>(packed.size() / kDouble));
  CHECK(in.bytes() == wanted.bytes());
}

void all_combinations() {
  for (const int n : sizes()) {
    std::vector<Layout> all = layouts(n);
    int turn = 0;
    for (const Layout& from : all) {
      for (const Layout& to : all) {
        if (n > 4096 && turn % 3 != n % 3 && &from != &to) {
          ++turn;  // a part of the largest
          continue;
        }
        const int count = n >= 4096 ? 1 : 1 + turn % 3;
        pass(from, to, count, turn % 2, turn % 3);
        ++turn;
      }
    }
    for (Layout& layout : all) MPI_Type_free(&layout.type);
  }
}

void nothing() {
  Layout empty = contiguous(0), some = vector(8, 2);
  pass(empty, some, 3, 1, 0);
  pass(some, some, 0, 1, 1);
  pass(empty, empty, 2, 0, 2);
  MPI_Type_free(&empty.type);
  MPI_Type_free(&some.type);
}

// A column of a matrix with rows of 64, which the next element's is beside.
Layout column(int rows) {
  MPI_Datatype apart, type;
  MPI_Type_vector(rows, 1, 64, MPI_DOUBLE, &apart);
  MPI_Type_create_resized(apart, 0, kDouble, &type);
  MPI_Type_free(&apart);
  return made("column", type, doubles(rows, 64 * kDouble));
}

// Columns so long that few fit into a piece of a ring: they go by bands.
void transposes() {
  constexpr int kRows = 2048, kColumns = 20;
  Layout columns = column(kRows), run = contiguous(kRows);
  for (int way = 0; way < 3; ++way) {
    pass(columns, columns, kColumns, 0, way);
    pass(columns, run, kColumns, 1, way);
    pass(run, columns, kColumns, 1, way);
  }
  MPI_Type_free(&columns.type);
  MPI_Type_free(&run.type);
}

// Each start of a persistent request sends what is there by then.
void transposes_again() {
  constexpr int kRows = 2048, kColumns = 10, kTimes = 3;
  Layout columns = column(kRows);
  types::Memory out(columns.map, columns.extent, kColumns), in = out, wanted = out;
  MPI_Request requests[2];
  MPI_Recv_init(in.address(), kColumns, columns.type, left(), 1, MPI_COMM_WORLD, &requests[0]);
  MPI_Send_init(out.address(), kColumns, columns.type, right(), 1, MPI_COMM_WORLD, &requests[1]);
  for (std::uint64_t time = 0; time < kTimes; ++time) {
    check::set_case("columns, persistent, time %d", static_cast<int>(time));
    out.fill(static_cast<std::uint64_t>(check::rank) * kTimes + time);
    wanted.fill(static_cast<std::uint64_t>(left()) * kTimes + time);
    in.clear();
    MPI_Startall(2, requests);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    CHECK(types::naive_pack(columns.map, columns.extent, kColumns, in.address()) ==
          types::naive_pack(columns.map, columns.extent, kColumns, wanted.address()));
  }
  for (MPI_Request& request : requests) MPI_Request_free(&request);
  MPI_Type_free(&columns.type);
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  nothing();
  all_combinations();
  transposes();
  transposes_again();
  return check::finish();
}
