#include "harness/ranks/launch_store.hpp"

#include <c10/util/Exception.h>

#include <utility>

namespace ddpbench {
namespace {

using Bytes = std::vector<uint8_t>;

std::string text_of(const Bytes& bytes) { return {bytes.begin(), bytes.end()}; }
Bytes bytes_of(const std::string& text) { return {text.begin(), text.end()}; }

Words with_keys(const char* verb, const std::vector<std::string>& keys) {
  Words request{verb};
  request.insert(request.end(), keys.begin(), keys.end());
  return request;
}

// "get measured/0/1"
std::string described(const Words& request) { return request.size() < 2 ? request.front() : request.front() + " " + request[1]; }

}  // namespace

LaunchStore::LaunchStore(StoreAddress address, std::shared_ptr<StoreServer> server, std::chrono::milliseconds patience,
                         std::chrono::milliseconds timeout)
    : CloneableStore(timeout), address_(std::move(address)), server_(std::move(server)), connection_(address_, patience) {}

// A connection of its own: a thread that waits on it holds up nobody.
c10::intrusive_ptr<c10d::Store> LaunchStore::clone() {
  return c10::make_intrusive<LaunchStore>(address_, server_, timeout_, timeout_);
}

void LaunchStore::set(const std::string& key, const Bytes& value) { ask({store_verb::kSet, key, text_of(value)}); }

Bytes LaunchStore::compareSet(const std::string& key, const Bytes& expected, const Bytes& desired) {
  return bytes_of(ask({store_verb::kCompareSet, key, text_of(expected), text_of(desired)}).at(0));
}

Bytes LaunchStore::get(const std::string& key) { return bytes_of(ask({store_verb::kGet, key}).at(0)); }

int64_t LaunchStore::add(const std::string& key, int64_t value) {
  return std::stoll(ask({store_verb::kAdd, key, std::to_string(value)}).at(0));
}

bool LaunchStore::deleteKey(const std::string& key) { return ask({store_verb::kDelete, key}).at(0) == "1"; }
bool LaunchStore::check(const std::vector<std::string>& keys) { return ask(with_keys(store_verb::kCheck, keys)).at(0) == "1"; }
int64_t LaunchStore::getNumKeys() { return std::stoll(ask({store_verb::kCount}).at(0)); }

void LaunchStore::wait(const std::vector<std::string>& keys) { wait(keys, timeout_); }

// c10d writes "for ever" as 0: nobody waits for ever here.
void LaunchStore::wait(const std::vector<std::string>& keys, const std::chrono::milliseconds& timeout) {
  ask_within(with_keys(store_verb::kWait, keys), timeout == kNoTimeout ? timeout_ : timeout);
}

Words LaunchStore::ask(const Words& request) { return ask_within(request, timeout_); }

Words LaunchStore::ask_within(const Words& request, std::chrono::milliseconds timeout) {
  try {
    return connection_.ask(request, timeout);
  } catch (const StoreTimeout& error) {
    C10_THROW_ERROR(DistStoreError, std::string(error.what()) + " within " + std::to_string(timeout.count()) + " ms (" +
                                        described(request) + ")");
  } catch (const Error& error) {
    C10_THROW_ERROR(DistNetworkError, error.what());
  }
}

}  // namespace ddpbench
