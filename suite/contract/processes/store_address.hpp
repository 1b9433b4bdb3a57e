#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "suite/base/tcp.hpp"

namespace ddpbench {

// Begins what a rank says of the store of its launch, which rank 0 holds, when that has gone: the cause is then rank 0's.
inline constexpr const char* kRendezvousClosed = "the rendezvous is closed";

// Holds where the ranks of one launch meet, and its secret: "NAME:SECRET". The driver puts it into the environment of its ranks
// and nowhere else, no command line and no file: other users cannot read it there.
inline constexpr const char* kStoreVariable = "DDPBENCH_STORE";

// Holds the number of the descriptor at which rank 0 listens already, where its launch's ranks lie on several machines: its port
// was free when it was told to the others.
inline constexpr const char* kStoreListenerVariable = "DDPBENCH_STORE_LISTENER";

// Holds the address of this rank's machine at which the other ranks reach it.
inline constexpr const char* kOwnAddressVariable = "DDPBENCH_ADDRESS";

// Says where ranks of one machine meet: a socket of that machine (abstract, so it is no file), which takes processes of the same
// user only, and of these those that know the secret. Ranks of several machines meet at a port of rank 0's, which takes those
// that know the secret.
struct StoreAddress {
  std::string name;    // of the socket; "" where it is a port
  std::string secret;  // "": ranks that a person started, to whom nobody handed one
  std::optional<Endpoint> endpoint{};
};

// Draws an address that nobody can guess. Throws Error where the system gives no random numbers.
StoreAddress new_store_address();

// Makes the address for ranks that a person started: all they have in common is a port.
StoreAddress store_address_by_hand(std::uint16_t port);

// Writes the address with its secret, "NAME:SECRET", as in $DDPBENCH_STORE.
std::string to_text(const StoreAddress& address);

// Writes the same without the secret, for messages.
std::string place_of(const StoreAddress& address);

// Parses what to_text writes; nothing where the text is not of that form or has no secret.
std::optional<StoreAddress> store_address_from(std::string_view text);

}  // namespace ddpbench
