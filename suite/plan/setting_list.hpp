#pragma once
#include <string>
#include <vector>

#include "suite/contract/vocabulary/vocabulary.hpp"
#include "suite/plan/mistakes.hpp"
#include "suite/plan/setting.hpp"

namespace ddpbench {

// Holds all keys of one experiment: the file's, with the command line's put in their place. Each is taken once; what is left is
// unknown.
class SettingList {
 public:
  SettingList(std::vector<Setting> file, std::vector<Setting> command_line, const Vocabulary& vocabulary, Mistakes& mistakes);

  // Takes a key; nullptr where the user gave no such key. A key that also stands under [axes] is a mistake.
  const Setting* take(const std::string& section, const std::string& key);

  // Takes those of a section that nobody has taken yet.
  std::vector<const Setting*> take_all(const std::string& section);

  // Returns what nobody took.
  std::vector<const Setting*> rest() const;

 private:
  void override_with(Setting setting, const Vocabulary& vocabulary, Mistakes& mistakes);
  void put(Setting setting);
  void report_twice(Mistakes& mistakes) const;

  std::vector<Setting> settings_;
};

// Returns the section in which a key stands by itself ("launches": "protocol"); "?" where there is no such key.
std::string home_of(const std::string& key, const Vocabulary& vocabulary);

// Returns every key that an experiment can have, without sections.
std::vector<std::string> all_keys(const Vocabulary& vocabulary);

}  // namespace ddpbench
