#include "reports/analysis/findings/whole_trainings.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "reports/analysis/tables/report_table.hpp"
#include "suite/contract/tables/training_metric.hpp"
#include "suite/estimates/estimate.hpp"

namespace ddpbench {
namespace {

constexpr double kMilli = 1e3;

// In the order of time. What is there in each epoch, but for the boundary, which the last one lacks; and what is there once.
constexpr std::array<std::string_view, 5> kInEpochs{"steps", "validation", "metric", "checkpoint", "boundary"};
constexpr std::array<std::string_view, 4> kOnce{"head", "resume", "tail", "test"};
// No part: all until an epoch's validation is done.
constexpr std::string_view kValidated = "validated";

// What is told of an arm as surely there: its parts, and how those of an epoch grow.
constexpr std::size_t kFiguresOfAnArm = 2 * kInEpochs.size() + kOnce.size();

struct EpochMean {
  double sum = 0;
  std::int64_t count = 0;
  void add(double value) {
    sum += value;
    ++count;
  }
  double value() const { return count == 0 ? kNotMeasured : sum / static_cast<double>(count); }
};

using PartKey = std::pair<std::string, std::string>;  // part, call
using ByEpoch = std::map<std::int64_t, double>;       // means over trainings and ranks
using MeansByEpoch = std::map<std::int64_t, EpochMean>;

// Seconds of one arm in one launch.
struct ArmTimes {
  std::map<PartKey, ByEpoch> parts;
  std::map<std::string, ByEpoch> values;

  std::int64_t epochs() const {
    const auto steps = parts.find({"steps", ""});
    return steps == parts.end() ? 0 : static_cast<std::int64_t>(steps->second.size());
  }
};

// Until each validation of one training is done, in seconds, and what it shows.
struct Validations {
  MeansByEpoch seconds;  // since the training's beginning, over the ranks
  ByEpoch accuracy;      // alike on all ranks

