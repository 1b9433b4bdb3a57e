#include "workloads/models/null_model.hpp"
#include "workloads/recipes.hpp"

namespace ddpbench {

// Arms train a module of the user's, on batches of its own. What stands here in its place is never stepped: of the launch's own data only the
// cursor counts.
Recipe module_recipe(const std::string& /*dataset*/, const WorkloadRequest& request) {
  const std::string stand_in = "cifar10";
  auto with_defaults = request;
  for (const auto& option : common_options("cifar", "constant")) with_defaults.options[option.name] = option.default_value;
  auto recipe = classification_recipe({"null", make_null_model(class_count(stand_in), 0)}, stand_in, with_defaults, 1e-5);
  recipe.rewarm_steps = 4;  // what a small model needs; a large one pays little for them
  return recipe;
}

}  // namespace ddpbench
