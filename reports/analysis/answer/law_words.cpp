#include "reports/analysis/answer/law_words.hpp"

#include <algorithm>
#include <cmath>

#include "reports/analysis/verdicts/row_words.hpp"
#include "reports/analysis/words/wording.hpp"
#include "suite/base/text.hpp"

namespace ddpbench {
namespace {

std::string us_text(double us) { return us == 0 ? "0" : duration_text(1e-6 * us); }

std::string figure_words(double value, double half_width) {
  return signed_text(value) + " " + interval_text(value - half_width, value + half_width);
}

std::string beyond_words(const StepTimeLaw& law, double step_us) {
  const bool measured = step_us >= law.points.front().step_us && step_us <= law.points.back().step_us;
  return measured ? "" : ", extrapolated";
}

std::string crossing_words(const StepTimeLaw& law, double percent) {
  const auto crossing = crossing_at_share(*law.line, percent / 100);
  const auto share = plain_text(percent) + " %";
  switch (crossing.kind) {
    case Crossing::Kind::kNever: return "less than " + share + " of every step";
    case Crossing::Kind::kAlways: return "more than " + share + " of every step";
    case Crossing::Kind::kUnknown: return "at which step it is " + share + " is not resolved";
    case Crossing::Kind::kBounded:
    case Crossing::Kind::kUnbounded: break;
  }
  const bool bounded = crossing.kind == Crossing::Kind::kBounded;
  const auto interval = "[" + us_text(crossing.lo) + ", " + (bounded ? us_text(crossing.hi) : "no upper bound") + "]";
  if (std::isnan(crossing.value)) return share + " of a step somewhere in " + interval;
  return share + " of a step of " + us_text(crossing.value) + " " + interval + beyond_words(law, crossing.value);
}

}  // namespace

const StepTimeLaw* find_law(const std::vector<StepTimeLaw>& laws, const std::string& group,
                            const std::pair<std::string, std::string>& arm_and_clock) {
  const StepTimeLaw* found = nullptr;
  for (const auto& law : laws) {
    if (!law.line || std::pair(law.arm, law.clock) != arm_and_clock) continue;
    if (law.group == group) return &law;
    if (found == nullptr) found = &law;
  }
  return found;
}

std::string slope_words(const StepTimeLaw& law) { return "s = " + figure_words(law.line->slope, law.line->slope_half_width()); }

std::string law_words(const StepTimeLaw& law) {
  return "over " + counted(static_cast<std::int64_t>(law.points.size()), "step length") + " of " +
         us_text(law.points.front().step_us) + " to " + us_text(law.points.back().step_us) + " (" + law.group +
         ") the cost is c + s T with c = " + figure_words(law.line->intercept, law.line->intercept_half_width()) + " us and " +
         slope_words(law) + " of " + clock_words(law.clock) + ": " + crossing_words(law, 1) + "; " + crossing_words(law, 5);
}

}  // namespace ddpbench