  // Returns when the first one shows that accuracy; no value: none does. Accuracies are some arms' in single precision.
  double seconds_to(double target) const {
    constexpr double kRounding = 1e-6;
    for (const auto& [epoch, mean] : seconds) {
      const auto shown = accuracy.find(epoch);
      if (shown != accuracy.end() && shown->second >= target - kRounding) return mean.value();
    }
    return kNotMeasured;
  }
};

template <class Key>
std::map<Key, ByEpoch> means_by_epoch(const std::map<Key, MeansByEpoch>& means) {
  std::map<Key, ByEpoch> values;
  for (const auto& [key, by_epoch] : means) {
    for (const auto& [epoch, mean] : by_epoch) values[key][epoch] = mean.value();
  }
  return values;
}

double mean_over_epochs(const ByEpoch& by_epoch) {
  EpochMean mean;
  for (const auto& [epoch, value] : by_epoch) mean.add(value);
  return mean.value();
}

// A call has a row where it is long enough only: over the ranks, trainings and epochs in which its part was timed.
void add_calls(const std::map<PartKey, MeansByEpoch>& calls, const std::map<PartKey, MeansByEpoch>& parts, ArmTimes& times) {
  for (const auto& [key, by_epoch] : calls) {
    const auto part = parts.find({key.first, ""});
    if (part == parts.end()) continue;
    for (const auto& [epoch, timed] : part->second) {
      const auto called = by_epoch.find(epoch);
      times.parts[key][epoch] = called == by_epoch.end() ? 0 : called->second.sum / static_cast<double>(timed.count);
    }
  }
}

// Mean over the trainings; no value where one of them does not reach it.
double mean_seconds_to(double target, const std::map<std::int64_t, Validations>& trainings) {
  EpochMean mean;
  for (const auto& [number, training] : trainings) mean.add(training.seconds_to(target));
  return mean.value();
}

std::map<std::string, ArmTimes> times_by_arm(const Launch& launch, double target_accuracy) {
  std::map<std::string, std::map<PartKey, MeansByEpoch>> parts, calls;
  std::map<std::string, std::map<std::string, MeansByEpoch>> values;
  std::map<std::string, std::map<std::int64_t, Validations>> trainings;
  for (const auto& row : launch.metrics) {
    if (const auto part = training_metric_name(row.metric, kMetrics.training_part)) {
      if (part->what == kValidated) {
        trainings[row.arm][part->training].seconds[part->epoch].add(row.value);
      } else {
        parts[row.arm][{part->what, ""}][part->epoch].add(row.value);
      }
    } else if (const auto call = training_metric_name(row.metric, kMetrics.training_call)) {
      const auto point = call->what.find('.');
      calls[row.arm][{call->what.substr(0, point), call->what.substr(point + 1)}][call->epoch].add(row.value);
    } else if (const auto value = training_metric_name(row.metric, kMetrics.training_value)) {
      values[row.arm][value->what][value->epoch].add(row.value);
      if (value->what == "validation_accuracy") trainings[row.arm][value->training].accuracy[value->epoch] = row.value;
    }
  }
  std::map<std::string, ArmTimes> times;
  for (const auto& [arm, means] : parts) {
    times[arm] = {means_by_epoch(means), means_by_epoch(values[arm])};
    add_calls(calls[arm], means, times[arm]);
    const auto seconds = target_accuracy > 0 ? mean_seconds_to(target_accuracy, trainings[arm]) : kNotMeasured;
    if (std::isfinite(seconds)) times[arm].parts[{std::string(kToAccuracy), ""}] = {{1, seconds}};
  }
  return times;
}

// Adds the rows that are sums: of what an epoch's parts take in the mean, and of all parts.
void add_sums(ArmTimes& times) {
  double epoch = 0, training = 0;
  for (const auto part : kInEpochs) {
    const auto found = times.parts.find({std::string(part), ""});
    if (found == times.parts.end()) continue;
    epoch += mean_over_epochs(found->second);
    for (const auto& [number, seconds] : found->second) training += seconds;
  }
  for (const auto* part : {"head", "resume", "tail"}) {
    const auto found = times.parts.find({part, ""});
    if (found != times.parts.end()) training += found->second.begin()->second;
  }
  times.parts[{std::string(kWholeEpoch), ""}] = {{1, epoch}};
  times.parts[{std::string(kWholeTraining), ""}] = {{1, training}};
}

bool is_once(const std::string& part) {
  return (is_sum(part) && part != kWholeEpoch) || std::find(kOnce.begin(), kOnce.end(), part) != kOnce.end();
}

// By least squares; `from`: the first epoch that counts.
double slope_of(const ByEpoch& by_epoch, std::int64_t from) {
  std::vector<std::pair<double, double>> points;
  for (const auto& [epoch, value] : by_epoch) {
    if (epoch >= from) points.emplace_back(static_cast<double>(epoch), value);
  }
  EpochMean x, y;
  for (const auto& [epoch, value] : points) x.add(epoch), y.add(value);
  double xx = 0, xy = 0;
  for (const auto& [epoch, value] : points) {
    xx += (epoch - x.value()) * (epoch - x.value());
    xy += (epoch - x.value()) * (value - y.value());
  }
  return xx > 0 ? xy / xx : kNotMeasured;
}

// What the arm takes more, epoch by epoch; a reference that has no such part takes nothing for it.
ByEpoch beyond_reference(const ByEpoch& mine, const ByEpoch* reference) {
  auto extra = mine;
  for (auto& [epoch, seconds] : extra) {
    if (reference == nullptr) continue;
    if (const auto other = reference->find(epoch); other != reference->end()) seconds -= other->second;
  }
  return extra;
}

// The launches of a cell that were trained whole.
class CellTrainings {
 public:
  CellTrainings(const Cell& cell, double target_accuracy) : cell_(cell) {
    for (const auto& launch : cell.launches) {
      auto times = times_by_arm(launch, target_accuracy);
      for (auto& [arm, of_arm] : times) add_sums(of_arm);
      if (!times.empty()) launches_.push_back(std::move(times));
    }
  }

  std::vector<WholeTrainingRow> rows_of(const std::string& arm) const {
    std::vector<WholeTrainingRow> rows;
    for (const auto& key : keys_of(arm)) rows.push_back(row_of(arm, key));
    std::erase_if(rows, [](const auto& row) { return row.launches == 0; });
    return rows;
  }

  bool has(const std::string& arm) const {
    return std::any_of(launches_.begin(), launches_.end(), [&](const auto& times) { return times.count(arm) > 0; });
  }

