#include "launcher/stdio/nonblocking_writer.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>

#include "launcher/base/descriptor.h"

namespace atl::launcher {
namespace {

struct Pipe {
  Pipe() {
    int ends[2];
    REQUIRE(::pipe2(ends, O_CLOEXEC) == 0);
    reading = Descriptor(ends[0]);
    writing = Descriptor(ends[1]);
    ::fcntl(reading.number(), F_SETFL, O_NONBLOCK);
  }

  std::string take() {
    std::string all;
    char buffer[65536];
    for (ssize_t count; (count = ::read(reading.number(), buffer, sizeof buffer)) > 0;) {
      all.append(buffer, static_cast<std::size_t>(count));
    }
    return all;
  }

  Descriptor reading;
  Descriptor writing;
};

TEST_CASE("a line that another source left open is ended first") {
  Pipe pipe;
  NonblockingWriter writer(pipe.writing.number());
  writer.write(0, "whole\n", "");
  writer.write(1, "half ", "");
  writer.write(1, "and half\n", "");
  writer.write(1, "open", "");
  writer.write(0, "next\n", "");
  CHECK(pipe.take() == "whole\nhalf and half\nopen\nnext\n");
}

TEST_CASE("labels are at the beginnings of lines") {
  Pipe pipe;
  NonblockingWriter writer(pipe.writing.number());
  writer.write(0, "a\nb", "[0] ");
  writer.write(0, "c\n", "[0] ");
  writer.write(1, "d", "[1] ");
  writer.write(0, "e", "[0] ");
  CHECK(pipe.take() == "[0] a\n[0] bc\n[1] d\n[0] e");
}

TEST_CASE("bytes that cannot be written at once are stored, in order") {
  Pipe pipe;
  NonblockingWriter writer(pipe.writing.number());
  std::string expected;
  for (int i = 0; !writer.blocked(); ++i) {
    const std::string line = std::to_string(i) + std::string(1000, '.') + '\n';
    writer.write(0, line, "");
    expected += line;
  }
  std::string got;
  for (int i = 0; i < 1000 && got.size() < expected.size(); ++i) {
    got += pipe.take();
    writer.flush();
  }
  CHECK_FALSE(writer.blocked());
  CHECK(got == expected);
}

TEST_CASE("a closed reader is an error, and nothing more is stored") {
  ::signal(SIGPIPE, SIG_IGN);
  Pipe pipe;
  NonblockingWriter writer(pipe.writing.number());
  pipe.reading.close();
  writer.write(0, "x\n", "");
  CHECK(writer.error() == EPIPE);
  writer.write(0, "y\n", "");
  CHECK_FALSE(writer.blocked());
}

TEST_CASE("two descriptors of one file are recognised") {
  Pipe pipe;
  Pipe other;
  const Descriptor copy(::dup(pipe.writing.number()));
  CHECK(same_file(pipe.writing.number(), copy.number()));
  CHECK_FALSE(same_file(pipe.writing.number(), other.writing.number()));
}

}  // namespace
}  // namespace atl::launcher
