#include "reports/analysis/answer/setting_phrases.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "reports/analysis/phrases/number_phrases.hpp"
#include "suite/base/text.hpp"
#include "suite/contract/status.hpp"

namespace ddpbench {
namespace {

constexpr int kSettingDigits = 2;

// Shares of the step that is compared with: of what was judged, so that their signs are the verdict's.
double percent_of_step(const SettingComparison& one, double us) { return 100 * us / one.reference_step_us; }

// What makes the step shorter stands first, the most of what is sure among all values of its setting; then what makes it longer; then what is open;
// then what is equal.
int telling_place(const SettingComparison& one) {
  if (one.verdict == verdict::kFaster) return 0;
  if (one.verdict == verdict::kSlower) return 1;
  return one.verdict == verdict::kEquivalent ? 3 : 2;
}

bool says_more(const SettingComparison& a, const SettingComparison& b) {
  if (telling_place(a) != telling_place(b)) return telling_place(a) < telling_place(b);
  if (telling_place(a) > 1) return false;
  const auto holds_together = [](const SettingComparison& one) {
    return one.difference_us_together.lo > 0 || one.difference_us_together.hi < 0;
  };
  if (holds_together(a) != holds_together(b)) return holds_together(a);
  const auto size = [](const SettingComparison& one) { return std::fabs(percent_of_step(one, one.difference_us.value)); };
  return size(a) > size(b);
}

// Of one setting on one clock.
struct OneSetting {
  const SettingComparison* told = nullptr;
  std::array<std::int64_t, 4> counts{};  // by telling_place

  std::int64_t comparisons() const { return std::accumulate(counts.begin(), counts.end(), std::int64_t{0}); }
};

std::vector<OneSetting> settings_on(std::span<const SettingComparison> comparisons, const std::string& clock) {
  std::vector<OneSetting> settings;
  for (const auto& one : comparisons) {
    if (one.clock != clock || one.verdict.empty()) continue;
    auto found =
        std::find_if(settings.begin(), settings.end(), [&](const auto& other) { return other.told->setting == one.setting; });
    if (found == settings.end()) found = settings.insert(settings.end(), OneSetting{&one, {}});
    ++found->counts[static_cast<std::size_t>(telling_place(one))];
    if (says_more(one, *found->told)) found->told = &one;
  }
  std::stable_sort(settings.begin(), settings.end(), [](const auto& a, const auto& b) { return says_more(*a.told, *b.told); });
  return settings;
}

// " (convnet_cifar10; of 6 comparisons 1 is shorter, 2 are longer, 3 are open)"; "" where there is no other.
std::string among_text(const Study& study, const OneSetting& setting) {
  constexpr std::array kWords{"shorter", "longer", "open", "equal"};
  if (setting.comparisons() == 1) return "";
  const auto* cell = study.find_cell(setting.told->cell_id);
  std::vector<std::string> counts;
  for (std::size_t i = 0; i < kWords.size(); ++i) {
    const auto count = setting.counts[i];
    if (count > 0) counts.push_back(std::to_string(count) + (count == 1 ? " is " : " are ") + kWords[i]);
  }
  return " (" + (cell == nullptr ? setting.told->cell_id : cell->label) + "; of " + std::to_string(setting.comparisons()) +
         " comparisons " + join(counts, ", ") + ")";
}

// "backend: with mpi a step takes 15 % less than with gloo, between 13 and 17 %." Of several values the one that differs most is told: by the bounds
// that hold for all of them together.
std::string difference_text(const SettingComparison& one) {
  const bool is_less = one.verdict == verdict::kFaster;
  const auto percent = [&](double us) { return number_text((is_less ? -1 : 1) * percent_of_step(one, us), kSettingDigits); };
  return one.setting + ": with " + one.value + " a step takes " + percent(one.difference_us.value) + " % " +
         (is_less ? "less" : "more") + " than with " + one.reference_value + ", between " +
         percent(is_less ? one.difference_us_together.hi : one.difference_us_together.lo) + " and " +
         percent(is_less ? one.difference_us_together.lo : one.difference_us_together.hi) + " %";
}

std::string open_text(const SettingComparison& one) {
  const bool has_sign = one.difference_us.lo > 0 || one.difference_us.hi < 0;
  return " is open: a step differs by " + signed_text(percent_of_step(one, one.difference_us.lo)) + " to " +
         signed_text(percent_of_step(one, one.difference_us.hi)) + " %" +
         (has_sign ? ", which may be chance among " + std::to_string(one.comparisons) + " comparisons" : "") +
         "; more launches would tell";
}

std::string sentence_of(const Study& study, const OneSetting& setting) {
  const auto& one = *setting.told;
  const auto which = one.setting + ": " + one.value + " against " + one.reference_value;
  const auto text = telling_place(one) < 2 ? difference_text(one)
                    : one.verdict == verdict::kEquivalent
                        ? which + " makes no difference that matters to a step (" + one.reason + ")"
                        : which + open_text(one);
  return text + among_text(study, setting) + ".";
}

}  // namespace

std::vector<std::string> setting_sentences(const Study& study, std::span<const SettingComparison> comparisons) {
  const auto* clock = entry_of(study.primary_clock).name;
  auto settings = settings_on(comparisons, clock);
  settings.resize(std::min(settings.size(), kMostSettingSentences));
  std::vector<std::string> sentences;
  for (const auto& setting : settings) sentences.push_back(sentence_of(study, setting));
  return sentences;
}

}  // namespace ddpbench
