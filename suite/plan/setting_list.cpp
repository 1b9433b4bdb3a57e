#include "suite/plan/setting_list.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <set>
#include <utility>

#include "suite/base/nearest.hpp"
#include "suite/contract/launch/axes.hpp"
#include "suite/contract/launch/protocol.hpp"
#include "suite/contract/launch/purposes.hpp"
#include "suite/contract/vocabulary/option_groups.hpp"
#include "suite/plan/message_text.hpp"

namespace ddpbench {
namespace {

bool any_has(const std::vector<EntryView>& entries, const std::string& option) {
  return std::any_of(entries.begin(), entries.end(), [&](const auto& entry) {
    return std::any_of(entry.options.begin(), entry.options.end(), [&](const auto& own) { return own.name == option; });
  });
}

// An axis and an option of the same name are one key; options of two groups are two.
bool same_key(const Setting& a, const Setting& b) {
  return a.key == b.key && (a.section == b.section || a.section == "axes" || b.section == "axes");
}

// A value may tell which key was meant: "amp=bf16" is "precision=amp_bf16". "" where it tells none, or the key is near a known one.
std::string setting_by_value(const Setting& setting, const std::vector<std::string>& keys, const Vocabulary& vocabulary) {
  const auto is_letter = [](unsigned char c) { return std::isalpha(c) != 0; };
  const auto& value = setting.values.empty() ? std::string() : setting.values.front().text;
  if (!nearest(keys, setting.key).empty() || std::none_of(value.begin(), value.end(), is_letter)) return "";
  for (const auto& axis : standard_axes()) {
    if (axis.entries == nullptr) continue;
    const auto meant = meant_by(names_of(axis.entries(vocabulary)), value);
    if (!meant.empty()) return std::string(axis.name) + "=" + meant.front();
  }
  return "";
}

bool is_home_of_lists(const Setting& setting) {
  return setting.section == "axes" || (setting.section.empty() && setting.key == "arms");
}

}  // namespace

std::string home_of(const std::string& key, const Vocabulary& vocabulary) {
  if (key == "name" || key == "arms") return "";
  for (const auto& entry : extra_purposes()) {
    if (entry.where_key() == key) return "";
  }
  if (find_standard_axis(key) != nullptr) return "axes";
  if (find_protocol_field(key) != nullptr) return "protocol";
  for (const auto& group : kOptionGroups) {
    if (any_has(group.entries(vocabulary), key)) return group.name;
  }
  return "?";
}

std::vector<std::string> all_keys(const Vocabulary& vocabulary) {
  std::vector<std::string> keys{"name", "arms"};
  for (const auto& entry : extra_purposes()) keys.push_back(entry.where_key());
  for (const auto& axis : standard_axes()) keys.emplace_back(axis.name);
  for (const auto& field : protocol_fields()) keys.emplace_back(field.key);
  std::set<std::string> options;
  for (const auto& group : kOptionGroups) {
    for (const auto& entry : group.entries(vocabulary)) {
      for (const auto& option : entry.options) options.insert(option.name);
    }
  }
  keys.insert(keys.end(), options.begin(), options.end());
  return keys;
}

SettingList::SettingList(std::vector<Setting> file, std::vector<Setting> command_line, const Vocabulary& vocabulary,
                         Mistakes& mistakes)
    : settings_(std::move(file)) {
  report_twice(mistakes);
  for (auto& setting : command_line) override_with(std::move(setting), vocabulary, mistakes);
}

void SettingList::report_twice(Mistakes& mistakes) const {
  std::set<std::string> axes;
  for (const auto& setting : settings_) {
    if (setting.section == "axes") axes.insert(setting.key);
  }
  for (const auto& setting : settings_) {
    if (setting.section == "axes" || axes.count(setting.key) == 0) continue;
    if (setting.section.empty() && setting.key != "constraints") continue;
    mistakes.add(setting.where + ": " + shown(full_key(setting)) + " stands under [axes] too: give it in one place");
  }
}

void SettingList::override_with(Setting setting, const Vocabulary& vocabulary, Mistakes& mistakes) {
  if (setting.key == "constraints") {
    mistakes.add(setting.where + ": constraints are added with --constraint EXPR");
    return;
  }
  if (setting.section.empty()) setting.section = home_of(setting.key, vocabulary);
  if (setting.section == "?") {
    const auto keys = all_keys(vocabulary);
    const auto by_value = setting_by_value(setting, keys, vocabulary);
    mistakes.add(setting.where + ": " +
                 (by_value.empty() ? unknown_message("key", setting.key, keys)
                                   : "unknown key '" + shown(setting.key) + "'; did you mean '" + by_value +
                                         "'? (known: " + listed(keys) + ")"));
    return;
  }
  if (setting.is_list && !setting.section.empty()) setting.section = "axes";
  put(std::move(setting));
}

void SettingList::put(Setting setting) {
  const auto is_same = [&](const Setting& other) { return same_key(setting, other); };
  const auto old = std::find_if(settings_.begin(), settings_.end(), is_same);
  const bool was_axis =
      std::any_of(settings_.begin(), settings_.end(), [&](const auto& s) { return is_same(s) && s.section == "axes"; });
  if (was_axis) setting.section = "axes";
  setting.is_list = setting.is_list || is_home_of_lists(setting);
  if (old == settings_.end()) {
    settings_.push_back(std::move(setting));
    return;
  }
  // In the old one's place: the order of axes is the order of columns and of cells.
  settings_.erase(std::remove_if(std::next(old), settings_.end(), is_same), settings_.end());
  *old = std::move(setting);
}

const Setting* SettingList::take(const std::string& section, const std::string& key) {
  const auto found = std::find_if(settings_.begin(), settings_.end(),
                                  [&](const Setting& s) { return !s.used && s.section == section && s.key == key; });
  if (found == settings_.end()) return nullptr;
  found->used = true;
  return &*found;
}

std::vector<const Setting*> SettingList::take_all(const std::string& section) {
  std::vector<const Setting*> taken;
  for (auto& setting : settings_) {
    if (setting.used || setting.section != section) continue;
    setting.used = true;
    taken.push_back(&setting);
  }
  return taken;
}

std::vector<const Setting*> SettingList::rest() const {
  std::vector<const Setting*> rest;
  for (const auto& setting : settings_) {
    if (!setting.used) rest.push_back(&setting);
  }
  return rest;
}

}  // namespace ddpbench
