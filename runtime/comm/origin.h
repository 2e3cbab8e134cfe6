// What groups and communicators share that are derived from one session (MPI 5.0,
// 11.3). Those of the world model have none.
#pragma once

#include <memory>

namespace atl {

namespace p2p {
class SendBuffer;
}

struct Origin {
  std::shared_ptr<p2p::SendBuffer> send_buffer;  // MPI_Session_attach_buffer
};

}  // namespace atl
