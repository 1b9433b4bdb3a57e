#pragma once
#include <map>
#include <string>
#include <vector>

#include "suite/contract/rows.hpp"

namespace ddpbench {

// A figure of merit; printed as "FOM <name> = <value> <unit>".
struct Fom {
  std::string name;
  double value = 0;
  std::string unit;
};

// What a command prints after an analysis.
struct AnalysisResult {
  std::vector<std::string> damage;           // what is wrong with the results folder, a sentence each, said before any figure
  std::string answer;                        // the answer line
  std::vector<std::string> headlines;        // further sentences, worst first
  std::vector<std::string> instrumentation;  // what the probe itself costs, a sentence per arm without it
  std::vector<Fom> foms;
  std::string overhead_text;          // a table for the terminal, "" where there is nothing to compare
  std::map<std::string, int> counts;  // launches by status; "planned": never ran
  std::string primary_clock;          // thread_cpu, or device where it was measured
  std::vector<OverheadRow> overhead;
  std::string report_needs;  // "" or why there is nothing to draw: no launch finished
  // Arms that are no controls and have no verdict on the primary clock, as "arm on cell: reason". Where a budget was given its
  // verdict is the one that counts.
  std::vector<std::string> without_verdict;
  std::vector<std::string> over_budget;  // those beyond it, as "arm on cell: estimate, budget"
};

}  // namespace ddpbench
