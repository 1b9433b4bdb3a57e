#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "suite/contract/vocabulary/vocabulary.hpp"

namespace ddpbench {

// Holds one signed feature of an arm's name: "-fetch", or "+logger=50".
struct FeatureChange {
  char sign;  // '+' or '-'
  std::string feature;
  std::string value{};  // "": none is given
};

// Reads "logger=50" as a change with that sign.
FeatureChange change_of(char sign, std::string_view text);

// Holds an arm's name as it is written: `trainer-fetch+logger=50` is base `trainer`, without `fetch`, with `logger` at 50.
struct WrittenArm {
  std::string base;
  std::vector<FeatureChange> changes;
};
// Splits a name by the tables; checks nothing. `py_lightning=mine` is py_lightning+module=mine, the feature of own code that the
// arm takes (ArmEntry::takes; kModuleFeature where it takes none). A sign begins the next feature; in a value not before a digit
// or a point, for 1e-3 is a number.
WrittenArm split_arm_name(const Vocabulary& vocabulary, std::string_view text);

// Returns the base of a name: "trainer" of trainer-fetch.
std::string base_of_arm(std::string_view text);

// Returns "logger=50", or "logger" where there is no value.
std::string feature_text(const std::string& feature, const std::string& value);

// Returns the same as a part of an arm's name: "+logger=50"; "=mine" of own code.
std::string added_text(const std::string& feature, const std::string& value);

// Returns what a feature stands for in the arm of that name: its parts; nothing where it is no bundle.
const std::vector<std::string>& bundle_of(const Vocabulary& vocabulary, const std::string& base, const std::string& feature);

// Replaces a bundle by its parts in that arm, with the same sign.
std::vector<FeatureChange> expand(const Vocabulary& vocabulary, const std::string& base, const FeatureChange& change);

// Replaces the bundles in a list of features such as ArmEntry::takes.
std::vector<std::string> expand(const Vocabulary& vocabulary, const std::string& base, const std::vector<std::string>& listed);

}  // namespace ddpbench
