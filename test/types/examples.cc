// The numbered examples of MPI-1's chapter on derived datatypes, 3.18 to 3.35:
// type maps and bounds as the text gives them, data as the programs move it.
// Fortran's arrays A(i, j) are a[j][i] here, with every index one less.
#include <vector>

#include "test/types/type_map.h"

namespace {

using types::Map;

const Map kDoubleChar = {{0, 8}, {8, 1}};  // extent 16

// {(double, 0), (char, 8)}, which the examples call oldtype and type1.
MPI_Datatype double_char() {
  int blocklengths[] = {1, 1};
  MPI_Aint displacements[] = {0, 8};
  MPI_Datatype parts[] = {MPI_DOUBLE, MPI_CHAR};
  MPI_Datatype type;
  MPI_Type_struct(2, blocklengths, displacements, parts, &type);
  return type;
}

// MPI 1.0 alone had the function, and Atoll has it again.
void check_count([[maybe_unused]] MPI_Datatype type, [[maybe_unused]] int wanted) {
#if MPI_LEVEL >= 50
  int count = -1;
  MPI_Type_count(type, &count);
  CHECK_EQ(count, wanted);
#endif
}

void example_3_18() {
  check::set_case("3.18: the extent is padded");
  MPI_Datatype type = double_char();
  types::check_type(type, kDoubleChar, 0, 16);
  MPI_Type_free(&type);
  int blocklengths[] = {1, 1};
  MPI_Aint displacements[] = {0, 8};
  MPI_Datatype parts[] = {MPI_CHAR, MPI_DOUBLE};
  MPI_Type_struct(2, blocklengths, displacements, parts, &type);
  types::check_type(type, {{0, 1}, {8, 8}}, 0, 16);
  MPI_Type_free(&type);
}

void example_3_19() {
  check::set_case("3.19: contiguous");
  MPI_Datatype old = double_char(), type;
  MPI_Type_contiguous(3, old, &type);
  types::check_type(type, {{0, 8}, {8, 1}, {16, 8}, {24, 1}, {32, 8}, {40, 1}}, 0, 48);
  check_count(type, 3);
  MPI_Type_free(&type);
  MPI_Type_free(&old);
}

void example_3_20_and_3_21() {
  check::set_case("3.20: vector");
  MPI_Datatype old = double_char(), type;
  const Map first = {{0, 8}, {8, 1}, {16, 8}, {24, 1}, {32, 8}, {40, 1}};
  Map map = first;
  types::add(map, first, 64);
  MPI_Type_vector(2, 3, 4, old, &type);
  types::check_type(type, map, 0, 112);
  check_count(type, 6);
  MPI_Type_free(&type);
  MPI_Type_hvector(2, 3, 64, old, &type);
  types::check_type(type, map, 0, 112);
  MPI_Type_free(&type);
  check::set_case("3.21: vector with a negative stride");
  MPI_Type_vector(3, 1, -2, old, &type);
  types::check_type(type, {{0, 8}, {8, 1}, {-32, 8}, {-24, 1}, {-64, 8}, {-56, 1}}, -64, 80);
  MPI_Type_free(&type);
  MPI_Type_free(&old);
}

void example_3_22() {
  check::set_case("3.22: indexed");
  MPI_Datatype old = double_char(), type;
  int blocklengths[] = {3, 1};
  int displacements[] = {4, 0};
  const Map map = {{64, 8}, {72, 1}, {80, 8}, {88, 1}, {96, 8}, {104, 1}, {0, 8}, {8, 1}};
  MPI_Type_indexed(2, blocklengths, displacements, old, &type);
  types::check_type(type, map, 0, 112);
  check_count(type, 4);
  MPI_Type_free(&type);
  MPI_Aint addresses[] = {64, 0};
  MPI_Type_hindexed(2, blocklengths, addresses, old, &type);
  types::check_type(type, map, 0, 112);
  MPI_Type_free(&type);
  MPI_Type_free(&old);
}

void example_3_23() {
  check::set_case("3.23: struct");
  MPI_Datatype type1 = double_char(), type;
  int blocklengths[] = {2, 1, 3};
  MPI_Aint displacements[] = {0, 16, 26};
  MPI_Datatype parts[] = {MPI_FLOAT, type1, MPI_CHAR};
  MPI_Type_struct(3, blocklengths, displacements, parts, &type);
  types::check_type(type, {{0, 4}, {4, 4}, {16, 8}, {24, 1}, {26, 1}, {27, 1}, {28, 1}}, 0, 32);
  check_count(type, 6);
  MPI_Type_free(&type);
  MPI_Type_free(&type1);
}

void example_3_24() {
  check::set_case("3.24: addresses");
  static float a[100][100];
  MPI_Aint first = 0, second = 0;
  MPI_Address(&a[0][0], &first);
  MPI_Address(&a[9][9], &second);
  CHECK_EQ(second - first, MPI_Aint(909 * sizeof(float)));
}

void example_3_25() {
  check::set_case("3.25: markers of bounds");
  int blocklengths[] = {1, 1, 1};
  MPI_Aint displacements[] = {-3, 0, 6};
  MPI_Datatype parts[] = {MPI_LB, MPI_INT, MPI_UB};
  MPI_Datatype type1, type2;
  MPI_Type_struct(3, blocklengths, displacements, parts, &type1);
  types::check_type(type1, {{0, 4}}, -3, 9);
  check_count(type1, 1);
  MPI_Type_contiguous(2, type1, &type2);
  types::check_type(type2, {{0, 4}, {9, 4}}, -3, 18);
  MPI_Aint lb = 0, ub = 0, extent = 0;
  MPI_Type_lb(type2, &lb);
  MPI_Type_ub(type2, &ub);
  MPI_Type_extent(type2, &extent);
  CHECK_EQ(lb, MPI_Aint{-3});
  CHECK_EQ(ub, MPI_Aint{15});
  CHECK_EQ(extent, MPI_Aint{18});
  for (MPI_Datatype marker : {MPI_LB, MPI_UB}) {
    MPI_Type_extent(marker, &extent);
    CHECK_EQ(extent, MPI_Aint{0});
  }
  MPI_Type_free(&type1);
  MPI_Type_free(&type2);
}

// Sends from one buffer to another within this rank.
void move(const void* from, int sent, MPI_Datatype send_type, void* to, int received,
          MPI_Datatype receive_type, MPI_Status* status = MPI_STATUS_IGNORE) {
  const int code = MPI_Sendrecv(from, sent, send_type, check::rank, 0, to, received, receive_type,
                                check::rank, 0, MPI_COMM_WORLD, status);
  CHECK_EQ(code, MPI_SUCCESS);
}

void example_3_26() {
  check::set_case("3.26: commit, and a handle that names another type");
  float from[20], to[20];
  for (int i = 0; i < 20; ++i) from[i] = i + 1.0f;
  MPI_Datatype type1, type2;
  MPI_Type_contiguous(5, MPI_FLOAT, &type1);
  MPI_Type_commit(&type1);
  type2 = type1;
  std::fill(to, to + 20, 0.0f);
  move(from, 1, type2, to, 5, MPI_FLOAT);
  for (int i = 0; i < 20; ++i) CHECK_EQ(to[i], i < 5 ? i + 1.0f : 0.0f);
  MPI_Type_vector(3, 5, 4, MPI_FLOAT, &type1);
  MPI_Type_commit(&type1);
  types::check_type(type1, {{0, 20}, {16, 20}, {32, 20}}, 0, 52);
  types::check_type(type2, {{0, 20}}, 0, 20);
  MPI_Type_free(&type1);
  MPI_Type_free(&type2);
}

void example_3_27() {
  MPI_Datatype type2, type4, type22;
  MPI_Type_contiguous(2, MPI_FLOAT, &type2);
  MPI_Type_contiguous(4, MPI_FLOAT, &type4);
  MPI_Type_contiguous(2, type2, &type22);
  for (MPI_Datatype* type : {&type2, &type4, &type22}) MPI_Type_commit(type);
  const std::pair<int, MPI_Datatype> ways[] = {{4, MPI_FLOAT}, {2, type2}, {1, type22}, {1, type4}};
  const float from[] = {1, 2, 3, 4};
  for (const auto& [sent, send_type] : ways) {
    for (const auto& [received, receive_type] : ways) {
      check::set_case("3.27: each send matches each receive");
      float to[4] = {};
      move(from, sent, send_type, to, received, receive_type);
      CHECK(std::equal(from, from + 4, to));
    }
  }
  for (MPI_Datatype* type : {&type2, &type4, &type22}) MPI_Type_free(type);
}

void example_3_28() {
  check::set_case("3.28: count and elements");
  MPI_Datatype type2;
  MPI_Type_contiguous(2, MPI_FLOAT, &type2);
  MPI_Type_commit(&type2);
  const float from[] = {1, 2, 3};
  float to[4];
  for (const int sent : {2, 3}) {
    MPI_Status status;
    move(from, sent, MPI_FLOAT, to, 2, type2, &status);
    int count = -1, elements = -1;
    MPI_Get_count(&status, type2, &count);
    MPI_Get_elements(&status, type2, &elements);
    CHECK_EQ(count, sent == 2 ? 1 : MPI_UNDEFINED);
    CHECK_EQ(elements, sent);
    MPI_Get_count(&status, MPI_FLOAT, &count);
    MPI_Get_elements(&status, MPI_FLOAT, &elements);
    CHECK_EQ(count, sent);
    CHECK_EQ(elements, sent);
  }
  MPI_Type_free(&type2);
}

using Cube = std::vector<float>;
float& at(Cube& cube, int i, int j, int k) {
  return cube[static_cast<std::size_t>((k * 100 + j) * 100 + i)];
}

void example_3_29() {
  check::set_case("3.29: a section of a three-dimensional array");
  Cube a(100 * 100 * 100);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<float>(i);
  static float e[9][9][9];
  MPI_Aint real = 0;
  MPI_Type_extent(MPI_FLOAT, &real);
  MPI_Datatype oneslice, twoslice, threeslice;
  MPI_Type_vector(9, 1, 2, MPI_FLOAT, &oneslice);
  MPI_Type_hvector(9, 1, 100 * real, oneslice, &twoslice);
  MPI_Type_hvector(9, 1, 100 * 100 * real, twoslice, &threeslice);
  MPI_Type_commit(&threeslice);
  move(&at(a, 0, 2, 1), 1, threeslice, e, 9 * 9 * 9, MPI_FLOAT);
  for (int k = 0; k < 9; ++k) {
    for (int j = 0; j < 9; ++j) {
      for (int i = 0; i < 9; ++i) CHECK_EQ(e[k][j][i], at(a, 2 * i, j + 2, k + 1));
    }
  }
  for (MPI_Datatype* type : {&oneslice, &twoslice, &threeslice}) MPI_Type_free(type);
}

// a(i, j) of example 3.30 to 3.32.
using Matrix = float[100][100];

void number(Matrix& a) {
  for (int j = 0; j < 100; ++j) {
    for (int i = 0; i < 100; ++i) a[j][i] = static_cast<float>(100 * j + i + 1);
  }
}

void example_3_30() {
  check::set_case("3.30: the strictly lower triangle");
  static Matrix a, b;
  number(a);
  int displacements[100], blocklengths[100];
  for (int i = 0; i < 100; ++i) {
    displacements[i] = 100 * i + i + 1;
    blocklengths[i] = 100 - i - 1;
  }
  MPI_Datatype triangle;
  MPI_Type_indexed(100, blocklengths, displacements, MPI_FLOAT, &triangle);
  MPI_Type_commit(&triangle);
  move(a, 1, triangle, b, 1, triangle);
  for (int j = 0; j < 100; ++j) {
    for (int i = 0; i < 100; ++i) CHECK_EQ(b[j][i], i > j ? a[j][i] : 0.0f);
  }
  MPI_Type_free(&triangle);
}

void check_transposed(const Matrix& a, const Matrix& b) {
  for (int j = 0; j < 100; ++j) {
    for (int i = 0; i < 100; ++i) CHECK_EQ(b[j][i], a[i][j]);
  }
}

void example_3_31() {
  check::set_case("3.31: transpose");
  static Matrix a, b;
  number(a);
  MPI_Aint real = 0;
  MPI_Type_extent(MPI_FLOAT, &real);
  MPI_Datatype row, xpose;
  MPI_Type_vector(100, 1, 100, MPI_FLOAT, &row);
  MPI_Type_hvector(100, 1, real, row, &xpose);
  MPI_Type_commit(&xpose);
  move(a, 1, xpose, b, 100 * 100, MPI_FLOAT);
  check_transposed(a, b);
  MPI_Type_free(&row);
  MPI_Type_free(&xpose);
}

void example_3_32() {
  check::set_case("3.32: transpose, rows with the extent of one number");
  static Matrix a, b;
  number(a);
  MPI_Aint real = 0;
  MPI_Type_extent(MPI_FLOAT, &real);
  MPI_Datatype row, row1;
  MPI_Type_vector(100, 1, 100, MPI_FLOAT, &row);
  int blocklengths[] = {1, 1};
  MPI_Aint displacements[] = {0, real};
  MPI_Datatype parts[] = {row, MPI_UB};
  MPI_Type_struct(2, blocklengths, displacements, parts, &row1);
  MPI_Type_commit(&row1);
  types::check_bounds(row1, 0, real);
  move(a, 100, row1, b, 100 * 100, MPI_FLOAT);
  check_transposed(a, b);
  MPI_Type_free(&row);
  MPI_Type_free(&row1);
}

struct Particle {
  int class_;   // particle class
  double d[6];  // particle coordinates
  char b[7];    // some additional information
};

constexpr int kParticles = 1000;

struct Particles {
  explicit Particles(bool filled) : list(kParticles) {
    check::fill(list.data(), kParticles * sizeof(Particle), filled ? 3 : 99);
    for (int i = 0; i < kParticles; ++i) {
      list[i].class_ = filled ? i * i / 7 % 3 : -1;
      for (int k = 0; k < 6; ++k) list[i].d[k] = filled ? 10 * i + k : -1;
    }
  }
  Particle* data() { return list.data(); }
  Particle& operator[](int i) { return list[static_cast<std::size_t>(i)]; }

