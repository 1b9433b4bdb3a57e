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

// "5 % of a step of 9.2 ms (4.6 to 14 ms)"; "" where nothing is known.
std::string crossing_words(const StepTimeLaw& law, double percent) {
  const auto crossing = crossing_at_share(*law.line, percent / 100);
  const auto share = plain_text(percent) + " %";
  const auto text = [](double us) { return us == 0 ? std::string("0") : short_duration_text(us); };
  switch (crossing.kind) {
    case Crossing::Kind::kUnknown: return "";
    case Crossing::Kind::kNever: return "less than " + share + " of every step";
    case Crossing::Kind::kAlways: return "more than " + share + " of every step";
    case Crossing::Kind::kUnbounded: return share + " of a step longer than " + text(crossing.lo);
    case Crossing::Kind::kBounded: break;
  }
  if (!is_tellable(crossing.value, crossing.lo, crossing.hi))
    return share + " of a step between " + text(crossing.lo) + " and " + text(crossing.hi);
  return share + " of a step of " + text(crossing.value) + " (" + text(crossing.lo) + " to " + text(crossing.hi) + ")";
}

}  // namespace

std::string by_line_words(const StepTimeLaw& law) {
  return "by the line through its costs at " + std::to_string(law.points.size()) + " step lengths";
}

std::string slope_words(const StepTimeLaw& law) { return "s = " + figure_words(law.line->slope, law.line->slope_half_width()); }

std::string law_words(const StepTimeLaw& law) {
  return "over " + counted(static_cast<std::int64_t>(law.points.size()), "step length") + " of " +
         us_text(law.points.front().step_us) + " to " + us_text(law.points.back().step_us) + " (" + law.group +
         ") the cost is c + s T with c = " + figure_words(law.line->intercept, law.line->intercept_half_width()) + " us and " +
         slope_words(law) + " of " + clock_words(law.clock) + ": " + crossing_sentence(law);
}

std::string crossing_sentence(const StepTimeLaw& law, const std::string& of_arm) {
  auto said = crossing_words(law, 5);
  const auto one = crossing_words(law, 1);
  if (!one.empty()) said += (said.empty() ? "" : ", and ") + one;
  const auto by = by_line_words(law);
  if (said.empty()) {
    return "At which step " + law.arm + of_arm + " is 5 % cannot be said: " + by + " it grows by " +
           interval_text(100 * (law.line->slope - law.line->slope_half_width()),
                         100 * (law.line->slope + law.line->slope_half_width())) +
           " % of the step.";
  }
  return law.arm + of_arm + " is " + said + ", " + by + ".";
}

}  // namespace ddpbench
