#pragma once

namespace ddpbench {

// z with P(|Z| < z) = confidence for a standard normal Z; confidence in (0, 1).
double two_sided_normal_quantile(double confidence);

// t with P(|T| < t) = confidence for Student's T with `degrees` >= 1 degrees of freedom.
double two_sided_t_quantile(double confidence, int degrees);

}  // namespace ddpbench
