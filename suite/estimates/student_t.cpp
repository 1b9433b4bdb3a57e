#include "suite/estimates/student_t.hpp"

#include <boost/math/distributions/students_t.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <cmath>
#include <numbers>

#include "suite/base/not_measured.hpp"

namespace ddpbench {
namespace {

namespace policies = boost::math::policies;

// What has no value is NaN or infinite, as in <cmath>.
using AsInCmath =
    policies::policy<policies::domain_error<policies::ignore_error>, policies::overflow_error<policies::ignore_error>,
                     policies::evaluation_error<policies::ignore_error>>;
using StudentsT = boost::math::students_t_distribution<double, AsInCmath>;

}  // namespace

double two_sided_normal_p(double z) { return std::erfc(std::fabs(z) / std::numbers::sqrt2); }

double two_sided_normal_quantile(double confidence) {
  return std::numbers::sqrt2 * boost::math::erf_inv(confidence, AsInCmath());
}

double two_sided_t_p(double t, int degrees) {
  if (degrees < 1 || std::isnan(t)) return kNotMeasured;
  if (std::isinf(t)) return 0;
  return 2 * boost::math::cdf(boost::math::complement(StudentsT(degrees), std::fabs(t)));
}

double t_p_above(double t, int degrees) {
  const double outer = 0.5 * (degrees == 0 ? two_sided_normal_p(t) : two_sided_t_p(t, degrees));
  return t > 0 ? outer : 1 - outer;
}

double two_sided_t_quantile(double confidence, int degrees) {
  if (degrees < 1) return kNotMeasured;
  return boost::math::quantile(boost::math::complement(StudentsT(degrees), 0.5 * (1 - confidence)));
}

}  // namespace ddpbench
