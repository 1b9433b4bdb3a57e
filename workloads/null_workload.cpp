#include <algorithm>

#include "suite/contract/launch/option_values.hpp"
#include "workloads/models/null_model.hpp"
#include "workloads/recipes.hpp"

namespace ddpbench {

std::vector<OptionEntry> null_options() {
  auto options = common_options("cifar", "constant");
  options.back().needs["true"]["matmuls"] = "0";  // of kCompiledOption: it leaves out equal products
  options.insert(options.begin(), {"matmuls",
                                   OptionType::kInteger,
                                   "0",
                                   {},
                                   0,
                                   1e6,
                                   "dummy compute: products of 128 x 128 matrices in each forward, to lengthen the step"});
  return options;
}

// The learning rate is small because the constant batch has inputs of norm 55: a larger one would run into infinity within a launch.
Recipe null_recipe(const std::string& dataset, const WorkloadRequest& request) {
  const auto matmuls = OptionValues(request.options).integer("matmuls");
  auto recipe = classification_recipe({"null", make_null_model(class_count(dataset), matmuls)}, dataset, request, 1e-5);
  constexpr std::int64_t kOfTheShortest = 8, kMatmulsInTheirPlace = 8;  // eight take about a millisecond
  recipe.rewarm_steps = std::max<std::int64_t>(0, kOfTheShortest - matmuls / kMatmulsInTheirPlace);
  return recipe;
}

}  // namespace ddpbench
