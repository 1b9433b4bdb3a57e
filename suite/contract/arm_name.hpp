#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "suite/contract/vocabulary.hpp"

namespace ddpbench {

// The reference of every comparison, and the controls: arms that check the measurement instead of being measured.
inline constexpr const char* kReferenceArm = "raw";
inline constexpr const char* kAaArm = "raw_again";
inline constexpr const char* kInjectedArm = "injected";
inline constexpr const char* kInjectedOnDeviceArm = "injected+on_device";
inline constexpr const char* kInjectedPeriodicArm = "injected_periodic";
bool is_control(std::string_view arm);

// How often an arm stands in a super-block of so many arms: once, the reference once among every four of the others, so that what an arm
// is compared with is near it in time.
std::int64_t blocks_in_super_block(std::string_view arm, std::size_t arms);

// An arm's name taken apart: `trainer-fetch+log` is base `trainer` with its own features, less `fetch`, plus `log`.
struct ArmName {
  std::string base;
  std::vector<std::string> features;  // those in force, in the order of the vocabulary's table
  bool has(std::string_view feature) const;
};

// Throws UsageError for an unknown base or feature, a feature that the arm does not take, one added that is already there,
// or one taken away that is not.
ArmName parse_arm_name(const Vocabulary& vocabulary, std::string_view text);

}  // namespace ddpbench
