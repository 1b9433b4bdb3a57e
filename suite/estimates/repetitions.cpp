#include "suite/estimates/repetitions.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "suite/estimates/quantity.hpp"
#include "suite/estimates/student_t.hpp"

namespace ddpbench {
namespace {

double mean_value(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

double squares_of(const std::vector<double>& values) {
  const double mean = mean_value(values);
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
    const double mean = mean_value(row);
    for (std::size_t i = 0; i < row.size(); ++i) drift[i] += (row[i] - mean) / static_cast<double>(table.size());
  }
  return drift;
}

// Of each value less its treatment's mean and its repetition's drift.
double residual_squares(const std::vector<std::vector<double>>& table, const std::vector<double>& drift) {
  double squares = 0;
  for (const auto& row : table) {
    const double mean = mean_value(row);
    for (std::size_t i = 0; i < row.size(); ++i) squares += std::pow(row[i] - mean - drift[i], 2);
  }
  return squares;
}

// Of the treatments that were repeated, over the repetitions that all of them have.
std::vector<std::vector<double>> complete_table(const std::vector<std::map<std::int64_t, double>>& values) {
  std::vector<const std::map<std::int64_t, double>*> repeated;
  for (const auto& treatment : values) {
    if (treatment.size() > 1) repeated.push_back(&treatment);
  }
  std::vector<std::vector<double>> table(repeated.size());
  if (repeated.empty()) return table;
  for (const auto& one : *repeated.front()) {
    const auto number = one.first;
    const bool is_complete =
        std::all_of(repeated.begin(), repeated.end(), [number](const auto* of) { return of->contains(number); });
    for (std::size_t i = 0; is_complete && i < repeated.size(); ++i) table[i].push_back(repeated[i]->at(number));
  }
  return table;
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

Estimate Repetitions::Mean::estimate(double confidence) const {
  const double half = two_sided_t_quantile(confidence, degrees) * error;
  return {value, value - half, value + half, n};
}

Repetitions::Mean Repetitions::mean_of(std::size_t treatment) const {
  const auto values = values_of(values_.at(treatment));
  if (values.empty()) return {};
  const auto n = static_cast<double>(values.size());
  const auto degrees = static_cast<int>(values.size()) - 1;
  if (levels_.degrees > 0 && !has_own_scatter(values.size()))
    return {mean_value(values), std::sqrt(levels_.variance / n), levels_.degrees, values.size()};
  return {mean_value(values), std::sqrt(squares_of(values) / degrees / n), degrees, values.size()};
}

Repetitions::Mean Repetitions::mean_difference(std::size_t treatment, std::size_t other) const {
  std::vector<double> found;
  for (const auto& [repetition, value] : values_.at(treatment)) {
    const auto beside = values_.at(other).find(repetition);
    if (beside != values_[other].end()) found.push_back(value - beside->second);
  }
  if (found.empty()) return difference_of_means(treatment, other);
  const auto n = static_cast<double>(found.size());
  if (residuals_.degrees > 0 && !has_own_scatter(found.size()))
    return {mean_value(found), std::sqrt(2 * residuals_.variance / n), residuals_.degrees, found.size()};
  const auto degrees = static_cast<int>(found.size()) - 1;
  return {mean_value(found), std::sqrt(squares_of(found) / degrees / n), degrees, found.size()};
}

Repetitions::Mean Repetitions::difference_of_means(std::size_t treatment, std::size_t other) const {
  const auto a = values_of(values_.at(treatment)), b = values_of(values_.at(other));
  if (a.empty() || b.empty()) return {};
  Mean found{mean_value(a) - mean_value(b), kNotMeasured, 0, std::min(a.size(), b.size())};
  if (found.n < 2) return found;
  const auto error_square = [](const std::vector<double>& values) {
    const auto n = static_cast<double>(values.size());
    return squares_of(values) / (n - 1) / n;
  };
  const double of_a = error_square(a), of_b = error_square(b);
  found.error = std::sqrt(of_a + of_b);
  const double parts = of_a * of_a / static_cast<double>(a.size() - 1) + of_b * of_b / static_cast<double>(b.size() - 1);
  const double degrees = parts > 0 ? (of_a + of_b) * (of_a + of_b) / parts : static_cast<double>(found.n - 1);
  found.degrees = std::max(1, static_cast<int>(degrees));
  return found;
}

Estimate Repetitions::level(std::size_t treatment, double confidence) const { return mean_of(treatment).estimate(confidence); }

Estimate Repetitions::difference(std::size_t treatment, std::size_t other, double confidence) const {
  return mean_difference(treatment, other).estimate(confidence);
}

double Repetitions::p_above(std::size_t treatment, std::size_t other, double bound) const {
  const auto difference = mean_difference(treatment, other);
  if (difference.degrees < 1 || std::isnan(difference.error)) return kNotMeasured;
  const double distance = difference.value - bound;
  if (difference.error == 0) return distance > 0 ? 0 : 1;
  return t_p_above(distance / difference.error, difference.degrees);
}

}  // namespace ddpbench
