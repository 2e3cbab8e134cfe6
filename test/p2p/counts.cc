// MPI_Get_count, MPI_Get_elements and their setters (3.2.5, 5.1.11): whole
// elements, parts of elements, large numbers, and every status that has a count.
#include <climits>
#include <vector>

#include "test/check.h"

namespace {

struct Counts {
  int count;
  int elements;
  MPI_Count elements_x;
};

Counts counts_of(const MPI_Status& status, MPI_Datatype type) {
  Counts counts{-1, -1, -1};
  MPI_Get_count(&status, type, &counts.count);
  MPI_Get_elements(&status, type, &counts.elements);
  MPI_Get_elements_x(&status, type, &counts.elements_x);
#if MPI_LEVEL >= 40
  MPI_Count count_c = -1, elements_c = -1;
  MPI_Get_count_c(&status, type, &count_c);
  MPI_Get_elements_c(&status, type, &elements_c);
  if (counts.count != MPI_UNDEFINED) CHECK_EQ(count_c, MPI_Count(counts.count));
  CHECK_EQ(elements_c, counts.elements_x);
#endif
  return counts;
}

void check_counts(const MPI_Status& status, MPI_Datatype type, int count, int elements) {
  const Counts counts = counts_of(status, type);
  CHECK_EQ(counts.count, count);
  CHECK_EQ(counts.elements, elements);
  CHECK_EQ(counts.elements_x, MPI_Count(elements));
}

// Receives `sent` elements of one type into a buffer for 8 of another.
MPI_Status pass(int sent, MPI_Datatype out_type, MPI_Datatype in_type) {
  const int right = (check::rank + 1) % check::size;
  const int left = (check::rank + check::size - 1) % check::size;
  char out[256] = {}, in[256];
  MPI_Status status;
  MPI_Sendrecv(out, sent, out_type, right, 1, in, 8, in_type, left, 1, MPI_COMM_WORLD, &status);
  return status;
}

void whole_elements() {
  for (int n : {0, 1, 5, 8}) {
    check::set_case("%d whole elements", n);
    check_counts(pass(n, MPI_INT, MPI_INT), MPI_INT, n, n);
    check_counts(pass(n, MPI_DOUBLE, MPI_DOUBLE), MPI_DOUBLE, n, n);
    check_counts(pass(n, MPI_BYTE, MPI_BYTE), MPI_BYTE, n, n);
    // A pair has two basic elements.
    check_counts(pass(n, MPI_SHORT_INT, MPI_SHORT_INT), MPI_SHORT_INT, n, 2 * n);
    check_counts(pass(n, MPI_2INT, MPI_2INT), MPI_2INT, n, 2 * n);
    check_counts(pass(n, MPI_DOUBLE_INT, MPI_DOUBLE_INT), MPI_DOUBLE_INT, n, 2 * n);
  }
}

// What arrives need not be a whole number of the receiver's elements.
void parts() {
  check::set_case("parts of a pair");
  check_counts(pass(3, MPI_INT, MPI_2INT), MPI_2INT, MPI_UNDEFINED, 3);
  check_counts(pass(1, MPI_INT, MPI_2INT), MPI_2INT, MPI_UNDEFINED, 1);
  check_counts(pass(4, MPI_INT, MPI_2INT), MPI_2INT, 2, 4);
  check_counts(pass(1, MPI_SHORT, MPI_SHORT_INT), MPI_SHORT_INT, MPI_UNDEFINED, 1);
  check::set_case("parts of a basic element");
  check_counts(pass(7, MPI_BYTE, MPI_BYTE), MPI_INT, MPI_UNDEFINED, MPI_UNDEFINED);
  check_counts(pass(8, MPI_BYTE, MPI_BYTE), MPI_INT, 2, 2);
}

// Probing calls fill the same status as receiving ones.
void probes() {
  check::set_case("probes");
  const int right = (check::rank + 1) % check::size;
  const int left = (check::rank + check::size - 1) % check::size;
  double out[10] = {}, in[10];
  MPI_Request request;
  MPI_Isend(out, 10, MPI_DOUBLE, right, 2, MPI_COMM_WORLD, &request);
  MPI_Status status;
  MPI_Probe(left, 2, MPI_COMM_WORLD, &status);
  check_counts(status, MPI_DOUBLE, 10, 10);
  MPI_Message message;
  MPI_Mprobe(left, 2, MPI_COMM_WORLD, &message, &status);
  check_counts(status, MPI_DOUBLE, 10, 10);
  MPI_Mrecv(in, 10, MPI_DOUBLE, &message, &status);
  check_counts(status, MPI_DOUBLE, 10, 10);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

// A status that the program fills in, as a generalized request does.
void setters() {
  check::set_case("setters");
  MPI_Status status;
  std::memset(&status, 0, sizeof status);
  MPI_Status_set_elements(&status, MPI_INT, 12);
  check_counts(status, MPI_INT, 12, 12);
  MPI_Status_set_elements(&status, MPI_2INT, 5);
  check_counts(status, MPI_2INT, MPI_UNDEFINED, 5);
  int flag = -1;
  MPI_Status_set_cancelled(&status, 1);
  MPI_Test_cancelled(&status, &flag);
  CHECK_EQ(flag, 1);
  MPI_Status_set_cancelled(&status, 0);
  MPI_Test_cancelled(&status, &flag);
  CHECK_EQ(flag, 0);
  check_counts(status, MPI_2INT, MPI_UNDEFINED, 5);  // unchanged

  // More than an int can hold.
  const MPI_Count large = MPI_Count(INT_MAX) + 10;
  MPI_Status_set_elements_x(&status, MPI_BYTE, large);
  const Counts counts = counts_of(status, MPI_BYTE);
  CHECK_EQ(counts.count, MPI_UNDEFINED);
  CHECK_EQ(counts.elements, MPI_UNDEFINED);
  CHECK_EQ(counts.elements_x, large);
#if MPI_LEVEL >= 40
  MPI_Count count = -1;
  MPI_Get_count_c(&status, MPI_BYTE, &count);
  CHECK_EQ(count, large);
#endif
}

#if MPI_LEVEL >= 50
// 3.2.5: reading and writing the public fields by calls.
void fields() {
  check::set_case("status fields by calls");
  MPI_Status status = pass(1, MPI_INT, MPI_INT);
  int value = -7;
  MPI_Status_get_source(&status, &value);
  CHECK_EQ(value, status.MPI_SOURCE);
  MPI_Status_get_tag(&status, &value);
  CHECK_EQ(value, 1);
  status.MPI_ERROR = MPI_ERR_TRUNCATE;
  MPI_Status_get_error(&status, &value);
  CHECK_EQ(value, MPI_ERR_TRUNCATE);
  MPI_Status_set_source(&status, 17);
  MPI_Status_set_tag(&status, 18);
  MPI_Status_set_error(&status, MPI_ERR_OTHER);
  CHECK_EQ(status.MPI_SOURCE, 17);
  CHECK_EQ(status.MPI_TAG, 18);
  CHECK_EQ(status.MPI_ERROR, MPI_ERR_OTHER);
  check_counts(status, MPI_INT, 1, 1);  // the calls leave the count unchanged
}
#endif

// A copy of a status gives the same results: it holds no references.
void copies() {
  check::set_case("copied statuses");
  MPI_Status copy;
  {
    MPI_Status status = pass(6, MPI_INT, MPI_INT);
    copy = status;
    std::memset(&status, 0x11, sizeof status);
  }
  pass(2, MPI_INT, MPI_INT);
  check_counts(copy, MPI_INT, 6, 6);
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  whole_elements();
  parts();
  probes();
  setters();
#if MPI_LEVEL >= 50
  fields();
#endif
  copies();
  return check::finish();
}
