#include "harness/ranks/rendezvous_store.hpp"

#include <algorithm>
#include <future>
#include <string>
#include <thread>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>
#include <vector>

#include "harness/ranks/launch_store.hpp"
#include "suite/base/errors.hpp"

namespace ddpbench {
namespace {

using Store = c10::intrusive_ptr<c10d::Store>;
using std::chrono::milliseconds;

Store open_tcp_store(const RankInfo& info, milliseconds patience) {
  c10d::TCPStoreOptions options;
  options.port = info.main_port;
  options.isServer = info.rank == 0 && !info.launcher_serves_store;
  options.numWorkers = static_cast<std::size_t>(info.world_size);
  options.timeout = patience;
  options.waitWorkers = false;
  return c10::make_intrusive<c10d::TCPStore>(info.main_address, options);
}

// c10d waits without any limit for a server that has taken its connection and says nothing: a thread waits in its place, and ends with the process.
Store open_tcp_store_in_time(const RankInfo& info, milliseconds patience) {
  std::packaged_task<Store()> open([info, patience] { return open_tcp_store(info, patience); });
  auto opened = open.get_future();
  std::thread(std::move(open)).detach();
  if (opened.wait_for(patience) == std::future_status::ready) return opened.get();
  throw Error("no store answers at " + info.main_address + ":" + std::to_string(info.main_port) + " within " +
              std::to_string(patience.count()) + " ms");
}

Store open_launch_store(const StoreAddress& address, const RankInfo& info, milliseconds patience) {
  auto server =
      info.rank == 0 ? std::make_shared<StoreServer>(address, address.endpoint ? info.store_listener : std::nullopt) : nullptr;
  return c10::make_intrusive<LaunchStore>(address, std::move(server), patience, patience);
}

std::string arrival(std::int64_t rank) { return "arrived/" + std::to_string(rank); }

void meet(c10d::Store& store, const RankInfo& info, milliseconds patience) {
  store.set(arrival(info.rank), std::vector<uint8_t>{});
  std::vector<std::string> all;
  for (std::int64_t rank = 0; rank < info.world_size; ++rank) all.push_back(arrival(rank));
  store.wait(all, patience);
}

}  // namespace

// A rank that is alone meets nobody: whatever address it was given may be another's.
c10::intrusive_ptr<c10d::Store> open_store(const RankInfo& info, milliseconds timeout, milliseconds least_patience) {
  const auto patience = std::max(timeout, least_patience);
  const auto address = info.world_size == 1 ? std::optional(new_store_address()) : info.store;
  auto store = address ? open_launch_store(*address, info, patience) : open_tcp_store_in_time(info, patience);
  meet(*store, info, patience);
  store->setTimeout(timeout);
  return store;
}

}  // namespace ddpbench
