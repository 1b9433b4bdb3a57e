#include "reports/analysis/prediction.hpp"

#include <algorithm>
#include <cmath>

#include "reports/analysis/findings/sizes/predictions.hpp"
#include "reports/analysis/findings/sizes/scaling.hpp"
#include "reports/analysis/findings/sizes/training_cost.hpp"
#include "reports/analysis/phrases/number_phrases.hpp"
#include "reports/analysis/phrases/prediction_phrases.hpp"
#include "suite/base/aligned_columns.hpp"
#include "suite/base/text.hpp"
#include "suite/contract/launch/samples_per_step.hpp"
#include "suite/contract/vocabulary/registry.hpp"

namespace ddpbench {
namespace {

using Cells = std::vector<std::string>;

// 1332102 as 1330000: what is beyond the digits that count is not known.
double rounded(double value) {
  constexpr double kDigits = 3;
  const double unit = std::pow(10, std::floor(std::log10(value)) - kDigits + 1);
  return unit > 1 ? std::round(value / unit) * unit : value;
}

std::string with_bounds(const Estimate& estimate) {
  const auto text = [](double value) { return number_text(rounded(value)); };
  return text(estimate.value) + " [" + text(estimate.lo) + ", " + text(estimate.hi) + "]";
}

// Of one group: a line for each size.
class GroupText {
 public:
  GroupText(const SizeGroup& group, const PredictionRequest& request)
      : group_(group), request_(request), model_(model_of(group, group.points)), has_gpus_(group.on_gpus) {}

  std::string text() {
    std::vector<Cells> lines{head()};
    std::string notes;
    for (const auto world_size : request_.world_sizes) {
      std::string why_not;
      const auto size = group_.size_of(world_size, request_.ranks_per_node, why_not);
      if (why_not.empty()) why_not = model_.why_not(size);
      if (why_not.empty()) {
        lines.push_back(line_of(size));
      } else {
        notes += "  " + std::to_string(world_size) + " ranks: not predicted: " + why_not + "\n";
      }
    }
    predicted_ = lines.size() - 1;
    return title() + (predicted_ > 0 ? aligned_columns(lines, "  ") + notes + batch_phrase() : notes);
  }

  std::size_t predicted() const { return predicted_; }  // sizes, once there is a text

 private:
  std::string title() const {
    Cells sizes;
    for (const auto* one : group_.rows) sizes.push_back(std::to_string(one->world_size));
    return group_phrase(*group_.smallest) + ", from " + join(sizes, ", ") + " ranks:\n";
  }

  Cells head() const {
    const std::string device = has_gpus_ ? "GPU" : "rank";
    Cells cells{"ranks", "nodes", "step (ms)", "samples/s", "efficiency (%)", "hours of 90 epochs", device + "-hours"};
    if (has_price()) cells.push_back(request_.price_unit);
    if (std::isfinite(group_.points.front().mean_useful_s)) cells.emplace_back("compute + skew + exposed (ms)");
    return cells;
  }

  bool has_price() const { return has_gpus_ && request_.price_per_gpu_hour > 0; }

  Cells line_of(const TrainingSize& size) const {
    auto predicted = model_.at(size);
    auto& step_s = predicted.step_s;
    const auto& row = *group_.smallest;
    auto axes = row.axes();
    axes.nodes = 1;
    axes.ranks_per_node = size.world_size;
    axes.batch_size_per_rank = size.batch_size_per_rank;
    const auto samples = static_cast<double>(group_.micro_batches * samples_per_step(axes, row.options));
    const double sizes = static_cast<double>(size.world_size) / static_cast<double>(row.world_size);
    // No more than the smallest size gives without any loss: that is the shortest step there can be, unless the model itself says a shorter one.
    step_s.lo = std::min(step_s.value, std::max(step_s.lo, samples / (row.samples_per_s.value * sizes)));
    const Estimate rate{samples / step_s.value, samples / step_s.hi, samples / step_s.lo};
    const auto hours = mapped(step_s, [&](double seconds) { return training_hours(group_.epoch_samples, samples / seconds); });
    const auto devices = static_cast<double>(size.world_size);
    Cells cells{std::to_string(size.world_size),
                std::to_string(size.nodes),
                with_bounds(mapped(step_s, [](double seconds) { return 1e3 * seconds; })),
                with_bounds(rate),
                with_bounds(mapped(rate, [&](double per_s) { return 100 * per_s / row.samples_per_s.value / sizes; })),
                with_bounds(hours),
                with_bounds(mapped(hours, [&](double of_each) { return devices * of_each; }))};
    if (has_price()) cells.push_back(number_text(request_.price_per_gpu_hour * devices * hours.value));
    if (std::isfinite(predicted.compute_s))
      cells.push_back(number_text(1e3 * predicted.compute_s) + " + " + number_text(1e3 * predicted.skew_s) + " + " +
                      number_text(1e3 * predicted.exposed_s));
    return cells;
  }

  std::string batch_phrase() const {
    if (group_.smallest->mode == "strong" || request_.world_sizes.empty()) return "";
    const auto largest = *std::max_element(request_.world_sizes.begin(), request_.world_sizes.end());
    return "  The global batch of " + std::to_string(largest) + " ranks is " +
           std::to_string(largest * group_.smallest->batch_size_per_rank) + ": the recipe must bear that.\n";
  }

  const SizeGroup& group_;
  const PredictionRequest& request_;
  SizeModel model_;
  bool has_gpus_;
  std::size_t predicted_ = 0;
};

}  // namespace

Prediction predict(const JoinedFolders& folders, const PredictionRequest& request) {
  const auto study = read_study(folders);
  const auto scaling = scaling_rows(study);
  auto groups = size_groups(scaling, efficiency_rows(study), study.arms, study.vocabulary);
  const auto arm = request.arm.empty() ? study.first_reference() : find_entry(study.arms, "arm", request.arm).name;
  std::erase_if(groups, [&](const SizeGroup& group) { return group.smallest->arm != arm; });
  Prediction prediction;
  prediction.groups = groups.size();
  for (const auto& group : groups) {
    GroupText of_group(group, request);
    prediction.text += of_group.text();
    prediction.sizes += of_group.predicted();
  }
  if (!groups.empty()) prediction.text.insert(0, score_phrase(score_of(held_out_rows(groups))));  // before any figure
  return prediction;
}

}  // namespace ddpbench
