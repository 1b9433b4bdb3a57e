// Prints what the report's rules say of campaigns of known truth, as a Markdown table: print_truths [CAMPAIGNS [PART_OF_A_CASES_NAME]]
#include <cmath>
#include <cstdlib>
#include <iostream>

#include "reports/analysis/phrases/number_phrases.hpp"
#include "suite/contract/status.hpp"
#include "tests/reports/truths/cases.hpp"

namespace ddpbench {
namespace {

std::string percent(int part, int whole) { return whole == 0 ? "-" : number_text(100.0 * part / whole, 3) + " %"; }

// `only`: a part of the names of the cases that are wanted.
void print(int campaigns, const std::string& only) {
  std::cout << "| truth | cost of the mean step | half-width | SLOWER | FASTER | EQUIVALENT | AMBIGUOUS | UNMEASURABLE | centre "
               "held | mean held | bounds held | rank held | qualified | named at twice the resolution |\n"
            << "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n";
  for (const auto& truth : truth_cases()) {
    if (truth.name.find(only) == std::string::npos) continue;
    const auto found = tally(truth, campaigns);
    std::cout << "| " << truth.name << " | " << number_text(truth.mean_us) << " us | " << number_text(found.width_us) << " us";
    for (const auto* verdict :
         {verdict::kSlower, verdict::kFaster, verdict::kEquivalent, verdict::kAmbiguous, verdict::kUnmeasurable}) {
      std::cout << " | " << found.of(verdict);
    }
    const bool has_centre = !std::isnan(truth.centre_us);
    std::cout << " | " << (has_centre ? percent(found.centre_held, campaigns) : "-") << " | "
              << percent(found.mean_held, campaigns) << " | " << (has_centre ? percent(found.bounds_held, campaigns) : "-")
              << " | " << (std::isnan(truth.largest_rank_us) ? "-" : percent(found.rank_held, campaigns)) << " | "
              << found.qualified << " | " << percent(found.named_beyond_it, found.beyond_twice_resolution) << " |\n"
              << std::flush;
  }
}

}  // namespace
}  // namespace ddpbench

int main(int argc, char** argv) { ddpbench::print(argc > 1 ? std::atoi(argv[1]) : 200, argc > 2 ? argv[2] : ""); }
