// All predefined datatypes: their sizes and extents, and messages of each, which transfer every
// data byte and no byte of the gaps.
#include <complex>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "test/check.h"
#include "test/pattern.h"

namespace {

// The layout of one element: data bytes, then a gap, then data again.
struct Layout {
  MPI_Datatype type;
  const char* name;
  std::size_t size;    // data bytes
  std::size_t extent;  // bytes from one element to the next
  std::size_t first;   // data bytes before the gap
  std::size_t second;  // where the data continues

  bool is_data(std::size_t byte) const {
    const std::size_t at = byte % extent;
    return at < first || (at >= second && at < second + size - first);
  }
};

template <class T>
Layout plain(MPI_Datatype type, const char* name) {
  return {type, name, sizeof(T), sizeof(T), sizeof(T), sizeof(T)};
}

[[maybe_unused]] Layout bytes(MPI_Datatype type, const char* name, std::size_t size) {
  return {type, name, size, size, size, size};
}

template <class First>
Layout pair(MPI_Datatype type, const char* name) {
  struct Struct {
    First first;
    int second;
  };
  return {type,           name,          sizeof(First) + sizeof(int),
          sizeof(Struct), sizeof(First), offsetof(Struct, second)};
}

#define PLAIN(c_type, type) plain<c_type>(type, #type)
#define BYTES(size, type) bytes(type, #type, size)
#define PAIR(c_type, type) pair<c_type>(type, #type)

std::vector<Layout> c_types() {
  return {
      PLAIN(char, MPI_BYTE),
      PLAIN(char, MPI_PACKED),
      PLAIN(char, MPI_CHAR),
      PLAIN(signed char, MPI_SIGNED_CHAR),
      PLAIN(unsigned char, MPI_UNSIGNED_CHAR),
      PLAIN(short, MPI_SHORT),
      PLAIN(int, MPI_INT),
      PLAIN(long, MPI_LONG),
      PLAIN(long long, MPI_LONG_LONG),
      PLAIN(long long, MPI_LONG_LONG_INT),
      PLAIN(unsigned short, MPI_UNSIGNED_SHORT),
      PLAIN(unsigned, MPI_UNSIGNED),
      PLAIN(unsigned long, MPI_UNSIGNED_LONG),
      PLAIN(unsigned long long, MPI_UNSIGNED_LONG_LONG),
      PLAIN(float, MPI_FLOAT),
      PLAIN(double, MPI_DOUBLE),
      PLAIN(long double, MPI_LONG_DOUBLE),
      PLAIN(wchar_t, MPI_WCHAR),
      PLAIN(bool, MPI_C_BOOL),
      PLAIN(std::int8_t, MPI_INT8_T),
      PLAIN(std::int16_t, MPI_INT16_T),
      PLAIN(std::int32_t, MPI_INT32_T),
      PLAIN(std::int64_t, MPI_INT64_T),
      PLAIN(std::uint8_t, MPI_UINT8_T),
      PLAIN(std::uint16_t, MPI_UINT16_T),
      PLAIN(std::uint32_t, MPI_UINT32_T),
      PLAIN(std::uint64_t, MPI_UINT64_T),
      PLAIN(std::complex<float>, MPI_C_COMPLEX),
      PLAIN(std::complex<float>, MPI_C_FLOAT_COMPLEX),
      PLAIN(std::complex<double>, MPI_C_DOUBLE_COMPLEX),
      PLAIN(std::complex<long double>, MPI_C_LONG_DOUBLE_COMPLEX),
      PLAIN(MPI_Aint, MPI_AINT),
      PLAIN(MPI_Offset, MPI_OFFSET),
      PLAIN(MPI_Count, MPI_COUNT),
      PAIR(float, MPI_FLOAT_INT),
      PAIR(double, MPI_DOUBLE_INT),
      PAIR(long, MPI_LONG_INT),
      PAIR(int, MPI_2INT),
      PAIR(short, MPI_SHORT_INT),
      PAIR(long double, MPI_LONG_DOUBLE_INT),
  };
}

std::vector<Layout> cxx_types() {
  return {
      PLAIN(bool, MPI_CXX_BOOL),
      PLAIN(std::complex<float>, MPI_CXX_FLOAT_COMPLEX),
      PLAIN(std::complex<double>, MPI_CXX_DOUBLE_COMPLEX),
      PLAIN(std::complex<long double>, MPI_CXX_LONG_DOUBLE_COMPLEX),
  };
}

// Fortran's types have fixed sizes in the standard ABI, whatever compiler is installed.
std::vector<Layout> fortran_types() {
#if MPI_LEVEL >= 50
  return {
      BYTES(4, MPI_LOGICAL),         BYTES(4, MPI_INTEGER),    BYTES(4, MPI_REAL),
      BYTES(8, MPI_COMPLEX),         BYTES(1, MPI_CHARACTER),  BYTES(8, MPI_DOUBLE_PRECISION),
      BYTES(16, MPI_DOUBLE_COMPLEX), BYTES(8, MPI_2REAL),      BYTES(16, MPI_2DOUBLE_PRECISION),
      BYTES(8, MPI_2INTEGER),        BYTES(1, MPI_LOGICAL1),   BYTES(2, MPI_LOGICAL2),
      BYTES(4, MPI_LOGICAL4),        BYTES(8, MPI_LOGICAL8),   BYTES(16, MPI_LOGICAL16),
      BYTES(1, MPI_INTEGER1),        BYTES(2, MPI_INTEGER2),   BYTES(4, MPI_INTEGER4),
      BYTES(8, MPI_INTEGER8),        BYTES(16, MPI_INTEGER16), BYTES(2, MPI_REAL2),
      BYTES(4, MPI_REAL4),           BYTES(8, MPI_REAL8),      BYTES(16, MPI_REAL16),
      BYTES(4, MPI_COMPLEX4),        BYTES(8, MPI_COMPLEX8),   BYTES(16, MPI_COMPLEX16),
      BYTES(32, MPI_COMPLEX32),
  };
#else
  return {};
#endif
}

void sizes(const Layout& layout) {
  int size = -1;
  MPI_Aint lower = -1, extent = -1, true_lower = -1, true_extent = -1;
  MPI_Type_size(layout.type, &size);
  CHECK_EQ(size, int(layout.size));
  MPI_Type_get_extent(layout.type, &lower, &extent);
  CHECK_EQ(lower, 0);
  CHECK_EQ(extent, MPI_Aint(layout.extent));
  // The true extent ends with the last data byte: no padding behind it.
  const std::size_t last =
      layout.size > layout.first ? layout.second + layout.size - layout.first : layout.first;
  MPI_Type_get_true_extent(layout.type, &true_lower, &true_extent);
  CHECK_EQ(true_lower, 0);
  CHECK_EQ(true_extent, MPI_Aint(last));

  MPI_Count large = -1, large_lower = -1, large_extent = -1;
  MPI_Type_size_x(layout.type, &large);
  CHECK_EQ(large, MPI_Count(layout.size));
  MPI_Type_get_extent_x(layout.type, &large_lower, &large_extent);
  CHECK_EQ(large_lower, 0);
  CHECK_EQ(large_extent, MPI_Count(layout.extent));
  MPI_Type_get_true_extent_x(layout.type, &large_lower, &large_extent);
  CHECK_EQ(large_lower, 0);
  CHECK_EQ(large_extent, MPI_Count(last));
}

// Sends to the right and receives from the left; the message is expected (`posted`) or unexpected.
void exchange(const Layout& layout, int count, bool posted) {
  check::set_case("%s, %d elements, %s", layout.name, count, posted ? "posted" : "unexpected");
  const int right = (check::rank + 1) % check::size;
  const int left = (check::rank + check::size - 1) % check::size;
  const std::size_t length = layout.extent * count;
  std::vector<unsigned char> out(length), expected(length);
  check::fill(out.data(), length, check::rank);
  check::fill(expected.data(), length, left);
  check::Buffer in(length, 0);
  const unsigned char gap = *in.data();

  MPI_Request requests[2];
  const auto receive = [&] {
    MPI_Irecv(in.data(), count, layout.type, left, 1, MPI_COMM_WORLD, &requests[0]);
  };
  if (posted) receive();
  MPI_Isend(out.data(), count, layout.type, right, 1, MPI_COMM_WORLD, &requests[1]);
  if (!posted) MPI_Probe(left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (!posted) receive();
  MPI_Status statuses[2];
  MPI_Waitall(2, requests, statuses);

  int received = -1;
  MPI_Get_count(&statuses[0], layout.type, &received);
  CHECK_EQ(received, count);
  for (std::size_t i = 0; i < length; ++i) {
    if (in.data()[i] == (layout.is_data(i) ? expected[i] : gap)) continue;
    check::set_case("%s, %d elements, %s: byte %zu is wrong", layout.name, count,
                    layout.is_data(i) ? "data" : "gap", i);
    CHECK(in.data()[i] == (layout.is_data(i) ? expected[i] : gap));
  }
  check::passed();
  CHECK(in.guards_intact());
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  for (const auto& list : {c_types(), cxx_types(), fortran_types()}) {
    for (const Layout& layout : list) {
      if (layout.type == MPI_DATATYPE_NULL) continue;  // absent on other MPIs
      check::set_case("%s", layout.name);
      sizes(layout);
      for (int count : {0, 1, 2, 3, 7, 100, 5000, 20000}) {
        if (count > 5000 && check::size > 8) continue;
        exchange(layout, count, true);
        exchange(layout, count, false);
      }
    }
  }
  return check::finish();
}
