#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "harness/arms/step_features.hpp"
#include "harness/launch/launch_training.hpp"
#include "harness/measure/blocks/block_order.hpp"
#include "harness/measure/process/stop_signal.hpp"
#include "harness/purposes/rank_purposes.hpp"
#include "suite/base/errors.hpp"
#include "suite/contract/field_text.hpp"
#include "suite/contract/launch/resume_step.hpp"
#include "suite/contract/launch/samples_per_step.hpp"
#include "suite/contract/status.hpp"
#include "suite/contract/tables/training_metric.hpp"

namespace ddpbench {
namespace {

// Metrics of a validation are sums in another order in a framework than by hand.
constexpr double kMetricTolerance = 1e-4;

// A training that has diverged has done so in both.
bool is_near(double a, double b) {
  if (!std::isfinite(a) || !std::isfinite(b)) return std::isfinite(a) == std::isfinite(b);
  return std::fabs(a - b) <= kMetricTolerance * std::max(std::fabs(a), std::fabs(b));
}

std::string unequal(const std::string& what, double mine, double must, const std::string& reference) {
  return what + " is " + field_text(mine) + " where " + reference + " has " + field_text(must);
}

// Says in what an epoch's end differs from the reference's; "" where it does not.
std::string difference(const EpochEnd& mine, const EpochEnd& must, const ArmFacts& arm) {
  if (arm.equality == Equality::kBits && mine.digest != must.digest) {
    const auto losses = mine.loss == must.loss ? "" : ": " + unequal("the loss", mine.loss, must.loss, arm.reference);
    return "the parameters differ from those of " + arm.reference + losses;
  }
  if (!is_near(mine.loss, must.loss)) return unequal("the loss", mine.loss, must.loss, arm.reference);
  if (!is_near(mine.validation_loss, must.validation_loss))
    return unequal("the validation loss", mine.validation_loss, must.validation_loss, arm.reference);
  if (!is_near(mine.validation_accuracy, must.validation_accuracy))
    return unequal("the validation accuracy", mine.validation_accuracy, must.validation_accuracy, arm.reference);
  return "";
}

// Trains the launch's arms whole, in turn, each from the launch's weights on the same batches.
class TrainingPurpose final : public RankPurpose {
 public:
  explicit TrainingPurpose(RankLaunch& launch) : launch_(launch), training_(launch) {}

  void run(Outcome& outcome) override {
    arms_ = training_.meet(outcome);
    warm_up();
    for (std::int64_t round = 1; round <= launch_.spec.protocol.trainings && outcome.status != status::kWrongResult; ++round)
      train_all(round, outcome);
    launch_.writer.flush();
    training_.end();
  }

 private:
  // The first training of a process pays for what is loaded and made once.
  void warm_up() {
    launch_.progress.say("warmup", 0, 0);
    TrainingPlan brief;
    brief.is_warm_up = true;
    brief.epochs = 2;  // so that what stands between epochs is met, too
    brief.steps = 2;
    brief.validation_batches = 1;
    for (const auto& arm : arms_) {
      const auto plan = plan_of(arm);
      brief.resume_step = plan.resume_step == 0 ? 0 : plan.resume_step % plan.steps == 0 ? brief.steps : 1;
      train(arm, brief);
    }
  }

  void train_all(std::int64_t round, Outcome& outcome) {
    std::map<std::string, TrainingResult> results;
    for (const auto place : block_order(arms_, launch_.spec.seed, round)) {
      const auto& arm = arms_[static_cast<std::size_t>(place)];
      if (results.contains(arm.name)) continue;  // an order of blocks has the reference beside every few arms
      launch_.progress.say("training", 0, 0);
      stop_if_requested();
      results[arm.name] = train(arm, plan_of(arm));
      require_equal_replicas(results[arm.name], arm);
      add_metrics(round, arm, results[arm.name]);
    }
    for (const auto& arm : arms_) require_equal_work(arm, results, outcome);
  }

  TrainingResult train(const ArmFacts& arm, const TrainingPlan& plan) {
    auto& session = training_.session();
    session.batches.seek(0);
    TrainingResult result;
    try {
      run_under_options(session, arm.feature_values(), [&] {
        result = launch_.runtime.train({arm, session, launch_.spec, training_.recipe()}, plan);
      });
    } catch (const Error&) {
      stop_if_requested();  // an arm raises where it is asked to stop
      throw;
    }
    return result;
  }

