#pragma once
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "harness/api/arm.hpp"
#include "suite/contract/vocabulary/vocabulary.hpp"

namespace ddpbench {

struct ArmRequest {
  Session& session;
  std::vector<std::string> features;  // in force, names of the table of features
  double injected_us = 0;
  std::map<std::string, std::string> values{};   // of the features that carry one, checked
  std::map<std::string, std::string> options{};  // of the arms of its launch, checked
};

// One line of the table of arms: the facts that the vocabulary has of it, and what makes it.
struct ArmEntry : VocabularyEntry {
  std::unique_ptr<Arm> (*make)(const ArmRequest& request);
  std::vector<OptionEntry> options{};
};
std::span<const ArmEntry> arms();

// The arms of Python's frameworks: facts alone, for what makes them lives in another program (harness/python), and a build without Python
// names them too.
std::span<const VocabularyEntry> python_arms();

// The features that only these take. The same holds for them.
std::span<const VocabularyEntry> python_features();

// One line of the table of features that are neither the trainer's nor those of the frameworks alone.
struct ArmFeatureEntry : VocabularyEntry {
  bool BlockConditions::*condition = nullptr;  // what it switches on; null: another step
};
std::span<const ArmFeatureEntry> arm_features();

// Switches on what the features name, all else off.
BlockConditions block_conditions(const std::vector<std::string>& features);

// `name` as in an experiment ("trainer-fetch"). Throws UsageError for an unknown arm or feature.
std::unique_ptr<Arm> make_arm(const Vocabulary& vocabulary, const std::string& name, Session& session, double injected_us,
                              const std::map<std::string, std::string>& options = {});

// `inner` behind the known delay of a positive control, as the request's features place it.
std::unique_ptr<Arm> delay_arm(std::unique_ptr<Arm> inner, const ArmRequest& request);

std::unique_ptr<Arm> make_raw(const ArmRequest& request);
std::unique_ptr<Arm> make_raw_again(const ArmRequest& request);
std::unique_ptr<Arm> make_raw_graph(const ArmRequest& request);
std::unique_ptr<Arm> make_raw_item(const ArmRequest& request);
std::unique_ptr<Arm> make_injected(const ArmRequest& request);
std::unique_ptr<Arm> make_injected_periodic(const ArmRequest& request);
std::unique_ptr<Arm> make_trainer(const ArmRequest& request);

}  // namespace ddpbench
