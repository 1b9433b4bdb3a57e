#include <sys/resource.h>

#include <memory>

#include "harness/measure/collector.hpp"

namespace ddpbench {
namespace {

double faults_so_far() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_minflt + usage.ru_majflt);
}

class PageFaults final : public PerStepCollector {
 public:
  using PerStepCollector::PerStepCollector;
  void before_timed_steps(std::size_t /*arm*/) override { before_ = faults_so_far(); }
  void after_timed_steps(std::size_t arm) override { add_block(arm, faults_so_far() - before_); }

 private:
  double before_ = 0;
};

}  // namespace

std::unique_ptr<Collector> make_page_faults(const CollectorRequest& request) { return std::make_unique<PageFaults>(request); }

}  // namespace ddpbench
