// Errors in C++: exceptions, handlers of the program, and what is returned.
#include <mpicxx.h>

#include <cstring>

#include "test/check.h"

namespace {

int handled = 0;
MPI_Comm handled_comm = MPI_COMM_NULL;
bool handled_cart = false;

void note(MPI::Comm& comm, int* error_code, ...) {
  handled = *error_code;
  handled_comm = comm;
  handled_cart = dynamic_cast<MPI::Cartcomm*>(&comm) != nullptr;
}

void note_too(MPI::Comm&, int* error_code, ...) { handled = -*error_code; }

void note_file(MPI::File& file, int* error_code, ...) {
  CHECK(file == MPI::FILE_NULL);
  handled = *error_code;
}

// To a rank that there is not.
void fail_in(const MPI::Comm& comm) {
  const int value = 0;
  comm.Send(&value, 1, MPI::INT, comm.Get_size(), 0);
}

void exceptions() {
  check::set_case("exceptions");
  MPI::Intracomm comm = MPI::COMM_WORLD.Dup();
  CHECK(comm.Get_errhandler() == MPI::ERRORS_ARE_FATAL);
  comm.Set_errhandler(MPI::ERRORS_THROW_EXCEPTIONS);
  CHECK(comm.Get_errhandler() == MPI::ERRORS_THROW_EXCEPTIONS);
  for (int i = 0; i < 3; ++i) {
    bool caught = false;
    try {
      fail_in(comm);
    } catch (const MPI::Exception& exception) {
      caught = true;
      CHECK_EQ(exception.Get_error_class(), static_cast<int>(MPI::ERR_RANK));
      CHECK_EQ(check::error_class(exception.Get_error_code()), static_cast<int>(MPI::ERR_RANK));
      CHECK(std::strstr(exception.Get_error_string(), "dest=") != nullptr);
    }
    CHECK(caught);
  }
  MPI::Intracomm child = comm.Dup();  // it inherits the handler
  CHECK(child.Get_errhandler() == MPI::ERRORS_THROW_EXCEPTIONS);
  child.Free();
  bool caught = false;
  try {
    comm.Call_errhandler(MPI::ERR_OTHER);
  } catch (const MPI::Exception& exception) {
    caught = exception.Get_error_class() == MPI::ERR_OTHER;
  }
  CHECK(caught);
  comm.Set_errhandler(MPI::ERRORS_RETURN);
  fail_in(comm);  // nobody hears of it
  comm.Free();
}

void handlers() {
  check::set_case("handlers");
  MPI::Errhandler handler = MPI::Comm::Create_errhandler(note);
  MPI::Errhandler other = MPI::Comm::Create_errhandler(note_too);
  MPI::Intracomm comm = MPI::COMM_WORLD.Dup();
  comm.Set_errhandler(handler);
  MPI::Errhandler got = comm.Get_errhandler();
  CHECK(got == handler);
  got.Free();
  fail_in(comm);
  CHECK_EQ(check::error_class(handled), static_cast<int>(MPI::ERR_RANK));
  CHECK(handled_comm == comm);
  CHECK(!handled_cart);
  comm.Set_errhandler(other);
  fail_in(comm);
  CHECK_EQ(check::error_class(-handled), static_cast<int>(MPI::ERR_RANK));

  const int dims[] = {comm.Get_size()};
  const bool periods[] = {false};
  MPI::Cartcomm cart = comm.Create_cart(1, dims, periods, false);
  cart.Set_errhandler(handler);
  fail_in(cart);
  CHECK(handled_cart);
  cart.Free();
  comm.Free();
  handler.Free();
  other.Free();
  CHECK(handler == MPI::ERRHANDLER_NULL);
}

void files() {
  check::set_case("files");
  MPI::File file;
  CHECK(file == MPI::FILE_NULL);
  CHECK(file.Get_errhandler() == MPI::ERRORS_RETURN);
  MPI::Errhandler handler = MPI::File::Create_errhandler(note_file);
  file.Set_errhandler(handler);
  handler.Free();
  file.Call_errhandler(MPI::ERR_IO);
  CHECK_EQ(handled, static_cast<int>(MPI::ERR_IO));
  file.Set_errhandler(MPI::ERRORS_THROW_EXCEPTIONS);
  bool caught = false;
  try {
    file.Call_errhandler(MPI::ERR_NO_SPACE);
  } catch (const MPI::Exception& exception) {
    caught = exception.Get_error_code() == MPI::ERR_NO_SPACE;
  }
  CHECK(caught);
  file.Set_errhandler(MPI::ERRORS_RETURN);
}

void codes() {
  check::set_case("codes");
  const int error_class = MPI::Add_error_class();
  const int code = MPI::Add_error_code(error_class);
  MPI::Add_error_string(code, "the code of a test");
  CHECK_EQ(MPI::Get_error_class(code), error_class);
  char text[MPI::MAX_ERROR_STRING];
  int length = 0;
  MPI::Get_error_string(code, text, length);
  CHECK(std::strcmp(text, "the code of a test") == 0);
}

}  // namespace

int main(int argc, char** argv) {
  check::start(argc, argv);
  exceptions();
  handlers();
  files();
  codes();
  return check::finish();
}
