#pragma once
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "suite/contract/launch/options.hpp"
#include "suite/contract/vocabulary/option_holders.hpp"
#include "suite/plan/experiment.hpp"

namespace ddpbench {

using Swept = std::vector<std::pair<std::string, std::string>>;  // name and value of each axis that is an option or a key

// The options of one holder's chosen entries under one choice of the swept ones; cells share them.
struct SettledOptions {
  Options options;
  std::string text;           // for the `options` column
  Swept used;                 // the swept ones that the entries have
  std::string contradiction;  // "" where they agree with each other
};

// Settles each choice of one holder's options once. Refers to the experiment and the vocabulary that it was made with.
class OptionSettler {
 public:
  OptionSettler(const OptionHolder& holder, const std::vector<VocabularyEntry>& entries,
                const std::map<std::string, OptionValue>& given)
      : holder_(holder), entries_(entries), given_(given) {}

  const OptionHolder& holder() const { return holder_; }

  // `names`: of the entries that a cell has; one that the vocabulary lacks has no options.
  const SettledOptions& settled(const std::vector<std::string>& names, const Swept& swept);

 private:
  std::vector<const VocabularyEntry*> entries_called(const std::vector<std::string>& names) const;

  const OptionHolder& holder_;
  const std::vector<VocabularyEntry>& entries_;
  const std::map<std::string, OptionValue>& given_;
  std::unordered_map<std::string, SettledOptions> settled_;
};

// Of the holders that have an option at all: there are 100,000 cells.
std::vector<OptionSettler> option_settlers(const Experiment& experiment, const Vocabulary& vocabulary);

}  // namespace ddpbench
