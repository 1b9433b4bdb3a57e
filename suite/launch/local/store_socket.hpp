#pragma once
#include "suite/launch/unique_fd.hpp"

namespace ddpbench {

// A listening TCP socket on 127.0.0.1 whose port the system chose. The driver opens it and rank 0 inherits it: a port that was
// looked up, closed and opened again by rank 0 could be taken in between.
struct StoreSocket {
  UniqueFd fd;
  int port = 0;
};

StoreSocket open_store_socket();

}  // namespace ddpbench
