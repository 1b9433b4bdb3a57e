#pragma once
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "harness/api/arm.hpp"
#include "suite/contract/vocabulary/vocabulary.hpp"

namespace ddpbench {

// One line of the table of features that change what a step computes, whoever drives it: facts, and the option of the step that its value is.
struct StepFeatureEntry : VocabularyEntry {
  void (*set)(StepOptions& options, double value);
};
std::span<const StepFeatureEntry> step_features();

// `values`: of an arm's features that carry one. The session's options as these change them; nullopt where they change none.
std::optional<StepOptions> own_step_options(const Session& session, const std::map<std::string, std::string>& values);

// Calls `make`, and runs the steps of the arm that it makes, with the options of `values`.
std::unique_ptr<Arm> make_under_options(Session& session, const std::map<std::string, std::string>& values,
                                        const std::function<std::unique_ptr<Arm>()>& make);

}  // namespace ddpbench
