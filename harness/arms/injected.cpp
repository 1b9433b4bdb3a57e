#include <algorithm>
#include <ctime>
#include <thread>
#include <vector>

#include "harness/arms/arms.hpp"
#include "harness/arms/raw_step.hpp"
#include "harness/probe/main_core.hpp"
#include "harness/probe/run_delays.hpp"
#include "suite/base/median.hpp"
#include "suite/base/numbers.hpp"
#include "suite/base/random.hpp"
#include "suite/base/text.hpp"

namespace ddpbench {
namespace {

// A delay of known length. Spun, it lasts until the thread has *used* that much CPU time, so that a rank that loses its core meanwhile still does
// the same work; slept, until the timer wakes the thread. What it took on each clock is measured in place and is the truth that the analysis
// compares with.
class Delay {
 public:
  explicit Delay(double us, bool is_slept = false) : length_ns_(static_cast<std::int64_t>(us * 1e3)), is_slept_(is_slept) {
    for (auto* kept : {&wall_s_, &thread_cpu_s_, &own_s_}) kept->reserve(kKept);
  }

  // `share`: of the length.
  void run(double share = 1) {
    const Begin begin{delays_.now(), thread_cpu_ns()};
    auto cpu_end_ns = begin.cpu_ns;
    const auto wanted_ns = static_cast<std::int64_t>(share * static_cast<double>(length_ns_));
    if (is_slept_) {
      sleep(wanted_ns);
    } else {
      for (auto left_ns = wanted_ns; left_ns > 0; left_ns = wanted_ns - (cpu_end_ns - begin.cpu_ns)) {
        compute(left_ns);
        cpu_end_ns = thread_cpu_ns();
      }
    }
    if (wall_s_.size() == kKept) return;
    const auto end = delays_.now();
    wall_s_.push_back(seconds(end.wall_ns - begin.at.wall_ns));
    thread_cpu_s_.push_back(seconds(cpu_end_ns - begin.cpu_ns));
    own_s_.push_back(seconds(end.wall_ns - begin.at.wall_ns - (end.delay_ns - begin.at.delay_ns)));
  }

  std::vector<ArmMetric> metrics() const {
    std::vector<ArmMetric> found{{kMetrics.injected_true_wall, median(wall_s_)}};
    if (!is_slept_) found.push_back({kMetrics.injected_true_thread_cpu, median(thread_cpu_s_)});
    if (delays_.reads()) found.push_back({kMetrics.injected_true_own, median(own_s_)});
    return found;
  }

 private:
  static constexpr std::size_t kKept = 100'000;  // 2.4 MB, reserved so that no step allocates; later steps are not needed

  struct Begin {
    Instant at;
    std::int64_t cpu_ns;
  };

  // Reads the wall clock, which is no system call: a hundred of those in a row would cool the caches that the step behind it needs.
  static void compute(std::int64_t ns) {
    for (const auto begin = wall_ns(); wall_ns() - begin < ns;) {
    }
  }

  static void sleep(std::int64_t ns) {
    constexpr std::int64_t kSecond = 1'000'000'000;
    const timespec length{ns / kSecond, ns % kSecond};
    clock_nanosleep(CLOCK_MONOTONIC, 0, &length, nullptr);
  }

  std::int64_t length_ns_;
  bool is_slept_;
  RunDelays delays_ = RunDelays::of_this_thread();
  std::vector<double> wall_s_, thread_cpu_s_, own_s_;
};

// Which steps are delayed, and by how much of the delay. Without a feature every step of every rank is, by all of it: the positive
// control. The others ask whether what a plain comparison of medians would miss or misname is found and named.
class DelayRule {
 public:
  explicit DelayRule(const ArmRequest& request)
      : on_this_rank_(!holds(request.features, "rank0") || request.session.collectives->rank() == 0),
        scatters_(holds(request.features, "scatter")),
        words_(static_cast<std::uint64_t>(request.session.collectives->rank())) {
    const auto every = request.values.find("every");
    if (every != request.values.end()) every_ = parse_number<std::int64_t>(every->second).value_or(1);
  }

