#pragma once
#include <torch/csrc/utils/pybind.h>

#include <map>
#include <memory>
#include <string>

#include "harness/launch/rank_runtime.hpp"

namespace ddpbench {

// Makes a Python interpreter the host of a rank. The object (ddpbench_arms.runtime.Runtime) has meet(ranks), make_arm(request) -> arm, train(request, plan) -> result,
// arms (those it made, each with close()), facts and versions_of(base, features). All but the constructor and the destructor are
// called without the interpreter's lock and take it.
class PythonRuntime final : public RankRuntime {
 public:
  explicit PythonRuntime(pybind11::object runtime) : runtime_(std::move(runtime)) {}

  void meet(RankGroup& group, const RankInfo& info, const LaunchSpec& spec) override;
  std::unique_ptr<Arm> make_arm(const RuntimeArmRequest& request) override;
  TrainingResult train(const RuntimeArmRequest& request, const TrainingPlan& plan) override;
  const char* build_fact() const override { return "python_module_build_id"; }
  std::map<std::string, std::string> facts() const override;
  std::vector<std::string> versions_of(const ArmFacts& arm) const override;
  void close() override;

 private:
  pybind11::object runtime_;
};

}  // namespace ddpbench
