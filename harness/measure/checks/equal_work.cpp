#include "harness/measure/checks/equal_work.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <optional>
#include <sstream>

#include "harness/api/kernel_choice.hpp"
#include "harness/measure/checks/snapshot.hpp"
#include "harness/measure/process/stop_signal.hpp"
#include "suite/base/errors.hpp"
#include "suite/contract/processes/heartbeat.hpp"

namespace ddpbench {
namespace {

bool same_bits(float a, float b) { return std::memcmp(&a, &b, sizeof a) == 0; }

std::string text(float value) {
  std::ostringstream stream;
  stream.precision(9);
  stream << value;
  return stream.str();
}

ArmWork work_of(Session& session, const NamedArm& named, std::int64_t steps) {
  tell_arm(named.name);
  ArmWork work{named.name, {}, digest_of(state_of(session, named.arm->own_training())), 0, 0};
  for (std::int64_t i = 0; i < steps; ++i) {
    work.losses.push_back(named.arm->step().item<float>());
    stop_if_requested();
  }
  named.arm->quiesce();
  auto& training = training_of(session, *named.arm);
  training.quiesce();
  work.digest = digest_of(state_of(session, named.arm->own_training()));
  work.replicated_digest = digest_of(training.replicated_state());
  return work;
}

bool are_within(double share, float a, float b) {
  return std::abs(a - b) <= share * std::max({1.0, std::abs(static_cast<double>(a)), std::abs(static_cast<double>(b))});
}

// Whether the losses of a step, counted from 0, are as equal as they must be.
bool are_equal(Equality equality, std::size_t step, float a, float b) {
  switch (equality) {
    case Equality::kBits: return same_bits(a, b);
    case Equality::kRounding: return step >= kStepsBeforeChaos || are_within(kRoundingShare, a, b);
    case Equality::kLossy: return step >= kStepsBeforeChaos || are_within(kLossyShare, a, b);
    case Equality::kDrifts: return step > 0 || same_bits(a, b);
  }
  return false;
}

std::string difference(const ArmWork& reference, const ArmWork& work, Equality equality) {
  for (std::size_t i = 0; i < work.losses.size(); ++i) {
    const auto step = "step " + std::to_string(i + 1) + " of the equal-work check";
    if (!std::isfinite(work.losses[i])) return "the loss of " + step + " is " + text(work.losses[i]);
    if (!are_equal(equality, i, reference.losses[i], work.losses[i])) {
      return "the loss of " + step + " is " + text(work.losses[i]) + " where " + reference.arm + " has " +
             text(reference.losses[i]) + " (equal here means: " + text_of(equality) + ")";
    }
  }
  if (equality != Equality::kBits) {
    const bool has_trained = work.digest != work.digest_before;
    return has_trained ? "" : "its " + std::to_string(work.losses.size()) + " steps changed nothing of its state";
  }
  if (work.digest == reference.digest) return "";
  return "after " + std::to_string(work.losses.size()) + " steps from one snapshot its parameters differ from those of " +
         reference.arm;
}

// The place of the arm that it must equal: the first of the launch's arms that have the same work to do.
std::size_t first_of_its_work(const std::vector<NamedArm>& arms, const NamedArm& arm) {
  const auto first =
      std::find_if(arms.begin(), arms.end(), [&](const NamedArm& other) { return other.facts.work == arm.facts.work; });
  return static_cast<std::size_t>(first - arms.begin());
}

// What ranks exchange: this rank's replicated digest of each arm's work, then its reasons, a line each. Reasons hold no newlines.
std::string to_payload(const EqualWork& mine) {
  std::ostringstream payload;
  for (const auto& work : mine.works) payload << work.replicated_digest << "\n";
  for (const auto& [arm, reason] : mine.wrong) payload << arm << "\t" << reason << "\n";
  return payload.str();
}

std::vector<std::string> lines_of(const std::string& payload) {
  std::vector<std::string> lines;
  std::istringstream stream(payload);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// Every rank's reasons, and replicated state that is not rank 0's: the same answer on every rank.
std::map<std::string, std::string> merged_reasons(const std::vector<ArmWork>& works, const std::vector<std::string>& payloads) {
  std::map<std::string, std::string> wrong;
  const auto reference = lines_of(payloads.front());
  for (std::size_t rank = 0; rank < payloads.size(); ++rank) {
    const auto lines = lines_of(payloads[rank]);
    const auto who = "rank " + std::to_string(rank);
    for (std::size_t i = 0; i < works.size(); ++i) {
      if (lines[i] != reference[i]) wrong.try_emplace(works[i].arm, who + " holds other parameters than rank 0");
    }
    for (std::size_t i = works.size(); i < lines.size(); ++i) {
      const auto tab = lines[i].find('\t');
      wrong.try_emplace(lines[i].substr(0, tab), who + ": " + lines[i].substr(tab + 1));
    }
  }
  return wrong;
}

}  // namespace

Training& training_of(Session& session, Arm& arm) {
  auto* own = arm.own_training();
  return own == nullptr ? session.strategy : *own;
}

std::vector<const NamedArm*> drivers_of_trainings(const std::vector<NamedArm>& arms) {
  const auto shares = [](const NamedArm& named) { return named.arm->own_training() == nullptr; };
  auto shared =
      std::find_if(arms.begin(), arms.end(), [&](const NamedArm& named) { return shares(named) && named.facts.is_reference(); });
  if (shared == arms.end()) shared = std::find_if(arms.begin(), arms.end(), shares);
  std::vector<const NamedArm*> drivers;
  for (const auto& named : arms) {
    if (!shares(named) || &named == &*shared) drivers.push_back(&named);
  }
  return drivers;
}

EqualWork check_equal_work(Session& session, const std::vector<NamedArm>& arms, ControlChannel& control_channel,
                           std::int64_t steps) {
  // A CPU's kernels add in one order anyway.
  std::optional<KernelChoiceScope> deterministic;
  if (!session.device.is_cpu()) deterministic.emplace(KernelChoice{.deterministic = true, .cudnn_benchmark = false});
  std::map<std::string, Snapshot> starts;  // by module: other models have other tensors
  for (const auto& named : arms) starts.try_emplace(named.facts.module, session, named.arm->own_training());
  EqualWork mine;
  for (const auto& named : arms) {
    starts.at(named.facts.module).restore(session, named.arm->own_training());
    mine.works.push_back(work_of(session, named, steps));
    const auto& first = mine.works[first_of_its_work(arms, named)];
    if (auto reason = difference(first, mine.works.back(), named.facts.equality); !reason.empty())
      mine.wrong.emplace(named.name, reason);
  }
  for (const auto* named : drivers_of_trainings(arms)) {
    starts.at(named->facts.module).restore(session, named->arm->own_training());
  }
  mine.wrong = merged_reasons(mine.works, control_channel.all_gather(to_payload(mine)));
  return mine;
}

void require_equal_replicas(Training& training, ControlChannel& control_channel) {
  const auto digests = control_channel.all_gather(std::to_string(digest_of(training.replicated_state())));
  for (std::size_t rank = 1; rank < digests.size(); ++rank) {
    if (digests[rank] != digests.front()) {
      throw Error("after the measurement rank " + std::to_string(rank) + " holds other parameters than rank 0");
    }
  }
}

}  // namespace ddpbench
