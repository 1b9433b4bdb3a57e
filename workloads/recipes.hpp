#pragma once
#include <string>

#include "harness/api/workload.hpp"

namespace ddpbench {

// The parts that several workloads share.
std::vector<OptionEntry> data_option(const std::string& default_value);  // `data`: cifar or constant
OptionEntry stem_option();

// Cross-entropy and SGD with momentum 0.9 and the given learning rate, batches as the option `data` says. `dataset` is "cifar10" or
// "cifar100".
Recipe classification_recipe(std::shared_ptr<Model> model, const WorkloadRequest& request, const std::string& dataset,
                             double learning_rate);

std::int64_t class_count(const std::string& dataset);

Recipe make_null(const WorkloadRequest& request);
Recipe make_convnet_cifar10(const WorkloadRequest& request);
Recipe make_convnet_cifar100(const WorkloadRequest& request);
Recipe make_resnet18_cifar10(const WorkloadRequest& request);
Recipe make_resnet18_cifar100(const WorkloadRequest& request);
Recipe make_resnet50_cifar10(const WorkloadRequest& request);
Recipe make_resnet50_cifar100(const WorkloadRequest& request);

}  // namespace ddpbench
