#include "reports/analysis/findings/size_model.hpp"

#include <algorithm>
#include <cmath>

#include "reports/estimates/student_t.hpp"
#include "suite/base/text.hpp"

namespace ddpbench {
namespace {

// A part that misses less of the step than this is as good as exact.
constexpr double kExact = 0.003;

double compute_of(const SizePoint& point) { return point.mean_useful_s; }
double skew_of(const SizePoint& point) { return point.max_useful_s - point.mean_useful_s; }
double exposed_of(const SizePoint& point) { return std::max(0.0, point.step_s - point.max_useful_s); }
double whole_of(const SizePoint& point) { return point.step_s; }

// Times the bytes that are reduced.
double moved(std::int64_t among) { return 2 * static_cast<double>(among - 1) / static_cast<double>(among); }

bool has_parts(const SizePoint& point) { return std::isfinite(point.mean_useful_s) && std::isfinite(point.max_useful_s); }

std::vector<double> joined_terms(std::vector<double> a, const std::vector<double>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

}  // namespace

double mean_of_largest(std::int64_t n) {
  constexpr double kBlom = 0.375;
  if (n < 2) return 0;
  const double at = (static_cast<double>(n) - kBlom) / (static_cast<double>(n) + 1 - 2 * kBlom);
  return two_sided_normal_quantile(2 * at - 1);
}

SizeModel::SizeModel(std::span<const SizePoint> points, CollectiveShape shape, double confidence)
    : points_(points.begin(), points.end()), shape_(shape), confidence_(confidence) {
  has_parts_ = std::all_of(points_.begin(), points_.end(), has_parts);
  for (const auto& point : points_) {
    has_batches_ |= point.size.batch_size_per_rank != points_.front().size.batch_size_per_rank;
    has_one_node_ |= point.size.nodes == 1 && point.size.world_size > 1;
    has_several_nodes_ |= point.size.nodes > 1;
    has_several_per_node_ |= point.size.world_size > point.size.nodes;
  }
  if (has_parts_) {
    parts_.push_back(fit(&SizeModel::compute_terms, compute_of));
    parts_.push_back(fit(&SizeModel::skew_terms, skew_of));
    parts_.push_back(fit(&SizeModel::exposed_terms, exposed_of));
  } else {
    parts_.push_back(fit(&SizeModel::whole_terms, whole_of));
  }
  std::size_t terms = 0;
  for (const auto& part : parts_) terms += part.fit.terms;
  for (const auto& point : points_) miss_squares_ += std::pow(std::log(point.step_s / at(point.size).step_s), 2);
  degrees_ = std::max(0, static_cast<int>(points_.size()) - static_cast<int>(terms));
}

double SizeModel::messages(std::int64_t ranks) const {
  const auto p = static_cast<double>(ranks);
  return shape_ == CollectiveShape::kRing ? 2 * (p - 1) : 2 * std::log2(p);
}

std::vector<double> SizeModel::compute_terms(const TrainingSize& size) const {
  if (!has_batches_) return {1};
  return {1, static_cast<double>(size.batch_size_per_rank)};
}

std::vector<double> SizeModel::skew_terms(const TrainingSize& size) const { return {mean_of_largest(size.world_size)}; }

std::vector<double> SizeModel::exposed_terms(const TrainingSize& size) const {
  std::vector<double> terms{moved(size.world_size), messages(size.world_size)};
  if (has_one_node_ && has_several_nodes_) terms = joined_terms(terms, {moved(size.nodes), messages(size.nodes)});
  return terms;
}

std::vector<double> SizeModel::whole_terms(const TrainingSize& size) const {
  return joined_terms(compute_terms(size), exposed_terms(size));
}

// In shares of the step, so that every size counts alike.
SizeModel::Part SizeModel::fit(std::vector<double> (SizeModel::*terms)(const TrainingSize&) const,
                               double (*measured)(const SizePoint&)) const {
  std::vector<FitRow> rows;
  for (const auto& point : points_) {
    FitRow row{(this->*terms)(point.size), measured(point) / point.step_s};
    for (auto& x : row.x) x /= point.step_s;
    rows.push_back(std::move(row));
  }
  return {fit_nonnegative(rows, kExact), terms};
}

SizePrediction SizeModel::at(const TrainingSize& size) const {
  SizePrediction found;
  found.step_s = 0;
  for (const auto& part : parts_) found.step_s += value(part, size);
  if (has_parts_) {
    found.compute_s = value(parts_[0], size);
    found.skew_s = value(parts_[1], size);
    found.exposed_s = value(parts_[2], size);
  }
  double leverage = 0;
  for (const auto& part : parts_) {
    auto x = (this->*part.terms)(size);
    for (auto& one : x) one /= found.step_s;
    leverage += part.fit.leverage(x);
  }
  const double squares = kPriorSizes * kPriorMiss * kPriorMiss + miss_squares_;
  const double variance = squares / (kPriorSizes + degrees_);
  const double half = two_sided_t_quantile(confidence_, kPriorSizes + degrees_) * std::sqrt(variance * (1 + leverage));
  found.lo = found.step_s * std::exp(-half);
  found.hi = found.step_s * std::exp(half);
  return found;
}

std::string SizeModel::why_not(const TrainingSize& size) const {
  if (size.nodes > 1 && !has_several_nodes_)
    return "no size on several nodes was measured: how fast their links are is not known";
  if (size.world_size > size.nodes && !has_several_per_node_)
    return "no size with several ranks on a node was measured: what they take from each other is not known";
  const bool is_known_batch = has_batches_ || size.batch_size_per_rank == points_.front().size.batch_size_per_rank;
  if (!is_known_batch) return "one batch size per rank was measured: how the step depends on it is not known";
  return "";
}

}  // namespace ddpbench
