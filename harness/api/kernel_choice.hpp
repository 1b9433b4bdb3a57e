#pragma once
#include "harness/api/torch.hpp"

namespace ddpbench {

// Says which kernels LibTorch may take where it has several; one setting for the process, so all arms have it alike. With
// `deterministic` an operation that has no deterministic kernel throws.
struct KernelChoice {
  bool deterministic = false;
  bool cudnn_benchmark = false;

  static KernelChoice now() { return {at::globalContext().deterministicAlgorithms(), at::globalContext().benchmarkCuDNN()}; }
  void apply() const {
    auto& context = at::globalContext();
    context.setDeterministicAlgorithms(deterministic, /*warn_only=*/false);
    context.setDeterministicCuDNN(deterministic);
    context.setBenchmarkCuDNN(cudnn_benchmark);
  }
  bool operator==(const KernelChoice&) const = default;
};

// Sets a choice for the time that it lives, then the one before again.
class KernelChoiceScope {
 public:
  explicit KernelChoiceScope(KernelChoice choice) : before_(KernelChoice::now()) { choice.apply(); }
  ~KernelChoiceScope() { before_.apply(); }
  KernelChoiceScope(const KernelChoiceScope&) = delete;
  KernelChoiceScope& operator=(const KernelChoiceScope&) = delete;

 private:
  KernelChoice before_;
};

}  // namespace ddpbench