  std::vector<Particle> list;
};

bool same(const Particle& one, const Particle& other) {
  return one.class_ == other.class_ && std::equal(one.d, one.d + 6, other.d) &&
         std::equal(one.b, one.b + 7, other.b);
}

// Of one particle; with MPI_UB where the compiler's padding is not trusted.
MPI_Datatype particle_type(Particle* particle, bool marked) {
  MPI_Datatype parts[] = {MPI_INT, MPI_DOUBLE, MPI_CHAR, MPI_UB};
  int blocklengths[] = {1, 6, 7, 1};
  MPI_Aint displacements[4];
  MPI_Address(particle, displacements);
  MPI_Address(particle[0].d, displacements + 1);
  MPI_Address(particle[0].b, displacements + 2);
  MPI_Address(particle + 1, displacements + 3);
  const MPI_Aint base = displacements[0];
  for (MPI_Aint& displacement : displacements) displacement -= base;
  MPI_Datatype type;
  MPI_Type_struct(marked ? 4 : 3, blocklengths, displacements, parts, &type);
  return type;
}

void example_3_33_all(bool marked) {
  check::set_case("3.33 4.1: the whole array, %s", marked ? "with MPI_UB" : "as it is");
  Particles from(true), to(false);
  MPI_Datatype particle = particle_type(from.data(), marked);
  types::check_bounds(particle, 0, sizeof(Particle));
  MPI_Type_commit(&particle);
  move(from.data(), kParticles, particle, to.data(), kParticles, particle);
  for (int i = 0; i < kParticles; ++i) CHECK(same(from[i], to[i]));
  MPI_Type_free(&particle);
}

// Blocks of particles of class 0; longest runs or single ones.
void class_zero(Particles& particles, bool runs, std::vector<int>& displacements,
                std::vector<int>& blocklengths) {
  for (int i = 0; i < kParticles; ++i) {
    if (particles[i].class_ != 0) continue;
    int end = i + 1;
    while (runs && end < kParticles && particles[end].class_ == 0) ++end;
    displacements.push_back(i);
    blocklengths.push_back(end - i);
    i = end - 1;
  }
}

// The receiver knows how many came before it knows them: a count, then particles.
void check_class_zero(Particles& from, MPI_Datatype type) {
  int expected = 0;
  for (Particle& particle : from.list) expected += particle.class_ == 0;
  struct {
    int count;
    Particle particles[kParticles];
  } static to;
  int blocklengths[] = {1, expected};
  MPI_Aint displacements[] = {0, 0};
  MPI_Address(to.particles, &displacements[1]);
  MPI_Aint base;
  MPI_Address(&to, &base);
  displacements[1] -= base;
  MPI_Datatype particle = particle_type(to.particles, false), whole;
  MPI_Datatype parts[] = {MPI_INT, particle};
  MPI_Type_struct(2, blocklengths, displacements, parts, &whole);
  MPI_Type_commit(&whole);
  move(MPI_BOTTOM, 1, type, &to, 1, whole);
  int found = 0;
  for (int i = 0; i < kParticles; ++i) {
    if (from[i].class_ == 0) CHECK(same(from[i], to.particles[found++]));
  }
  CHECK_EQ(found, expected);
  MPI_Type_free(&whole);
  MPI_Type_free(&particle);
}

// Examples 3.33 (4.2) and 3.34 (5.1): displacements from the array, or absolute ones.
void example_3_33_and_3_34_class_zero(bool absolute, bool runs) {
  check::set_case("%s: class 0, %s", absolute ? "3.34 5.1" : "3.33 4.2",
                  runs ? "runs" : "one each");
  Particles from(true);
  std::vector<int> displacements, blocklengths;
  class_zero(from, runs, displacements, blocklengths);
  MPI_Datatype particle = particle_type(from.data(), false);
  if (absolute) {
    MPI_Type_free(&particle);
    MPI_Datatype parts[] = {MPI_INT, MPI_DOUBLE, MPI_CHAR};
    int lengths[] = {1, 6, 7};
    MPI_Aint addresses[3];
    MPI_Address(from.data(), addresses);
    MPI_Address(from[0].d, addresses + 1);
    MPI_Address(from[0].b, addresses + 2);
    MPI_Type_struct(3, lengths, addresses, parts, &particle);
    types::check_bounds(particle, addresses[0], sizeof(Particle));
  }
  MPI_Datatype zparticles, ztype;
  MPI_Type_indexed(static_cast<int>(displacements.size()), blocklengths.data(),
                   displacements.data(), particle, &zparticles);
  int count = static_cast<int>(displacements.size());
  int lengths[] = {1, 1};
  MPI_Aint addresses[2] = {};
  MPI_Address(&count, addresses);
  if (!absolute) MPI_Address(from.data(), addresses + 1);
  MPI_Datatype parts[] = {MPI_INT, zparticles};
  MPI_Type_struct(2, lengths, addresses, parts, &ztype);
  MPI_Type_commit(&ztype);
  check_class_zero(from, ztype);
  for (MPI_Datatype* type : {&particle, &zparticles, &ztype}) MPI_Type_free(type);
}

void check_pairs(Particles& from, int count, MPI_Datatype type) {
  std::vector<double> to(2 * kParticles);
  move(from[0].d, count, type, to.data(), 2 * kParticles, MPI_DOUBLE);
  for (int i = 0; i < kParticles; ++i) {
    CHECK_EQ(to[2 * i], from[i].d[0]);
    CHECK_EQ(to[2 * i + 1], from[i].d[1]);
  }
}

void example_3_33_pairs() {
  check::set_case("3.33 4.3: the first two coordinates, one type");
  Particles from(true);
  MPI_Datatype particle = particle_type(from.data(), true), allpairs, onepair;
  MPI_Aint size_of_entry = 0;
  MPI_Type_extent(particle, &size_of_entry);
  MPI_Type_hvector(kParticles, 2, size_of_entry, MPI_DOUBLE, &allpairs);
  MPI_Type_commit(&allpairs);
  check_pairs(from, 1, allpairs);
  check::set_case("3.33 4.3: the first two coordinates, a type of a pair");
  // From the pair, not from the particle: the message starts at the coordinates.
  MPI_Datatype parts[] = {MPI_LB, MPI_DOUBLE, MPI_UB};
  int blocklengths[] = {1, 2, 1};
  MPI_Aint displacements[3];
  MPI_Address(from.data(), displacements);
  MPI_Address(from[0].d, displacements + 1);
  MPI_Address(from.data() + 1, displacements + 2);
  const MPI_Aint base = displacements[1];
  for (MPI_Aint& displacement : displacements) displacement -= base;
  MPI_Type_struct(3, blocklengths, displacements, parts, &onepair);
  MPI_Type_commit(&onepair);
  types::check_bounds(onepair, -8, sizeof(Particle));
  check_pairs(from, kParticles, onepair);
  for (MPI_Datatype* type : {&particle, &allpairs, &onepair}) MPI_Type_free(type);
}

void example_3_35() {
  union Either {
    int ival;
    float fval;
    double widest;  // so that there is a gap
  };
  static Either from[1000], to[1000];
  MPI_Aint first = 0, second = 0;
  MPI_Address(from, &first);
  MPI_Address(from + 1, &second);
  int blocklengths[] = {1, 1};
  MPI_Aint displacements[] = {0, second - first};
  for (const bool integers : {true, false}) {
    check::set_case("3.35: an array of unions that are %s", integers ? "integers" : "reals");
    MPI_Datatype parts[] = {integers ? MPI_INT : MPI_FLOAT, MPI_UB};
    MPI_Datatype type;
    MPI_Type_struct(2, blocklengths, displacements, parts, &type);
    MPI_Type_commit(&type);
    types::check_type(type, {{0, 4}}, 0, sizeof(Either));
    for (int i = 0; i < 1000; ++i) {
      from[i].widest = to[i].widest = 1e300;
      if (integers) from[i].ival = i;
      if (!integers) from[i].fval = 0.5f * static_cast<float>(i);
    }
    move(from, 1000, type, to, 1000, type);
    for (int i = 0; i < 1000; ++i) CHECK(std::memcmp(&from[i], &to[i], sizeof(Either)) == 0);
    MPI_Type_free(&type);
  }
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  example_3_18();
  example_3_19();
  example_3_20_and_3_21();
  example_3_22();
  example_3_23();
  example_3_24();
  example_3_25();
  example_3_26();
  example_3_27();
  example_3_28();
  example_3_29();
  example_3_30();
  example_3_31();
  example_3_32();
  for (const bool marked : {false, true}) example_3_33_all(marked);
  for (const bool absolute : {false, true}) {
    for (const bool runs : {false, true}) example_3_33_and_3_34_class_zero(absolute, runs);
  }
  example_3_33_pairs();
  example_3_35();
  return check::finish();
}
