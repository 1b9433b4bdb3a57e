#include <memory>

#include "harness/measure/collector.hpp"
#include "harness/probe/resident_memory.hpp"
#include "suite/base/memory_peak.hpp"
#include "suite/base/node_memory.hpp"

namespace ddpbench {
namespace {

double node_memory_mib() {
  const auto bytes = node_memory_bytes();
  return bytes > 0 ? mib_of(bytes) : kNotMeasured;
}

// What the system says of the rank's process, or of its node.
class HostMemory final : public Collector {
 public:
  explicit HostMemory(double (*mib)()) : mib_(mib) {}
  double of_rank() const override { return mib_(); }

 private:
  double (*mib_)();
};

// What the device says; on the CPU nothing.
class DeviceMemory final : public Collector {
 public:
  using Bytes = std::int64_t (Accelerator::*)() const;
  DeviceMemory(const Accelerator* accelerator, Bytes bytes) : accelerator_(accelerator), bytes_(bytes) {}
  double of_rank() const override { return accelerator_ == nullptr ? kNotMeasured : mib_of((accelerator_->*bytes_)()); }

 private:
  const Accelerator* accelerator_;
  Bytes bytes_;
};

}  // namespace

std::unique_ptr<Collector> make_peak_memory(const CollectorRequest& /*request*/) {
  return std::make_unique<HostMemory>(largest_resident_mib);
}

std::unique_ptr<Collector> make_node_memory(const CollectorRequest& /*request*/) {
  return std::make_unique<HostMemory>(node_memory_mib);
}

std::unique_ptr<Collector> make_peak_device_memory(const CollectorRequest& request) {
  return std::make_unique<DeviceMemory>(request.accelerator, &Accelerator::peak_reserved_bytes);
}

std::unique_ptr<Collector> make_device_memory(const CollectorRequest& request) {
  return std::make_unique<DeviceMemory>(request.accelerator, &Accelerator::usable_bytes);
}

}  // namespace ddpbench
