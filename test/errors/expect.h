// Calls that must fail: with the right error class, with a text that has the
// call, the argument and its value, and with nothing changed.
#pragma once

#include <cctype>
#include <cstring>
#include <string>
#include <vector>

#include "test/check.h"

namespace errors {

// Whether a text has `word` and no longer number or name around it.
inline bool mentions(const std::string& text, const std::string& word) {
  const auto is_part = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
  };
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !is_part(text[at - 1])) && (end == text.size() || !is_part(text[end]))) {
      return true;
    }
  }
  return false;
}

// `value` is empty where the text need not have one.
inline void expect(const char* file, int line, const std::string& call, int error_class,
                   const std::string& argument, const std::string& value, int code) {
  check::set_case("%s, %s=%s", call.c_str(), argument.c_str(), value.c_str());
  check::equal(file, line, "class of the error", check::error_class(code), error_class);
  if (!check::on_atoll()) return;
  const std::string text = check::error_text(code);
  for (const std::string& word : {call, argument, value}) {
    if (!word.empty() && !mentions(text, word)) {
      check::fail(file, line, "no \"" + word + "\" in the text: " + text);
    }
  }
}

inline std::string name_of_call(const std::string& source) {
  return source.substr(0, source.find('('));
}

// EXPECT_ERROR(MPI_ERR_RANK, "dest", "7", MPI_Send(...));
#define EXPECT_ERROR(error_class, argument, value, ...)                                         \
  errors::expect(__FILE__, __LINE__, errors::name_of_call(#__VA_ARGS__), error_class, argument, \
                 value, __VA_ARGS__)

// As above, where the call has a name of its own: a pointer out of a table.
#define EXPECT_ERROR_OF(name, error_class, argument, value, ...) \
  errors::expect(__FILE__, __LINE__, name, error_class, argument, value, __VA_ARGS__)

// A variable that a failing call must leave alone.
template <class T>
class Untouched {
 public:
  Untouched() { std::memset(&value_, 0x5a, sizeof value_); }
  ~Untouched() {
    for (std::size_t i = 0; i < sizeof value_; ++i) {
      CHECK_EQ(int(reinterpret_cast<unsigned char*>(&value_)[i]), 0x5a);
    }
  }
  Untouched(const Untouched&) = delete;
  Untouched& operator=(const Untouched&) = delete;

  T* operator&() { return &value_; }  // as of a plain variable

 private:
  T value_;
};

// A handle that was valid and is freed, and one that never was.
inline MPI_Comm freed_communicator() {
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_SELF, &comm);
  const MPI_Comm stale = comm;
  MPI_Comm_free(&comm);
  return stale;
}

template <class Handle>
Handle garbage() {
  Handle handle;
  std::memset(&handle, 0x5a, sizeof handle);
  return handle;
}

// --- one bad argument among good ones, for calls that send or receive ---

struct Arguments {
  void* buf;
  int count;
  MPI_Datatype type;
  int peer;
  int tag;
  MPI_Comm comm;
};

struct Names {
  std::string buf = "buf";
  std::string count = "count";
  std::string type = "datatype";
  std::string peer;
  std::string tag = "tag";
};

struct Bad {
  Arguments arguments;
  int error_class;
  std::string argument;
  std::string value;
};

enum class Direction { send, receive };

inline std::vector<Bad> bad_arguments(const Arguments& good, const Names& names,
                                      Direction direction) {
  std::vector<Bad> list;
  const auto add = [&](auto Arguments::*field, auto value, int error_class,
                       const std::string& argument, const std::string& text) {
    Bad bad{good, error_class, argument, text};
    bad.arguments.*field = value;
    list.push_back(bad);
  };
  add(&Arguments::comm, MPI_COMM_NULL, MPI_ERR_COMM, "comm", "MPI_COMM_NULL");
  add(&Arguments::type, MPI_DATATYPE_NULL, MPI_ERR_TYPE, names.type, "MPI_DATATYPE_NULL");
  for (int count : {-1, -2147483647 - 1}) {
    add(&Arguments::count, count, MPI_ERR_COUNT, names.count, std::to_string(count));
  }
  std::vector<int> peers = {check::size, check::size + 100, 2147483647, MPI_ROOT, -77};
  if (direction == Direction::send) peers.push_back(MPI_ANY_SOURCE);
  for (int peer : peers) {
    add(&Arguments::peer, peer, MPI_ERR_RANK, names.peer, std::to_string(peer));
  }
  std::vector<int> tags = {-77, -2147483647 - 1};
  if (direction == Direction::send) tags.push_back(MPI_ANY_TAG);
  for (int tag : tags) {
    add(&Arguments::tag, tag, MPI_ERR_TAG, names.tag, std::to_string(tag));
  }
  add(&Arguments::buf, nullptr, MPI_ERR_BUFFER, names.buf, "");
  if (check::on_atoll()) {
    add(&Arguments::comm, freed_communicator(), MPI_ERR_COMM, "comm", "");
    add(&Arguments::comm, garbage<MPI_Comm>(), MPI_ERR_COMM, "comm", "");
    add(&Arguments::type, garbage<MPI_Datatype>(), MPI_ERR_TYPE, names.type, "");
  }
  return list;
}

// Nothing was sent by mistake, and a message still gets through.
inline void check_all_is_well() {
  MPI_Barrier(MPI_COMM_WORLD);
  int flag = -1;
  MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
  CHECK_EQ(flag, 0);
  MPI_Barrier(MPI_COMM_WORLD);
  const int right = (check::rank + 1) % check::size;
  const int left = (check::rank + check::size - 1) % check::size;
  int in = -1;
  CHECK_EQ(MPI_Sendrecv(&check::rank, 1, MPI_INT, right, 1, &in, 1, MPI_INT, left, 1,
                        MPI_COMM_WORLD, MPI_STATUS_IGNORE),
           MPI_SUCCESS);
  CHECK_EQ(in, left);
}

}  // namespace errors
