#include "suite/contract/launch/legal_launch.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "suite/base/errors.hpp"
#include "suite/base/text.hpp"
#include "suite/contract/vocabulary/arm_name.hpp"
#include "suite/contract/vocabulary/collectives.hpp"

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
    check_arms();
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

  void check_arms() {
    if (spec_.purpose == purpose::kNodes) {
      if (!spec_.arms.empty()) add("--purpose nodes takes no arms: it trains nothing");
      return;
    }
    if (spec_.purpose == purpose::kCollectives) return check_collectives();
    if (spec_.arms.empty()) add("arms are missing: must be given, as in --arms raw,trainer");
    for (const auto& arm : spec_.arms) {
      note([&] { bases_.push_back(parse_arm_name(vocabulary_, arm).base); });
    }
  }

  void check_collectives() {
    if (spec_.arms.empty() || spec_.cases.empty())
      add("--purpose collectives needs --arms and --cases, as in --arms gloo,copy --cases all_reduce:4096");
    for (const auto& arm : spec_.arms) note([&] { find_collective_arm(arm); });
    for (const auto& one : spec_.cases) note([&] { parse_collective_case(one); });
  }

  template <class Check>
  void note(Check check) {
    try {
      check();
    } catch (const UsageError& error) {
      add(error.what());
    }
  }

  void check_purpose() {
    if (!spec_.cases.empty() && spec_.purpose != purpose::kCollectives) add("--cases are for --purpose collectives");
    if (spec_.purpose == purpose::kMemory && spec_.arms.size() != 1) add("--purpose memory takes one arm, as in --arms raw");
    if (!holds(purpose::kAll, spec_.purpose))
      add("--purpose '" + spec_.purpose + "': must be one of " + join(purpose::kAll, ", "));
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
    for (const auto& entry : vocabulary_.*group.entries) {
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
