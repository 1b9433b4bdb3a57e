#include "suite/contract/vocabulary/arm_name.hpp"

#include <algorithm>
#include <utility>

#include "suite/base/numbers.hpp"
#include "suite/base/text.hpp"
#include "suite/contract/vocabulary/registry.hpp"

namespace ddpbench {
namespace {

bool is_in_a_number(char c) { return (c >= '0' && c <= '9') || c == '.'; }

std::size_t next_sign(std::string_view text, std::size_t from) {
  bool in_value = false;
  for (auto i = from; i < text.size(); ++i) {
    if (text[i] == '=') in_value = true;
    if (text[i] != '+' && text[i] != '-') continue;
    if (!in_value || i + 1 == text.size() || !is_in_a_number(text[i + 1])) return i;
  }
  return std::string_view::npos;
}

FeatureChange change_of(char sign, std::string_view text) {
  const auto equals = text.find('=');
  if (equals == std::string_view::npos) return {sign, std::string(text)};
  return {sign, std::string(text.substr(0, equals)), std::string(text.substr(equals + 1))};
}

const VocabularyEntry* find_feature(const Vocabulary& vocabulary, const std::string& name) {
  const auto& features = vocabulary.features;
  const auto found = std::find_if(features.begin(), features.end(), [&](const auto& entry) { return entry.name == name; });
  return found == features.end() ? nullptr : &*found;
}

// 1.50 and 15e-1 are 1.5.
std::string canonical_value(const OptionEntry& rule, const std::string& value) {
  const bool is_number = rule.type == OptionType::kInteger || rule.type == OptionType::kNumber;
  const auto number = parse_finite<double>(value);
  if (!is_number || !number) return value;
  return rule.type == OptionType::kInteger ? std::to_string(static_cast<std::int64_t>(*number)) : shortest_text(*number + 0.0);
}

// One name on its way from text to ArmName.
class ArmNameParser {
 public:
  ArmNameParser(const Vocabulary& vocabulary, std::string_view text)
      : vocabulary_(vocabulary),
        text_(text),
        written_(split_arm_name(text)),
        arm_(find_entry(vocabulary.arms, "arm", written_.base)),
        own_(values_of(expand(vocabulary, arm_.features))),
        in_force_(own_) {}

  ArmName parse() {
    if (!written_.changes.empty() && possible().empty()) {
      throw UsageError("arm '" + arm_.name + "' takes no features (in '" + text_ + "')");
    }
    for (const auto& change : written_.changes) apply_written(change);
    refuse_change_to_nothing();
    require_consistent();
    return name();
  }

 private:
  using Values = std::map<std::string, std::string>;  // feature -> its value, "" where it carries none

  Values values_of(const std::vector<std::string>& features) const {
    Values values;
    for (const auto& text : features) {
      const auto change = change_of('+', text);
      values[change.feature] = checked_value(change);
    }
    return values;
  }

  // The features that can be on the arm: its own, and those that may be added.
  std::vector<std::string> possible() const {
    std::vector<std::string> features;
    for (const auto* list : {&arm_.features, &arm_.takes}) {
      for (const auto& text : expand(vocabulary_, *list)) features.push_back(change_of('+', text).feature);
    }
    return features;
  }

  void apply_written(const FeatureChange& change) {
    const auto& entry = find_entry(vocabulary_.features, "feature", change.feature);
    const auto parts = expand(vocabulary_, change);
    if (!entry.bundle.empty() && !change.value.empty()) {
      throw UsageError("feature '" + change.feature + "' stands for " + join(entry.bundle, ", ") +
                       ": give a value to one of them (in '" + text_ + "')");
    }
    for (const auto& part : parts) apply(part, !entry.bundle.empty());
  }

  void apply(const FeatureChange& change, bool of_bundle) {
    require_possible(change.feature);
    const auto found = in_force_.find(change.feature);
    if (change.sign == '-') {
      if (!change.value.empty() && !of_bundle)
        throw UsageError("feature '" + change.feature + "' is taken away without a value (in '" + text_ + "')");
      if (found == in_force_.end()) throw UsageError("arm '" + text_ + "' has no feature '" + change.feature + "' to take away");
      in_force_.erase(found);
      return;
    }
    const auto value = checked_value(change);
    const bool there_alike = of_bundle && found != in_force_.end() && found->second == value;
    if (found != in_force_.end() && !there_alike) throw UsageError(already_there(*found));
    in_force_[change.feature] = value;
  }

  std::string already_there(const Values::value_type& feature) const {
    const auto value = feature.second.empty() ? "" : " (at " + feature.second + ")";
    return "arm '" + text_ + "' already has feature '" + feature.first + "'" + value;
  }

  void require_possible(const std::string& feature) const {
    const auto features = possible();
    if (holds(features, feature)) return;
    throw UsageError("arm '" + arm_.name + "' takes no feature '" + feature + "' (in '" + text_ + "'; it takes " +
                     join(features, ", ") + ")");
  }

