#pragma once
#include <string>

#include "harness/api/workload.hpp"

namespace ddpbench {

// The parts that several workloads share.

// What every workload takes: where images come from (`default_data`: cifar or constant), the optimizer's settings, the loss's, the layout
// of images in memory, the weights to start from.
std::vector<OptionEntry> common_options(const std::string& default_data);

struct NamedModel {
  std::string name;  // as in Recipe
  std::shared_ptr<Model> model;
};

// Cross-entropy and SGD as the options say, batches likewise; `learning_rate` is what stands for `default`. `dataset` as in the table's line.
Recipe classification_recipe(NamedModel network, const std::string& dataset, const WorkloadRequest& request,
                             double learning_rate);

std::int64_t class_count(const std::string& dataset);

}  // namespace ddpbench
