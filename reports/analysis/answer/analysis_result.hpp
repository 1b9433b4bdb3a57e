#pragma once
#include <map>
#include <string>
#include <vector>

#include "reports/analysis/answer/answer_rows.hpp"
#include "reports/analysis/answer/spoken_answer.hpp"
#include "reports/analysis/findings/network/collective_findings.hpp"
#include "reports/analysis/findings/network/slow_nodes.hpp"
#include "suite/contract/tables/rows.hpp"

namespace ddpbench {

// Holds a figure of merit; printed as "FOM <name> = <value> <unit>", with its interval behind it where it has one.
struct Fom {
  std::string name;
  double value = 0;
  std::string unit;
  double lo = kNotMeasured, hi = kNotMeasured;
};

// Holds what a command prints after an analysis.
struct AnalysisResult {
  std::vector<std::string> damage;  // what is wrong with the results folder, a sentence each, said before any figure
  std::vector<std::string>
      banner;  // what must be known before any figure is read: a busy machine, a quota, a control that is off
  std::vector<std::string> answer;    // in sentences that a person could say aloud
  std::vector<SpokenShare> shares;    // what share of its longest step an arm costs, and whether that was measured
  std::vector<SpokenLaw> laws;        // at which step an arm is 5 %
  std::vector<std::string> how_sure;  // what it rests on, sentences: of each family, then of all
  std::vector<CollectiveRow> collectives;
  std::vector<std::string> of_collectives;   // what they say, a sentence each
  std::vector<std::string> where;            // the time of a step goes, a sentence for each cell
  std::vector<std::string> trainings;        // what whole trainings cost, sentences of each cell
  std::vector<std::string> sizes;            // how many should I use: where several sizes were measured, sentences of each group
  std::string controls;                      // "" without any
  std::string arms;                          // what the names of the subjects mean; "" where they are many
  bool asks_features = false;                // a framework surely costs something, and nobody asked which of its features does
  std::vector<std::string> headlines;        // further sentences, worst first
  std::vector<std::string> instrumentation;  // what the probe itself costs, a sentence per arm without it
  std::vector<Fom> foms;
  AnswerTable table;                  // a row per cell and subject on the primary clock, in words
  std::map<std::string, int> counts;  // launches by status; "planned": never ran
  std::string primary_clock;          // device, awaited or wall: the first that was measured
  std::vector<OverheadRow> overhead;
  std::string report_needs;  // "" or why there is nothing to draw: no launch finished
  // Arms that are no controls and have no verdict on the primary clock, as "arm on cell: reason". Where a budget was given its
  // verdict is the one that counts.
  std::vector<std::string> without_verdict;
  std::vector<BadNode> bad_nodes;        // slow or broken, before the sweep or in it
  std::vector<BadNode> stragglers;       // those in it, by launches that ran under no profiler
  std::vector<std::string> over_budget;  // those beyond it, as "arm on cell: estimate, budget"
};

}  // namespace ddpbench
