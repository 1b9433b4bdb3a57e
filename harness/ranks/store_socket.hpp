#pragma once
#include <sys/types.h>

#include "suite/base/durable_file.hpp"
#include "suite/contract/processes/store_address.hpp"

namespace ddpbench {

// The sockets of the ranks' store. All are non-blocking; the functions throw Error with the system's reason.

// Returns a socket that listens at the address. Throws where another listens there.
FileDescriptor listening_socket(const StoreAddress& address);

// Returns a socket that is connected with whoever listens there; number() is -1 where nobody does yet.
FileDescriptor connected_socket(const StoreAddress& address);

// Says whether the process at the other end is one of this process's user. The system says so, whoever it claims to be; of
// another machine's it says nothing, and this is true: the secret decides alone.
bool is_own_user(const FileDescriptor& socket);

}  // namespace ddpbench
