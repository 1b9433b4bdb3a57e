#include "reports/analysis/words/prediction_words.hpp"

#include "reports/analysis/words/wording.hpp"

namespace ddpbench {

std::string score_words(const HeldOutScore& score) {
  if (score.predicted == 0)
    return "How well this predicts is not known: that takes three measured sizes, of which each can be predicted from the "
           "others.\n";
  constexpr int kDigits = 2;
  return "Held out one after the other, " + std::to_string(score.predicted) + " measured sizes were missed by " +
         number_text(score.largest_percent, kDigits) + " % at most, " + number_text(score.median_percent, kDigits) +
         " % in the median; " + std::to_string(score.inside) + " of them lie within their interval.\n";
}

}  // namespace ddpbench