  // Of the next step; 0: none.
  double next_share() {
    if (!on_this_rank_ || steps_++ % every_ != 0) return 0;
    constexpr double kUlp = 0x1p-53;
    return scatters_ ? 2 * kUlp * static_cast<double>(words_.next() >> 11U) : 1;  // the mean is the same
  }

 private:
  bool on_this_rank_, scatters_;
  std::int64_t every_ = 1, steps_ = 0;
  SplitMix64 words_;
};

// A positive control: another arm behind a delay.
class Delayed final : public Arm {
 public:
  Delayed(std::unique_ptr<Arm> inner, const ArmRequest& request)
      : inner_(std::move(inner)), delay_(request.injected_us, holds(request.features, "wait")), rule_(request) {}

  at::Tensor step() override {
    if (const double share = rule_.next_share(); share > 0) delay_.run(share);
    return inner_->step();
  }
  Training* own_training() override { return inner_->own_training(); }
  BlockConditions conditions() const override { return inner_->conditions(); }
  void quiesce() override { inner_->quiesce(); }
  std::vector<ArmMetric> metrics() const override { return delay_.metrics(); }
  double interpreted_calls(std::int64_t steps) override { return inner_->interpreted_calls(steps); }

 private:
  std::unique_ptr<Arm> inner_;
  Delay delay_;
  DelayRule rule_;
};

// Raw that leaves work behind: a thread that goes on computing beside the next block, for as long as ten delays.
class InjectedLeftover final : public Arm {
 public:
  explicit InjectedLeftover(const ArmRequest& request) : session_(request.session), us_(kDelays * request.injected_us) {}

  at::Tensor step() override { return raw_step(session_); }
  void quiesce() override {
    thread_ = std::jthread([us = us_] {
      unbind_thread();
      Delay(us).run();
    });
  }

 private:
  static constexpr double kDelays = 10;

  Session& session_;
  double us_;
  std::jthread thread_;
};

// The positive control of the device's clock: raw behind one delay on the device and one as long on the host. A step takes the longer of
// what the host and the device need, so whichever it is, the step becomes longer by the delay: max(h + D, d + D) = max(h, d) + D. Its
// length is read between blocks, on the device's clock: marks within the step would cost host time.
class InjectedOnDevice final : public Arm {
 public:
  InjectedOnDevice(Session& session, double delay_us)
      : session_(session), delay_s_(delay_us / 1e6), spin_(delay_us), clock_(session.accelerator->make_clock()) {
    clock_->reserve(2);
  }

  at::Tensor step() override {
    const auto begin = wall_ns();
    session_.accelerator->delay(delay_s_ * 1e6);
    const double on_host_s = (true_s_.empty() ? delay_s_ : true_s_.back()) - seconds(wall_ns() - begin);
    spin_.run(std::max(0.0, on_host_s) / delay_s_);
    return raw_step(session_);
  }

  // Behind a block, while the device has not slowed down yet.
  void quiesce() override {
    clock_->mark();
    session_.accelerator->delay(delay_s_ * 1e6);
    clock_->mark();
    true_s_.push_back(clock_->read().front());
  }

  std::vector<ArmMetric> metrics() const override { return {{kMetrics.injected_true_device, median(true_s_)}}; }

 private:
  Session& session_;
  double delay_s_;
  Delay spin_;
  std::unique_ptr<DeviceClock> clock_;
  std::vector<double> true_s_;
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
  Delay spin_;
};

}  // namespace

std::unique_ptr<Arm> delay_arm(std::unique_ptr<Arm> inner, const ArmRequest& request) {
  return std::make_unique<Delayed>(std::move(inner), request);
}

std::unique_ptr<Arm> make_injected(const ArmRequest& request) {
  if (holds(request.features, "on_device")) return std::make_unique<InjectedOnDevice>(request.session, request.injected_us);
  if (holds(request.features, "leftover")) return std::make_unique<InjectedLeftover>(request);
  return delay_arm(make_raw_again({request.session, {}}), request);
}

std::unique_ptr<Arm> make_injected_periodic(const ArmRequest& request) {
  return std::make_unique<InjectedPeriodic>(request.session, request.injected_us);
}

}  // namespace ddpbench
