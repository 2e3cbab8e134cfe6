// Neighbourhood collectives (8.6 to 8.9) at random against what the standard says
// of where each block goes: operation, form, counts, types, several at once.
#include "test/topo/neighbourhood.h"

#include <algorithm>
#include <deque>
#include <random>
#include <string>
#include <vector>

#include "test/seed.h"

namespace {

using topo::Block;
using topo::Ints;
using topo::Neighbourhood;

enum class Form { blocking, nonblocking, persistent };
enum class Kind { allgather, allgatherv, alltoall, alltoallv, alltoallw };
constexpr const char* kForms[] = {"blocking", "non-blocking", "persistent"};
constexpr const char* kKinds[] = {"allgather", "allgatherv", "alltoall", "alltoallv", "alltoallw"};

// An int, and whatever lies between it and the next.
struct Type {
  MPI_Datatype handle;
  int stride;  // in ints
};
std::vector<Type> types;

// The blocks of a buffer, for every form of call.
struct Side {
  void add(int count, int displacement, Type type) {
    counts.push_back(count);
    displs.push_back(displacement);
    offsets.push_back(displacement * int(sizeof(int)));
    handles.push_back(type.handle);
    strides.push_back(type.stride);
  }
  void widen() {
    wide_counts.assign(counts.begin(), counts.end());
    wide_displs.assign(displs.begin(), displs.end());
  }

  Ints counts, displs, strides;
  std::vector<MPI_Count> wide_counts;
  std::vector<MPI_Aint> wide_displs, offsets;  // offsets: in bytes
  std::vector<MPI_Datatype> handles;
  Ints memory;
};

// What all ranks choose alike for one operation.
struct Choice {
  Kind kind;
  Form form;
  bool large;  // the form with _c
  int count;
  unsigned salt;
  Type out, in;

  bool same_to_all() const { return kind == Kind::allgather || kind == Kind::allgatherv; }
  bool equal() const { return kind == Kind::allgather || kind == Kind::alltoall; }

  // Of a block that is sent; allgather sends one to all.
  Block sent(Block block) const { return {block.rank, same_to_all() ? 0 : block.place}; }
  int count_of(Block block) const {
    if (equal()) return count;
    const int varied = (int(salt % 5) + block.rank * 3 + block.place * 5) % 7;
    return varied == 0 ? 0 : count + varied;
  }
  int value(Block block, int i) const {
    return int((salt + unsigned(block.rank) * 7919u + unsigned(block.place) * 104729u +
                unsigned(i) * 31u) >>
               1);
  }
  Type type(Type usual, std::size_t place) const {
    return kind == Kind::alltoallw ? types[(salt + place) % types.size()] : usual;
  }
};

class Exchange {
 public:
  Exchange(const Choice& choice, const Neighbourhood& at) : choice_(choice), at_(at) {
    std::vector<Block> sent;
    for (std::size_t i = 0; i < at.destinations.size(); ++i) sent.push_back({at.rank, int(i)});
    if (choice.same_to_all()) sent = {{at.rank, 0}};
    lay_out(sent, choice.out, out_);
    lay_out(at.sources, choice.in, in_);
    out_.memory = contents(out_, sent);
  }

  void begin() {
    in_.memory.assign(in_.memory.size(), -1);
    out_before_ = out_.memory;
    choice_.large ? begin_large() : begin_plain();
  }

  // Of a persistent one: once more, if it may be begun again.
  void end(bool again) {
    MPI_Wait(&request_, MPI_STATUS_IGNORE);
    verify();
    if (choice_.form != Form::persistent) return;
    if (again) {
      in_.memory.assign(in_.memory.size(), -1);
      MPI_Start(&request_);
      MPI_Wait(&request_, MPI_STATUS_IGNORE);
      verify();
    }
    MPI_Request_free(&request_);
  }