  TrainingPlan plan_of(const ArmFacts& arm) {
    const auto& protocol = launch_.spec.protocol;
    const auto batches = samples_per_update(arm) / (launch_.spec.batch_size_per_rank * launch_.info.world_size);
    const auto all = std::max<std::int64_t>(1, training_.session().batches.batches_per_epoch() / batches);
    TrainingPlan plan;
    plan.epochs = protocol.epochs;
    plan.steps = protocol.epoch_steps > 0 ? std::min(protocol.epoch_steps, all) : all;
    plan.validation_batches = protocol.validation_batches;
    plan.patience = protocol.patience;
    plan.resume_step = resume_step(arm, plan.epochs, plan.steps);
    plan.injected_s = arm.role == ArmRole::kPositiveControl ? protocol.injected_us * 1e-6 : 0;
    return plan;
  }

  void require_equal_replicas(const TrainingResult& result, const ArmFacts& arm) {
    std::string mine;
    for (const auto& epoch : result.epochs) mine += epoch.digest + " ";
    const auto all = launch_.group().control_channel().all_gather(mine);
    for (std::size_t rank = 1; rank < all.size(); ++rank) {
      if (all[rank] != all.front())
        throw Error("arm '" + arm.name + "': rank " + std::to_string(rank) + " has trained other parameters than rank 0");
    }
  }

  // Of all ranks.
  std::int64_t samples_per_update(const ArmFacts& arm) const {
    const auto& spec = launch_.spec;
    return arm.micro_batches * samples_per_step(spec, spec.options[OptionGroup::kStrategy]);
  }

  void add_metrics(std::int64_t round, const ArmFacts& arm, const TrainingResult& result) {
    const auto add = [&](const Metric& metric, std::int64_t epoch, const std::string& what, double value) {
      const auto name = training_metric(metric, {round, epoch, what});
      launch_.add_metric({name, metric.unit, metric.help}, value, arm.name);
    };
    for (const auto& part : result.parts) {
      const bool is_call = !part.call.empty();
      add(is_call ? kMetrics.training_call : kMetrics.training_part, part.epoch,
          is_call ? part.part + "." + part.call : part.part, part.seconds);
    }
    const auto samples = static_cast<double>(plan_of(arm).steps * samples_per_update(arm));
    for (std::size_t i = 0; i < result.epochs.size(); ++i) {
      const auto epoch = static_cast<std::int64_t>(i) + 1;
      add(kMetrics.training_value, epoch, "samples", samples);
      add(kMetrics.training_value, epoch, "loss", result.epochs[i].loss);
      add(kMetrics.training_value, epoch, "validation_loss", result.epochs[i].validation_loss);
      add(kMetrics.training_value, epoch, "validation_accuracy", result.epochs[i].validation_accuracy);
    }
    add(kMetrics.training_value, static_cast<std::int64_t>(result.epochs.size()), "test_accuracy", result.test_accuracy);
  }

  static void require_equal_work(const ArmFacts& arm, const std::map<std::string, TrainingResult>& results, Outcome& outcome) {
    const auto reference = results.find(arm.reference);
    if (reference == results.end() || outcome.status == status::kWrongResult) return;
    const auto& mine = results.at(arm.name).epochs;
    const auto& must = reference->second.epochs;
    std::string why = mine.size() == must.size() ? "" : "it ended after another epoch than " + arm.reference;
    for (std::size_t i = 0; i < mine.size() && why.empty(); ++i) {
      why = difference(mine[i], must[i], arm);
      if (!why.empty()) why = "after epoch " + std::to_string(i + 1) + " " + why;
    }
    if (why.empty()) return;
    outcome.arms[arm.name] = {status::kWrongResult, why};
    outcome.status = status::kWrongResult;
    outcome.reason = "arm '" + arm.name + "': " + why;
  }

  RankLaunch& launch_;
  LaunchTraining training_;
  std::vector<ArmFacts> arms_;
};

}  // namespace

std::unique_ptr<RankPurpose> make_training_purpose(RankLaunch& launch) { return std::make_unique<TrainingPurpose>(launch); }

}  // namespace ddpbench
