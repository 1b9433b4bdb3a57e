#include "reports/analysis/findings/sizes/training_cost.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "reports/analysis/findings/sizes/scaling.hpp"
#include "reports/analysis/phrases/number_phrases.hpp"
#include "reports/analysis/samples/study.hpp"
#include "reports/analysis/tables/report_table.hpp"
#include "suite/base/text.hpp"
#include "suite/contract/vocabulary/registry.hpp"

namespace ddpbench {
namespace {

using Group = std::vector<const ScalingRow*>;

// What the sizes of one comparison have in common.
std::string group_of(const ScalingRow& row) { return row.mode + " " + row.reference_cell + " " + row.arm; }

// Sizes ascending.
std::map<std::string, Group> groups_of(const std::vector<ScalingRow>& scaling) {
  std::map<std::string, Group> groups;
  for (const auto& row : scaling) {
    if (!row.mode.empty() && std::isfinite(row.samples_per_s.value) && row.samples_per_s.value > 0)
      groups[group_of(row)].push_back(&row);
  }
  std::erase_if(groups, [](const auto& group) { return group.second.size() < 2; });
  for (auto& [name, rows] : groups) {
    std::stable_sort(rows.begin(), rows.end(), [](const auto* a, const auto* b) { return a->world_size < b->world_size; });
  }
  return groups;
}

bool is_tested(const ScalingRow& row) { return std::isfinite(row.p_not_faster) || row.cell_id == row.reference_cell; }

TrainingCostRow cost_of(const ScalingRow& row, const Vocabulary& tables) {
  TrainingCostRow cost;
  cost.cell_id = row.cell_id;
  cost.arm = row.arm;
  cost.mode = row.mode;
  cost.reference_cell = row.reference_cell;
  cost.world_size = row.world_size;
  cost.nodes = row.nodes;
  cost.devices = row.world_size;
  cost.global_batch_size = row.world_size * row.batch_size_per_rank;
  cost.epoch_samples = epoch_samples(tables, row.workload);
  const auto hours_at = [&](double samples_per_s) { return training_hours(cost.epoch_samples, samples_per_s); };
  const auto& rate = row.samples_per_s;
  cost.hours = {hours_at(rate.value), hours_at(rate.hi), hours_at(rate.lo)};
  const auto devices = static_cast<double>(cost.devices);
  cost.device_hours = mapped(cost.hours, [&](double hours) { return devices * hours; });
  cost.is_faster = row.is_faster;
  cost.is_tested = is_tested(row);
  cost.launches = row.launches;
  return cost;
}

// Half the width of the speed-up's interval, on the logarithm; 0 for the reference itself.
double half_width(const ScalingRow& row) { return 0.5 * std::log(row.speedup.hi / row.speedup.lo); }

// `row` against the size that needs fewest.
void add_more(TrainingCostRow& cost, const ScalingRow& row, const TrainingCostRow& fewest, const ScalingRow& row_of_fewest) {
  const double ratio = cost.device_hours.value / fewest.device_hours.value;
  const double half = &row == &row_of_fewest ? 0 : std::hypot(half_width(row), half_width(row_of_fewest));
  cost.more_device_hours_percent = {100 * (ratio - 1), 100 * (ratio * std::exp(-half) - 1), 100 * (ratio * std::exp(half) - 1)};
}

std::vector<TrainingCostRow>::const_iterator with_fewest_device_hours(const std::vector<TrainingCostRow>& costs) {
  return std::min_element(costs.begin(), costs.end(),
                          [](const auto& a, const auto& b) { return a.device_hours.value < b.device_hours.value; });
}

std::vector<TrainingCostRow> costs_of(const Group& group, const Vocabulary& tables) {
  std::vector<TrainingCostRow> costs;
  for (const auto* row : group) costs.push_back(cost_of(*row, tables));
  const auto place = static_cast<std::size_t>(with_fewest_device_hours(costs) - costs.cbegin());
  for (std::size_t i = 0; i < costs.size(); ++i) add_more(costs[i], *group[i], costs[place], *group[place]);
  return costs;
}

// Of one launch the time is told as what was seen; of several only where they agree on it.
bool has_known_time(const ScalingRow& row) {
  return !std::isfinite(row.samples_per_s.lo) || is_tellable(row.samples_per_s.value, row.samples_per_s.lo, row.samples_per_s.hi);
}

Group told_part(const Group& group) {
  Group part;
  std::copy_if(group.begin(), group.end(), std::back_inserter(part), [](const auto* row) { return has_known_time(*row); });
  return part;
}

Group judged_part(const Group& told) {
  Group part;
  for (const auto* row : told) {
    if (is_tested(*row) && std::isfinite(row->samples_per_s.lo)) part.push_back(row);
  }
  return part;
}

// "2 h 05 min": as it was asked for, unrounded.
std::string clock_text(double hours) {
  const auto minutes = std::lround(60 * hours);
  const auto rest = std::to_string(minutes % 60);
  return std::to_string(minutes / 60) + " h " + (rest.size() < 2 ? "0" : "") + rest + " min";
}

// "50,000".
std::string with_commas(std::int64_t number) {
  auto text = std::to_string(number);
  for (auto place = static_cast<std::int64_t>(text.size()) - 3; place > 0; place -= 3) {
    text.insert(static_cast<std::size_t>(place), ",");
  }
  return text;
}

// Strategy and options, by key.
std::map<std::string, std::string> settings_of(const Group& group) {
  std::map<std::string, std::string> settings{{"", group.front()->strategy}};
  for (const auto& option : split(group.front()->options, ';')) {
    if (!option.empty()) settings[option_name(option)] = option;
  }
  return settings;
}

// Each group's words, and where several have the same the settings of which these have several values.
std::vector<std::string> names_of(const std::vector<const Group*>& groups) {
  std::map<std::string, std::map<std::string, std::set<std::string>>> values;  // words -> key -> settings
  for (const auto* group : groups) {
    for (const auto& [key, setting] : settings_of(*group)) values[group_phrase(*group->front())][key].insert(setting);
  }
  std::vector<std::string> names;
  for (const auto* group : groups) {
    const auto words = group_phrase(*group->front());
    auto name = words;
    for (const auto& [key, setting] : settings_of(*group)) {
      if (values.at(words).at(key).size() > 1) name += ", " + setting;
    }
    names.push_back(std::move(name));
  }
  return names;
}

// Names the devices as people count them.
class Sentences {
 public:
  Sentences(std::string name, const Group& group, const Vocabulary& tables, const TrainingCostRequest& request)
      : name_(std::move(name)),
        group_(group),
        tables_(tables),
        told_(told_part(group)),
        all_(costs_of(told_, tables)),
        judged_(judged_part(told_)),
        costs_(judged_.size() > 1 ? costs_of(judged_, tables) : all_),
        request_(request),
        has_gpus_(occupies_gpus(tables, group.front()->backend)),
        device_(has_gpus_ ? "GPU" : "rank") {}