  std::string checked_value(const FeatureChange& change) const {
    const auto& entry = find_entry(vocabulary_.features, "feature", change.feature);
    if (!entry.value) {
      if (change.value.empty()) return "";
      throw UsageError("feature '" + change.feature + "' carries no value (in '" + text_ + "')");
    }
    const auto value = change.value.empty() ? entry.value->default_value : change.value;
    if (const auto why = why_illegal(*entry.value, value); !why.empty()) {
      const auto what = entry.value->help.empty() ? "" : " (" + entry.value->help + ")";
      throw UsageError("feature '" + change.feature + "'" + what + ": '" + value + "' " + why + " (in '" + text_ + "')");
    }
    return canonical_value(*entry.value, value);
  }

  // trainer-loops+loops is trainer, under a name that says otherwise; -logger+logger=10 says another value.
  void refuse_change_to_nothing() const {
    for (const auto& change : written_.changes) {
      const bool both_ways = std::any_of(written_.changes.begin(), written_.changes.end(), [&](const FeatureChange& other) {
        return other.feature == change.feature && other.sign != change.sign;
      });
      if (both_ways && !is_changed(change)) {
        throw UsageError("feature '" + change.feature + "' is added and taken away: leave out both (in '" + text_ + "')");
      }
    }
  }
  bool is_changed(const FeatureChange& written) const {
    const auto parts = expand(vocabulary_, written);
    return std::any_of(parts.begin(), parts.end(), [&](const FeatureChange& part) { return is_changed(part.feature); });
  }
  bool is_changed(const std::string& feature) const {
    const auto own = own_.find(feature);
    const auto now = in_force_.find(feature);
    return (own == own_.end()) != (now == in_force_.end()) || (own != own_.end() && own->second != now->second);
  }

  void require_consistent() const {
    require_consistent(arm_, "arm");
    for (const auto& [feature, value] : in_force_) {
      require_consistent(find_entry(vocabulary_.features, "feature", feature), "feature");
    }
  }
  void require_consistent(const VocabularyEntry& entry, const std::string& kind) const {
    for (const auto& needed : entry.requires_features) {
      if (in_force_.count(needed) != 0) continue;
      throw UsageError(kind + " '" + entry.name + "' requires feature '" + needed + "', which '" + text_ + "' does not have");
    }
    for (const auto& excluded : entry.excludes_features) {
      if (in_force_.count(excluded) == 0) continue;
      throw UsageError(kind + " '" + entry.name + "' excludes feature '" + excluded + "': '" + text_ + "' has both");
    }
  }

  ArmName name() const {
    ArmName name{arm_.name, {}, {}, arm_.name};
    std::string removed, added;
    for (const auto& entry : vocabulary_.features) {
      const auto own = own_.find(entry.name);
      const auto now = in_force_.find(entry.name);
      if (now != in_force_.end()) {
        name.features.push_back(entry.name);
        if (!now->second.empty()) name.values[entry.name] = now->second;
      }
      if (own != own_.end() && is_changed(entry.name)) removed += "-" + entry.name;
      if (now == in_force_.end() || !is_changed(entry.name)) continue;
      (entry.name == kModuleFeature ? name.canonical : added) += added_text(entry.name, now->second);
    }
    name.canonical += removed + added;
    return name;
  }

  const Vocabulary& vocabulary_;
  std::string text_;
  WrittenArm written_;
  const VocabularyEntry& arm_;
  Values own_, in_force_;
};

}  // namespace

WrittenArm split_arm_name(std::string_view text) {
  auto end = next_sign(text, 0);
  WrittenArm written{std::string(text.substr(0, end)), {}};
  if (const auto equals = written.base.find('='); equals != std::string::npos) {
    written.changes.push_back({'+', kModuleFeature, written.base.substr(equals + 1)});
    written.base.resize(equals);
  }
  while (end != std::string_view::npos) {
    const auto next = next_sign(text, end + 1);
    written.changes.push_back(change_of(text[end], text.substr(end + 1, next - end - 1)));
    end = next;
  }
  return written;
}

std::string feature_text(const std::string& feature, const std::string& value) {
  return value.empty() ? feature : feature + "=" + value;
}

std::string added_text(const std::string& feature, const std::string& value) {
  return feature == kModuleFeature ? "=" + value : "+" + feature_text(feature, value);
}

std::vector<FeatureChange> expand(const Vocabulary& vocabulary, const FeatureChange& change) {
  const auto* entry = find_feature(vocabulary, change.feature);
  if (entry == nullptr || entry->bundle.empty()) return {change};
  std::vector<FeatureChange> parts;
  for (const auto& part : entry->bundle) parts.push_back(change_of(change.sign, part));
  return parts;
}

std::vector<std::string> expand(const Vocabulary& vocabulary, const std::vector<std::string>& listed) {
  std::vector<std::string> features;
  for (const auto& text : listed) {
    for (const auto& part : expand(vocabulary, change_of('+', text))) {
      features.push_back(feature_text(part.feature, part.value));
    }
  }
  return features;
}

bool ArmName::has(std::string_view feature) const { return holds(features, feature); }

ArmName parse_arm_name(const Vocabulary& vocabulary, std::string_view text) { return ArmNameParser(vocabulary, text).parse(); }

}  // namespace ddpbench
