#pragma once
#include <list>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "harness/ranks/store_socket.hpp"
#include "harness/ranks/store_values.hpp"
#include "suite/contract/processes/stream_message.hpp"

namespace ddpbench {

// Is the first word that a rank says to its store, before the launch's secret.
inline constexpr const char* kStoreGreeting = "ddpbench-store-1";

// Serves the values of one launch's store to its ranks, from a thread of its own. Rank 0 has one. It drops whoever is another
// user, does not know the secret, or says what is no request; they change nothing.
class StoreServer {
 public:
  // Listens at the address. `listener`: the descriptor of a socket that listens there already; it is this object's from now on.
  // Throws Error where the place is taken.
  explicit StoreServer(const StoreAddress& address, std::optional<int> listener = std::nullopt);
  ~StoreServer();
  StoreServer(const StoreServer&) = delete;
  StoreServer& operator=(const StoreServer&) = delete;

 private:
  struct StoreClient {
    FileDescriptor socket;
    MessageReader in;
    std::string out{};  // what the socket has not taken yet
    std::optional<Words> waiting{};
    bool is_known = false;
  };
  void serve();
  void sleep() const;
  void accept_connections();
  bool hear(StoreClient& client);
  bool handle_request(StoreClient& client, const Words& message);
  bool answer_some();
  static bool deliver(StoreClient& client);

  std::string secret_;
  FileDescriptor listener_;
  FileDescriptor stop_;  // readable: the thread ends
  StoreValues values_;
  std::list<StoreClient> clients_;
  std::thread thread_;
};

}  // namespace ddpbench
