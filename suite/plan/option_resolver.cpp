#include "suite/plan/option_resolver.hpp"

#include <algorithm>

#include "suite/base/text.hpp"

namespace ddpbench {
namespace {

// Every option of the entries (several arms of a launch have theirs): the swept value, else the given one, else the default. Entries that
// share an option share its value; its default is that of the first.
ResolvedOptions resolve(const std::vector<EntryView>& entries, const std::map<std::string, OptionValue>& given,
                        const Swept& swept) {
  ResolvedOptions resolved;
  for (const auto& entry : entries) {
    for (const auto& option : entry.options) {
      if (resolved.options.count(option.name) > 0) continue;
      const auto found = given.find(option.name);
      resolved.options[option.name] = found == given.end() ? option.default_value : found->second.text;
      for (const auto& [name, value] : swept) {
        if (name != option.name) continue;
        resolved.options[name] = value;
        resolved.used.emplace_back(name, value);
      }
    }
  }
  for (const auto& [name, value] : resolved.options) resolved.text += (resolved.text.empty() ? "" : ";") + name + "=" + value;
  for (const auto& entry : entries) {
    if (resolved.contradiction.empty()) resolved.contradiction = why_contradictory(entry.options, resolved.options);
  }
  return resolved;
}

}  // namespace

const ResolvedOptions& OptionResolver::resolved(const std::vector<std::string>& names, const Swept& swept) {
  std::string key;
  for (const auto& name : names) key += name + '\n';
  for (const auto& [option, value] : swept) key += '\n' + value;
  const auto [found, fresh] = resolved_.try_emplace(std::move(key));
  if (fresh) found->second = resolve(entries_called(names), given_, swept);
  return found->second;
}

std::vector<EntryView> OptionResolver::entries_called(const std::vector<std::string>& names) const {
  std::vector<EntryView> called;
  for (const auto& entry : entries_) {
    if (holds(names, entry.name)) called.push_back(entry);
  }
  return called;
}

std::vector<OptionResolver> option_resolvers(const Experiment& experiment, const Vocabulary& vocabulary) {
  std::vector<OptionResolver> resolvers;
  for (const auto& group : kOptionGroups) {
    auto entries = group.entries(vocabulary);
    const bool any = std::any_of(entries.begin(), entries.end(), [](const auto& entry) { return !entry.options.empty(); });
    if (any) resolvers.emplace_back(group, std::move(entries), experiment.options[group.group]);
  }
  return resolvers;
}

}  // namespace ddpbench