  std::string all() const {
    auto text = name_ + ": ";
    const auto training = std::to_string(kTrainingEpochs) + " epochs of " +
                          with_commas(epoch_samples(tables_, group_.front()->workload)) + " samples";
    if (told_.empty())
      return text + "how long " + training +
             " take cannot be said yet: launches of one size differ too much. More launches would tell.";
    text += training + " take ";
    text += judged_.size() > 1 ? judged() + untested_phrase() : seen();
    text += untold_phrase();
    return std::isfinite(request_.deadline_hours) ? text + deadline_phrase() : text;
  }

 private:
  // Of a launch alone nobody knows whether the next one shows it too.
  std::string seen() const {
    std::vector<std::string> times;
    for (const auto& cost : costs_) times.push_back(time_on(cost));
    const bool is_one_launch =
        std::all_of(costs_.begin(), costs_.end(), [](const auto& cost) { return !std::isfinite(cost.hours.lo); });
    const auto* in_one = is_one_launch ? ", in one launch of each" : "";
    if (times.size() == 1) return times.front() + in_one + ".";
    return join(times, ", ") + in_one + ". Whether one is faster than another was not tested: that takes two launches of each.";
  }

  std::string untold_phrase() const {
    std::vector<std::string> sizes;
    for (const auto* row : group_) {
      if (!has_known_time(*row)) sizes.push_back(count(cost_of(*row, tables_)));
    }
    return sizes.empty() ? ""
                         : " On " + join(sizes, ", ") + " nothing can be said yet: " + (sizes.size() == 1 ? "its" : "their") +
                               " launches differ too much.";
  }

