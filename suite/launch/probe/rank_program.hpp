#pragma once
#include <functional>
#include <string>
#include <vector>

#include "suite/contract/vocabulary/arm_facts.hpp"
#include "suite/launch/launcher.hpp"
#include "suite/launch/probe/worker_probe.hpp"

namespace ddpbench {

// Returns whether any of the arms is Python's.
bool is_hosted_by_python(const std::vector<ArmFacts>& arms);

// Returns what every rank of a launch with these arms executes: the worker, or a Python where one of them is Python's. Throws
// CannotRun where there is no Python. `hosts`: the nodes that are allocated.
Program program_of(const std::vector<ArmFacts>& arms, const Installation& installation,
                   const std::vector<std::string>& hosts = {});

// Returns the same for a planned one; a launch that is skipped, for want of a Python perhaps, names the worker.
Program planned_program(const PlannedLaunch& launch, const std::vector<ArmFacts>& arms, const Installation& installation,
                        const std::vector<std::string>& hosts);

// Starts a program somewhere, and gives the JSON that it printed. Throws CannotRun where it gave none.
using AskProgram = std::function<Probe(const std::vector<std::string>& tokens)>;

// Starts the program on this machine. Throws CannotRun where it does not end well. Output that is no JSON becomes a discarded
// value, which throws nothing.
Probe ask_here(const std::vector<std::string>& tokens);

// Adds to a probe what this installation's Python can host, under "python_arms": its path, version and packages, and why_not as a
// probe has it. Asks Python, which imports nothing; a Python that is missing or does not answer is the reason of all its arms.
// `arms`: those of the vocabulary.
void add_python_arms(Probe& probe, const Installation& installation, const std::vector<ArmEntry>& arms,
                     const AskProgram& ask = ask_here);

}  // namespace ddpbench
