#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "suite/store/blocks_against_steps.hpp"
#include "suite/store/sample_rows.hpp"

namespace ddpbench {

// Counts the rows of one arm in one launch, all ranks, without those of the equal-work check.
struct ArmRows {
  std::int64_t timed_steps = 0, switching_steps = 0, blocks = 0;
};

// Checks the samples of one launch: each row by itself and in its place among the others, and blocks that agree with their steps.
// Whoever reads the launch hands every row on: all steps, then all blocks, from one thread.
class LaunchCheck {
 public:
  LaunchCheck(std::string launch_id, std::int64_t ranks);

  // Says that the rows that follow stand in `csv` (header first), which `origin` names.
  template <class Row>
  void begin(const std::string& csv, const std::string& origin);
  void add(const StepRow& row);
  void add(const BlockRow& row);

  // Ends a file behind its last row: gives back what is no longer needed.
  template <class Row>
  void end();

  // Returns a sentence for each problem, after all rows: of either file the first row that is wrong, and blocks that contradict
  // their steps.
  const std::vector<std::string>& problems() const { return problems_; }
  ArmRows rows_of(const std::string& arm) const;  // zeros for an arm without rows

 private:
  template <class Row>
  struct OfFile {
    LaunchRows<Row> rows;
    std::string origin;
    std::int64_t read = 0;
    bool has_problem = false;
    void give_back() { rows = LaunchRows<Row>("", 0); }
  };
  template <class Row>
  void check(const Row& row, OfFile<Row>& file);
  template <class Row>
  OfFile<Row>& file_of();
  ArmRows& counts_of(const std::string& arm);

  std::string launch_id_;
  OfFile<StepRow> steps_;
  OfFile<BlockRow> blocks_;
  BlocksAgainstSteps both_;
  std::map<std::string, ArmRows> rows_;
  ArmRows* of_last_ = nullptr;  // of the arm of the last row: rows of an arm stand together
  std::string last_arm_;
  std::vector<std::string> problems_;
};

}  // namespace ddpbench
