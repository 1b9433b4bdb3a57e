#pragma once
#include <map>
#include <string>

#include "harness/api/workload.hpp"

namespace ddpbench {

// The parts that several workloads share.

// Returns the options that every workload of images takes: where images come from (as for data_options), the optimizer's
// settings, the loss's, the layout of images in memory, the weights to start from.
std::vector<OptionEntry> common_options(const std::string& files, const std::string& default_data);

// Returns the option by which arms in Python compile the network; every workload with a twin in Python takes it. `needs`: what other
// options must be where it is on.
OptionEntry compiled_option(const std::map<std::string, std::string>& needs);

// Holds a model and its name.
struct NamedModel {
  std::string name;  // as in Recipe
  std::shared_ptr<Model> model;
};

// Makes a recipe of cross-entropy and SGD as the options say, batches likewise; `learning_rate` is what stands for `default`.
// `dataset` as in the table's line. Throws UsageError for options, weights or data that do not fit.
Recipe classification_recipe(NamedModel network, const std::string& dataset, const WorkloadRequest& request,
                             double learning_rate);

// Returns the number of classes; throws UsageError for a data set that is not known.
std::int64_t class_count(const std::string& dataset);

}  // namespace ddpbench
