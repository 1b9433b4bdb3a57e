#include "reports/analysis/answer/law_phrases.hpp"

#include "reports/analysis/phrases/number_phrases.hpp"

namespace ddpbench {
namespace {

// "5 % of a step of 9.2 ms (4.6 to 14 ms)"; "" where nothing is known.
std::string crossing_phrase(const StepTimeLaw& law, double percent) {
  const auto crossing = law_crossing(law, percent / 100);
  const auto share = plain_text(percent) + " %";
  switch (crossing.kind) {
    case Crossing::Kind::kUnknown: return "";
    case Crossing::Kind::kNever: return "less than " + share + " of every step";
    case Crossing::Kind::kAlways: return "more than " + share + " of every step";
    case Crossing::Kind::kUnbounded:
      return share + " of a step longer than " + (crossing.x.lo == 0 ? "0" : short_duration_text(crossing.x.lo));
    case Crossing::Kind::kBounded: break;
  }
  if (!is_tellable(crossing.x.value, crossing.x.lo, crossing.x.hi)) {
    const auto bounds = durations_apart({crossing.x.lo, crossing.x.hi});
    return share + " of a step between " + bounds.texts[0] + " and " + bounds.texts[1] + bounds.unit;
  }
  const auto told = durations_apart({crossing.x.value, crossing.x.lo, crossing.x.hi});
  return share + " of a step of " + told.texts[0] + told.unit + " (" + told.texts[1] + " to " + told.texts[2] + told.unit + ")";
}

}  // namespace

std::string by_line_phrase(const StepTimeLaw& law) {
  return "by the line through its costs at " + std::to_string(law.points.size()) + " step lengths";
}

std::string crossing_sentence(const StepTimeLaw& law, const std::string& of_arm) {
  auto said = crossing_phrase(law, 5);
  const auto one = crossing_phrase(law, 1);
  if (!one.empty()) said += (said.empty() ? "" : ", and ") + one;
  const auto by = by_line_phrase(law);
  if (said.empty()) {
    return "At which step " + law.arm + of_arm + " is 5 % cannot be said: " + by + " it grows by " +
           interval_text(100 * (law.line->slope - law.line->slope_half_width()),
                         100 * (law.line->slope + law.line->slope_half_width())) +
           " % of the step.";
  }
  return law.arm + of_arm + " is " + said + ", " + by + ".";
}

}  // namespace ddpbench