  std::string untested_phrase() const {
    std::vector<std::string> times;
    for (const auto& cost : all_) {
      const bool is_judged =
          std::any_of(costs_.begin(), costs_.end(), [&](const auto& one) { return one.cell_id == cost.cell_id; });
      if (!is_judged) times.push_back(time_on(cost));
    }
    return times.empty() ? "" : " Not tested, for it ran in one launch: " + join(times, ", ") + ".";
  }

  std::string judged() const {
    const auto& smallest = costs_.front();
    const auto& best = last_faster();
    auto text = time_on(smallest);
    if (&best != &smallest) text += ", " + time_on(best);
    text += "." + cost_phrase(best);
    if (best.devices < costs_.back().devices)
      text += " More than that was not seen to be faster: " + time_on(costs_.back()) + ".";
    if (smallest.global_batch_size != best.global_batch_size) {
      text += " The global batch grows from " + std::to_string(smallest.global_batch_size) + " to " +
              std::to_string(best.global_batch_size) + ": the recipe must bear that.";
    }
    return text;
  }

  const TrainingCostRow& last_faster() const {
    const auto found = std::find_if(costs_.rbegin(), costs_.rend(), [](const auto& cost) { return cost.is_faster; });
    return found == costs_.rend() ? costs_.front() : *found;
  }
  // The same number of devices may lie on one node or on several.
  std::string count(const TrainingCostRow& cost) const {
    const auto is_as_large = [&](const auto* row) { return row->world_size == cost.devices; };
    const auto same = std::count_if(group_.begin(), group_.end(), is_as_large);
    return counted(cost.devices, device_) + (same > 1 ? " of " + counted(cost.nodes, "node") : "");
  }
  std::string time_on(const TrainingCostRow& cost) const { return time_of(cost) + " on " + count(cost); }
  static std::string time_of(const TrainingCostRow& cost) {
    return minutes_text(60 * cost.hours.value, 60 * cost.hours.lo, 60 * cost.hours.hi);
  }

  std::string cost_phrase(const TrainingCostRow& best) const {
    const auto& fewest = *with_fewest_device_hours(costs_);
    auto text = " Fewest " + std::string(device_) + "-hours, " + device_hours_text(fewest) + price_phrase(fewest) + ", on " +
                count(fewest);
    if (&fewest == &best) return text + ".";
    return text + "; " + count(best) + " need " + number_text(best.more_device_hours_percent.value, 2) + " % more " +
           interval_text(best.more_device_hours_percent.lo, best.more_device_hours_percent.hi) + price_phrase(best) + ".";
  }

  static std::string device_hours_text(const TrainingCostRow& cost) {
    const auto text = number_text(cost.device_hours.value);
    if (!std::isfinite(cost.device_hours.lo)) return text;
    return text + " [" + number_text(cost.device_hours.lo) + ", " + number_text(cost.device_hours.hi) + "]";
  }

  std::string price_phrase(const TrainingCostRow& cost) const {
    if (!has_gpus_ || request_.price_per_gpu_hour <= 0) return "";
    return " (" + number_text(cost.device_hours.value * request_.price_per_gpu_hour) + " " + request_.price_unit + ")";
  }

  std::string deadline_phrase() const {
    const auto within = clock_text(request_.deadline_hours);
    const TrainingCostRow* cheapest = nullptr;
    for (const auto& cost : costs_) {
      if (cost.hours.hi <= request_.deadline_hours &&
          (cheapest == nullptr || cost.device_hours.value < cheapest->device_hours.value))
        cheapest = &cost;
    }
    if (cheapest == nullptr) return " No size that was measured is sure to be done within " + within + ".";
    return " Within " + within + " the cheapest size is " + count(*cheapest) + ": " + time_of(*cheapest) + ", " +
           device_hours_text(*cheapest) + " " + device_ + "-hours" + price_phrase(*cheapest) + ".";
  }

