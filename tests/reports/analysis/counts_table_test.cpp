#include <gmock/gmock.h>

#include "suite/base/durable_file.hpp"
#include "tests/reports/analysis/analysed_run.hpp"

namespace ddpbench {
namespace {

using testing::HasSubstr;
using testing::Not;

class CountsTable : public AnalysedRun {
 protected:
  std::string table() const { return read_file(path_ + "/tables/counts.csv"); }
};

TEST_F(CountsTable, HasWhatAStepDoesAndWhatItDoesMore) {
  SyntheticLaunch launch;
  launch.arms = {{"raw", 0}, {"raw_again", 0}, {"trainer", 5}};
  launch.metrics = {{{"raw", "tensor_ops_per_step"}, 50},
                    {{"raw", "host_reads_per_step"}, 0},
                    {{"raw", "arm_peak_memory_mib"}, 300},
                    {{"trainer", "arm_peak_memory_mib"}, 302.5},
                    {{"trainer", "arm_peak_tensors_mib"}, 8},
                    {{"trainer", "tensor_ops_per_step"}, 58},
                    {{"trainer", "host_reads_per_step"}, 2},
                    {{"trainer", "collectives_of_kind_per_step.broadcast"}, 1},
                    {{"trainer", "collective_bytes_of_kind_per_step.broadcast"}, 4},
                    {{"trainer", "collectives_of_kind_per_step.barrier"}, 0.5}};
  analyse_launches({launch});
  EXPECT_THAT(table(), HasSubstr("\nC1,raw,raw,50,,0,,0,,0,,,,,,,300,,,,null,"));
  EXPECT_THAT(table(), HasSubstr("\nC1,trainer,raw,58,8,2,2,1.5,1.5,4,4,barrier=0.5;broadcast=1,,,,,302.5,2.5,8,,null,"));
  EXPECT_THAT(table(), Not(HasSubstr("raw_again")));  // nothing was counted of it
}

}  // namespace
}  // namespace ddpbench
