#include <memory>

#include "harness/measure/collector.hpp"

namespace ddpbench {
namespace {

class DiscardedSuperBlocks final : public Collector {
 public:
  void after_super_block(bool update_left_out) override { count_ += update_left_out ? 1 : 0; }
  double of_rank() const override { return count_; }

 private:
  double count_ = 0;
};

}  // namespace

std::unique_ptr<Collector> make_discarded_super_blocks(const CollectorRequest& /*request*/) {
  return std::make_unique<DiscardedSuperBlocks>();
}

}  // namespace ddpbench
