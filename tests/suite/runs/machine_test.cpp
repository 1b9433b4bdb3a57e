#include "suite/runs/machine.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace ddpbench {
namespace {

TEST(Machine, KnowsItsCores) { EXPECT_GE(machine_facts().at("allowed_cores"), 1); }

}  // namespace
}  // namespace ddpbench
