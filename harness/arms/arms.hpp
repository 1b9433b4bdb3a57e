#pragma once
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "harness/api/arm.hpp"
#include "suite/contract/vocabulary/vocabulary.hpp"

namespace ddpbench {

// Holds what an arm is made from.
struct ArmRequest {
  Session& session;
  std::vector<std::string> features;  // in force, names of the table of features
  double injected_us = 0;
  std::map<std::string, std::string> values{};   // of the features that carry one, checked
  std::map<std::string, std::string> options{};  // of the arms of its launch, checked
};

// Describes one arm, a line of the table of arms: the facts that the vocabulary has of it, and what makes it.
struct ArmFactory : ArmEntry {
  std::unique_ptr<Arm> (*make)(const ArmRequest& request);
};
// Returns the table of the arms in C++.
std::span<const ArmFactory> arms();

// Returns the facts of the arms of Python's frameworks. What makes them lives in another program (harness/python), and a build
// without Python names them too.
std::span<const ArmEntry> python_arms();

// Returns the facts of the features that only these arms take.
std::span<const FeatureEntry> python_features();

// Describes one feature that is neither the trainer's nor the frameworks' alone: a line of the table of features.
struct ArmFeature : FeatureEntry {
  bool BlockConditions::*condition = nullptr;  // what it switches on; null: another step
};
// Returns the table of these features.
std::span<const ArmFeature> arm_features();

// Returns conditions in which only what the features name is on.
BlockConditions block_conditions(const std::vector<std::string>& features);

// Makes the arm of a name as in an experiment ("trainer-fetch"). Throws UsageError for an unknown arm or feature.
std::unique_ptr<Arm> make_arm(const Vocabulary& vocabulary, const std::string& name, Session& session, double injected_us,
                              const std::map<std::string, std::string>& options = {});

// Puts `inner` behind the known delay of a positive control, as the request's features place it.
std::unique_ptr<Arm> delay_arm(std::unique_ptr<Arm> inner, const ArmRequest& request);

// Makes `raw`, the reference; with the feature `graph` what make_raw_graph makes.
std::unique_ptr<Arm> make_raw(const ArmRequest& request);
// Makes `raw_again`, the A/A control: the reference's code once more.
std::unique_ptr<Arm> make_raw_again(const ArmRequest& request);
// Makes `raw` captured as a CUDA graph and replayed. Throws UsageError where the rank trains on the CPU.
std::unique_ptr<Arm> make_raw_graph(const ArmRequest& request);
// Makes `raw_item`, which also reads the loss on the host at every step.
std::unique_ptr<Arm> make_raw_item(const ArmRequest& request);
// Makes `injected`, the positive control: raw behind the known delay, or as its features change that.
std::unique_ptr<Arm> make_injected(const ArmRequest& request);
// Makes `injected_periodic`: raw with the known delay behind every 50th step, as periodic work.
std::unique_ptr<Arm> make_injected_periodic(const ArmRequest& request);
// Makes `trainer`, which drives the step by the Lightning-like Trainer; throws UsageError for a feature that it lacks.
std::unique_ptr<Arm> make_trainer(const ArmRequest& request);

}  // namespace ddpbench
