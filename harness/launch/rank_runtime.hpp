#pragma once
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "harness/api/arm.hpp"
#include "harness/api/workload.hpp"
#include "harness/launch/whole_training.hpp"
#include "suite/base/errors.hpp"
#include "suite/contract/launch/launch_spec.hpp"
#include "suite/contract/vocabulary/arm_facts.hpp"

namespace ddpbench {

class RankGroup;
struct RankInfo;

// Holds what an arm of the host's own is made of.
struct RuntimeArmRequest {
  const ArmFacts& facts;
  Session& session;
  const LaunchSpec& spec;
  const Recipe& recipe;  // its model's weights are those that a replica starts with
};

// Stands for the process around a rank. ddpbench-worker is one that brings nothing; a Python interpreter is another, which brings
// the arms of the frameworks. Between construction and its last call one thread uses it.
class RankRuntime {
 public:
  virtual ~RankRuntime() = default;

  // Called once, when the ranks have met and before any arm is made: a host may put a process group of its own on the same
  // collectives.
  virtual void meet(RankGroup& /*group*/, const RankInfo& /*info*/, const LaunchSpec& /*spec*/) {}

  // Makes an arm that no table of the harness can make (ArmEntry::program). Throws UsageError where this host brings none.
  virtual std::unique_ptr<Arm> make_arm(const RuntimeArmRequest& request) = 0;

  // Trains an arm of this host whole, from the recipe's weights on, with the session's batches from where they stand. Collective.
  // Throws UsageError where this host trains none.
  virtual TrainingResult train(const RuntimeArmRequest& request, const TrainingPlan& /*plan*/) {
    throw UsageError("arm '" + request.facts.name + "' does not train whole: arms in Python do");
  }

  // Names the fact of the launch that holds the id of its build. Launches of two hosts have two, which are not compared.
  virtual const char* build_fact() const { return "worker_build_id"; }

  // Returns versions and settings, for the launch's facts; names as in environment.json.
  virtual std::map<std::string, std::string> facts() const { return {}; }

  // Returns "python=3.11.7", "lightning=2.6.6": what an arm runs on beside LibTorch, the host's own first.
  virtual std::vector<std::string> versions_of(const ArmFacts& /*arm*/) const { return {}; }

  // Takes its arms down; called behind the last step, in every launch that was measured to its end.
  virtual void close() {}
};

}  // namespace ddpbench