  WholeTrainingResult result_of(const std::string& arm) const {
    WholeTrainingResult result{cell_.axes.cell_id, arm, cell_.family_of(arm).reference};
    EpochMean samples, speed, accuracy, test;
    for (const auto& times : launches_) {
      const auto found = times.find(arm);
      if (found == times.end()) continue;
      const auto epochs = found->second.epochs();
      result.epochs = std::max(result.epochs, epochs);
      ++result.launches;
      const auto value = [&](const std::string& what, EpochMean& mean) {
        const auto values = found->second.values.find(what);
        if (values != found->second.values.end()) mean.add(values->second.rbegin()->second);
      };
      value("samples", samples);
      value("validation_accuracy", accuracy);
      value("test_accuracy", test);
      speed.add(samples_per_s(found->second));
    }
    result.steps = samples.value() / static_cast<double>(cell_.samples_per_step_of(arm));
    result.samples_per_s = speed.value();
    result.validation_accuracy = accuracy.value();
    result.test_accuracy = test.value();
    return result;
  }

 private:
  static double samples_per_s(const ArmTimes& times) {
    const auto samples = times.values.find("samples");
    if (samples == times.values.end()) return kNotMeasured;
    double all = 0, seconds = 0;
    for (const auto& [epoch, of_epoch] : samples->second) {
      if (epoch == 1 && samples->second.size() > 1) continue;
      all += of_epoch;
      seconds += times.parts.at({"steps", ""}).at(epoch);
    }
    return all / seconds;
  }

  // Sums first, then parts in the order of time, each with its calls.
  std::vector<PartKey> keys_of(const std::string& arm) const {
    std::vector<std::string_view> parts{kWholeTraining, kToAccuracy, kWholeEpoch, "head"};
    parts.insert(parts.end(), kInEpochs.begin(), kInEpochs.end());
    parts.insert(parts.end(), {"resume", "tail", "test"});
    std::vector<PartKey> keys;
    for (const auto& part : parts) {
      std::vector<PartKey> of_part;
      for (const auto& times : launches_) {
        const auto found = times.find(arm);
        if (found == times.end()) continue;
        for (const auto& [key, seconds] : found->second.parts) {
          if (key.first == part) of_part.push_back(key);
        }
      }
      std::sort(of_part.begin(), of_part.end());
      of_part.erase(std::unique(of_part.begin(), of_part.end()), of_part.end());
      keys.insert(keys.end(), of_part.begin(), of_part.end());
    }
    return keys;
  }

  WholeTrainingRow row_of(const std::string& arm, const PartKey& key) const {
    const auto& reference = cell_.family_of(arm).reference;
    WholeTrainingRow row{cell_.axes.cell_id, arm, reference, key.first, key.second, is_once(key.first)};
    const std::int64_t from = key.first == "boundary" ? 1 : 2;
    EpochMean own;
    std::vector<double> extra, growth;
    for (const auto& times : launches_) {
      const auto mine = times.find(arm);
      const auto other = times.find(reference);
      if (mine == times.end() || (arm != reference && other == times.end())) continue;
      const auto part = mine->second.parts.find(key);
      if (key.first == kToAccuracy &&
          (part == mine->second.parts.end() || (arm != reference && find_part(other->second, key) == nullptr)))
        continue;
      const auto seconds = part == mine->second.parts.end() ? ByEpoch{{1, 0.0}} : part->second;
      row.epochs = std::max(row.epochs, mine->second.epochs());
      ++row.launches;
      own.add(kMilli * mean_over_epochs(seconds));
      if (arm == reference) continue;
      const auto more = beyond_reference(seconds, find_part(other->second, key));
      extra.push_back(kMilli * mean_over_epochs(more));
      if (const auto slope = slope_of(more, from); !row.is_once && key.second.empty() && slope == slope)
        growth.push_back(kMilli * slope);
    }
    row.ms = own.value();
    const bool is_by_itself = is_sum(key.first) || !key.second.empty();
    const auto confidence = bonferroni_confidence(kDefaultConfidence, is_by_itself ? 1 : kFiguresOfAnArm);
    if (!extra.empty()) row.extra_ms = t_interval(extra, confidence);
    if (growth.size() == extra.size() && !growth.empty()) row.growth_ms = t_interval(growth, confidence);
    return row;
  }

  static const ByEpoch* find_part(const ArmTimes& times, const PartKey& key) {
    const auto found = times.parts.find(key);
    return found == times.parts.end() ? nullptr : &found->second;
  }

