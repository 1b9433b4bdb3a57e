#include <memory>

#include "harness/measure/collector.hpp"
#include "harness/probe/resident_memory.hpp"

namespace ddpbench {
namespace {

class PeakMemory final : public Collector {
 public:
  double of_rank() const override { return largest_resident_mib(); }
};

class PeakDeviceMemory final : public Collector {
 public:
  explicit PeakDeviceMemory(const Accelerator* accelerator) : accelerator_(accelerator) {}
  double of_rank() const override {
    return accelerator_ == nullptr ? kNotMeasured : static_cast<double>(accelerator_->peak_reserved_bytes()) / kBytesPerMib;
  }

 private:
  const Accelerator* accelerator_;
};

}  // namespace

std::unique_ptr<Collector> make_peak_memory(const CollectorRequest& /*request*/) { return std::make_unique<PeakMemory>(); }

std::unique_ptr<Collector> make_peak_device_memory(const CollectorRequest& request) {
  return std::make_unique<PeakDeviceMemory>(request.accelerator);
}

}  // namespace ddpbench
