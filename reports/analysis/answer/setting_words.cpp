#include "reports/analysis/answer/setting_words.hpp"

#include <algorithm>
#include <cmath>

#include "reports/analysis/samples/cell_labels.hpp"
#include "reports/analysis/words/wording.hpp"
#include "suite/base/text.hpp"
#include "suite/contract/status.hpp"

namespace ddpbench {
namespace {

constexpr int kSettingDigits = 2;

double percent_of(double log_ratio) { return 100 * std::expm1(log_ratio); }

bool is_different(const SettingComparison& one) { return one.verdict == verdict::kFaster || one.verdict == verdict::kSlower; }

// What says most stands first: a difference, the largest; then what is open; then what is equal.
int telling_place(const SettingComparison& one) {
  if (is_different(one)) return 0;
  return one.verdict == verdict::kEquivalent ? 2 : 1;
}

bool says_more(const SettingComparison& a, const SettingComparison& b) {
  if (telling_place(a) != telling_place(b)) return telling_place(a) < telling_place(b);
  return is_different(a) && std::fabs(a.log_ratio.value) > std::fabs(b.log_ratio.value);
}

// Of one setting on one clock.
struct OneSetting {
  const SettingComparison* told = nullptr;
  std::int64_t comparisons = 0;
};

std::vector<OneSetting> settings_on(std::span<const SettingComparison> comparisons, const std::string& clock) {
  std::vector<OneSetting> settings;
  for (const auto& one : comparisons) {
    if (one.clock != clock || one.verdict.empty()) continue;
    auto found =
        std::find_if(settings.begin(), settings.end(), [&](const auto& other) { return other.told->setting == one.setting; });
    if (found == settings.end()) found = settings.insert(settings.end(), OneSetting{&one, 0});
    ++found->comparisons;
    if (says_more(one, *found->told)) found->told = &one;
  }
  std::stable_sort(settings.begin(), settings.end(), [](const auto& a, const auto& b) { return says_more(*a.told, *b.told); });
  return settings;
}

std::string place_text(const Study& study, const OneSetting& setting) {
  const auto* cell = study.find_cell(setting.told->cell_id);
  const auto label = cell == nullptr ? setting.told->cell_id : cell->label;
  return setting.comparisons == 1 ? ""
                                  : " (" + label + "; the largest of " + std::to_string(setting.comparisons) + " differences)";
}

// "backend: with mpi a step takes 15 % less than with gloo, between 13 and 17 %."
std::string difference_sentence(const Study& study, const OneSetting& setting) {
  const auto& one = *setting.told;
  const auto percent = [](double log_ratio) { return number_text(std::fabs(percent_of(log_ratio)), kSettingDigits); };
  const bool is_less = one.verdict == verdict::kFaster;
  const auto lo = percent(is_less ? one.log_ratio.hi : one.log_ratio.lo),
             hi = percent(is_less ? one.log_ratio.lo : one.log_ratio.hi);
  return one.setting + ": with " + one.value + " a step takes " + percent(one.log_ratio.value) + " % " +
         (is_less ? "less" : "more") + " than with " + one.reference_value + ", between " + lo + " and " + hi + " %" +
         place_text(study, setting) + ".";
}

std::string sentence_of(const Study& study, const OneSetting& setting) {
  const auto& one = *setting.told;
  if (is_different(one)) return difference_sentence(study, setting);
  const auto which = one.setting + ": " + one.value + " against " + one.reference_value;
  if (one.verdict == verdict::kEquivalent) return which + " makes no difference that matters to a step (" + one.reason + ").";
  return which + " is open: a step differs by " + signed_text(percent_of(one.log_ratio.lo)) + " to " +
         signed_text(percent_of(one.log_ratio.hi)) + " %; more launches would tell.";
}

}  // namespace

std::vector<std::string> setting_sentences(const Study& study, std::span<const SettingComparison> comparisons) {
  const auto* clock = study.primary_clock == Clock::kDevice ? clock_name::kDevice : clock_name::kWall;
  auto settings = settings_on(comparisons, clock);
  settings.resize(std::min(settings.size(), kMostSettingSentences));
  std::vector<std::string> sentences;
  for (const auto& setting : settings) sentences.push_back(sentence_of(study, setting));
  return sentences;
}

}  // namespace ddpbench
