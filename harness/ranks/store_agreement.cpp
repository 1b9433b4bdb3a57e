#include "harness/ranks/store_agreement.hpp"

#include <utility>

#include "suite/base/errors.hpp"

namespace ddpbench {
namespace {

constexpr char kAbandoned = '\x01';  // first byte of the payload of a rank that left

}  // namespace

StoreAgreement::StoreAgreement(c10::intrusive_ptr<c10d::Store> store, std::int64_t rank, std::int64_t world_size)
    : store_(std::move(store)), rank_(rank), world_size_(world_size) {}

std::string StoreAgreement::key(std::int64_t call, std::int64_t rank) const {
  return "agree/" + std::to_string(call) + "/" + std::to_string(rank);
}

void StoreAgreement::publish(const std::string& name, const std::string& payload) {
  store_->set(name, std::vector<uint8_t>(payload.begin(), payload.end()));
}

std::string StoreAgreement::read(std::int64_t rank) {
  const auto bytes = store_->get(key(call_, rank));
  std::string payload(bytes.begin(), bytes.end());
  if (!payload.empty() && payload.front() == kAbandoned) throw Error("a peer left: " + payload.substr(1));
  return payload;
}

// Rank 0 waits for everyone in every call, everyone for rank 0: so a key of two calls ago has been read by whoever reads it.
std::string StoreAgreement::from_rank0(const std::string& mine, const Answer& answer) {
  ++call_;
  std::string said;
  if (rank_ == 0) {
    std::vector<std::string> payloads{mine};
    for (std::int64_t rank = 1; rank < world_size_; ++rank) payloads.push_back(read(rank));
    said = answer(payloads);
    publish(key(call_, rank_), said);
  } else {
    publish(key(call_, rank_), mine);
    said = read(0);
  }
  if (call_ > 2) store_->deleteKey(key(call_ - 2, rank_));
  return said;
}

std::vector<std::string> StoreAgreement::all_gather(const std::string& mine) {
  ++call_;
  publish(key(call_, rank_), mine);
  std::vector<std::string> payloads;
  for (std::int64_t rank = 0; rank < world_size_; ++rank) payloads.push_back(rank == rank_ ? mine : read(rank));
  if (call_ > 2) store_->deleteKey(key(call_ - 2, rank_));
  return payloads;
}

void StoreAgreement::abandon(const std::string& reason) noexcept {
  try {
    publish(key(call_ + 1, rank_), kAbandoned + reason);
  } catch (const std::exception&) {  // the store went with rank 0: its peers know already
  }
}

void StoreAgreement::leave() {
  if (rank_ != 0) return publish("left/" + std::to_string(rank_), "");
  for (std::int64_t rank = 1; rank < world_size_; ++rank) store_->get("left/" + std::to_string(rank));
}

}  // namespace ddpbench
