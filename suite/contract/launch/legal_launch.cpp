#include "suite/contract/launch/legal_launch.hpp"

#include <string>
#include <vector>

#include "suite/base/errors.hpp"
#include "suite/base/text.hpp"
#include "suite/contract/launch/purposes.hpp"
#include "suite/contract/vocabulary/arm_facts.hpp"
#include "suite/contract/vocabulary/registry.hpp"

namespace ddpbench {
namespace {

class LaunchChecker {
 public:
  LaunchChecker(LaunchSpec spec, const Vocabulary& vocabulary) : spec_(std::move(spec)), vocabulary_(vocabulary) {}

  LaunchSpec check() {
    for (const auto& axis : standard_axes()) check(axis.name, text_of(axis, spec_), rule_of(axis, vocabulary_));
    for (const auto& field : protocol_fields()) {
      if (field.reader == ProtocolReader::kRanks) check(field.key, text_of(field, spec_.protocol), rule_of(field));
    }
    add(why_contradictory(spec_.protocol));
    check_purpose();
    for (const auto& group : kOptionGroups) {
      if (group.selector != EntrySelector::kLauncher) resolve_options(group);
    }
    if (!mistakes_.empty()) throw UsageError(std::move(mistakes_));
    return std::move(spec_);
  }

 private:
  void add(const std::string& mistake) {
    if (!mistake.empty()) mistakes_.push_back(mistake);
  }

  void check(const std::string& name, const std::string& value, const OptionEntry& rule) {
    const auto why = why_illegal(rule, value);
    if (!why.empty()) add(name + " = '" + value + "': " + why);
  }

  void check_purpose() {
    const auto all = purposes();
    const auto* entry = entry_or_null(all, spec_.purpose);
    if (entry == nullptr) return add("--purpose '" + spec_.purpose + "': must be one of " + known_names(all));
    if (entry->trains) check_arms();
    if (entry->mistakes_of != nullptr) {
      for (const auto& mistake : entry->mistakes_of(spec_)) add(mistake);
    }
    if (!spec_.profiler.empty() && spec_.purpose != purpose::kProfile)
      add("--profiler is for --purpose " + std::string(purpose::kProfile));
    if (spec_.cases.empty() || entry->takes_cases) return;
    for (const auto& other : all) {
      if (other.takes_cases) add("--cases are for --purpose " + std::string(other.name));
    }
  }

  void check_arms() {
    if (spec_.arms.empty()) add("arms are missing: must be given, as in --arms raw,trainer");
    for (const auto& arm : spec_.arms) {
      try {
        bases_.push_back(legal_arm(vocabulary_, arm).base);
      } catch (const UsageError& error) {
        add(error.what());
      }
    }
  }

  std::vector<std::string> chosen(const OptionGroupEntry& group) const {
    if (group.selector == EntrySelector::kArms) return bases_;
    return {text_of(*find_standard_axis(group.name), spec_)};
  }

  // Entries that share an option share its value.
  void resolve_options(const OptionGroupEntry& group) {
    const auto names = chosen(group);
    auto& options = spec_.options[group.group];
    std::vector<std::string> known;
    for (const auto& entry : group.entries(vocabulary_)) {
      if (!holds(names, entry.name)) continue;
      for (const auto& option : entry.options) {
        known.push_back(option.name);
        if (options.count(option.name) == 0) options[option.name] = option.default_value;
        if (options.at(option.name) != option.default_value) check(option.name, options.at(option.name), option);
      }
      add(why_contradictory(entry.options, options));
    }
    for (const auto& [name, value] : options) {
      if (!holds(known, name))
        add("unknown " + std::string(group.name) + " option '" + name + "' (known: " + join(known, ", ") + ")");
    }
  }

  LaunchSpec spec_;
  const Vocabulary& vocabulary_;
  std::vector<std::string> bases_;  // of the arms
  std::vector<std::string> mistakes_;
};

}  // namespace

LaunchSpec legal_launch(LaunchSpec spec, const Vocabulary& vocabulary) {
  return LaunchChecker(std::move(spec), vocabulary).check();
}

}  // namespace ddpbench
