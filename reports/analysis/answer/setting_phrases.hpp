#pragma once
#include <span>
#include <string>
#include <vector>

#include "reports/analysis/findings/settings/setting_comparison.hpp"
#include "reports/analysis/samples/study.hpp"

namespace ddpbench {

// Limits how many settings are told.
inline constexpr std::size_t kMostSettingSentences = 3;
// Says which value of a setting makes the reference's step shorter, on the primary clock: a sentence per setting, about the value
// that makes it shortest, else about one that makes it longer, is open or equal; with how many comparisons of that setting ended
// how. At most kMostSettingSentences, what makes a step shorter first.
std::vector<std::string> setting_sentences(const Study& study, std::span<const SettingComparison> comparisons);

}  // namespace ddpbench
