#include "suite/contract/vocabulary/arm_facts.hpp"

#include <algorithm>
#include <utility>

#include "suite/base/errors.hpp"
#include "suite/base/numbers.hpp"
#include "suite/base/text.hpp"
#include "suite/contract/vocabulary/arm_name.hpp"
#include "suite/contract/vocabulary/registry.hpp"

namespace ddpbench {
namespace {

std::string first_reference(const Vocabulary& tables) {
  for (const auto& arm : tables.arms) {
    if (arm.role == ArmRole::kReference) return arm.name;
  }
  return "";
}

std::string reference_of(const Vocabulary& tables, const ArmEntry* arm) {
  if (arm != nullptr && arm->role == ArmRole::kReference) return arm->name;
  return arm == nullptr || arm->reference.empty() ? first_reference(tables) : arm->reference;
}

std::int64_t blocks_of(const ArmFacts& arm, const std::vector<ArmFacts>& launch) {
  constexpr std::int64_t kOthersPerReference = 4;
  if (!arm.is_reference()) return 1;
  const auto is_of_its_family = [&](const ArmFacts& other) { return !other.is_reference() && other.reference == arm.name; };
  const auto others = std::count_if(launch.begin(), launch.end(), is_of_its_family);
  return others <= kOthersPerReference ? 1 : (others + kOthersPerReference - 1) / kOthersPerReference;
}

// 1.50 and 15e-1 are 1.5.
std::string canonical_value(const OptionEntry& rule, const std::string& value) {
  const bool is_number = rule.type == OptionType::kInteger || rule.type == OptionType::kNumber;
  const auto number = parse_finite<double>(value);
  if (!is_number || !number) return value;
  return rule.type == OptionType::kInteger ? std::to_string(static_cast<std::int64_t>(*number)) : shortest_text(*number + 0.0);
}

// One feature in force; `value` is "" where it carries none.
struct FeatureInForce {
  std::string name, value;
  bool operator==(const FeatureInForce&) const = default;
};
using InForce = std::vector<FeatureInForce>;

InForce::const_iterator find_in(const InForce& features, std::string_view name) {
  return std::find_if(features.begin(), features.end(), [&](const auto& feature) { return feature.name == name; });
}

// Resolves one name. Notes the first mistake in it and goes on: what a results folder recorded is resolved as far as it goes.
class ArmResolver {
 public:
  ArmResolver(const Vocabulary& tables, std::string_view name)
      : tables_(tables), text_(name), written_(split_arm_name(tables, name)), base_(entry_or_null(tables.arms, written_.base)) {
    facts_.name = name;
    facts_.base = written_.base;
    facts_.reference = reference_of(tables, base_);
  }

  ArmFacts resolve() {
    take_base();
    if (base_ != nullptr && !written_.changes.empty() && possible_.empty())
      note("arm '" + base_->name + "' takes no features (in '" + text_ + "')");
    for (const auto& change : written_.changes) apply_written(change);
    check_for_change_to_nothing();
    check_consistency();
    for (const auto& feature : in_force_) facts_.features.push_back(feature_text(feature.name, feature.value));
    find_role();
    find_facts_of_features();
    find_work();
    find_canonical();
    return std::move(facts_);
  }

  // Returns the first mistake in the name; "" where it is legal. Asked after resolve().
  const std::string& mistake() const { return mistake_; }

 private:
  void note(const std::string& mistake) {
    if (mistake_.empty()) mistake_ = mistake;
  }
  const FeatureEntry* feature_called(const std::string& name) {
    const auto* entry = entry_or_null(tables_.features, name);
    if (entry == nullptr) note(unknown_name_message(tables_.features, "feature", name));
    return entry;
  }

  void take_base() {
    if (base_ == nullptr) {
      note(unknown_name_message(tables_.arms, "arm", written_.base));
      return;
    }
    facts_.role = base_->role;
    facts_.program = base_->program;
    facts_.is_wrapper = base_->is_wrapper;
    facts_.clocks = base_->clocks;
    facts_.equality = base_->equality;
    for (const auto* list : {&base_->features, &base_->takes}) {
      for (const auto& text : expand(tables_, base_->name, *list)) {
        auto feature = change_of('+', text).feature;  // of a bundle perhaps, and taken alone too
        if (!holds(possible_, feature)) possible_.push_back(std::move(feature));
      }
    }
    for (const auto& text : expand(tables_, base_->name, base_->features)) {
      const auto change = change_of('+', text);
      own_.push_back({change.feature, value_of(change)});
    }
    in_force_ = own_;
  }

  void apply_written(const FeatureChange& written) {
    const auto* entry = feature_called(written.feature);
    const auto& bundle = bundle_of(tables_, written_.base, written.feature);
    const bool is_bundle = entry != nullptr && !bundle.empty();
    if (is_bundle && !written.value.empty()) {
      note("feature '" + written.feature + "' stands for " + join(bundle, ", ") + ": give a value to one of them (in '" + text_ +
           "')");
    }
    for (const auto& change : expand(tables_, written_.base, written)) {
      (change.sign == '+' ? facts_.added : facts_.removed).push_back(change.feature);
      if (base_ != nullptr && !holds(possible_, change.feature)) {
        note("arm '" + base_->name + "' takes no feature '" + change.feature + "' (in '" + text_ + "'; it takes " +
             join(possible_, ", ") + ")");
      }
      change.sign == '+' ? add(change, is_bundle) : remove(change, is_bundle);
    }
  }

