#include "harness/python/python_runtime.hpp"

#include <alloca.h>

#include <tuple>

#include "harness/arms/arms.hpp"
#include "harness/python/python_arm.hpp"
#include "harness/ranks/rank_group.hpp"
#include "harness/strategies/strategies.hpp"
#include "suite/base/errors.hpp"
#include "suite/base/text.hpp"
#include "suite/contract/vocabulary/arm_facts.hpp"
#include "suite/contract/vocabulary/registry.hpp"

namespace ddpbench {
namespace {

namespace py = pybind11;

// A framework that owns its loop lives in a greenlet, whose C stack begins where it was first entered. Deeper than any later step's: then
// a switch into it copies no live frame of the block runner away, at which another thread may look.
constexpr std::size_t kDeeper = 256 << 10;

template <class Body>
[[gnu::noinline]] void run_deep_in_the_stack(Body&& body) {
  auto* volatile room = static_cast<char*>(alloca(kDeeper));
  room[0] = room[kDeeper - 1] = 0;
  body();
  room[0] = 0;  // `room` is alive behind the call: no tail call
}

py::dict to_python(const Options::Map& options) {
  py::dict result;
  for (const auto& [name, value] : options) result[py::str(name)] = value;
  return result;
}

py::list tensors_by_name(const torch::nn::Module& module) {
  py::list result;
  for (const auto& parameter : module.named_parameters()) result.append(py::make_tuple(parameter.key(), parameter.value()));
  for (const auto& buffer : module.named_buffers()) result.append(py::make_tuple(buffer.key(), buffer.value()));
  return result;
}

py::dict to_python(const RuntimeArmRequest& request) {
  py::dict result;
  result["name"] = request.facts.name;
  result["base"] = request.facts.base;
  result["features"] = request.facts.features;
  result["session"] = py::cast(&request.session, py::return_value_policy::reference);
  result["network"] = request.recipe.network;
  result["classes"] = request.recipe.classes;
  result["workload_options"] = to_python(request.spec.options[OptionGroup::kWorkload]);
  result["strategy"] = request.spec.strategy;
  result["strategy_options"] = to_python(request.spec.options[OptionGroup::kStrategy]);
  result["precision"] = request.spec.precision;
  result["device"] = request.session.device.str();
  result["scratch"] = request.spec.part_dir;
  result["optimizer"] = request.recipe.optimizer;
  result["hyperparameters"] = request.recipe.hyperparameters;
  result["batch_size"] = request.spec.batch_size_per_rank;
  result["own_code"] = request.spec.own_code;
  result["weights"] = tensors_by_name(*request.recipe.model);
  return result;
}

py::dict to_python(const TrainingPlan& plan) {
  py::dict result;
  result["is_warm_up"] = plan.is_warm_up;
  result["epochs"] = plan.epochs;
  result["steps"] = plan.steps;
  result["validation_batches"] = plan.validation_batches;
  result["patience"] = plan.patience;
  result["injected_s"] = plan.injected_s;
  result["resume_step"] = plan.resume_step;
  return result;
}

TrainingResult to_result(const py::object& trained) {
  TrainingResult result;
  for (const auto& part : trained["parts"]) {
    const auto [epoch, name, call, seconds] = part.cast<std::tuple<std::int64_t, std::string, std::string, double>>();
    result.parts.push_back({epoch, name, call, seconds});
  }
  for (const auto& epoch : trained["epochs"]) {
    result.epochs.push_back({epoch["loss"].cast<double>(), epoch["validation_loss"].cast<double>(),
                             epoch["validation_accuracy"].cast<double>(), epoch["digest"].cast<std::string>()});
  }
  result.test_accuracy = trained["test_accuracy"].cast<double>();
  return result;
}

}  // namespace

void PythonRuntime::meet(RankGroup& group, const RankInfo& info, const LaunchSpec& spec) {
  const py::gil_scoped_acquire lock;
  py::dict ranks;
  ranks["rank"] = info.rank;
  ranks["local_rank"] = info.local_rank;
  ranks["world_size"] = info.world_size;
  ranks["ranks_per_node"] = spec.ranks_per_node;
  ranks["nodes"] = spec.nodes;
  ranks["device"] = group.device().str();
  ranks["store"] = py::cast(group.store());
  ranks["backend"] = py::cast(group.backend());
  ranks["backend_name"] = spec.backend;
  ranks["has_group"] = find_entry(strategies(), "strategy", spec.strategy).communicates();
  run_for_arm("python", [&] { runtime_.attr("meet")(ranks); });
}

std::unique_ptr<Arm> PythonRuntime::make_arm(const RuntimeArmRequest& request) {
  const py::gil_scoped_acquire lock;
  py::object arm;
  run_for_arm(request.facts.name, [&] { run_deep_in_the_stack([&] { arm = runtime_.attr("make_arm")(to_python(request)); }); });
  BlockConditions conditions;
  conditions.ideal_network = !request.facts.ideal_feature.empty();
  return std::make_unique<PythonArm>(request.facts.name, std::move(arm), conditions);
}

TrainingResult PythonRuntime::train(const RuntimeArmRequest& request, const TrainingPlan& plan) {
  const py::gil_scoped_acquire lock;
  TrainingResult result;
  run_for_arm(request.facts.name, [&] {
    run_deep_in_the_stack([&] { result = to_result(runtime_.attr("train")(to_python(request), to_python(plan))); });
  });
  return result;
}

std::map<std::string, std::string> PythonRuntime::facts() const {
  const py::gil_scoped_acquire lock;
  return runtime_.attr("facts").cast<std::map<std::string, std::string>>();
}

std::vector<std::string> PythonRuntime::versions_of(const ArmFacts& arm) const {
  const py::gil_scoped_acquire lock;
  return runtime_.attr("versions_of")(arm.base, arm.features).cast<std::vector<std::string>>();
}

void PythonRuntime::close() {
  const py::gil_scoped_acquire lock;
  for (const auto& arm : runtime_.attr("arms")) {
    run_for_arm(arm.attr("request").attr("name").cast<std::string>(), [&] { arm.attr("close")(); });
  }
}

}  // namespace ddpbench