  const std::string name_;
  const Group& group_;
  const Vocabulary& tables_;
  Group told_;                          // of which launches agree
  std::vector<TrainingCostRow> all_;    // of these
  Group judged_;                        // whose times have intervals and were compared
  std::vector<TrainingCostRow> costs_;  // of these; of all where there are fewer than two
  const TrainingCostRequest& request_;
  bool has_gpus_;
  const char* device_;
};

}  // namespace

std::int64_t epoch_samples(const Vocabulary& tables, std::string_view workload) {
  const auto* entry = entry_or_null(tables.workloads, workload);
  return entry == nullptr || entry->epoch_samples == 0 ? kCifarSamples : entry->epoch_samples;
}

double training_hours(std::int64_t epoch_samples, double samples_per_s) {
  return static_cast<double>(kTrainingEpochs * epoch_samples) / samples_per_s / 3600;
}

std::string group_phrase(const ScalingRow& row) {
  const auto batch = row.mode == "strong" ? "global batch " + std::to_string(row.world_size * row.batch_size_per_rank)
                                          : "batch " + std::to_string(row.batch_size_per_rank) + " per rank";
  return row.workload + ", " + row.backend + ", " + row.precision + ", " + batch + " (" + row.arm + ")";
}

std::vector<TrainingCostRow> training_cost_rows(const std::vector<ScalingRow>& scaling, const Vocabulary& tables) {
  std::vector<TrainingCostRow> all;
  for (const auto& [name, group] : groups_of(scaling)) {
    auto costs = costs_of(group, tables);
    all.insert(all.end(), std::make_move_iterator(costs.begin()), std::make_move_iterator(costs.end()));
  }
  return all;
}

std::vector<std::string> size_sentences(const std::vector<ScalingRow>& scaling, const std::string& arm, std::size_t most,
                                        const Vocabulary& tables, const TrainingCostRequest& request) {
  const auto groups = groups_of(scaling);
  std::vector<const Group*> of_arm;
  for (const auto& [name, group] : groups) {
    if (group.front()->arm == arm) of_arm.push_back(&group);
  }
  std::stable_sort(of_arm.begin(), of_arm.end(), [](const auto* a, const auto* b) { return a->size() > b->size(); });
  if (of_arm.size() > most) of_arm.resize(most);
  const auto names = names_of(of_arm);
  std::vector<std::string> sentences;
  for (std::size_t i = 0; i < of_arm.size(); ++i) sentences.push_back(Sentences(names[i], *of_arm[i], tables, request).all());
  if (sentences.empty() && std::isfinite(request.deadline_hours))
    sentences.emplace_back(
        "No size is named for the deadline: several sizes must be measured that differ in the number of ranks alone.");
  return sentences;
}

namespace {

using Training = TrainingCostRow;
const std::array kTrainingColumns{
    Column<Training>{"cell_id", &Training::cell_id, "one combination of every axis except arm"},
    Column<Training>{"arm", &Training::arm, "who drives the step"},
    Column<Training>{"mode", &Training::mode, "strong: same global batch, weak: same batch per rank"},
    Column<Training>{"reference_cell", &Training::reference_cell, "the smallest size of the group"},
    Column<Training>{"world_size", &Training::world_size, "ranks"},
    Column<Training>{"devices", &Training::devices, "that these occupy: GPUs, or shares of a CPU"},
    Column<Training>{"global_batch_size", &Training::global_batch_size, "samples of a step over all ranks"},
    Column<Training>{"epoch_samples", &Training::epoch_samples,
                     "in the workload's training set; of one that reads none, those of CIFAR-10"},
    Column<Training>{"hours", &Training::hours, "of 90 such epochs at the measured throughput; start and validation not in it",
                     "h", "95 % bound, of the throughput's"},
    Column<Training>{"device_hours", &Training::device_hours, "hours times devices", "h"},
    Column<Training>{"more_device_hours_percent", &Training::more_device_hours_percent,
                     "than the size of the group that needs fewest", "%", "95 % bound, by those of both speed-ups"},
    Column<Training>{"is_faster", &Training::is_faster,
                     "than every smaller size, beyond chance, as scaling.csv has it: 1, else 0"},
    Column<Training>{"is_tested", &Training::is_tested, "whether that was tested: 1, or the reference; 0: too few launches"},
    Column<Training>{"launches", &Training::launches, "fresh processes; of one no bound is known"},
};

}  // namespace

template <>
std::span<const Column<TrainingCostRow>> columns<TrainingCostRow>() {
  return kTrainingColumns;
}

ReportTable training_table() {
  return report_table<TrainingCostRow>("tables/training.csv", "a size at which one arm could train, in one mode",
                                       [](const Findings& findings, auto& table) {
                                         const auto& scaling = findings.rows<ScalingRow>();
                                         for (const auto& cost : training_cost_rows(scaling, findings.study.vocabulary))
                                           table.add(cost);
                                       });
}

}  // namespace ddpbench
