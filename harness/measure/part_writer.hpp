#pragma once
#include <cstdint>
#include <string>

#include "suite/contract/tables/rows.hpp"

namespace ddpbench {

// Takes one rank's rows and appends them to its private part files, whole super-blocks at a time and one write each: a rank that
// dies leaves whole super-blocks and at most one torn tail, which the driver drops. Nothing is written inside a measured step.
class PartWriter {
 public:
  PartWriter(std::string part_dir, std::int64_t rank);

  void add(const StepRow& row);
  void add(const BlockRow& row);
  void add(const MetricRow& row);
  void add(const CollectiveSampleRow& row);

  // Appends what was added since the last call. Throws Error with the system's reason (disk full, folder gone).
  void flush();

 private:
  std::string part_dir_;
  std::int64_t rank_;
  std::string steps_, blocks_, metrics_, collectives_;
};

}  // namespace ddpbench
