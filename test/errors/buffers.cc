// Bad arguments to the calls that manage buffers for buffered sends.
#include <vector>

#include "test/errors/expect.h"

namespace {

using errors::Untouched;

void nothing_attached() {
  Untouched<void*> address;
  Untouched<int> size;
  Untouched<MPI_Count> size_c;
  Untouched<MPI_Request> request;
  const std::string none = "no buffer is attached";
  EXPECT_ERROR(MPI_ERR_BUFFER, none, "", MPI_Buffer_detach(&address, &size));
  EXPECT_ERROR(MPI_ERR_BUFFER, none, "", MPI_Buffer_detach_c(&address, &size_c));
  EXPECT_ERROR(MPI_ERR_BUFFER, none, "", MPI_Comm_detach_buffer(MPI_COMM_WORLD, &address, &size));
  EXPECT_ERROR(MPI_ERR_BUFFER, none, "",
               MPI_Comm_detach_buffer_c(MPI_COMM_WORLD, &address, &size_c));
}

void attaching() {
  char memory[2000];
  for (int size : {-1, -2147483647 - 1}) {
    const std::string text = std::to_string(size);
    EXPECT_ERROR(MPI_ERR_ARG, "size", text, MPI_Buffer_attach(memory, size));
    EXPECT_ERROR(MPI_ERR_ARG, "size", text, MPI_Buffer_attach_c(memory, size));
    EXPECT_ERROR(MPI_ERR_ARG, "size", text, MPI_Comm_attach_buffer(MPI_COMM_WORLD, memory, size));
    EXPECT_ERROR(MPI_ERR_ARG, "size", text, MPI_Comm_attach_buffer_c(MPI_COMM_WORLD, memory, size));
  }
  EXPECT_ERROR(MPI_ERR_BUFFER, "buffer", "", MPI_Buffer_attach(nullptr, 1000));
  EXPECT_ERROR(MPI_ERR_BUFFER, "buffer", "", MPI_Buffer_attach_c(nullptr, 1000));
  EXPECT_ERROR(MPI_ERR_BUFFER, "buffer", "", MPI_Comm_attach_buffer(MPI_COMM_WORLD, nullptr, 1000));
  EXPECT_ERROR(MPI_ERR_BUFFER, "buffer", "",
               MPI_Comm_attach_buffer_c(MPI_COMM_WORLD, nullptr, 1000));
}

void communicators() {
  char memory[2000];
  for (MPI_Comm comm : {MPI_COMM_NULL, errors::freed_communicator(), errors::garbage<MPI_Comm>()}) {
    Untouched<void*> address;
    Untouched<int> size;
    Untouched<MPI_Count> size_c;
    Untouched<MPI_Request> request;
    EXPECT_ERROR(MPI_ERR_COMM, "comm", "", MPI_Comm_attach_buffer(comm, memory, 2000));
    EXPECT_ERROR(MPI_ERR_COMM, "comm", "", MPI_Comm_attach_buffer_c(comm, memory, 2000));
    EXPECT_ERROR(MPI_ERR_COMM, "comm", "", MPI_Comm_detach_buffer(comm, &address, &size));
    EXPECT_ERROR(MPI_ERR_COMM, "comm", "", MPI_Comm_detach_buffer_c(comm, &address, &size_c));
    EXPECT_ERROR(MPI_ERR_COMM, "comm", "", MPI_Comm_flush_buffer(comm));
    EXPECT_ERROR(MPI_ERR_COMM, "comm", "", MPI_Comm_iflush_buffer(comm, &request));
  }
}

// With a buffer attached: a second one, and missing places for the answers.
void attached() {
  std::vector<char> first(2000), second(3000);
  MPI_Buffer_attach(first.data(), 2000);
  MPI_Comm_attach_buffer(MPI_COMM_WORLD, second.data(), 3000);
  EXPECT_ERROR(MPI_ERR_BUFFER, "buffer", "2000", MPI_Buffer_attach(second.data(), 3000));
  EXPECT_ERROR(MPI_ERR_BUFFER, "buffer", "2000", MPI_Buffer_attach_c(second.data(), 3000));
  EXPECT_ERROR(MPI_ERR_BUFFER, "buffer", "3000",
               MPI_Comm_attach_buffer(MPI_COMM_WORLD, first.data(), 2000));
  EXPECT_ERROR(MPI_ERR_BUFFER, "buffer", "3000",
               MPI_Comm_attach_buffer_c(MPI_COMM_WORLD, first.data(), 2000));
  {
    Untouched<void*> address;
    Untouched<int> size;
    EXPECT_ERROR(MPI_ERR_ARG, "size", "", MPI_Buffer_detach(&address, nullptr));
    EXPECT_ERROR(MPI_ERR_ARG, "buffer_addr", "", MPI_Buffer_detach(nullptr, &size));
    EXPECT_ERROR(MPI_ERR_ARG, "size", "",
                 MPI_Comm_detach_buffer(MPI_COMM_WORLD, &address, nullptr));
    EXPECT_ERROR(MPI_ERR_ARG, "buffer_addr", "",
                 MPI_Comm_detach_buffer(MPI_COMM_WORLD, nullptr, &size));
    EXPECT_ERROR(MPI_ERR_ARG, "request", "", MPI_Buffer_iflush(nullptr));
    EXPECT_ERROR(MPI_ERR_ARG, "request", "", MPI_Comm_iflush_buffer(MPI_COMM_WORLD, nullptr));
  }
  void* address = nullptr;
  int size = 0;
  CHECK_EQ(MPI_Buffer_detach(&address, &size), MPI_SUCCESS);
  CHECK(address == first.data());
  CHECK_EQ(size, 2000);
  CHECK_EQ(MPI_Comm_detach_buffer(MPI_COMM_WORLD, &address, &size), MPI_SUCCESS);
  CHECK(address == second.data());
  CHECK_EQ(size, 3000);
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  check::return_errors();
  nothing_attached();
  attaching();
  communicators();
  attached();
  errors::check_all_is_well();
  return check::finish();
}
