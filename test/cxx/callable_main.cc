#include "test/cxx/callable.h"

int main(int argc, char** argv) {
  check::start(argc, argv);
  MPI::call_all();
  CHECK(check::checks > 200);
  return check::finish();
}
