// Type signatures (3.3.1): which types may be sent and received as which others, and Atoll's
// error when they do not match.
#include <string>
#include <vector>

#include "test/check.h"
#include "test/pattern.h"

namespace {

struct Pair {
  MPI_Datatype sent;
  MPI_Datatype received;
  const char* sent_name;      // what the error text must call the type sent
  const char* received_name;  // and the type received
};

int left() { return (check::rank + check::size - 1) % check::size; }
int right() { return (check::rank + 1) % check::size; }

// Sends `count` elements to the right, receives them from the left, returns
// what the receive returned.
int pass(const Pair& pair, int count, bool posted, void* in) {
  std::vector<char> out(count * 16);
  check::fill(out.data(), out.size(), 1);
  MPI_Request send, receive;
  const auto post = [&] {
    MPI_Irecv(in, count, pair.received, left(), 1, MPI_COMM_WORLD, &receive);
  };
  if (posted) {
    post();
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Isend(out.data(), count, pair.sent, right(), 1, MPI_COMM_WORLD, &send);
  if (!posted) {
    MPI_Probe(left(), 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    post();
  }
  const int code = MPI_Wait(&receive, MPI_STATUS_IGNORE);
  CHECK_EQ(MPI_Wait(&send, MPI_STATUS_IGNORE), MPI_SUCCESS);
  return code;
}

// The standard lets MPI_PACKED receive anything; Atoll treats MPI_BYTE in the same way, and lets
// integers of one size match each other.
const std::vector<Pair> kMatching = {
    {MPI_INT, MPI_INT, "", ""},          {MPI_INT, MPI_PACKED, "", ""},
    {MPI_PACKED, MPI_INT, "", ""},       {MPI_INT, MPI_INT32_T, "", ""},
    {MPI_INT, MPI_UNSIGNED, "", ""},     {MPI_LONG, MPI_INT64_T, "", ""},
    {MPI_LONG, MPI_LONG_LONG, "", ""},   {MPI_AINT, MPI_LONG, "", ""},
    {MPI_CHAR, MPI_SIGNED_CHAR, "", ""}, {MPI_UINT8_T, MPI_UNSIGNED_CHAR, "", ""},
    {MPI_INT, MPI_2INT, "", ""},         {MPI_DOUBLE, MPI_BYTE, "", ""},
    {MPI_BYTE, MPI_DOUBLE, "", ""},      {MPI_DOUBLE_INT, MPI_BYTE, "", ""},
    {MPI_FLOAT_INT, MPI_PACKED, "", ""}, {MPI_FLOAT_INT, MPI_FLOAT_INT, "", ""},
};

// The message carries only the kind of the type sent.
const std::vector<Pair> kDifferent = {
    {MPI_DOUBLE, MPI_INT, "8-byte reals", "MPI_INT"},
    {MPI_INT, MPI_FLOAT, "4-byte integers", "MPI_FLOAT"},
    {MPI_FLOAT, MPI_INT, "4-byte reals", "MPI_INT"},
    {MPI_INT, MPI_SHORT, "4-byte integers", "MPI_SHORT"},
    {MPI_DOUBLE, MPI_LONG, "8-byte reals", "MPI_LONG"},
    {MPI_LONG_INT, MPI_DOUBLE_INT, "mixed types", "MPI_DOUBLE_INT"},
};

std::vector<int> counts() {
  return check::size <= 8 ? std::vector<int>{1, 2, 100, 50000} : std::vector<int>{1, 2, 3000};
}

void matching() {
  for (const Pair& pair : kMatching) {
    // The byte counts must match too: pairs and bytes get buffers of their own size.
    for (int count : counts()) {
      for (bool posted : {true, false}) {
        check::set_case("matching pair %d, %d elements", int(&pair - kMatching.data()), count);
        std::vector<char> in(count * 16);
        int out_size = 0, in_size = 0;
        MPI_Type_size(pair.sent, &out_size);
        MPI_Type_size(pair.received, &in_size);
        const int code = pass(pair, count, posted, in.data());
        CHECK_EQ(check::error_class(code), out_size > in_size ? MPI_ERR_TRUNCATE : MPI_SUCCESS);
      }
    }
  }
}

// An empty message matches every type, as it has no elements.
void empty() {
  for (const Pair& pair : kDifferent) {
    CHECK_EQ(pass(pair, 0, true, nullptr), MPI_SUCCESS);
    CHECK_EQ(pass(pair, 0, false, nullptr), MPI_SUCCESS);
  }
}

// A mismatch is an error of the receive only. It names both types, and the next message arrives
// as usual.
void different() {
  for (const Pair& pair : kDifferent) {
    for (int count : counts()) {
      for (bool posted : {true, false}) {
        check::set_case("different pair %d, %d elements", int(&pair - kDifferent.data()), count);
        check::Buffer in(count * 16);
        const int code = pass(pair, count, posted, in.data());
        CHECK_EQ(check::error_class(code), MPI_ERR_TYPE);
        const std::string text = check::error_text(code);
        CHECK(text.find("MPI_Wait") != std::string::npos);
        CHECK(text.find(pair.sent_name) != std::string::npos);
        CHECK(text.find(pair.received_name) != std::string::npos);
        CHECK_EQ(pass(kMatching[0], count, posted, in.data()), MPI_SUCCESS);
        CHECK_PATTERN(in.data(), 4 * count, 1);
      }
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  check::return_errors();
  matching();
  empty();
  if (check::on_atoll()) different();
  return check::finish();
}
