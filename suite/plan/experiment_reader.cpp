#include "suite/plan/experiment_reader.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "suite/base/text.hpp"
#include "suite/contract/launch/axes.hpp"
#include "suite/contract/launch/protocol.hpp"
#include "suite/contract/launch/purposes.hpp"
#include "suite/contract/vocabulary/arm_name.hpp"
#include "suite/plan/constraint.hpp"
#include "suite/plan/constraint_names.hpp"
#include "suite/plan/message_text.hpp"
#include "suite/plan/own_code_section.hpp"

namespace ddpbench {
namespace {

// The name becomes a folder's: results/NAME-UTC.
bool is_folder_name(const std::string& name) {
  const auto legal = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.';
  };
  return !name.empty() && name.size() <= 64 && name.front() != '.' && name.front() != '-' &&
         std::all_of(name.begin(), name.end(), legal);
}

std::vector<std::string> top_keys() {
  std::vector<std::string> keys{"name", "arms", "constraints"};
  for (const auto& entry : extra_purposes()) keys.push_back(entry.where_key());
  keys.insert(keys.end(), {"[axes]", "[arms_where]"});
  for (const auto& kind : kOwnCodeKinds) keys.push_back("[" + std::string(kind.section) + "]");
  keys.insert(keys.end(), {"[protocol]", "[quick]"});
  for (const auto& group : kOptionGroups) keys.push_back("[" + std::string(group.name) + "]");
  return keys;
}

std::vector<std::string> protocol_keys() {
  std::vector<std::string> keys;
  for (const auto& field : protocol_fields()) keys.emplace_back(field.key);
  return keys;
}

// For a key that stands in the wrong table: where it belongs. TOML makes this easy: a line below [axes] is a key of axes.
std::string right_place(const Setting& setting, const Vocabulary& vocabulary) {
  if (setting.section.empty() &&
      (setting.key == "axes" || setting.key == "arms_where" || setting.key == "protocol" || is_own_code_section(setting.key)))
    return "must be a table, [" + setting.key + "]";
  const auto home = home_of(setting.key, vocabulary);
  if (setting.section.empty() && home == "?" && holds_options(setting.key)) return "must be a table, [" + setting.key + "]";
  if (home == "?" || home == setting.section) return "";
  return home.empty() ? "belongs at the top of the file, before any [table]" : "belongs under [" + home + "]";
}

std::string arm_message(const Vocabulary& vocabulary, const std::string& arm, const UsageError& error) {
  const auto base = base_of_arm(arm);
  const auto names = names_of(vocabulary.arms);
  const bool known = std::find(names.begin(), names.end(), base) != names.end();
  return known ? shown(error.what(), 500) : unknown_message("arm", base, names);
}

}  // namespace

Experiment ExperimentReader::read(const std::vector<std::string>& further_constraints) {
  read_name();
  experiment_.own_code = read_own_code(settings_, checker_, origin_);
  read_arms();
  read_standard_axes();
  read_protocol();
  find_option_rules();
  for (const auto& group : kOptionGroups) read_options(group);
  auto constraints = take_constraints();
  for (const auto& text : further_constraints) constraints.push_back({"--constraint", text});
  read_option_axes();
  read_constraints(constraints);
  read_arms_where();
  read_extra_where();
  check_contradiction();
  check_cell_count();
  report_unknown();
  return std::move(experiment_);
}

void ExperimentReader::read_name() {
  const auto* setting = settings_.take("", "name");
  if (setting == nullptr) {
    mistakes_.add(origin_ + ": name is missing: must be given, as in name = \"overhead\"");
    return;
  }
  const char* legal = "must be text of 1 to 64 letters, digits, '_', '-' and '.', not starting with '-' or '.'";
  const bool text =
      !setting->is_list && (setting->values.front().as == Written::kText || setting->values.front().as == Written::kUntyped);
  if (!text || !is_folder_name(setting->values.front().text)) {
    checker_.add(*setting, legal);
  } else {
    experiment_.name = setting->values.front().text;
  }
}

bool ExperimentReader::all_arms_have_modules() const {
  const auto arms = arm_facts(vocabulary_, experiment_.arms);
  return !arms.empty() && std::all_of(arms.begin(), arms.end(), [](const ArmFacts& arm) { return !arm.module.empty(); });
}

