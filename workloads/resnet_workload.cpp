#include "workloads/models/resnet.hpp"
#include "workloads/recipes.hpp"

namespace ddpbench {
namespace {

// He et al. train CIFAR with 0.1 at batch 128; the linear scaling rule (Goyal et al. 2017) brings that to other batches. A tenth of it,
// because here there is no warm-up of the rate, and the small batches of a CPU give BatchNorm a handful of values: with the whole of it
// the loss of batch 4 ran away.
constexpr double kLearningRatePerImage = 0.01 / 128;

using MakeModel = std::shared_ptr<Model> (*)(std::int64_t classes, Stem stem);

Recipe make(const char* network, MakeModel make_model, const std::string& dataset, const WorkloadRequest& request) {
  const auto global_batch_size = static_cast<double>(request.batch_size_per_rank * request.world_size);
  auto model = make_model(class_count(dataset), stem_from(request.options.at("stem")));
  return classification_recipe({network, std::move(model)}, dataset, request, kLearningRatePerImage * global_batch_size);
}

}  // namespace

std::vector<OptionEntry> resnet_options() {
  auto options = common_options("cifar", "cifar");
  options.insert(options.begin(), {.name = "stem",
                                   .default_value = "cifar",
                                   .legal = {"imagenet", "cifar"},
                                   .help = "7x7 stride 2 and max pool, or 3x3 stride 1 (16 times the work)"});
  return options;
}

// 32 pixels become one: what batch normalisation takes the variance of is the number of images.
std::vector<CellExclusion> resnet_exclusions() {
  const std::string why =
      "with stem = imagenet batch normalisation has one value per channel and image: batch_size_per_rank must be 2 or more, or "
      "stem cifar";
  return {{{{"stem", "imagenet"}, {"batch_size_per_rank", "1"}, {"strategy", "single"}}, why},
          {{{"stem", "imagenet"}, {"batch_size_per_rank", "1"}, {"nodes", "1"}, {"ranks_per_node", "1"}}, why},
          {{{"stem", "imagenet"}, {"batch_size_per_rank", "1"}, {"sync_batchnorm", "false"}}, why}};
}

Recipe resnet18_recipe(const std::string& dataset, const WorkloadRequest& request) {
  return make("resnet18", make_resnet18, dataset, request);
}

Recipe resnet50_recipe(const std::string& dataset, const WorkloadRequest& request) {
  return make("resnet50", make_resnet50, dataset, request);
}

Recipe resnet101_recipe(const std::string& dataset, const WorkloadRequest& request) {
  return make("resnet101", make_resnet101, dataset, request);
}

}  // namespace ddpbench
