#pragma once

namespace ddpbench {

// Returns P(|Z| > |z|) of a standard normal Z.
double two_sided_normal_p(double z);

// Returns z with P(|Z| < z) = confidence for a standard normal Z; confidence in (0, 1).
double two_sided_normal_quantile(double confidence);

// Returns P(|T| > |t|) of Student's T with `degrees` degrees of freedom, accurate in the tail; t may be infinite. NaN where t is,
// or without a degree of freedom.
double two_sided_t_p(double t, int degrees);

// Returns P(T > t) of the same; degrees = 0 means a standard normal variable.
double t_p_above(double t, int degrees);

// Returns t with P(|T| < t) = confidence for Student's T with `degrees` degrees of freedom; NaN without one.
double two_sided_t_quantile(double confidence, int degrees);

}  // namespace ddpbench