 private:
  // Blocks one behind the other, or, where displacements may say so, in reversed
  // order with gaps between them.
  void lay_out(const std::vector<Block>& blocks, Type usual, Side& side) {
    const bool equal = choice_.equal() || (choice_.same_to_all() && &side == &out_);
    const int room = choice_.count + 8;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      const Type type = choice_.type(usual, i);
      int place = equal ? int(i) * choice_.count : int(blocks.size() - 1 - i) * room;
      if (choice_.kind == Kind::alltoallw) place *= 3;  // of ints, not of elements
      const bool real = blocks[i].rank != MPI_PROC_NULL;
      side.add(real ? choice_.count_of(choice_.sent(blocks[i])) : choice_.count, place, type);
    }
    side.widen();
    side.memory.assign((blocks.size() + 1) * std::size_t(room) * 3, -1);
  }

  // A buffer with the elements of these blocks.
  Ints contents(const Side& side, const std::vector<Block>& blocks) const {
    Ints memory(side.memory.size(), -1);
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      if (blocks[b].rank == MPI_PROC_NULL) continue;
      const bool in_ints = choice_.kind == Kind::alltoallw;
      const int begin = side.displs[b] * (in_ints ? 1 : side.strides[b]);
      for (int i = 0; i < side.counts[b]; ++i) {
        memory[std::size_t(begin + i * side.strides[b])] =
            choice_.value(choice_.sent(blocks[b]), i);
      }
    }
    return memory;
  }

  void verify() {
    CHECK(out_.memory == out_before_);
    const Ints expected = contents(in_, at_.sources);
    const auto [found, wanted] = std::ranges::mismatch(in_.memory, expected);
    if (found == in_.memory.end()) return check::passed();
    check::fail(__FILE__, __LINE__,
                "int " + std::to_string(found - in_.memory.begin()) + " of the buffer is " +
                    std::to_string(*found) + ", not " + std::to_string(*wanted));
  }

#define BEGIN(name, suffix, ...)                                                         \
  switch (choice_.form) {                                                                \
    case Form::blocking: MPI_Neighbor_##name##suffix(__VA_ARGS__); break;                \
    case Form::nonblocking: MPI_Ineighbor_##name##suffix(__VA_ARGS__, &request_); break; \
    case Form::persistent:                                                               \
      MPI_Neighbor_##name##_init##suffix(__VA_ARGS__, MPI_INFO_NULL, &request_);         \
      MPI_Start(&request_);                                                              \
      break;                                                                             \
  }                                                                                      \
  break

  // Of the equal forms, and of what allgatherv sends.
  int count() const { return choice_.equal() ? choice_.count : out_.counts[0]; }

  void begin_plain() {
    void *out = out_.memory.data(), *in = in_.memory.data();
    const MPI_Datatype o = choice_.out.handle, i = choice_.in.handle;
    switch (choice_.kind) {
      case Kind::allgather: BEGIN(allgather, , out, count(), o, in, count(), i, at_.comm);
      case Kind::allgatherv:
        BEGIN(allgatherv, , out, count(), o, in, in_.counts.data(), in_.displs.data(), i, at_.comm);
      case Kind::alltoall: BEGIN(alltoall, , out, count(), o, in, count(), i, at_.comm);
      case Kind::alltoallv:
        BEGIN(alltoallv, , out, out_.counts.data(), out_.displs.data(), o, in, in_.counts.data(),
              in_.displs.data(), i, at_.comm);
      case Kind::alltoallw:
        BEGIN(alltoallw, , out, out_.counts.data(), out_.offsets.data(), out_.handles.data(), in,
              in_.counts.data(), in_.offsets.data(), in_.handles.data(), at_.comm);
    }
  }

  void begin_large() {
    void *out = out_.memory.data(), *in = in_.memory.data();
    const MPI_Datatype o = choice_.out.handle, i = choice_.in.handle;
    switch (choice_.kind) {
      case Kind::allgather: BEGIN(allgather, _c, out, count(), o, in, count(), i, at_.comm);
      case Kind::allgatherv:
        BEGIN(allgatherv, _c, out, count(), o, in, in_.wide_counts.data(), in_.wide_displs.data(),
              i, at_.comm);
      case Kind::alltoall: BEGIN(alltoall, _c, out, count(), o, in, count(), i, at_.comm);
      case Kind::alltoallv:
        BEGIN(alltoallv, _c, out, out_.wide_counts.data(), out_.wide_displs.data(), o, in,
              in_.wide_counts.data(), in_.wide_displs.data(), i, at_.comm);
      case Kind::alltoallw:
        BEGIN(alltoallw, _c, out, out_.wide_counts.data(), out_.offsets.data(), out_.handles.data(),
              in, in_.wide_counts.data(), in_.offsets.data(), in_.handles.data(), at_.comm);
    }
  }

  Choice choice_;
  const Neighbourhood& at_;
  Side out_, in_;
  Ints out_before_;
  MPI_Request request_ = MPI_REQUEST_NULL;
};

