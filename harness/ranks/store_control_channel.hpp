#pragma once
#include <string_view>
#include <torch/csrc/distributed/c10d/Store.hpp>

#include "harness/api/control_channel.hpp"

namespace ddpbench {

// Implements ControlChannel over the rendezvous store. Keys carry a call number; a rank removes its own key of two calls ago,
// which every rank has read (it could not have made its next call otherwise), so the store does not grow. A value repeats its
// key: one that does not is refused.
class StoreControlChannel final : public ControlChannel {
 public:
  StoreControlChannel(c10::intrusive_ptr<c10d::Store> store, std::int64_t rank, std::int64_t world_size);
  std::string from_rank0(const std::string& mine, const Answer& answer) override;
  std::vector<std::string> all_gather(const std::string& mine) override;
  void abandon(const std::string& reason) noexcept override;
  std::string why_peer_left() noexcept override;
  void leave() override;

 private:
  std::string key(std::int64_t call, std::int64_t rank) const;
  void publish(std::int64_t call, std::string_view how, const std::string& payload);
  std::string read(std::int64_t rank);

  c10::intrusive_ptr<c10d::Store> store_;
  std::int64_t rank_, world_size_;
  std::int64_t call_ = 0;
};

}  // namespace ddpbench
