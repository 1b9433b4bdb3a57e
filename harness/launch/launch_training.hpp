#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "harness/launch/rank_launch.hpp"
#include "harness/measure/checks/equal_work.hpp"
#include "harness/precision/precisions.hpp"
#include "harness/strategies/strategies.hpp"

namespace ddpbench {

// Holds the training of a launch and the arms that drive it: what the purposes that train begin with.
class LaunchTraining {
 public:
  explicit LaunchTraining(RankLaunch& launch) : launch_(launch) {}
  LaunchTraining(const LaunchTraining&) = delete;
  LaunchTraining& operator=(const LaunchTraining&) = delete;

  // Lets the ranks meet, notes facts, makes recipe, strategy and session; returns the facts of the arms. Collective. Collectives may
  // take `first_step_timeout` until somebody shortens that.
  std::vector<ArmFacts> meet(Outcome& outcome);

  // Meets, makes the arms, notes their versions, and takes every training's first steps. Collective.
  void begin(Outcome& outcome);

  // Checks that all arms do equal work (check_equal_work) and notes in the outcome which do not. Collective.
  EqualWork check_work(Outcome& outcome);

  // Takes the runtime's arms down and leaves the group. Collective; behind the last step.
  void end();

  Session& session() { return *session_; }
  const Recipe& recipe() const { return recipe_; }
  std::vector<NamedArm>& arms() { return arms_; }
  std::int64_t began_ns() const { return began_ns_; }  // on the wall clock: when the first steps were through

 private:
  void make_session();
  void make_arms(std::vector<ArmFacts> all);
  std::unique_ptr<Arm> own_arm(const Vocabulary& vocabulary, const std::string& name);
  std::unique_ptr<Arm> hosted_arm(const ArmFacts& facts);
  std::string versions_of(const ArmFacts& arm) const;
  void take_every_first_step();
  void note_first_step();
  void add_seconds_since(const char* variable, const Metric& metric);

  RankLaunch& launch_;
  StepTimer timer_;
  Recipe recipe_;
  std::unique_ptr<Strategy> strategy_;
  std::unique_ptr<Precision> precision_;
  std::unique_ptr<Session> session_;
  std::vector<NamedArm> arms_;
  std::int64_t began_ns_ = 0;
};

}  // namespace ddpbench
