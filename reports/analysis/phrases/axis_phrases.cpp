#include "reports/analysis/phrases/axis_phrases.hpp"

#include "reports/analysis/phrases/number_phrases.hpp"
#include "suite/base/text.hpp"

namespace ddpbench {

std::string axis_phrase(const StandardAxis& axis, const Axes& axes) {
  const std::string words = axis.words;
  const auto open = words.find('{');
  const auto close = words.find('}', open);
  const auto noun = words.substr(open + 1, close - open - 1);
  const auto* size = std::get_if<std::int64_t Axes::*>(&axis.member);
  const auto value = noun.empty() || size == nullptr ? text_of(axis, axes) : counted(axes.**size, noun);
  return words.substr(0, open) + value + words.substr(close + 1);
}

}  // namespace ddpbench
