#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "suite/contract/vocabulary/vocabulary.hpp"

namespace ddpbench {

// Holds what is known of an arm by its name, features and all. Resolved once, from the tables of a vocabulary or from those that
// a results folder recorded (recorded_vocabulary.hpp), and handed on: nothing reads a role out of a name.
struct ArmFacts {
  std::string name;  // as the experiment has it
  // The same text for every way to write the arm: what is taken away, then what is added, each in the order of the table.
  std::string canonical;
  std::string base;  // "trainer" of "trainer-fetch"
  ArmRole role = ArmRole::kSubject;
  std::string reference;  // what it is compared with, the mark of its family: "py_raw", "py_raw+clip"; a reference's own name
  std::string program;    // what hosts it
  bool is_wrapper = false;
  std::vector<std::string>
      features;  // in force: the base's own, in order, then those added; "logger=50" where one carries a value
  std::vector<std::string> added, removed;  // features, as the name has them
  std::vector<std::string> clocks;          // of a positive control: where its truth is known
  std::string module;                       // of the experiment's [modules], that it trains; "": the model of the workload
  // The features by which its steps compute something else than the launch's, in the order of the tables: "+clip=1". Arms of one
  // work are equal, as `equality` says; "" of most.
  std::string work;
  Equality equality = Equality::kBits;
  std::string ideal_feature;       // the one by which its collectives take no time; "": they take their time
  std::int64_t micro_batches = 1;  // of each step, in the place of its cell's: 4 of "py_raw+accumulate=4"

  // Returns the features in force by name, and the values of those that carry one.
  std::vector<std::string> feature_names() const;
  std::map<std::string, std::string> feature_values() const;

  bool is_reference() const { return role == ArmRole::kReference; }
  bool is_control() const { return role == ArmRole::kAaControl || role == ArmRole::kPositiveControl; }
  bool is_subject() const { return role == ArmRole::kSubject; }
  // Returns whether it trains on batches of its own module, whose samples nobody counts.
  bool has_own_batches() const { return !module.empty(); }
  // Returns whether it is a positive control that delays every step.
  bool is_delayed() const { return role == ArmRole::kPositiveControl && !clocks.empty(); }
};

// Resolves a name and checks it. Throws UsageError, which names what is legal: for an unknown base or feature; a feature that the
// arm cannot take; one added that it has, or taken away that it lacks; a value out of range, or of a feature that carries none; a
// change without effect; features that do not go together (FeatureEntry::requires_features, excludes_features).
ArmFacts legal_arm(const Vocabulary& tables, std::string_view name);

// Resolves a name. Never throws: planning has checked it (legal_arm). An unknown base is a subject, compared with the tables'
// first reference; an unknown feature changes no role.
ArmFacts arm_facts(const Vocabulary& tables, std::string_view name);

// Resolves several names, in their order.
std::vector<ArmFacts> arm_facts(const Vocabulary& tables, const std::vector<std::string>& names);

// Returns the entry of that name. Throws Error that names it where there is none.
const ArmFacts& find_arm(const std::vector<ArmFacts>& arms, std::string_view name);
// Returns the entries of these names, in their order. Throws as find_arm does.
std::vector<ArmFacts> find_arms(const std::vector<ArmFacts>& arms, const std::vector<std::string>& names);

// Returns the names of the reference arms among these, in their order.
std::vector<std::string> references_of(const std::vector<ArmFacts>& arms);

// Returns how often each arm of a launch stands in a super-block, in their order: once; a reference once among every four of the
// others of its family, so that what an arm is compared with is near it in time.
std::vector<std::int64_t> blocks_in_super_block(const std::vector<ArmFacts>& launch);

// Returns the name of the A/A control that a family could have by the tables; "": it has none.
std::string aa_control_of(const Vocabulary& tables, const std::string& reference);

// Returns the name of its positive control whose delay is known on that clock; "": it has none.
std::string positive_control_of(const Vocabulary& tables, const std::string& reference, const std::string& clock);

}  // namespace ddpbench
