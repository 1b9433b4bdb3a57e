#pragma once
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "harness/api/arm.hpp"
#include "harness/api/control_channel.hpp"
#include "suite/contract/vocabulary/arm_facts.hpp"

namespace ddpbench {

// Holds an arm of a launch with its name and its facts.
struct NamedArm {
  std::string name;
  std::unique_ptr<Arm> arm;
  ArmFacts facts{};
};

// Holds what one arm did in the check: the loss of each step, and the digests of the whole state before the first and after the
// last, and of its replicated part after the last.
struct ArmWork {
  std::string arm;
  std::vector<float> losses;
  std::uint64_t digest_before = 0, digest = 0;
  std::uint64_t replicated_digest = 0;
};

// Holds the result of the equal-work check.
struct EqualWork {
  std::vector<ArmWork> works;                // of this rank, in the order of the arms
  std::map<std::string, std::string> wrong;  // arm -> reason, the same on all ranks; empty: all did the same work
};

// Returns the training that an arm's steps drive: the session's, or its own.
Training& training_of(Session& session, Arm& arm);

// Returns one arm of each training of a launch: its reference where that is among its arms, else the first that drives it.
std::vector<const NamedArm*> drivers_of_trainings(const std::vector<NamedArm>& arms);

// Lets every arm take `steps` steps on the same batches, from one snapshot per model. Its work must equal that of the first arm
// of the same work (ArmFacts::work), in the sense of ArmFacts::equality; replicated state must be equal on all ranks. Collective.
// Afterwards the first arm's training, and all others of its model, stand where it stood before.
EqualWork check_equal_work(Session& session, const std::vector<NamedArm>& arms, ControlChannel& control_channel,
                           std::int64_t steps = 5);

// Bound the difference of two losses, as a share of the larger (or of 1): a sum of float32 in another order differs by some 1e-7
// of it, gradients in half precision by 1e-4. Only the first steps are compared so: a network is chaotic.
inline constexpr double kRoundingShare = 1e-5, kLossyShare = 1e-2;
inline constexpr std::size_t kStepsBeforeChaos = 2;

// Throws Error where the training's replicated state is not the same on all ranks. Collective; a training without any passes.
void require_equal_replicas(Training& training, ControlChannel& control_channel);

}  // namespace ddpbench
