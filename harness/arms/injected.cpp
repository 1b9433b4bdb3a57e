#include <vector>

#include "harness/arms/arms.hpp"
#include "harness/arms/raw_step.hpp"
#include "suite/base/median.hpp"

namespace ddpbench {
namespace {

// A delay of known length. It lasts until the thread has *used* that much CPU time, so that a rank that loses its core meanwhile still does
// the same work; what it took on either clock is measured in place and is the truth that the analysis compares with.
class Spin {
 public:
  explicit Spin(double us) : length_ns_(static_cast<std::int64_t>(us * 1e3)) {
    wall_s_.reserve(kKept);
    thread_cpu_s_.reserve(kKept);
  }

  void run() {
    const auto wall_begin = wall_ns();
    const auto cpu_begin = thread_cpu_ns();
    auto cpu_end = cpu_begin;
    for (auto left_ns = length_ns_; left_ns > 0; left_ns = length_ns_ - (cpu_end - cpu_begin)) {
      compute(left_ns);
      cpu_end = thread_cpu_ns();
    }
    if (wall_s_.size() == kKept) return;
    wall_s_.push_back(seconds(wall_ns() - wall_begin));
    thread_cpu_s_.push_back(seconds(cpu_end - cpu_begin));
  }

  std::vector<ArmMetric> metrics() const {
    return {{kMetrics.injected_true_wall, median(wall_s_)}, {kMetrics.injected_true_thread_cpu, median(thread_cpu_s_)}};
  }

 private:
  static constexpr std::size_t kKept = 100'000;  // 1.6 MB, reserved so that no step allocates; later steps are not needed

  // Reads the wall clock, which is no system call: a hundred of those in a row would cool the caches that the step behind it needs.
  static void compute(std::int64_t ns) {
    for (const auto begin = wall_ns(); wall_ns() - begin < ns;) {
    }
  }

  std::int64_t length_ns_;
  std::vector<double> wall_s_, thread_cpu_s_;
};

// The positive control: raw behind a delay in every step.
class Injected final : public Arm {
 public:
  Injected(Session& session, double delay_us) : session_(session), spin_(delay_us) {}

  at::Tensor step() override {
    spin_.run();
    return raw_step(session_);
  }
  std::vector<ArmMetric> metrics() const override { return spin_.metrics(); }

 private:
  Session& session_;
  Spin spin_;
};

// The positive control of the device's clock: raw behind a delay on the device, whose length its own clock tells in place.
class InjectedOnDevice final : public Arm {
 public:
  InjectedOnDevice(Session& session, double delay_us)
      : session_(session), delay_us_(delay_us), clock_(session.accelerator->make_clock()) {
    clock_->reserve(kMostMarks);
  }

  at::Tensor step() override {
    const bool is_marked = marks_ + 2 <= kMostMarks;
    if (is_marked) clock_->mark();
    session_.accelerator->delay(delay_us_);
    if (is_marked) clock_->mark();
    if (is_marked) marks_ += 2;
    return raw_step(session_);
  }

  void quiesce() override {
    const auto& between = clock_->read();
    for (std::size_t i = 0; i < between.size(); i += 2) device_s_.push_back(between[i]);  // the others are steps
    marks_ = 0;
  }

  std::vector<ArmMetric> metrics() const override { return {{kMetrics.injected_true_device, median(device_s_)}}; }

 private:
  static constexpr std::size_t kMostMarks = 128;  // between two readings; later steps of a block are delayed and not timed

  Session& session_;
  double delay_us_;
  std::unique_ptr<DeviceClock> clock_;
  std::size_t marks_ = 0;
  std::vector<double> device_s_;
};

// The positive control of periodic work: raw with the delay behind every 50th step.
class InjectedPeriodic final : public Arm {
 public:
  InjectedPeriodic(Session& session, double delay_us) : session_(session), spin_(delay_us) {}

  at::Tensor step() override { return raw_step(session_); }
  std::vector<PeriodicWork> periodic_work() override {
    return {{"spin", kEvery, [this] { spin_.run(); }}};
  }
  std::vector<ArmMetric> metrics() const override { return spin_.metrics(); }

 private:
  static constexpr std::int64_t kEvery = 50;

  Session& session_;
  Spin spin_;
};

}  // namespace

std::unique_ptr<Arm> make_injected(const ArmRequest& request) {
  if (request.features.empty()) return std::make_unique<Injected>(request.session, request.injected_us);
  return std::make_unique<InjectedOnDevice>(request.session, request.injected_us);
}

std::unique_ptr<Arm> make_injected_periodic(const ArmRequest& request) {
  return std::make_unique<InjectedPeriodic>(request.session, request.injected_us);
}

}  // namespace ddpbench