  void add(const FeatureChange& change, bool of_bundle) {
    const auto value = value_of(change);
    const auto found = find_in(in_force_, change.feature);
    if (found == in_force_.end()) {
      in_force_.push_back({change.feature, value});
    } else if (!of_bundle || found->value != value) {
      note("arm '" + text_ + "' already has feature '" + change.feature + "'" +
           (found->value.empty() ? "" : " (at " + found->value + ")"));
    }
  }

  void remove(const FeatureChange& change, bool of_bundle) {
    if (!change.value.empty() && !of_bundle)
      note("feature '" + change.feature + "' is taken away without a value (in '" + text_ + "')");
    const auto erased = std::erase_if(in_force_, [&](const auto& feature) { return feature.name == change.feature; });
    if (erased == 0) note("arm '" + text_ + "' has no feature '" + change.feature + "' to take away");
  }

  std::string value_of(const FeatureChange& change) {
    const auto* entry = feature_called(change.feature);
    if (entry == nullptr) return change.value;
    if (!entry->value) {
      if (!change.value.empty()) note("feature '" + change.feature + "' carries no value (in '" + text_ + "')");
      return change.value;
    }
    const auto& rule = *entry->value;
    const auto value = change.value.empty() ? rule.default_value : change.value;
    if (const auto why = why_illegal(rule, value); !why.empty()) {
      const auto what = rule.help.empty() ? "" : " (" + rule.help + ")";
      note("feature '" + change.feature + "'" + what + ": '" + value + "' " + why + " (in '" + text_ + "')");
      return value;
    }
    return canonical_value(rule, value);
  }

  // trainer-loops+loops is trainer, under a name that says otherwise; -logger+logger=10 says another value.
  void check_for_change_to_nothing() {
    for (const auto& change : written_.changes) {
      const bool both_ways = std::any_of(written_.changes.begin(), written_.changes.end(), [&](const FeatureChange& other) {
        return other.feature == change.feature && other.sign != change.sign;
      });
      const auto parts = expand(tables_, written_.base, change);
      const bool changes =
          std::any_of(parts.begin(), parts.end(), [&](const FeatureChange& part) { return is_changed(part.feature); });
      if (both_ways && !changes)
        note("feature '" + change.feature + "' is added and taken away: leave out both (in '" + text_ + "')");
    }
  }
  bool is_changed(const std::string& feature) const {
    const auto own = find_in(own_, feature);
    const auto now = find_in(in_force_, feature);
    return (own == own_.end()) != (now == in_force_.end()) || (own != own_.end() && *own != *now);
  }

  void check_consistency() {
    for (const auto& needed : base_ == nullptr ? std::vector<std::string>{} : base_->requires_features) {
      if (find_in(in_force_, needed) != in_force_.end()) continue;
      const auto* entry = entry_or_null(tables_.features, needed);
      note("arm '" + base_->name + "' requires feature '" + needed + "', which '" + text_ + "' does not have" +
           (entry == nullptr ? "" : ": " + entry->help));
    }
    for (const auto& feature : in_force_) {
      const auto* entry = entry_or_null(tables_.features, feature.name);
      if (entry == nullptr) continue;
      for (const auto& needed : entry->requires_features) {
        if (find_in(in_force_, needed) != in_force_.end()) continue;
        note("feature '" + entry->name + "' requires feature '" + needed + "', which '" + text_ + "' does not have");
      }
      for (const auto& excluded : entry->excludes_features) {
        if (find_in(in_force_, excluded) == in_force_.end()) continue;
        note("feature '" + entry->name + "' excludes feature '" + excluded + "': '" + text_ + "' has both");
      }
    }
  }

  void find_role() {
    const auto role_without = [&](const std::string& feature) {
      const auto* entry = entry_or_null(tables_.features, feature);
      return entry == nullptr ? std::nullopt : entry->without_makes;
    };
    if (facts_.added.empty() && !facts_.removed.empty()) {
      const auto role = role_without(facts_.removed.front());
      const bool all_make_it = std::all_of(facts_.removed.begin(), facts_.removed.end(),
                                           [&](const auto& feature) { return role_without(feature) == role; });
      if (role && all_make_it) facts_.role = *role;
    }
    for (const auto& feature : facts_.added) {
      const auto* entry = entry_or_null(tables_.features, feature);
      if (entry == nullptr) continue;
      if (entry->makes) facts_.role = *entry->makes;
      if (!entry->clocks.empty()) facts_.clocks = entry->clocks;
      if (entry->is_ideal_network) facts_.ideal_feature = entry->name;
    }
  }

  void find_facts_of_features() {
    for (const auto& feature : in_force_) {
      const auto* entry = entry_or_null(tables_.features, feature.name);
      if (entry != nullptr) facts_.equality = std::max(facts_.equality, entry->equality);
      if (feature.name == kAccumulateFeature) facts_.micro_batches = parse_number<std::int64_t>(feature.value).value_or(1);
    }
  }

