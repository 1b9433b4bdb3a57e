#include "harness/probe/cuda_facts.hpp"

#include <gmock/gmock.h>

#include "harness/probe/step_timer.hpp"
#include "suite/base/errors.hpp"

namespace ddpbench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;
using testing::ThrowsMessage;
using testing::UnorderedElementsAre;

const CudaDevice kV100{"Tesla V100", 70}, kA100{"A100", 80}, kH100{"H100", 90};
const CudaLibraries kCuda13{13000, "2.28.9", "libnccl.so.2", {"sm_75", "sm_80", "sm_86", "sm_90", "sm_100", "sm_120"}};
const CudaLibraries kCuda12{12060, "2.26.2", "libnccl.so.2", {"sm_50", "sm_60", "sm_70", "sm_75", "sm_80", "sm_86", "sm_90"}};

CudaDriver driver(int version, std::vector<CudaDevice> devices) { return {"", version, std::move(devices)}; }

TEST(CudaFacts, ReadsTheArchitecturesOfABuild) {
  const std::string text =
      "-gencode;arch=compute_70,code=sm_70;-gencode;arch=compute_90,code=sm_90;"
      "-gencode;arch=compute_90,code=compute_90;-gencode;arch=compute_90a,code=sm_90a\n";
  EXPECT_THAT(architectures_in(text), ElementsAre("sm_70", "sm_90", "compute_90", "sm_90a"));
  EXPECT_THAT(architectures_in("no GPU in it"), ElementsAre());
}

TEST(CudaFacts, NamesWhatSpeaksAgainstAMachine) {
  EXPECT_EQ(why_unfit(driver(13000, {kH100, kA100}), kCuda13), "");
  EXPECT_EQ(why_unfit({"no NVIDIA driver", 0, {}}, kCuda13), "no NVIDIA driver");
  EXPECT_EQ(why_unfit(driver(13000, {}), kCuda13), "no GPU is visible");
  EXPECT_THAT(why_unfit(driver(12020, {kH100}), kCuda13), HasSubstr("the driver serves CUDA 12.2, this LibTorch needs CUDA 13"));
  EXPECT_THAT(why_unfit(driver(13000, {kH100, kV100}), kCuda13),
              HasSubstr("Tesla V100 is sm_70, this LibTorch has kernels for sm_75"));
  EXPECT_EQ(why_unfit(driver(12020, {kV100}), kCuda12), "")
      << "the older release still has it, and any driver of CUDA 12 will do";
}

TEST(CudaFacts, OfALaunchAreTheKeysThatLaunchesAreComparedBy) {
  auto known = driver(13000, {kA100, kH100});
  known.release = "580.159.04";
  auto libraries = kCuda13;
  libraries.cudnn = release_text(91'900);
  EXPECT_THAT(gpu_facts(known, libraries, 1),
              UnorderedElementsAre(Pair("gpu", "H100"), Pair("driver", "580.159.04"), Pair("cuda", "13.0"),
                                   Pair("cudnn", "9.19.0"), Pair("nccl", "2.28.9")));
  known.release.clear();
  EXPECT_EQ(gpu_facts(known, libraries, 1).count("driver"), 0) << "what is not known has no key";
}

TEST(CudaFacts, APrecisionMayNeedANewerDevice) {
  EXPECT_EQ(why_too_old(driver(13000, {kA100, kH100}), 80), "");
  EXPECT_EQ(why_too_old(driver(13000, {kA100, kV100}), 80), "needs sm_80, Tesla V100 is sm_70");
  EXPECT_EQ(why_too_old(driver(13000, {kV100}), 0), "");
}

TEST(CudaFacts, OneThatIsShownAloneIsTheRanks) { EXPECT_EQ(choose_device(3, driver(13000, {kA100})), 0) << "--gpus-per-task=1"; }

TEST(CudaFacts, RanksThatHaveTheSameDeviceAreNamed) {
  EXPECT_EQ(why_shared({"a", "b", "c"}), "");
  EXPECT_EQ(why_shared({"", "", ""}), "") << "no GPUs, or a driver that does not say";
  EXPECT_THAT(why_shared({"a", "b", "c", "b"}), HasSubstr("ranks 1 and 3 have the same GPU"));
}

TEST(CudaFacts, ARanksDeviceIsItsLocalRank) {
  EXPECT_EQ(choose_device(1, driver(13000, {kA100, kA100})), 1);
  const auto choose = [] { choose_device(2, driver(13000, {kA100, kA100})); };
  EXPECT_THAT(choose, ThrowsMessage<UsageError>(HasSubstr("local rank 2 has no GPU: 2 visible")));
}

// Stands in for a GPU, whose clock the gpu tests read.
class CountingClock final : public DeviceClock {
 public:
  void mark() override { ++marks; }
  int marks = 0;
};

TEST(StepTimer, MarksEveryChangeOfPhaseOnADevicesClockWhileAsked) {
  StepTimer timer;
  CountingClock clock;
  std::vector<Phase> phases;
  timer.open(2);
  { const PhaseScope unmarked(timer, Phase::kData); }
  timer.mark_phases_on(&clock, &phases);
  { const PhaseScope marked(timer, Phase::kForward); }
  timer.mark_phases_on(nullptr, nullptr);
  { const PhaseScope unmarked(timer, Phase::kBackward); }
  EXPECT_THAT(phases, ElementsAre(Phase::kOther, Phase::kForward, Phase::kOther));
  EXPECT_EQ(clock.marks, 3);
}

}  // namespace
}  // namespace ddpbench
