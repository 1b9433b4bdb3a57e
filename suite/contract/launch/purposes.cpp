#include "suite/contract/launch/purposes.hpp"

#include <array>

#include "suite/base/errors.hpp"
#include "suite/contract/launch/launch_spec.hpp"
#include "suite/contract/launch/profile.hpp"
#include "suite/contract/vocabulary/collectives.hpp"

namespace ddpbench {
namespace {

using LaunchMistakes = std::vector<std::string>;

LaunchMistakes memory_mistakes(const LaunchSpec& spec) {
  return spec.arms.size() == 1 ? LaunchMistakes{} : LaunchMistakes{"--purpose memory takes one arm, as in --arms raw"};
}

LaunchMistakes nodes_mistakes(const LaunchSpec& spec) {
  return spec.arms.empty() ? LaunchMistakes{} : LaunchMistakes{"--purpose nodes takes no arms: it trains nothing"};
}

LaunchMistakes collectives_mistakes(const LaunchSpec& spec) {
  LaunchMistakes mistakes;
  if (spec.arms.empty() || spec.cases.empty())
    mistakes.push_back("--purpose collectives needs --arms and --cases, as in --arms gloo,copy --cases all_reduce:4096");
  const auto note = [&](const auto& words, auto read) {
    for (const auto& word : words) {
      try {
        read(word);
      } catch (const UsageError& error) {
        mistakes.emplace_back(error.what());
      }
    }
  };
  note(spec.arms, [](const auto& arm) { find_collective_arm(arm); });
  note(spec.cases, [](const auto& one) { parse_collective_case(one); });
  return mistakes;
}

constexpr std::array kPurposes{
    PurposeEntry{.name = purpose::kTime, .help = "blocks of its arms", .trains = true},
    PurposeEntry{.name = purpose::kMemory,
                 .help = "the peak of its one arm, without blocks",
                 .trains = true,
                 .mistakes_of = memory_mistakes,
                 .extra_for = "its peak memory"},
    PurposeEntry{.name = purpose::kTraining,
                 .help = "whole trainings by its arms, in turn: epochs, validation, checkpoints",
                 .trains = true,
                 .extra_for = "whole trainings",
                 .takes_all_arms = true},
    PurposeEntry{.name = purpose::kProfile,
                 .help = "a trace of some steps of its arms, which are not timed for a verdict",
                 .trains = true,
                 .mistakes_of = profile_mistakes},
    PurposeEntry{.name = purpose::kCheck, .help = "whether its arms do equal work; nothing is timed", .trains = true},
    PurposeEntry{.name = purpose::kNodes, .help = "what its nodes can do", .trains = false, .mistakes_of = nodes_mistakes},
    PurposeEntry{.name = purpose::kCollectives,
                 .help = "its cases by its arms",
                 .trains = false,
                 .takes_cases = true,
                 .mistakes_of = collectives_mistakes},
};

}  // namespace

std::span<const PurposeEntry> purposes() { return kPurposes; }

std::vector<PurposeEntry> extra_purposes() {
  std::vector<PurposeEntry> found(kPurposes.begin(), kPurposes.end());
  std::erase_if(found, [](const auto& entry) { return entry.extra_for.empty(); });
  return found;
}

}  // namespace ddpbench