  // The family's reference is the plain arm, or the plain arm of another work; with another set of features the same loop is one
  // more of those compared with it.
  void find_work() {
    bool is_plain = facts_.removed.empty();
    for (const auto& feature : facts_.added) {
      const auto* entry = entry_or_null(tables_.features, feature);
      is_plain = is_plain && entry != nullptr && entry->changes_work;
    }
    if (facts_.role == ArmRole::kReference && !is_plain) facts_.role = ArmRole::kSubject;
    for (const auto& entry : tables_.features) {
      const auto found = find_in(in_force_, entry.name);
      if (!entry.changes_work || found == in_force_.end()) continue;
      const bool is_default = entry.value && found->value == entry.value->default_value;
      facts_.work += added_text(entry.name, found->value);
      facts_.reference += added_text(entry.name, is_default ? "" : found->value);
      if (entry.name == kModuleFeature) facts_.module = found->value;
    }
  }

  void find_canonical() {
    facts_.canonical = written_.base;
    std::string removed, added;
    for (const auto& entry : tables_.features) {
      if (!is_changed(entry.name)) continue;
      if (find_in(own_, entry.name) != own_.end()) removed += "-" + entry.name;
      const auto now = find_in(in_force_, entry.name);
      if (now != in_force_.end()) (follows_base(entry.name) ? facts_.canonical : added) += added_text(entry.name, now->value);
    }
    facts_.canonical += removed + added;
  }

  const Vocabulary& tables_;
  std::string text_;
  WrittenArm written_;
  const ArmEntry* base_;               // nullptr: the tables do not have it
  std::vector<std::string> possible_;  // features that can be on it: its own, and those that may be added
  InForce own_, in_force_;
  ArmFacts facts_;
  std::string mistake_;
};

}  // namespace

std::map<std::string, std::string> ArmFacts::feature_values() const {
  std::map<std::string, std::string> values;
  for (const auto& text : features) {
    const auto feature = change_of('+', text);
    if (!feature.value.empty()) values[feature.feature] = feature.value;
  }
  return values;
}

std::vector<std::string> ArmFacts::feature_names() const {
  std::vector<std::string> names;
  for (const auto& text : features) names.push_back(change_of('+', text).feature);
  return names;
}

ArmFacts arm_facts(const Vocabulary& tables, std::string_view name) { return ArmResolver(tables, name).resolve(); }

ArmFacts legal_arm(const Vocabulary& tables, std::string_view name) {
  ArmResolver resolver(tables, name);
  auto facts = resolver.resolve();
  if (!resolver.mistake().empty()) throw UsageError(resolver.mistake());
  return facts;
}

std::vector<ArmFacts> arm_facts(const Vocabulary& tables, const std::vector<std::string>& names) {
  std::vector<ArmFacts> arms;
  for (const auto& name : names) arms.push_back(arm_facts(tables, name));
  return arms;
}

const ArmFacts& find_arm(const std::vector<ArmFacts>& arms, std::string_view name) {
  const auto found = std::find_if(arms.begin(), arms.end(), [&](const ArmFacts& arm) { return arm.name == name; });
  if (found == arms.end()) throw Error("no arm '" + std::string(name) + "' was planned");
  return *found;
}

std::vector<ArmFacts> find_arms(const std::vector<ArmFacts>& arms, const std::vector<std::string>& names) {
  std::vector<ArmFacts> found;
  for (const auto& name : names) found.push_back(find_arm(arms, name));
  return found;
}

std::vector<std::string> references_of(const std::vector<ArmFacts>& arms) {
  std::vector<std::string> references;
  for (const auto& arm : arms) {
    if (arm.is_reference()) references.push_back(arm.name);
  }
  return references;
}

std::vector<std::int64_t> blocks_in_super_block(const std::vector<ArmFacts>& launch) {
  std::vector<std::int64_t> blocks;
  for (const auto& arm : launch) blocks.push_back(blocks_of(arm, launch));
  return blocks;
}

std::string aa_control_of(const Vocabulary& tables, const std::string& reference) {
  const auto base = base_of_arm(reference);
  for (const auto& arm : tables.arms) {
    if (arm.role == ArmRole::kAaControl && arm.reference == base) return arm.name + reference.substr(base.size());
  }
  return "";
}

std::string positive_control_of(const Vocabulary& tables, const std::string& reference, const std::string& clock) {
  const auto base = base_of_arm(reference);
  const auto work = reference.substr(base.size());
  for (const auto& arm : tables.arms) {
    if (arm.role != ArmRole::kPositiveControl || arm.reference != base) continue;
    if (holds(arm.clocks, clock)) return arm.name + work;
    for (const auto& feature : expand(tables, arm.name, arm.takes)) {
      const auto* entry = entry_or_null(tables.features, change_of('+', feature).feature);
      if (entry != nullptr && holds(entry->clocks, clock)) return arm.name + "+" + entry->name + work;
    }
  }
  return "";
}

}  // namespace ddpbench
