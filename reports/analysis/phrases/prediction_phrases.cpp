#include "reports/analysis/phrases/prediction_phrases.hpp"

#include "reports/analysis/phrases/number_phrases.hpp"

namespace ddpbench {

std::string score_phrase(const HeldOutScore& score) {
  if (score.predicted == 0)
    return "How well this predicts is not known: that takes three measured sizes, of which each can be predicted from the "
           "others.\n";
  constexpr int kDigits = 2;
  const auto largest = number_text(score.largest_percent, kDigits) + " %",
             median = number_text(score.median_percent, kDigits) + " %";
  const auto how = std::to_string(score.predicted) + " measured sizes, each predicted from the others, were wrong by at most " +
                   largest + ", by " + median + " in the median; " + std::to_string(score.inside) + " of " +
                   std::to_string(score.predicted) + " fell within their interval.\n";
  const bool is_unreliable = score.largest_percent > kMostMissPercent;
  return (is_unreliable ? "Test predictions were wrong by up to " + largest + ": do not rely on the figures below.\n" : "") + how;
}

}  // namespace ddpbench
