#include <memory>

#include "harness/measure/collector.hpp"
#include "harness/probe/resident_memory.hpp"
#include "suite/base/node_memory.hpp"

namespace ddpbench {
namespace {

class NodeMemory final : public Collector {
 public:
  double of_rank() const override {
    const auto bytes = node_memory_bytes();
    return bytes > 0 ? static_cast<double>(bytes) / kBytesPerMib : kNotMeasured;
  }
};

class DeviceMemory final : public Collector {
 public:
  explicit DeviceMemory(const Accelerator* accelerator) : accelerator_(accelerator) {}
  double of_rank() const override {
    return accelerator_ == nullptr ? kNotMeasured : static_cast<double>(accelerator_->usable_bytes()) / kBytesPerMib;
  }

 private:
  const Accelerator* accelerator_;
};

}  // namespace

std::unique_ptr<Collector> make_node_memory(const CollectorRequest& /*request*/) { return std::make_unique<NodeMemory>(); }

std::unique_ptr<Collector> make_device_memory(const CollectorRequest& request) {
  return std::make_unique<DeviceMemory>(request.accelerator);
}

}  // namespace ddpbench
