#include "suite/estimates/nonnegative_fit.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "suite/base/errors.hpp"

namespace ddpbench {
namespace {

using Matrix = std::vector<std::vector<double>>;

constexpr double kSingular = 1e-10;  // of a pivot, where columns have length 1

// By Gauss and Jordan with pivots from the whole column; empty where the matrix is singular.
Matrix inverted(Matrix a) {
  const auto n = a.size();
  Matrix inverse(n, std::vector<double>(n, 0));
  for (std::size_t i = 0; i < n; ++i) inverse[i][i] = 1;
  for (std::size_t column = 0; column < n; ++column) {
    auto pivot = column;
    for (std::size_t row = column; row < n; ++row) {
      if (std::fabs(a[row][column]) > std::fabs(a[pivot][column])) pivot = row;
    }
    if (std::fabs(a[pivot][column]) < kSingular) return {};
    std::swap(a[pivot], a[column]);
    std::swap(inverse[pivot], inverse[column]);
    const double by = a[column][column];
    for (std::size_t k = 0; k < n; ++k) {
      a[column][k] /= by;
      inverse[column][k] /= by;
    }
    for (std::size_t row = 0; row < n; ++row) {
      const double times = a[row][column];
      if (row == column || times == 0) continue;
      for (std::size_t k = 0; k < n; ++k) {
        a[row][k] -= times * a[column][k];
        inverse[row][k] -= times * inverse[column][k];
      }
    }
  }
  return inverse;
}

// Columns are scaled to length 1: a latency in seconds stands beside a count.
std::vector<double> lengths_of(std::span<const FitRow> rows, std::size_t terms) {
  std::vector<double> lengths(terms, 0);
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < terms; ++i) lengths[i] += row.x[i] * row.x[i];
  }
  for (auto& length : lengths) length = std::sqrt(length);
  return lengths;
}

double residual_squares_of(std::span<const FitRow> rows, const NonnegativeFit& fit) {
  double squares = 0;
  for (const auto& row : rows) squares += std::pow(row.y - fit.at(row.x), 2);
  return squares;
}

class SubsetFits {
 public:
  SubsetFits(std::span<const FitRow> rows, double floor)
      : rows_(rows), terms_(rows.empty() ? 0 : rows.front().x.size()), floor_(floor), lengths_(lengths_of(rows, terms_)) {
    if (terms_ > kMostTerms) throw Error("a fit of more than " + std::to_string(kMostTerms) + " terms");
  }

  NonnegativeFit best(std::optional<std::size_t> required) const {
    auto best = required ? NonnegativeFit{} : without_terms();
    double best_criterion = required ? HUGE_VAL : criterion(best);
    for (unsigned subset = 1; subset < 1U << terms_; ++subset) {
      if (required && (subset >> *required & 1U) == 0) continue;
      const auto fit = of(chosen(subset));
      if (fit.coefficients.empty() || criterion(fit) >= best_criterion) continue;
      best_criterion = criterion(fit);
      best = fit;
    }
    return best;
  }

 private:
  NonnegativeFit without_terms() const {
    NonnegativeFit fit;
    fit.coefficients.assign(terms_, 0);
    fit.inverse.assign(terms_, std::vector<double>(terms_, 0));
    fit.residual_squares = residual_squares_of(rows_, fit);
    return fit;
  }

  std::vector<std::size_t> chosen(unsigned subset) const {
    std::vector<std::size_t> terms;
    for (std::size_t i = 0; i < terms_; ++i) {
      if ((subset >> i & 1U) != 0) terms.push_back(i);
    }
    return terms;
  }

  double criterion(const NonnegativeFit& fit) const {
    const auto n = static_cast<double>(std::max<std::size_t>(rows_.size(), 2));
    return n * std::log(fit.residual_squares / n + floor_ * floor_) + 2 * static_cast<double>(fit.terms) * std::log(n);
  }

  // Without coefficients where the terms do not explain each their own, or one would be negative.
  NonnegativeFit of(const std::vector<std::size_t>& terms) const {
    if (terms.size() > rows_.size()) return {};
    Matrix normal(terms.size(), std::vector<double>(terms.size(), 0));
    std::vector<double> right(terms.size(), 0);
    for (std::size_t i = 0; i < terms.size(); ++i) {
      if (lengths_[terms[i]] <= 0) return {};
      for (const auto& row : rows_) right[i] += row.x[terms[i]] / lengths_[terms[i]] * row.y;
      for (std::size_t j = 0; j < terms.size(); ++j) {
        for (const auto& row : rows_) normal[i][j] += row.x[terms[i]] / lengths_[terms[i]] * row.x[terms[j]] / lengths_[terms[j]];
      }
    }
    const auto inverse = inverted(std::move(normal));
    if (inverse.empty()) return {};
    auto fit = without_terms();
    fit.terms = terms.size();
    for (std::size_t i = 0; i < terms.size(); ++i) {
      double scaled = 0;
      for (std::size_t j = 0; j < terms.size(); ++j) {
        scaled += inverse[i][j] * right[j];
        fit.inverse[terms[i]][terms[j]] = inverse[i][j] / (lengths_[terms[i]] * lengths_[terms[j]]);
      }
      if (scaled < 0) return {};
      fit.coefficients[terms[i]] = scaled / lengths_[terms[i]];
    }
    fit.residual_squares = residual_squares_of(rows_, fit);
    return fit;
  }

  std::span<const FitRow> rows_;
  std::size_t terms_;
  double floor_;
  std::vector<double> lengths_;
};

}  // namespace

double NonnegativeFit::at(std::span<const double> x) const {
  double y = 0;
  for (std::size_t i = 0; i < coefficients.size(); ++i) y += coefficients[i] * x[i];
  return y;
}

double NonnegativeFit::leverage(std::span<const double> x) const {
  double sum = 0;
  for (std::size_t i = 0; i < inverse.size(); ++i) {
    for (std::size_t j = 0; j < inverse.size(); ++j) sum += x[i] * inverse[i][j] * x[j];
  }
  return sum;
}

NonnegativeFit fit_nonnegative(std::span<const FitRow> rows, double floor, std::optional<std::size_t> required) {
  return SubsetFits(rows, floor).best(required);
}

}  // namespace ddpbench