  const Cell& cell_;
  std::vector<std::map<std::string, ArmTimes>> launches_;
};

}  // namespace

template <>
WholeTrainings make_finding(const Findings& findings) {
  WholeTrainings found;
  for (const auto& cell : findings.study.cells) {
    const CellTrainings trainings(cell, findings.study.settings.protocol.target_accuracy);
    for (const auto& arm : cell.arms) {
      if (!trainings.has(arm)) continue;
      const auto rows = trainings.rows_of(arm);
      found.rows.insert(found.rows.end(), rows.begin(), rows.end());
      found.results.push_back(trainings.result_of(arm));
    }
  }
  return found;
}

namespace {

const std::array kWholeTrainingColumns{
    Column<WholeTrainingRow>{"cell_id", &WholeTrainingRow::cell_id, "one combination of every axis except arm"},
    Column<WholeTrainingRow>{"arm", &WholeTrainingRow::arm, "who trains"},
    Column<WholeTrainingRow>{"reference", &WholeTrainingRow::reference, "what extra_ms is counted from"},
    Column<WholeTrainingRow>{
        "part", &WholeTrainingRow::part,
        "training: all to the end of the last epoch; to_accuracy: all until a validation shows target_accuracy; epoch: the sum "
        "of steps, validation, metric (until all "
        "ranks have its values), checkpoint, boundary (what else stands between epochs); head: before the first batch; resume: "
        "all made anew from a checkpoint, to the next batch; "
        "tail: behind the last epoch; test: of the trained network"},
    Column<WholeTrainingRow>{"call", &WholeTrainingRow::call,
                             "of the part, what a call of the user's code or of a callback takes; empty: the part itself"},
    Column<WholeTrainingRow>{"is_once", &WholeTrainingRow::is_once, "1: it is there once in a training; 0: in each epoch"},
    Column<WholeTrainingRow>{"ms", &WholeTrainingRow::ms, "what it takes: mean over ranks, epochs, trainings and launches", "ms"},
    Column<WholeTrainingRow>{"extra_ms", &WholeTrainingRow::extra_ms,
                             "of it, more than the reference's; mean over launches with Student's interval", "ms"},
    Column<WholeTrainingRow>{"growth_ms", &WholeTrainingRow::growth_ms,
                             "by how much extra_ms grows from epoch to epoch, least squares", "ms"},
    Column<WholeTrainingRow>{"launches", &WholeTrainingRow::launches,
                             "that were trained whole; of to_accuracy those in which every training of the arm and of its "
                             "reference gets there"},
    Column<WholeTrainingRow>{"epochs", &WholeTrainingRow::epochs, "of a training"},
};

const std::array kWholeTrainingResultColumns{
    Column<WholeTrainingResult>{"cell_id", &WholeTrainingResult::cell_id, "one combination of every axis except arm"},
    Column<WholeTrainingResult>{"arm", &WholeTrainingResult::arm, "who trained"},
    Column<WholeTrainingResult>{"reference", &WholeTrainingResult::reference,
                                "whose parameters its own were equal to at each epoch's end"},
    Column<WholeTrainingResult>{"steps", &WholeTrainingResult::steps, "of an epoch"},
    Column<WholeTrainingResult>{"samples_per_s", &WholeTrainingResult::samples_per_s,
                                "of all ranks, in the steps of the epochs behind the first; mean over launches", "samples/s"},
    Column<WholeTrainingResult>{"validation_accuracy", &WholeTrainingResult::validation_accuracy, "behind the last epoch, share",
                                "1"},
    Column<WholeTrainingResult>{"test_accuracy", &WholeTrainingResult::test_accuracy, "of the trained network, share", "1"},
    Column<WholeTrainingResult>{"epochs", &WholeTrainingResult::epochs, "of a training"},
    Column<WholeTrainingResult>{"launches", &WholeTrainingResult::launches, "that were trained whole"},
};

}  // namespace

template <>
std::span<const Column<WholeTrainingRow>> columns<WholeTrainingRow>() {
  return kWholeTrainingColumns;
}

template <>
std::span<const Column<WholeTrainingResult>> columns<WholeTrainingResult>() {
  return kWholeTrainingResultColumns;
}

ReportTable whole_trainings_table() {
  return report_table<WholeTrainingRow>("tables/whole_trainings.csv", "one part of an arm's whole trainings",
                                        [](const Findings& findings, auto& table) {
                                          for (const auto& row : findings.get<WholeTrainings>().rows) table.add(row);
                                        });
}

ReportTable whole_training_results_table() {
  return report_table<WholeTrainingResult>("tables/whole_training_results.csv", "one arm's whole trainings: what they came to",
                                           [](const Findings& findings, auto& table) {
                                             for (const auto& row : findings.get<WholeTrainings>().results) table.add(row);
                                           });
}

}  // namespace ddpbench