void ExperimentReader::read_arms() {
  const auto* setting = settings_.take("", "arms");
  if (setting == nullptr) {
    mistakes_.add(origin_ + ": arms is missing: must be given, as in arms = [\"raw\", \"trainer\"] (known: " +
                  listed(names_of(vocabulary_.arms)) + ")");
    return;
  }
  arms_are_overridden_ = setting->from_command_line;
  if (!checker_.is_filled_list(*setting)) return;
  if (setting->values.size() > kMaxArms) {
    checker_.add(*setting,
                 "these are " + std::to_string(setting->values.size()) + " arms: must be at most " + std::to_string(kMaxArms));
    return;
  }
  std::map<std::string, std::string> seen;  // canonical name -> as written
  const OptionEntry any_text{.name = "arm", .default_value = {}, .legal = {}, .help = {}};
  for (const auto& value : setting->values) {
    const auto arm = checker_.checked(*setting, value, {any_text});
    if (arm.empty()) continue;
    try {
      const auto facts = legal_arm(vocabulary_, arm);
      const auto [first, fresh] = seen.try_emplace(facts.canonical, arm);
      if (!fresh) checker_.add(*setting, value, "is the same arm as \"" + shown(first->second) + "\": must be given once");
      if (const auto why = why_no_own_code(experiment_.own_code, facts); !why.empty())
        checker_.add(*setting, "\"" + shown(facts.name) + "\": " + why);
      experiment_.arms.push_back(facts.is_reference() ? facts.reference : arm);  // others name it so
    } catch (const UsageError& error) {
      checker_.add(*setting, value, arm_message(vocabulary_, arm, error));
    }
  }
  require_references(*setting);
}

// By its name. Where every arm was mistaken, those that were meant may have been compared with any.
void ExperimentReader::require_references(const Setting& setting) {
  const auto& arms = experiment_.arms;
  std::map<std::string, std::string> missing;  // reference -> the first arm that is compared with it
  for (const auto& arm : arm_facts(vocabulary_, arms)) {
    if (!holds(arms, arm.reference)) missing.try_emplace(arm.reference, arm.name);
  }
  for (const auto& [reference, arm] : missing) {
    checker_.add(setting, "the reference arm \"" + reference + "\" is missing: \"" + shown(arm) +
                              "\" is compared with it, so it must be among them");
  }
}

void ExperimentReader::read_standard_axes() {
  for (const auto& axis : standard_axes()) {
    const auto rule = rule_of(axis, vocabulary_);
    const auto* setting = settings_.take("axes", axis.name);
    Axis read{axis.name, rule.type, {}};
    if (setting != nullptr) {
      read.values = checker_.values_of(*setting, {rule});
      if (setting->from_command_line) overridden_.insert(axis.name);
    } else if (!rule.default_value.empty()) {
      read.values = {rule.default_value};
    } else if (std::string_view(axis.name) == "workload" && all_arms_have_modules()) {
      read.values = {kModuleWorkload};
    } else {
      mistakes_.add(origin_ + ": axes." + axis.name + " is missing: must be given, as in " + axis.name + " = [\"" +
                    (rule.legal.empty() ? "" : rule.legal.front()) + "\"] (known: " + listed(rule.legal) + ")");
    }
    experiment_.axes.push_back(std::move(read));
  }
}

void ExperimentReader::read_protocol() {
  for (const auto& field : protocol_fields()) {
    const auto* setting = settings_.take("protocol", field.key);
    if (setting == nullptr) continue;
    const auto text = checker_.value_of(*setting, {rule_of(field)});
    if (!text.empty()) set_field(field, text, experiment_.protocol);
  }
}

// The entries whose options count: those of the axis or the arms. Which launcher starts the plan is not known yet: all of them.
std::vector<std::string> ExperimentReader::chosen(const OptionGroupEntry& group) const {
  if (group.selector == EntrySelector::kAxis) return names_on(group.name);
  std::vector<std::string> arms;
  if (group.selector == EntrySelector::kArms) {
    for (const auto& arm : experiment_.arms) arms.push_back(base_of_arm(arm));
  }
  return arms;
}

