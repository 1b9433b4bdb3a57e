#pragma once
#include <map>
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

// Holds an arm's name as it is written: `trainer-fetch+logger=50` is base `trainer`, without `fetch`, with `logger` at 50.
struct WrittenArm {
  std::string base;
  std::vector<FeatureChange> changes;
};
// Splits a name; checks nothing. `py_lightning=mine` is py_lightning+module=mine (kModuleFeature). A sign begins the next
// feature; in a value not before a digit or a point, for 1e-3 is a number.
WrittenArm split_arm_name(std::string_view text);

// Returns "logger=50", or "logger" where there is no value.
std::string feature_text(const std::string& feature, const std::string& value);

// Returns the same as a part of an arm's name: "+logger=50"; "=mine" of the module.
std::string added_text(const std::string& feature, const std::string& value);

// Replaces a bundle by its parts, with the same sign.
std::vector<FeatureChange> expand(const Vocabulary& vocabulary, const FeatureChange& change);

// Replaces the bundles in a list of features such as VocabularyEntry::takes.
std::vector<std::string> expand(const Vocabulary& vocabulary, const std::vector<std::string>& listed);

// Holds a name that was checked against the tables.
struct ArmName {
  std::string base;
  std::vector<std::string> features;          // those in force, in the order of the vocabulary's table
  std::map<std::string, std::string> values;  // of the features that carry one, defaults filled in
  // The same text for every way to write the arm: what is taken away, then what is added, each in the order of the table.
  std::string canonical;
  bool has(std::string_view feature) const;
};

// Parses and checks a name. Throws UsageError, which names what is legal: for an unknown base or feature; a feature that the arm
// cannot take; one added that it has, or taken away that it lacks; a value out of range, or of a feature that carries none; a
// change without effect; features that do not go together (VocabularyEntry::requires_features, excludes_features).
ArmName parse_arm_name(const Vocabulary& vocabulary, std::string_view text);

}  // namespace ddpbench
