#include "reports/analysis/findings/sizes/size_model.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "suite/base/text.hpp"
#include "suite/estimates/student_t.hpp"

namespace ddpbench {
namespace {

// A part that misses less of the step than this is as good as exact.
constexpr double kExact = 0.003;

double compute_of(const SizePoint& point) { return point.mean_useful_s; }
double skew_of(const SizePoint& point) { return point.max_useful_s - point.mean_useful_s; }
double exposed_of(const SizePoint& point) { return std::max(0.0, point.step_s - point.max_useful_s); }
double whole_of(const SizePoint& point) { return point.step_s; }

// How communication may grow with the ranks, or nodes, that take part.
constexpr std::array<double (*)(double), 5> kGrowths{
    [](double among) { return std::log2(among); }, [](double among) { return 2 * (among - 1) / among; },
    [](double among) { return among - 1; }, [](double among) { return std::pow(among - 1, 1.5); },
    [](double among) { return (among - 1) * (among - 1); }};

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
  std::vector<Part> parts;
  if (has_parts_) {
    parts.push_back(fit([this](const TrainingSize& size) { return compute_terms(size); }, compute_of));
    parts.push_back(fit([this](const TrainingSize& size) { return skew_terms(size); }, skew_of));
    parts.push_back(fit([this](const TrainingSize& size) { return exposed_terms(size); }, exposed_of));
  } else {
    parts.push_back(fit([this](const TrainingSize& size) { return whole_terms(size); }, whole_of));
  }
  laws_.push_back(law_of(std::move(parts)));
  for (const auto growth : kGrowths) add_law(growth);
}

SizeModel::Law SizeModel::law_of(std::vector<Part> parts) const {
  Law law{std::move(parts)};
  std::size_t terms = 0;
  for (const auto& part : law.parts) terms += part.fit.terms;
  for (const auto& point : points_) law.miss_squares += std::pow(std::log(point.step_s / law.step_s(point.size)), 2);
  law.degrees = std::max(0, static_cast<int>(points_.size()) - static_cast<int>(terms));
  return law;
}

// In the part that communication is in, the last one.
void SizeModel::add_law(double (*growth)(double among)) {
  const auto terms = [this, growth](const TrainingSize& size) {
    const auto among = static_cast<double>(has_several_nodes_ ? size.nodes : size.world_size);
    auto found = has_parts_ ? exposed_terms(size) : whole_terms(size);
    found.back() = growth(among);  // in the place of messages, among nodes where there are several
    return found;
  };
  auto parts = laws_.front().parts;
  const auto last = terms(points_.front().size).size() - 1;
  parts.back() = fit(terms, has_parts_ ? exposed_of : whole_of, last);
  if (!parts.back().fit.coefficients.empty()) laws_.push_back(law_of(std::move(parts)));
}

double SizeModel::Law::step_s(const TrainingSize& size) const {
  double sum_s = 0;
  for (const auto& part : parts) sum_s += part.at(size);
  return sum_s;
}

double SizeModel::Law::leverage(const TrainingSize& size) const {
  const double whole_s = step_s(size);
  double sum = 0;
  for (const auto& part : parts) {
    auto x = part.terms(size);
    for (auto& one : x) one /= whole_s;
    sum += part.fit.leverage(x);
  }
  return sum;
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
SizeModel::Part SizeModel::fit(Terms terms, double (*measured)(const SizePoint&), std::optional<std::size_t> required) const {
  std::vector<FitRow> rows;
  for (const auto& point : points_) {
    FitRow row{terms(point.size), measured(point) / point.step_s};
    for (auto& x : row.x) x /= point.step_s;
    rows.push_back(std::move(row));
  }
  return {fit_nonnegative(rows, kExact, required), std::move(terms)};
}

SizePrediction SizeModel::at(const TrainingSize& size) const {
  SizePrediction found;
  const auto& model = laws_.front();
  auto& step_s = found.step_s;
  step_s.value = step_s.lo = step_s.hi = model.step_s(size);
  if (has_parts_) {
    found.compute_s = model.parts[0].at(size);
    found.skew_s = model.parts[1].at(size);
    found.exposed_s = model.parts[2].at(size);
  }
  double variance = HUGE_VAL, fewest = HUGE_VAL;
  for (const auto& law : laws_) {
    const double squares = kPriorSizes * kPriorMiss * kPriorMiss + law.miss_squares;
    variance = std::min(variance, squares / (kPriorSizes + law.degrees));
    fewest = std::min(fewest, law.miss_squares);
  }
  for (const auto& law : laws_) {
    const double t = two_sided_t_quantile(confidence_, kPriorSizes + law.degrees);
    if (law.miss_squares - fewest > t * t * variance) continue;
    const double half = t * std::sqrt(variance * (1 + law.leverage(size)));
    step_s.lo = std::min(step_s.lo, law.step_s(size) * std::exp(-half));
    step_s.hi = std::max(step_s.hi, law.step_s(size) * std::exp(half));
  }
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
