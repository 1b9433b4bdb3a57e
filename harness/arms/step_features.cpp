#include "harness/arms/step_features.hpp"

#include <array>
#include <utility>

#include "suite/base/numbers.hpp"

namespace ddpbench {
namespace {

// Gives the session an arm's own options while it lives.
class OptionsScope {
 public:
  OptionsScope(Session& session, const StepOptions& own) : session_(session), kept_(std::exchange(session.options, own)) {}
  ~OptionsScope() { session_.options = kept_; }
  OptionsScope(const OptionsScope&) = delete;
  OptionsScope& operator=(const OptionsScope&) = delete;

 private:
  Session& session_;
  StepOptions kept_;
};

// Runs an arm with step options of its own. Its reference runs with the same ones, at the same cost.
class ArmWithStepOptions final : public Arm {
 public:
  ArmWithStepOptions(std::unique_ptr<Arm> inner, Session& session, const StepOptions& own)
      : inner_(std::move(inner)), session_(session), own_(own) {}

  at::Tensor step() override {
    const OptionsScope scope(session_, own_);
    return inner_->step();
  }
  std::vector<PeriodicWork> periodic_work() override {
    auto works = inner_->periodic_work();
    for (auto& work : works) {
      work.run = [this, run = std::move(work.run)] {
        const OptionsScope scope(session_, own_);
        run();
      };
    }
    return works;
  }
  void run_whole_trainings() override {
    const OptionsScope scope(session_, own_);
    inner_->run_whole_trainings();
  }
  double interpreted_calls(std::int64_t steps) override {
    const OptionsScope scope(session_, own_);
    return inner_->interpreted_calls(steps);
  }
  Training* own_training() override { return inner_->own_training(); }
  BlockConditions conditions() const override { return inner_->conditions(); }
  void quiesce() override { inner_->quiesce(); }
  std::vector<ArmMetric> metrics() const override { return inner_->metrics(); }

 private:
  std::unique_ptr<Arm> inner_;
  Session& session_;
  StepOptions own_;
};

}  // namespace

std::span<const StepFeature> step_features() {
  static const std::array table{
      StepFeature{
          {.name = "clip",
           .help = "gradients clipped to this total 2-norm; compared with a loop by hand that clips too",
           .excludes_cells = {{{{"clip_norm", "!0"}}, "the cell's clip_norm clips the gradients of all arms"}},
           .value =
               OptionEntry{.name = "clip", .type = OptionType::kNumber, .default_value = "1", .minimum = 1e-30, .maximum = 1e30},
           .changes_work = true},
          [](StepOptions& options, double value) { options.clip_norm = value; }},
      StepFeature{
          {.name = "accumulate",
           .help = "accumulate=4: gradients of four micro-batches in one step; compared with a loop by hand that does so too",
           .excludes_cells = {{{{"accumulate", "!1"}}, "the cell's accumulate holds for all arms"},
                              {{{"static_graph", "true"}}, "the first backward of a static graph must be synchronised"}},
           .value = OptionEntry{.name = "accumulate",
                                .type = OptionType::kInteger,
                                .default_value = "",  // the number is the point
                                .minimum = 2,
                                .maximum = 1e6,
                                .help = "micro-batches of a step"},
           .changes_work = true},
          [](StepOptions& options, double value) { options.accumulate = static_cast<std::int64_t>(value); }},
  };
  return table;
}

std::optional<StepOptions> own_step_options(const Session& session, const std::map<std::string, std::string>& values) {
  std::optional<StepOptions> own;
  for (const auto& feature : step_features()) {
    const auto found = values.find(feature.name);
    if (found == values.end()) continue;
    if (!own) own = session.options;
    feature.set(*own, parse_finite<double>(found->second).value());
  }
  return own;
}

void run_under_options(Session& session, const std::map<std::string, std::string>& values, const std::function<void()>& body) {
  const OptionsScope scope(session, own_step_options(session, values).value_or(session.options));
  body();
}

std::unique_ptr<Arm> make_under_options(Session& session, const std::map<std::string, std::string>& values,
                                        const std::function<std::unique_ptr<Arm>()>& make) {
  const auto own = own_step_options(session, values);
  if (!own) return make();
  const OptionsScope scope(session, *own);
  return std::make_unique<ArmWithStepOptions>(make(), session, *own);
}

}  // namespace ddpbench