void ExperimentReader::find_option_rules() {
  for (const auto& group : kOptionGroups) {
    option_rules_[group.group] = OptionRules(group.entries(vocabulary_), chosen(group));
  }
}

void ExperimentReader::read_options(const OptionGroupEntry& group) {
  const auto& options = option_rules_[group.group];
  for (const auto* setting : settings_.take_all(group.name)) {
    const auto rules = options.rules(setting->key);
    if (rules.empty() && is_of_a_replaced_entry(group, *setting)) continue;
    if (rules.empty()) {
      checker_.add(*setting, unknown_message("option", setting->key, options.known()) + " of " + listed(options.groups()));
      continue;
    }
    const auto text = checker_.value_of(*setting, rules);
    if (!text.empty()) experiment_.options[group.group][setting->key] = {rules.front().type, text};
  }
}

// `--set workload=null` for a file that has an option of the workload that it lists: the option is no mistake, it has nothing to say.
bool ExperimentReader::is_of_a_replaced_entry(const OptionGroupEntry& group, const Setting& setting) const {
  if (setting.from_command_line || !overridden_.contains(group.name)) return false;
  return !OptionRules(group.entries(vocabulary_), {}).rules(setting.key).empty();
}

void ExperimentReader::read_option_axes() {
  for (const auto* setting : settings_.take_all("axes")) {
    const auto rules = rules_of_axis(*setting);
    if (rules.empty()) continue;
    experiment_.axes.push_back({setting->key, rules.front().type, checker_.values_of(*setting, rules)});
  }
}

ExperimentReader::Rules ExperimentReader::rules_of_axis(const Setting& setting) {
  std::vector<Rules> found;
  std::vector<std::string> homes;
  const auto add = [&](const char* home, Rules rules) {
    if (rules.empty()) return;
    found.push_back(std::move(rules));
    homes.emplace_back(home);
  };
  for (const auto& group : kOptionGroups) add(group.name, option_rules_[group.group].rules(setting.key));
  if (const auto* field = find_protocol_field(setting.key)) add("protocol", {rule_of(*field)});
  if (found.size() == 1) return found.front();
  if (found.empty()) {
    add_unknown_axis(setting);
  } else {
    checker_.add(setting,
                 "is an option of more than one of " + listed(homes) + ": write it in one of these tables; it cannot be an axis");
  }
  return {};
}

void ExperimentReader::add_unknown_axis(const Setting& setting) {
  const auto place = home_of(setting.key, vocabulary_).empty() ? right_place(setting, vocabulary_) : "";
  if (!place.empty()) {
    checker_.add(setting, place);
    return;
  }
  std::vector<std::string> known;
  for (const auto& axis : standard_axes()) known.emplace_back(axis.name);
  for (const auto& group : kOptionGroups) {
    for (const auto& option : option_rules_[group.group].known()) known.push_back(option);
  }
  for (const auto& field : protocol_fields()) known.emplace_back(field.key);
  checker_.add(setting, unknown_message("axis", setting.key, known));
}

std::vector<ExperimentReader::PlacedText> ExperimentReader::take_constraints() {
  std::vector<PlacedText> constraints;
  for (const auto* section : {"", "axes"}) {
    const auto* setting = settings_.take(section, "constraints");
    if (setting == nullptr) continue;
    if (!setting->is_list) checker_.add(*setting, "must be a list of quoted texts, as in constraints = [\"nodes <= 4\"]");
    for (const auto& value : setting->is_list ? setting->values : std::vector<WrittenValue>{}) {
      if (value.as == Written::kText) {
        constraints.push_back({setting->where + ": " + full_key(*setting), value.text});
      } else {
        checker_.add(*setting, value, "must be text in quotes, as in \"nodes <= 4\"");
      }
    }
  }
  return constraints;
}

void ExperimentReader::read_constraints(const std::vector<PlacedText>& constraints) {
  const auto names = constraint_names(experiment_);
  for (const auto& [where, text] : constraints) {
    try {
      constraint_terms_ += static_cast<double>(Constraint::parse(text, names).terms());
      experiment_.constraints.push_back(text);
    } catch (const UsageError& error) {
      mistakes_.add(where + ": " + error.what());
    }
  }
}

