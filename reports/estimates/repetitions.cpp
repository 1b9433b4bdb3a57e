#include "reports/estimates/repetitions.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "reports/estimates/quantity.hpp"
#include "reports/estimates/student_t.hpp"

namespace ddpbench {
namespace {

double mean_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

double squares_of(const std::vector<double>& values) {
  const double mean = mean_of(values);
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return squares;
}

std::vector<double> values_of(const std::map<std::int64_t, double>& treatment) {
  std::vector<double> values;
  for (const auto& [repetition, value] : treatment) values.push_back(value);
  return values;
}

bool has_own_scatter(std::size_t repetitions) { return repetitions >= kLaunchesForTheirOwnScatter; }

// By how much each repetition of a table (by treatment) lies above the mean one.
std::vector<double> drift_of(const std::vector<std::vector<double>>& table) {
  std::vector<double> drift(table.front().size(), 0);
  for (const auto& row : table) {
    const double mean = mean_of(row);
    for (std::size_t i = 0; i < row.size(); ++i) drift[i] += (row[i] - mean) / static_cast<double>(table.size());
  }
  return drift;
}

// Of each value less its treatment's mean and its repetition's drift.
double residual_squares(const std::vector<std::vector<double>>& table, const std::vector<double>& drift) {
  double squares = 0;
  for (const auto& row : table) {
    const double mean = mean_of(row);
    for (std::size_t i = 0; i < row.size(); ++i) squares += std::pow(row[i] - mean - drift[i], 2);
  }
  return squares;
}

std::vector<std::vector<double>> complete_table(const std::vector<std::map<std::int64_t, double>>& values) {
  std::vector<std::vector<double>> table(values.size());
  if (values.empty()) return table;
  for (const auto& [repetition, first] : values.front()) {
    const auto number = repetition;
    const bool is_complete =
        std::all_of(values.begin(), values.end(), [number](const auto& treatment) { return treatment.contains(number); });
    for (std::size_t i = 0; is_complete && i < values.size(); ++i) table[i].push_back(values[i].at(repetition));
  }
  return table;
}

Estimate estimate_of(double value, std::size_t n, double variance, int degrees, double confidence) {
  const double half = two_sided_t_quantile(confidence, degrees) * std::sqrt(variance / static_cast<double>(n));
  return {value, value - half, value + half, n};
}

}  // namespace

Repetitions::Repetitions(std::vector<std::map<std::int64_t, double>> values) : values_(std::move(values)) {
  const auto table = complete_table(values_);
  if (table.size() < 2 || table.front().size() < 2) return;
  const auto drift = drift_of(table);
  const auto treatments = static_cast<double>(table.size());
  const auto others = treatments - 1, degrees = static_cast<double>(drift.size()) - 1;
  residuals_.degrees = static_cast<int>(others * degrees);
  residuals_.variance = residual_squares(table, drift) / residuals_.degrees;
  const double of_drift = squares_of(drift) / degrees, of_chance = others * residuals_.variance / treatments;
  levels_.variance = of_drift + of_chance;
  const double parts = of_drift * of_drift / degrees + of_chance * of_chance / residuals_.degrees;
  levels_.degrees = parts > 0 ? static_cast<int>(levels_.variance * levels_.variance / parts) : residuals_.degrees;
}

std::vector<double> Repetitions::differences(std::size_t treatment, std::size_t other) const {
  std::vector<double> found;
  for (const auto& [repetition, value] : values_.at(treatment)) {
    const auto beside = values_.at(other).find(repetition);
    if (beside != values_[other].end()) found.push_back(value - beside->second);
  }
  return found;
}

Repetitions::Scatter Repetitions::of_levels(std::size_t treatment) const {
  const auto values = values_of(values_.at(treatment));
  const auto degrees = static_cast<int>(values.size()) - 1;
  if (has_own_scatter(values.size()) || levels_.degrees == 0) return {squares_of(values) / degrees, degrees};
  return levels_;
}

Repetitions::Scatter Repetitions::of_differences(const std::vector<double>& differences) const {
  const auto degrees = static_cast<int>(differences.size()) - 1;
  if (has_own_scatter(differences.size())) return {squares_of(differences) / degrees, degrees};
  return {2 * residuals_.variance, residuals_.degrees};
}

Estimate Repetitions::level(std::size_t treatment, double confidence) const {
  const auto values = values_of(values_.at(treatment));
  if (values.empty()) return {};
  const auto scatter = of_levels(treatment);
  return estimate_of(mean_of(values), values.size(), scatter.variance, scatter.degrees, confidence);
}

Estimate Repetitions::difference(std::size_t treatment, std::size_t other, double confidence) const {
  const auto found = differences(treatment, other);
  if (found.empty()) return {};
  const auto scatter = of_differences(found);
  return estimate_of(mean_of(found), found.size(), scatter.variance, scatter.degrees, confidence);
}

double Repetitions::p_above(std::size_t treatment, std::size_t other, double bound) const {
  const auto found = differences(treatment, other);
  const auto scatter = of_differences(found);
  if (found.empty() || scatter.degrees < 1) return kNotMeasured;
  const double distance = mean_of(found) - bound;
  const double error = std::sqrt(scatter.variance / static_cast<double>(found.size()));
  if (error == 0) return distance > 0 ? 0 : 1;
  return t_p_above(distance / error, scatter.degrees);
}

}  // namespace ddpbench
