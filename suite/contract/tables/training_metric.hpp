#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "suite/base/numbers.hpp"
#include "suite/contract/tables/named_metric.hpp"

namespace ddpbench {

// Says of which training and epoch of an arm a row of metrics.csv is, and of what of it: "training_s.1.3.validation".
struct TrainingMetricName {
  std::int64_t training = 0, epoch = 0;  // both from 1
  std::string what;
};

// Returns what the metric's row of that is called.
inline std::string training_metric(const Metric& metric, const TrainingMetricName& of) {
  return named_metric(metric, std::to_string(of.training) + "." + std::to_string(of.epoch) + "." + of.what);
}

// Returns what the row is of where it is one of `metric`.
inline std::optional<TrainingMetricName> training_metric_name(std::string_view row, const Metric& metric) {
  const auto name = name_in_metric(row, metric);
  const auto first = name.find('.');
  const auto second = first == std::string_view::npos ? first : name.find('.', first + 1);
  if (second == std::string_view::npos) return std::nullopt;
  const auto training = parse_number<std::int64_t>(name.substr(0, first));
  const auto epoch = parse_number<std::int64_t>(name.substr(first + 1, second - first - 1));
  if (!training || !epoch) return std::nullopt;
  return TrainingMetricName{*training, *epoch, std::string(name.substr(second + 1))};
}

}  // namespace ddpbench