// The constraint that a setting is, as text; "" where it is none.
std::string ExperimentReader::constraint_of(const Setting& setting, const char* what) {
  const OptionEntry any_text{.name = "constraint", .default_value = {}, .legal = {}, .help = {}};
  const auto text = checker_.value_of(setting, {any_text});
  if (text.empty()) return "";
  try {
    constraint_terms_ += static_cast<double>(Constraint::parse(text, constraint_names(experiment_)).terms());
    return text;
  } catch (const UsageError& error) {
    mistakes_.add(setting.where + ": " + what + ": " + error.what());
    return "";
  }
}

void ExperimentReader::read_arms_where() {
  for (const auto* setting : settings_.take_all("arms_where")) {
    const auto arm = arm_of(*setting);
    const auto text = constraint_of(*setting, "arms_where");
    if (!arm.empty() && !text.empty()) experiment_.arms_where[arm] = text;
  }
}

// An empty text is nowhere, as without the key: what --set and [quick] need to switch it off.
void ExperimentReader::read_extra_where() {
  for (const auto& entry : extra_purposes()) {
    const auto key = entry.where_key();
    const auto* setting = settings_.take("", key);
    if (setting == nullptr || (!setting->is_list && setting->values.front().text.empty())) continue;
    const auto text = constraint_of(*setting, key.c_str());
    if (!text.empty()) experiment_.extra_where[std::string(entry.name)] = text;
  }
}

// That the setting is about, as it stands in `arms`; "" where it is none of them, which is no mistake where `--set arms` replaced the file's.
std::string ExperimentReader::arm_of(const Setting& setting) {
  try {
    const auto canonical = legal_arm(vocabulary_, setting.key).canonical;
    for (const auto& arm : experiment_.arms) {
      if (arm_facts(vocabulary_, arm).canonical == canonical) return arm;
    }
    if (!arms_are_overridden_ || setting.from_command_line)
      checker_.add(setting, "must be one of the arms: " + listed(experiment_.arms));
  } catch (const UsageError& error) {
    checker_.add(setting, arm_message(vocabulary_, setting.key, error));
  }
  return "";
}

void ExperimentReader::check_contradiction() {
  const auto swept = [](const Axis& axis) { return find_protocol_field(axis.name) != nullptr; };
  // Where a protocol field is an axis, make_plan looks at every cell.
  if (std::any_of(experiment_.axes.begin(), experiment_.axes.end(), swept)) return;
  const auto contradiction = why_contradictory(experiment_.protocol);
  if (!contradiction.empty()) mistakes_.add(origin_ + ": " + contradiction);
}

void ExperimentReader::check_cell_count() {
  double cells = 1;
  std::string factors;
  for (const auto& axis : experiment_.axes) {
    cells *= static_cast<double>(axis.values.size());
    if (axis.values.size() > 1) factors += (factors.empty() ? "" : " * ") + axis.name + " " + std::to_string(axis.values.size());
  }
  if (cells <= static_cast<double>(kMaxCells)) return check_constraint_work(cells);
  mistakes_.add(origin_ + ": the axes make " + readable_number(cells) + " cells (" + factors + "): must be at most " +
                std::to_string(kMaxCells) + ", before constraints");
}

void ExperimentReader::check_constraint_work(double cells) {
  if (cells * constraint_terms_ <= static_cast<double>(kMaxConstraintTerms)) return;
  mistakes_.add(origin_ + ": " + readable_number(constraint_terms_) + " terms of constraints in " + readable_number(cells) +
                " cells: must be at most " + std::to_string(kMaxConstraintTerms) +
                " together (fewer constraints, or fewer cells)");
}

void ExperimentReader::report_unknown() {
  for (const auto* setting : settings_.rest()) {
    const bool top = setting->section.empty();
    const auto place = right_place(*setting, vocabulary_);
    checker_.add(*setting, place.empty() ? unknown_message("key", setting->key, top ? top_keys() : protocol_keys()) : place);
  }
}

const std::vector<std::string>& ExperimentReader::names_on(const std::string& axis) const {
  return std::find_if(experiment_.axes.begin(), experiment_.axes.end(), [&](const Axis& a) { return a.name == axis; })->values;
}

}  // namespace ddpbench
