#include "harness/ranks/rendezvous_store.hpp"

#include <c10/util/Logging.h>

#include <algorithm>
#include <future>
#include <iostream>
#include <string>
#include <thread>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>
#include <vector>

#include "harness/ranks/launch_store.hpp"
#include "suite/base/errors.hpp"
#include "suite/base/numbers.hpp"
#include "suite/base/system_environment.hpp"
#include "suite/base/tcp.hpp"
#include "suite/contract/processes/heartbeat.hpp"

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

std::string seconds_phrase(milliseconds time) { return shortest_text(static_cast<double>(time.count()) / 1e3) + " s"; }

// The name of a pod, for one, is known only some seconds after the pod has begun.
void wait_for_host(const std::string& name, milliseconds patience) {
  constexpr milliseconds kBetweenTries{500};
  const auto deadline = std::chrono::steady_clock::now() + patience;
  for (bool is_told = false;; is_told = true) {
    const auto why = why_not_found(name);
    if (why.empty()) return;
    const auto words =
        "the host of rank 0, '" + name + "', cannot be found from " + host_name() + ": " + why + " (MASTER_ADDR names it)";
    if (std::chrono::steady_clock::now() + kBetweenTries > deadline)
      throw CannotRun(words + "; it was looked for during " + seconds_phrase(patience));
    if (!is_told) std::cerr << words + "; it is looked for during " + seconds_phrase(patience) + "\n" << std::flush;
    std::this_thread::sleep_for(kBetweenTries);
  }
}

// c10d waits without any limit for a server that has taken its connection and says nothing: a thread waits in its place, and ends with the process.
Store open_tcp_store_in_time(const RankInfo& info, milliseconds patience) {
  const auto begin = std::chrono::steady_clock::now();
  wait_for_host(info.main_address, patience);
  const auto passed = std::chrono::duration_cast<milliseconds>(std::chrono::steady_clock::now() - begin);
  patience = std::max(patience - passed, milliseconds(100));
  // c10d tells each try to connect, with a trace of its calls. What is wrong in the end is told anyway; who wants the tries asks for them.
  const auto level = FLAGS_caffe2_log_level;
  if (environment_variable("TORCH_CPP_LOG_LEVEL").empty()) FLAGS_caffe2_log_level = c10::GLOG_FATAL;
  std::packaged_task<Store()> open([info, patience] { return open_tcp_store(info, patience); });
  auto opened = open.get_future();
  std::thread(std::move(open)).detach();
  if (opened.wait_for(patience) == std::future_status::ready) {
    auto store = opened.get();
    FLAGS_caffe2_log_level = level;
    return store;
  }
  throw Error("no store answers at " + info.main_address + ":" + std::to_string(info.main_port) + " within " +
              seconds_phrase(patience) + ": is rank 0 there?");
}

Store open_launch_store(const StoreAddress& address, const RankInfo& info, milliseconds patience) {
  auto server =
      info.rank == 0 ? std::make_shared<StoreServer>(address, address.endpoint ? info.store_listener : std::nullopt) : nullptr;
  return c10::make_intrusive<LaunchStore>(address, std::move(server), patience, patience);
}

bool is_watched() { return !environment_variable(kHeartbeatsVariable).empty(); }

std::string arrival(std::int64_t rank) { return "arrived/" + std::to_string(rank); }

void meet(c10d::Store& store, const RankInfo& info, milliseconds patience) {
  store.set(arrival(info.rank), std::vector<uint8_t>{});
  std::vector<std::string> all;
  for (std::int64_t rank = 0; rank < info.world_size; ++rank) all.push_back(arrival(rank));
  store.wait(all, patience);
}

}  // namespace

// A rank that is alone meets nobody: whatever address it was given may be another's.
c10::intrusive_ptr<c10d::Store> open_store(const RankInfo& info, milliseconds timeout,
                                           std::optional<milliseconds> least_patience) {
  const auto patience = std::max(timeout, least_patience.value_or(is_watched() ? kStartPatience : timeout));
  const auto address = info.world_size == 1 ? std::optional(new_store_address()) : info.store;
  auto store = address ? open_launch_store(*address, info, patience) : open_tcp_store_in_time(info, patience);
  meet(*store, info, patience);
  store->setTimeout(timeout);
  return store;
}

}  // namespace ddpbench
