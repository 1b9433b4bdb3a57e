#include <gmock/gmock.h>

#include "suite/base/durable_file.hpp"
#include "tests/reports/analysis/analysed_run.hpp"

namespace ddpbench {
namespace {

using testing::HasSubstr;
using testing::Not;

class PhaseMemoryTable : public AnalysedRun {
 protected:
  std::string table() const { return read_file(path_ + "/tables/phase_memory.csv"); }
};

TEST_F(PhaseMemoryTable, SaysWhichPhaseHoldsAnArmsPeakAndWhatIsMoreThanTheReferences) {
  SyntheticLaunch launch;
  launch.arms = {{"raw", 0}, {"raw_again", 0}, {"trainer", 5}};
  launch.metrics = {{{"raw", "arm_phase_tensors_mib.forward"}, 50},    {{"raw", "arm_phase_tensors_mib.backward"}, 80},
                    {{"raw", "arm_phase_tensors_mib.set_up"}, 60},     {{"trainer", "arm_phase_tensors_mib.backward"}, 80},
                    {{"trainer", "arm_phase_tensors_mib.set_up"}, 60}, {{"trainer", "arm_phase_tensors_mib.forward"}, 82.5},
                    {{"trainer", "arm_phase_tensors_mib.wrapper"}, 7}};
  analyse_launches({launch});
  EXPECT_THAT(table(), HasSubstr("\nC1,raw,raw,set_up,60,,,0,2,null,"));
  EXPECT_THAT(table(), HasSubstr("\nC1,raw,raw,backward,80,,,1,2,null,"));
  EXPECT_THAT(table(), HasSubstr("\nC1,trainer,raw,forward,82.5,32.5,,1,2,null,"));
  EXPECT_THAT(table(), HasSubstr("\nC1,trainer,raw,backward,80,0,,0,2,null,"));
  EXPECT_THAT(table(), HasSubstr("\nC1,trainer,raw,wrapper,7,,,0,2,null,")) << "the reference has no such phase";
  EXPECT_THAT(table(), Not(HasSubstr("raw_again"))) << "its reference's code";
  EXPECT_LT(table().find("raw,forward"), table().find("raw,backward")) << "in the order of a step";
}

TEST_F(PhaseMemoryTable, OnADeviceHasWhatTheAllocatorHeld) {
  SyntheticLaunch launch;
  launch.metrics = {{{"raw", "arm_phase_tensors_mib.forward"}, 50}, {{"raw", "arm_phase_reserved_mib.forward"}, 64}};
  analyse_launches({launch});
  EXPECT_THAT(table(), HasSubstr("\nC1,raw,raw,forward,50,,64,1,2,null,"));
}

}  // namespace
}  // namespace ddpbench
