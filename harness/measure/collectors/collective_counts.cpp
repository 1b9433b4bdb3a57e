#include <memory>

#include "harness/measure/collector.hpp"

namespace ddpbench {
namespace {

double one(const CollectiveRecord& /*record*/) { return 1; }
double bytes(const CollectiveRecord& record) { return static_cast<double>(record.bytes); }

// The sum of something over the collectives of a step.
class OfCollectives final : public PerStepCollector {
 public:
  using Value = double (*)(const CollectiveRecord& record);
  OfCollectives(const CollectorRequest& request, Value value) : PerStepCollector(request), value_(value) {}

  void after_block(std::size_t arm, std::span<const CollectiveRecord> timed) override {
    double sum = 0;
    for (const auto& record : timed) sum += value_(record);
    add_block(arm, sum);
  }

 private:
  Value value_;
};

}  // namespace

std::unique_ptr<Collector> make_collective_count(const CollectorRequest& request) {
  return std::make_unique<OfCollectives>(request, one);
}

std::unique_ptr<Collector> make_collective_bytes(const CollectorRequest& request) {
  return std::make_unique<OfCollectives>(request, bytes);
}

}  // namespace ddpbench
