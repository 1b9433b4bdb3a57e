#pragma once
#include <string>
#include <vector>

#include "suite/base/tcp.hpp"
#include "suite/contract/launch/launch_spec.hpp"
#include "suite/contract/vocabulary/vocabulary.hpp"

namespace ddpbench {

// Names an option of the launchers that start ranks on several nodes ([launcher] of an experiment): how ranks meet.
inline constexpr const char* kInterfaceOption = "interface";
inline constexpr const char* kFamilyOption = "address_family";
inline constexpr const char* kPortsOption = "ports";

// Returns these options with their legal values and defaults.
std::vector<OptionEntry> rendezvous_options();

// Returns those of a launch, as its agents are told: "address_family=any;interface=ib0;ports=any". Throws UsageError where the
// ports are no range.
std::string meet_by(const LaunchSpec& spec);

// Parses "20000-20100"; "any" or "": any port. Throws UsageError that says what is legal.
PortRange port_range(const std::string& text);

}  // namespace ddpbench
