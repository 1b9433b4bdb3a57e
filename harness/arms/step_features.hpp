#pragma once
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "harness/api/arm.hpp"
#include "suite/contract/vocabulary/vocabulary.hpp"

namespace ddpbench {

// Describes one feature that changes what a step computes, in any arm: its facts, and how its value sets the step's option.
struct StepFeature : FeatureEntry {
  void (*set)(StepOptions& options, double value);
};
// Returns the table of these features.
std::span<const StepFeature> step_features();

// Returns the session's options as `values`, of an arm's features that carry one, change them; nullopt where they change none.
std::optional<StepOptions> own_step_options(const Session& session, const std::map<std::string, std::string>& values);

// Makes an arm by `make` under the options of `values`, and runs its steps under them too.
std::unique_ptr<Arm> make_under_options(Session& session, const std::map<std::string, std::string>& values,
                                        const std::function<std::unique_ptr<Arm>()>& make);

// Calls `body` under them.
void run_under_options(Session& session, const std::map<std::string, std::string>& values, const std::function<void()>& body);

}  // namespace ddpbench
