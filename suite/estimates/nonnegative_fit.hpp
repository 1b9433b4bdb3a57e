#pragma once
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace ddpbench {

// Holds one observation: y = Σ coefficient_i x_i.
struct FitRow {
  std::vector<double> x;
  double y = 0;
};

// Is the most terms that a fit may have.
inline constexpr std::size_t kMostTerms = 8;

// Holds least squares with coefficients that are not negative, and with as few of them as the rows bear: of all subsets of the
// terms the one with the smallest n ln(RSS / n + floor²) + 2 k ln n (Schwarz's criterion, its penalty doubled for few rows).
struct NonnegativeFit {
  std::vector<double> coefficients;  // 0: left out
  std::size_t terms = 0;             // that are not left out
  double residual_squares = 0;

  double at(std::span<const double> x) const;        // the fitted y
  double leverage(std::span<const double> x) const;  // xᵀ (XᵀX)⁻¹ x of the terms that are not left out

  std::vector<std::vector<double>> inverse;  // of XᵀX, all terms; zeros where they are left out
};

// Fits at most kMostTerms terms to rows whose y are about 1. `floor`: residuals below it are as good as none. `required`: a term
// that is not left out. Without rows, or where no term explains anything, all coefficients are 0. Returns none where the required
// term would be negative, or is no other than the rest.
NonnegativeFit fit_nonnegative(std::span<const FitRow> rows, double floor, std::optional<std::size_t> required = {});

}  // namespace ddpbench
