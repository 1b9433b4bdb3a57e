#include "harness/ranks/store_control_channel.hpp"

#include <algorithm>
#include <utility>

#include "suite/base/errors.hpp"

namespace ddpbench {
namespace {

// What follows a value's own key in it: what the rank says, or why it left. A value that does not begin so is none of this channel's.
constexpr std::string_view kSays = " says ", kLeft = " left ";

}  // namespace

StoreControlChannel::StoreControlChannel(c10::intrusive_ptr<c10d::Store> store, std::int64_t rank, std::int64_t world_size)
    : store_(std::move(store)), rank_(rank), world_size_(world_size) {}

std::string StoreControlChannel::key(std::int64_t call, std::int64_t rank) const {
  return "agree/" + std::to_string(call) + "/" + std::to_string(rank);
}

void StoreControlChannel::publish(std::int64_t call, std::string_view how, const std::string& payload) {
  const auto name = key(call, rank_);
  const auto value = name + std::string(how) + payload;
  store_->set(name, std::vector<uint8_t>(value.begin(), value.end()));
}

std::string StoreControlChannel::read(std::int64_t rank) {
  const auto name = key(call_, rank), value = store_->get_to_str(name);
  if (value.starts_with(name + std::string(kLeft)))
    throw Error("another rank stopped: " + value.substr(name.size() + kLeft.size()));
  if (value.starts_with(name + std::string(kSays))) return value.substr(name.size() + kSays.size());
  throw Error("what the rendezvous holds for rank " + std::to_string(rank) + " is not of this launch");
}

// Rank 0 waits for everyone in every call, everyone for rank 0: so a key of two calls ago has been read by whoever reads it.
std::string StoreControlChannel::from_rank0(const std::string& mine, const Answer& answer) {
  ++call_;
  std::string said;
  if (rank_ == 0) {
    std::vector<std::string> payloads{mine};
    for (std::int64_t rank = 1; rank < world_size_; ++rank) payloads.push_back(read(rank));
    said = answer(payloads);
    publish(call_, kSays, said);
  } else {
    publish(call_, kSays, mine);
    said = read(0);
  }
  if (call_ > 2) store_->deleteKey(key(call_ - 2, rank_));
  return said;
}

std::vector<std::string> StoreControlChannel::all_gather(const std::string& mine) {
  ++call_;
  publish(call_, kSays, mine);
  std::vector<std::string> payloads;
  for (std::int64_t rank = 0; rank < world_size_; ++rank) payloads.push_back(rank == rank_ ? mine : read(rank));
  if (call_ > 2) store_->deleteKey(key(call_ - 2, rank_));
  return payloads;
}

void StoreControlChannel::abandon(const std::string& reason) noexcept {
  try {
    publish(call_ + 1, kLeft, reason);
  } catch (const std::exception&) {  // the store went with rank 0: its peers know already
  }
}

// A peer may be a call ahead or behind.
std::string StoreControlChannel::why_peer_left() noexcept {
  try {
    for (auto call = std::max<std::int64_t>(call_, 1); call <= call_ + 2; ++call) {
      for (std::int64_t rank = 0; rank < world_size_; ++rank) {
        const auto name = key(call, rank);
        if (rank == rank_ || !store_->check({name})) continue;
        const auto value = store_->get_to_str(name), left = name + std::string(kLeft);
        if (value.starts_with(left)) return value.substr(left.size());
      }
    }
  } catch (const std::exception&) {  // the store went with rank 0
  }
  return "";
}

void StoreControlChannel::leave() {
  const auto done = [](std::int64_t rank) { return "done/" + std::to_string(rank); };
  if (rank_ != 0) return store_->set(done(rank_), std::vector<uint8_t>{});
  for (std::int64_t rank = 1; rank < world_size_; ++rank) store_->get(done(rank));
}

}  // namespace ddpbench
