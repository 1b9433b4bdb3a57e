#pragma once
#include <chrono>
#include <memory>
#include <string>
#include <torch/csrc/distributed/c10d/Store.hpp>
#include <vector>

#include "harness/ranks/store_connection.hpp"
#include "harness/ranks/store_server.hpp"

namespace ddpbench {

// Declares clone() where LibTorch's stores have none: they can be cloned since 2.8.
class CloneableStore : public c10d::Store {
 public:
  using c10d::Store::Store;
  virtual c10::intrusive_ptr<c10d::Store> clone() = 0;  // NOLINT(modernize-use-override)
};

// Is the rendezvous store of ranks that are all on one machine; c10d's own (TCPStore) would ask nobody who they are.
class LaunchStore final : public CloneableStore {
 public:
  // Waits until the store is served, for `patience` at most; `timeout`: of one question. Errors are c10's, as c10d's backends
  // expect them: DistStoreError where a value does not come in time, DistNetworkError where the store has gone.
  LaunchStore(StoreAddress address, std::shared_ptr<StoreServer> server, std::chrono::milliseconds patience,
              std::chrono::milliseconds timeout);

  c10::intrusive_ptr<c10d::Store> clone() override;
  using c10d::Store::set;
  void set(const std::string& key, const std::vector<uint8_t>& value) override;
  using c10d::Store::compareSet;
  std::vector<uint8_t> compareSet(const std::string& key, const std::vector<uint8_t>& expected,
                                  const std::vector<uint8_t>& desired) override;
  std::vector<uint8_t> get(const std::string& key) override;
  int64_t add(const std::string& key, int64_t value) override;
  bool deleteKey(const std::string& key) override;
  bool check(const std::vector<std::string>& keys) override;
  int64_t getNumKeys() override;
  void wait(const std::vector<std::string>& keys) override;
  void wait(const std::vector<std::string>& keys, const std::chrono::milliseconds& timeout) override;

 private:
  Words ask(const Words& request);
  Words ask_within(const Words& request, std::chrono::milliseconds timeout);

  StoreAddress address_;
  std::shared_ptr<StoreServer> server_;  // on rank 0
  StoreConnection connection_;
};

}  // namespace ddpbench
