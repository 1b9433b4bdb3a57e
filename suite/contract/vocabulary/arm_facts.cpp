#include "suite/contract/vocabulary/arm_facts.hpp"

#include <algorithm>

#include "suite/base/errors.hpp"
#include "suite/base/numbers.hpp"
#include "suite/base/text.hpp"
#include "suite/contract/vocabulary/arm_name.hpp"

namespace ddpbench {
namespace {

using Entries = std::vector<VocabularyEntry>;

const VocabularyEntry* find(const Entries& entries, std::string_view name) {
  const auto found = std::find_if(entries.begin(), entries.end(), [&](const auto& entry) { return entry.name == name; });
  return found == entries.end() ? nullptr : &*found;
}

std::string first_reference(const Vocabulary& tables) {
  for (const auto& arm : tables.arms) {
    if (arm.role == ArmRole::kReference) return arm.name;
  }
  return "";
}

std::string reference_of(const Vocabulary& tables, const VocabularyEntry* arm) {
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

// "logger=50" of "logger", where 50 is the default.
std::string with_default(const Vocabulary& tables, const std::string& feature, const std::string& value) {
  const auto* entry = find(tables.features, feature);
  const bool takes_default = value.empty() && entry != nullptr && entry->value;
  return feature_text(feature, takes_default ? entry->value->default_value : value);
}

std::string name_in(const std::string& feature) { return feature.substr(0, feature.find('=')); }
std::string value_after_sign(const std::string& feature) {
  const auto equals = feature.find('=');
  return equals == std::string::npos ? "" : feature.substr(equals + 1);
}

// One name on its way to its facts.
class Resolver {
 public:
  Resolver(const Vocabulary& tables, std::string_view name)
      : tables_(tables), written_(split_arm_name(name)), base_(find(tables.arms, written_.base)) {
    facts_.name = name;
    facts_.base = written_.base;
    facts_.reference = reference_of(tables, base_);
  }

  ArmFacts resolve() {
    take_base();
    std::vector<std::string> added;
    for (const auto& written : written_.changes) {
      for (const auto& change : expand(tables_, written)) {
        auto& list = change.sign == '+' ? facts_.added : facts_.removed;
        list.push_back(change.feature);
        if (change.sign == '+') added.push_back(with_default(tables_, change.feature, change.value));
        if (change.sign == '-') std::erase_if(added, [&](const auto& text) { return name_in(text) == change.feature; });
      }
    }
    std::erase_if(facts_.features, [&](const auto& text) { return holds(facts_.removed, name_in(text)); });
    facts_.features.insert(facts_.features.end(), added.begin(), added.end());
    apply_features();
    find_equality();
    find_work();
    find_micro_batches();
    return std::move(facts_);
  }

 private:
  void take_base() {
    if (base_ == nullptr) return;
    facts_.role = base_->role;
    facts_.program = base_->program;
    facts_.is_wrapper = base_->is_wrapper;
    facts_.clocks = base_->clocks;
    facts_.equality = base_->equality;
    for (const auto& text : expand(tables_, base_->features)) {
      facts_.features.push_back(text.find('=') == std::string::npos ? with_default(tables_, text, "") : text);
    }
  }

  // The family's reference is the plain arm, or the plain arm of another work; with another set of features the same loop is one more of
  // those compared with it.
  void find_work() {
    bool is_plain = facts_.removed.empty();
    for (const auto& feature : facts_.added) is_plain = is_plain && changes_work(feature);
    if (facts_.role == ArmRole::kReference && !is_plain) facts_.role = ArmRole::kSubject;
    for (const auto& entry : tables_.features) {
      const auto found = std::find_if(facts_.features.begin(), facts_.features.end(),
                                      [&](const std::string& text) { return name_in(text) == entry.name; });
      if (!entry.changes_work || found == facts_.features.end()) continue;
      const auto value = value_after_sign(*found);
      const bool is_default = *found == with_default(tables_, entry.name, "");
      facts_.work += added_text(entry.name, value);
      facts_.reference += added_text(entry.name, is_default ? "" : value);
      if (entry.name == kModuleFeature) facts_.module = value;
    }
  }
  void find_equality() {
    for (const auto& text : facts_.features) {
      const auto* entry = find(tables_.features, name_in(text));
      if (entry != nullptr) facts_.equality = std::max(facts_.equality, entry->equality);
    }
  }
  void find_micro_batches() {
    for (const auto& text : facts_.features) {
      if (name_in(text) == kAccumulateFeature)
        facts_.micro_batches = parse_number<std::int64_t>(value_after_sign(text)).value_or(1);
    }
  }
  bool changes_work(const std::string& feature) const {
    const auto* entry = find(tables_.features, feature);
    return entry != nullptr && entry->changes_work;
  }

  void apply_features() {
    const auto makes_without = [&](const std::string& feature) {
      const auto* entry = find(tables_.features, feature);
      return entry == nullptr ? std::nullopt : entry->without_makes;
    };
    if (facts_.added.empty() && !facts_.removed.empty()) {
      const auto role = makes_without(facts_.removed.front());
      const bool all_make_it = std::all_of(facts_.removed.begin(), facts_.removed.end(),
                                           [&](const auto& feature) { return makes_without(feature) == role; });
      if (role && all_make_it) facts_.role = *role;
    }
    for (const auto& feature : facts_.added) {
      const auto* entry = find(tables_.features, feature);
      if (entry != nullptr) apply(*entry);
    }
  }
  void apply(const VocabularyEntry& feature) {
    if (feature.makes) facts_.role = *feature.makes;
    if (!feature.clocks.empty()) facts_.clocks = feature.clocks;
    if (feature.is_ideal_network) facts_.ideal_feature = feature.name;
  }

  const Vocabulary& tables_;
  WrittenArm written_;
  const VocabularyEntry* base_;
  ArmFacts facts_;
};

}  // namespace

ArmFacts arm_facts(const Vocabulary& tables, std::string_view name) { return Resolver(tables, name).resolve(); }

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
  const auto base = split_arm_name(reference).base;
  for (const auto& arm : tables.arms) {
    if (arm.role == ArmRole::kAaControl && arm.reference == base) return arm.name + reference.substr(base.size());
  }
  return "";
}

std::string positive_control_of(const Vocabulary& tables, const std::string& reference, const std::string& clock) {
  const auto base = split_arm_name(reference).base;
  const auto work = reference.substr(base.size());
  for (const auto& arm : tables.arms) {
    if (arm.role != ArmRole::kPositiveControl || arm.reference != base) continue;
    if (holds(arm.clocks, clock)) return arm.name + work;
    for (const auto& feature : expand(tables, arm.takes)) {
      const auto* entry = find(tables.features, name_in(feature));
      if (entry != nullptr && holds(entry->clocks, clock)) return arm.name + "+" + entry->name + work;
    }
  }
  return "";
}

}  // namespace ddpbench
