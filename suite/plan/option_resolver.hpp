#pragma once
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "suite/contract/launch/options.hpp"
#include "suite/contract/vocabulary/option_groups.hpp"
#include "suite/plan/experiment.hpp"

namespace ddpbench {

using Swept = std::vector<std::pair<std::string, std::string>>;  // name and value of each axis that is an option or a key

// Holds the options of one group's chosen entries under one choice of the swept ones; cells share them.
struct ResolvedOptions {
  Options options;
  std::string text;           // for the `options` column
  Swept used;                 // the swept ones that the entries have
  std::string contradiction;  // "" where they agree with each other
};

// Resolves each choice of one group's options once. Refers to the experiment and the vocabulary that it was made with.
class OptionResolver {
 public:
  OptionResolver(const OptionGroupEntry& group, std::vector<EntryView> entries, const std::map<std::string, OptionValue>& given)
      : group_(group), entries_(std::move(entries)), given_(given) {}

  const OptionGroupEntry& group() const { return group_; }

  // Returns the options of the entries called `names`, those that a cell has; one that the vocabulary lacks has no options. Stays
  // valid as long as this object.
  const ResolvedOptions& resolved(const std::vector<std::string>& names, const Swept& swept);

 private:
  std::vector<EntryView> entries_called(const std::vector<std::string>& names) const;

  const OptionGroupEntry& group_;
  std::vector<EntryView> entries_;
  const std::map<std::string, OptionValue>& given_;
  std::unordered_map<std::string, ResolvedOptions> resolved_;
};

// Makes a resolver for each group that has an option at all: there are 100,000 cells.
std::vector<OptionResolver> option_resolvers(const Experiment& experiment, const Vocabulary& vocabulary);

}  // namespace ddpbench
