// Copies standard input to all ranks (--stdin all): each gets every byte.
#pragma once

#include <cstddef>
#include <vector>

#include "launcher/base/descriptor.h"

namespace atl::launcher {

// The slowest reader determines the rate: the next bytes are read when all ranks that
// still read have got the previous ones.
class InputCopier {
 public:
  InputCopier();

  // `pipe` is the writing end to a rank.
  void add(Descriptor pipe);

  // Readable when advance() has something to do.
  int events() const { return events_.number(); }
  // True when there is more to do at once.
  bool advance();

 private:
  struct Reader {
    Descriptor pipe;
    std::size_t taken = 0;  // bytes of the buffer
    bool awaited = false;   // events() reports when the pipe has space
  };

  void read_more();
  void hand_out();
  void hand_to(Reader& reader);
  bool all_taken() const;
  void watch_source(bool watch);
  void watch_reader(Reader& reader, bool watch);

  Descriptor events_;
  std::vector<Reader> readers_;
  std::vector<char> buffer_;
  std::size_t filled_ = 0;
  bool source_watched_ = false;
  bool ended_ = false;
};

}  // namespace atl::launcher
