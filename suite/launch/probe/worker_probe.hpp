#pragma once
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "suite/launch/installation.hpp"
#include "suite/launch/machines/allocation.hpp"
#include "suite/plan/plan.hpp"

namespace ddpbench {

// Holds what `ddpbench-worker --probe` says of this machine, as JSON: worker_build_id, torch, cores, hostname, why_not and more.
using Probe = nlohmann::ordered_json;

// Says how much is asked. kWhole also says what LibTorch's CUDA libraries say of themselves on a machine without a GPU; loading
// them takes half a second there.
enum class ProbeDepth { kEnough, kWhole };

// Asks the worker. Throws CannotRun that names what is missing where it cannot start. The answer is kept for later commands.
Probe probe_afresh(const Installation& installation, const std::string& worker_build_id, ProbeDepth depth = ProbeDepth::kEnough);

// Keeps an answer to which more was added, for later commands.
void keep_probe(const Installation& installation, const std::string& worker_build_id, const Probe& probe);

// Returns the kept answer, if it is of this worker, this boot of this machine and these devices; else nothing.
std::optional<Probe> kept_probe(const Installation& installation, const std::string& worker_build_id);

// Returns the kept answer or a fresh one: a probe costs as much as starting a rank.
Probe current_probe(const Installation& installation, const std::string& worker_build_id);

// Adds what an answer names as missing, under "why_not".
void add_reasons(const Probe& answer, Availability& availability);

// Returns what a probe says of its machine, whatever starts ranks there; without a probe nothing is known to be missing.
Availability availability_of_machine(const std::optional<Probe>& probe);

// Returns what planning needs: the same, and of the launcher that will start the ranks, on the nodes of `allocation`.
Availability availability_from(const std::optional<Probe>& probe, std::string_view launcher, const Allocation& allocation = {});

}  // namespace ddpbench
