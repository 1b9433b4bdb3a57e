#pragma once
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "reports/analysis/samples/study.hpp"
#include "tests/support/recorded_arms.hpp"

namespace ddpbench {

// A study made by hand, with what read_study finds of its arms.
inline Study resolved(Study study) {
  study.vocabulary = made_up_arms();
  std::set<std::string> known;
  for (const auto& cell : study.cells) {
    for (const auto& arm : cell.arms) {
      if (known.insert(arm).second) study.arms.push_back(arm_facts(study.vocabulary, arm));
    }
  }
  find_families(study);
  return study;
}

}  // namespace ddpbench
