#pragma once
#include <utility>

#include "harness/api/collective_runner.hpp"
#include "harness/api/torch.hpp"

namespace ddpbench {

// Holds the buffers of one collective, and checks what stands in them behind it. All ranks fill in whole numbers, which float32
// adds without rounding (up to a thousand ranks): rank r's are r + 1 times a pattern.
class CollectiveMessage {
 public:
  // Takes `bytes` as in CollectiveCase, less what the ranks cannot share out evenly.
  CollectiveMessage(Collective kind, std::int64_t bytes, std::int64_t rank, std::int64_t world_size, at::Device device);

  bool is_too_small() const { return elements_ == 0 && kind_ != Collective::kBarrier; }
  std::int64_t bytes() const { return elements_ * kCollectiveElementBytes; }
  CollectiveBuffers& buffers() { return buffers_; }
  // Sends and receives in this memory, of bytes(); called before the first fill().
  void use(at::Tensor memory) { buffers_.input = std::move(memory); }
  void fill();
  void clear();                         // zeros
  std::int64_t wrong_elements() const;  // counts the elements behind the collective that are not what they should be

 private:
  void make_buffers();
  at::Tensor pattern(std::int64_t begin, std::int64_t length) const;
  at::Tensor expected() const;
  at::Tensor of_each_rank(std::int64_t begin) const;  // that part of the pattern, by each rank's factor, one behind the other

  Collective kind_;
  std::int64_t elements_ = 0, part_ = 0, rank_, world_size_;  // part_: of a rank
  at::TensorOptions options_;
  CollectiveBuffers buffers_;
};

}  // namespace ddpbench
