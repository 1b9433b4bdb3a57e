#pragma once
#include <string>
#include <vector>

#include "reports/analysis/findings/disturbances.hpp"
#include "reports/analysis/samples/study.hpp"

namespace ddpbench {

// Holds one subject of one cell on the primary clock, in the words of a table that a person reads.
struct AnswerRow {
  std::string cell, arm;
  std::string step;      // that the user waits for: "1.7 ms"
  std::string cost;      // "+39 us [+33, +44]"; "-": no estimate
  std::string share;     // "+2.3 % [+1.9, +2.6]"
  std::string verdict;   // "slower", "open: costs at most 2.3 % (18 us)", with the budget's where there is one
  std::string resolves;  // "10 us": the smallest difference that could be told from none
  std::string key;       // of the verdict: status.hpp
  std::string reason;    // with all that qualifies it
};

// Holds the rows that are shown, and counts the others.
struct AnswerTable {
  std::vector<AnswerRow> rows;  // in the order of their axes; of more than 40 the worst, worst first
  std::size_t left_out = 0;     // the others: overhead.csv has them
};
// Makes the table of all subjects on the primary clock; without shares of the step where tells_shares() refuses them.
AnswerTable answer_table(const Study& study, const std::vector<OverheadRow>& rows, const Disturbances& disturbances);

// Says where text is shown. 0 columns: as wide as it needs to be.
struct TextScreen {
  std::size_t columns = 0;
  bool has_colour = false;
};

// Writes a table, or, where the screen is too narrow for it, two lines for each row. With reasons beneath, where they are asked
// for. "" without rows.
std::string table_text(const AnswerTable& table, const TextScreen& screen, bool with_reasons);

}  // namespace ddpbench