// MPICH 4.0 takes several blocks between two ranks for each other, and loses those of
// alltoallw where a rank has not as many sources as destinations.
bool known(Kind kind, const Neighbourhood& at) {
  if (check::on_atoll()) return true;
  const bool alike = kind == Kind::allgather || kind == Kind::allgatherv;
  return kind != Kind::alltoallw && (!at.repeated || alike);
}

Choice choose(check::Random& random, const Neighbourhood& at) {
  const int counts[] = {0, 1, 2, 50, check::size <= 4 ? 20000 : 3000};
  Choice choice{};
  do {
    choice.kind = Kind(random.below(5));
  } while (!known(choice.kind, at));
  choice.form = Form(random.below(3));
  choice.large = random.one_in(2);
  choice.count = counts[random.below(std::size(counts))];
  choice.salt = unsigned(random.below(100000));
  choice.out = types[random.below(types.size())];
  choice.in = types[random.below(types.size())];
  return choice;
}

// A message in the same communicator, which must not meet those of collectives.
void message(const Neighbourhood& at) {
  const int size = topo::size_of(at.comm), next = (at.rank + 1) % size;
  int got = -1;
  MPI_Sendrecv(&at.rank, 1, MPI_INT, next, 3, &got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG,
               at.comm, MPI_STATUS_IGNORE);
  CHECK_EQ((got + 1) % size, at.rank);
}

// Up to four at once. `last`: the communicator is freed while they are under way.
void batch(check::Random& random, Neighbourhood& at, bool last) {
  std::deque<Exchange> exchanges;
  std::string names;
  for (std::uint64_t i = random.below(4) + 1; i > 0; --i) {
    const Choice choice = choose(random, at);
    names += std::string(", ") + kForms[int(choice.form)] + " " + kKinds[int(choice.kind)] +
             (choice.large ? "_c" : "") + " of " + std::to_string(choice.count);
    exchanges.emplace_back(choice, at);
  }
  check::set_case("%s%s%s", at.name.c_str(), names.c_str(), last ? ", freed" : "");
  for (Exchange& exchange : exchanges) exchange.begin();
  message(at);
  if (last) MPI_Comm_free(&at.comm);
  for (Exchange& exchange : exchanges) exchange.end(!last);
}

std::vector<Type> make_types() {
  MPI_Datatype spaced;
  MPI_Type_create_resized(MPI_INT, 0, 3 * sizeof(int), &spaced);
  MPI_Type_commit(&spaced);
  return {{MPI_INT, 1}, {spaced, 3}};
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  const unsigned seed = check::shared_seed();
  types = make_types();
  for (int round = 0; round < 1 + 250 / (check::size + 4); ++round) {
    check::Random random(seed + unsigned(round));  // the same numbers everywhere
    check::set_case("SEED=%u", seed + unsigned(round));
    Neighbourhood at = topo::random_neighbourhood(random, MPI_COMM_WORLD);
    if (at.comm == MPI_COMM_NULL) continue;
    at.name = "SEED=" + std::to_string(seed + unsigned(round)) + ": " + at.name;
    if (random.one_in(3)) {
      const MPI_Comm made = at.comm;
      MPI_Comm_dup(made, &at.comm);
      MPI_Comm_free(const_cast<MPI_Comm*>(&made));
    }
    for (int i = 0; i < 4; ++i) batch(random, at, i == 3);
  }
  MPI_Type_free(&types[1].handle);
  return check::finish();
}
