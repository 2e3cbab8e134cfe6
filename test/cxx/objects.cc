// Groups, communicators, datatypes, info objects and the environment in C++.
#include <mpicxx.h>

#include <cstddef>
#include <cstring>
#include <vector>

#include "test/check.h"

namespace {

void groups() {
  check::set_case("groups");
  MPI::Group world = MPI::COMM_WORLD.Get_group();
  CHECK_EQ(world.Get_size(), check::size);
  CHECK_EQ(world.Get_rank(), check::rank);
  const int zero[] = {0};
  MPI::Group first = world.Incl(1, zero);
  MPI::Group rest = world.Excl(1, zero);
  const int ranges[][3] = {{check::size - 1, 0, -1}};
  MPI::Group turned = world.Range_incl(1, ranges);
  int there = -1;
  MPI::Group::Translate_ranks(world, 1, zero, turned, &there);
  CHECK_EQ(there, check::size - 1);
  MPI::Group all = MPI::Group::Union(first, rest);
  CHECK(MPI::Group::Compare(all, world) == MPI::IDENT);
  MPI::Group none = MPI::Group::Intersect(first, rest);
  CHECK(none == MPI::GROUP_EMPTY || none.Get_size() == 0);
  MPI::Intracomm alone = MPI::COMM_WORLD.Create(first);
  CHECK((alone == MPI::COMM_NULL) == (check::rank != 0));
  if (alone != MPI::COMM_NULL) alone.Free();
  for (MPI::Group* group : {&world, &first, &rest, &turned, &all, &none}) group->Free();
}

void communicators() {
  check::set_case("communicators");
  MPI::Intracomm copy = MPI::COMM_WORLD.Dup();
  CHECK(MPI::Comm::Compare(copy, MPI::COMM_WORLD) == MPI::CONGRUENT);
  copy.Set_name("of C++");
  char name[MPI::MAX_OBJECT_NAME];
  int length = 0;
  copy.Get_name(name, length);
  CHECK(std::strcmp(name, "of C++") == 0);
  const MPI_Comm handle = copy;  // C and C++ are one
  const MPI::Intracomm again = handle;
  CHECK(again == copy);
  CHECK_EQ(again.Get_size(), check::size);
  copy.Disconnect();
  CHECK(copy == MPI::COMM_NULL);
  MPI::Cartcomm null = MPI::COMM_NULL;
  CHECK(null == MPI_COMM_NULL);
  MPI::Comm& clone = MPI::COMM_NULL.Clone();
  CHECK(clone == MPI::COMM_NULL);
  delete &clone;
}

struct Particle {
  double x;
  char kind;
  int number;
};

void datatypes() {
  check::set_case("datatypes");
  Particle sent = {check::rank + 0.5, 'p', check::rank}, got = {};
  const int lengths[] = {1, 1, 1};
  const MPI::Aint base = MPI::Get_address(&sent);
  const MPI::Aint places[] = {MPI::Get_address(&sent.x) - base, MPI::Get_address(&sent.kind) - base,
                              MPI::Get_address(&sent.number) - base};
  const MPI::Datatype types[] = {MPI::DOUBLE, MPI::CHAR, MPI::INT};
  MPI::Datatype packed = MPI::Datatype::Create_struct(3, lengths, places, types);
  MPI::Datatype particle = packed.Create_resized(0, sizeof(Particle));
  particle.Commit();
  MPI::Aint lb = -1, extent = -1;
  particle.Get_extent(lb, extent);
  CHECK(lb == 0 && extent == static_cast<MPI::Aint>(sizeof(Particle)));
  MPI::COMM_SELF.Sendrecv(&sent, 1, particle, 0, 1, &got, 1, particle, 0, 1);
  CHECK(got.x == sent.x && got.kind == 'p' && got.number == check::rank);
  int integers = 0, addresses = 0, datatypes_count = 0, combiner = 0;
  packed.Get_envelope(integers, addresses, datatypes_count, combiner);
  CHECK(combiner == MPI::COMBINER_STRUCT && datatypes_count == 3);
  std::vector<int> kept_integers(static_cast<std::size_t>(integers));
  std::vector<MPI::Aint> kept_addresses(static_cast<std::size_t>(addresses));
  std::vector<MPI::Datatype> kept_types(3);
  packed.Get_contents(integers, addresses, 3, kept_integers.data(), kept_addresses.data(),
                      kept_types.data());
  CHECK(kept_types[0] == MPI::DOUBLE && kept_types[2] == MPI::INT);
  particle.Free();
  packed.Free();
}

void packing() {
  check::set_case("packing");
  const int room =
      MPI::INT.Pack_size(2, MPI::COMM_WORLD) + MPI::DOUBLE.Pack_size(1, MPI::COMM_WORLD);
  std::vector<char> buffer(static_cast<std::size_t>(room));
  const int whole[] = {1, 2};
  const double half = 0.5;
  int position = 0;
  MPI::INT.Pack(whole, 2, buffer.data(), room, position, MPI::COMM_WORLD);
  MPI::DOUBLE.Pack(&half, 1, buffer.data(), room, position, MPI::COMM_WORLD);
  int numbers[2] = {};
  double number = 0;
  const int end = position;
  position = 0;
  MPI::INT.Unpack(buffer.data(), end, numbers, 2, position, MPI::COMM_WORLD);
  MPI::DOUBLE.Unpack(buffer.data(), end, &number, 1, position, MPI::COMM_WORLD);
  CHECK(numbers[0] == 1 && numbers[1] == 2 && number == 0.5 && position == end);
  MPI::Aint at = 0;
  char canonical[8];
  CHECK_EQ(MPI::INT.Pack_external_size("external32", 1), MPI::Aint(4));
  MPI::INT.Pack_external("external32", whole, 1, canonical, sizeof canonical, at);
  CHECK(at == 4 && canonical[3] == 1);
}

void infos() {
  check::set_case("infos");
  MPI::Info info = MPI::Info::Create();
  info.Set("color", "blue");
  info.Set("size", "7");
  char value[8];
  CHECK(info.Get("color", 7, value));
  CHECK(std::strcmp(value, "blue") == 0);
  int length = 0;
  CHECK(info.Get_valuelen("size", length));
  CHECK_EQ(length, 1);
  CHECK(!info.Get("shape", 7, value));
  MPI::Info copy = info.Dup();
  copy.Delete("color");
  CHECK_EQ(copy.Get_nkeys(), 1);
  char key[MPI::MAX_INFO_KEY];
  copy.Get_nthkey(0, key);
  CHECK(std::strcmp(key, "size") == 0);
  copy.Free();
  info.Free();
  CHECK(info == MPI::INFO_NULL);
}

void environment() {
  check::set_case("environment");
  CHECK(MPI::Is_initialized());
  CHECK(!MPI::Is_finalized());
  CHECK(MPI::Is_thread_main());
  CHECK_EQ(MPI::Query_thread(), static_cast<int>(MPI::THREAD_SERIALIZED));
  CHECK(MPI::Wtime() > 0 && MPI::Wtick() > 0);
  int version = 0, subversion = 0;
  MPI::Get_version(version, subversion);
  CHECK(version >= 3);
  void* memory = MPI::Alloc_mem(100, MPI::INFO_NULL);
  std::memset(memory, 1, 100);
  MPI::Free_mem(memory);
  char name[MPI::MAX_PROCESSOR_NAME];
  int length = 0;
  MPI::Get_processor_name(name, length);
  CHECK(length > 0);
}

}  // namespace

int main(int argc, char** argv) {
  CHECK_EQ(MPI::Init_thread(argc, argv, MPI::THREAD_SERIALIZED),
           static_cast<int>(MPI::THREAD_SERIALIZED));
  check::set_rank_and_size();
  groups();
  communicators();
  datatypes();
  packing();
  infos();
  environment();
  return check::finish();
}
