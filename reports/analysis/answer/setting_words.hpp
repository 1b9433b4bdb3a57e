#pragma once
#include <span>
#include <string>
#include <vector>

#include "reports/analysis/findings/setting_comparison.hpp"
#include "reports/analysis/samples/study.hpp"

namespace ddpbench {

// Which value of a setting makes the reference's step shorter, on the clock of that step: a sentence per setting, about the comparison that says
// most; what is resolved comes first, at most kMostSettingSentences.
inline constexpr std::size_t kMostSettingSentences = 3;
std::vector<std::string> setting_sentences(const Study& study, std::span<const SettingComparison> comparisons);

}  // namespace ddpbench
