#pragma once
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "harness/api/batch.hpp"
#include "harness/api/model.hpp"
#include "harness/api/optimizer.hpp"
#include "suite/contract/vocabulary/vocabulary.hpp"

namespace ddpbench {

// Makes the optimizer that updates these parameters.
using OptimizerRecipe = std::function<std::unique_ptr<Optimizer>(std::vector<at::Tensor> parameters)>;
// Returns the loss, a scalar tensor, of what the model makes of a batch's input.
using Loss = std::function<at::Tensor(const at::Tensor& output, const at::Tensor& target)>;

// Holds what a workload gives a launch. The optimizer is a recipe, not an object: only the strategy knows which tensors this rank
// updates.
struct Recipe {
  std::shared_ptr<Model> model;
  std::string network{};     // by which a twin in another language finds its model: "resnet50"
  std::int64_t classes = 0;  // that its logits tell apart
  OptimizerRecipe make_optimizer;
  std::string optimizer = "sgd";  // by which a twin finds its own: a class of torch.optim, in small letters
  Loss loss;
  std::unique_ptr<BatchCursor> batches;
  at::MemoryFormat memory_format = at::MemoryFormat::Contiguous;  // of inputs and of the model's weights
  // What the optimizer and the loss were made with, for a twin of this training in another language, by PyTorch's names of
  // arguments: lr, momentum, dampening, weight_decay, nesterov (0 or 1); of AdamW lr, beta1, beta2, eps, weight_decay; and
  // label_smoothing.
  std::map<std::string, double> hyperparameters{};
  // Steps that an arm needs behind other arms until its own take what they take alone: their code and data have left the caches.
  // Many where a step is short; none where its own work sweeps the caches at every step. docs/figures.md has what was seen.
  std::int64_t rewarm_steps = 0;
};

// Holds what a workload is made from: its options (all of them, checked), and this rank's share of the data.
struct WorkloadRequest {
  std::map<std::string, std::string> options;
  std::int64_t batch_size_per_rank = 1;
  std::int64_t rank = 0;
  std::int64_t world_size = 1;
  std::int64_t seed = 1;
  std::string data;              // folder with the data set's binary files; may be empty where options say data = constant
  at::Device device = at::kCPU;  // on which this rank computes
};

// Describes one workload: a line of the table in workloads/workloads.cpp.
struct WorkloadFactory : WorkloadEntry {
  Recipe (*make)(const std::string& dataset, const WorkloadRequest& request);

  Recipe recipe(const WorkloadRequest& request) const { return make(dataset, request); }
};
// Returns the table of workloads.
std::span<const WorkloadFactory> workloads();

}  // namespace ddpbench
