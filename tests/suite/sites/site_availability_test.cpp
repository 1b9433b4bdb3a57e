#include "suite/sites/site_availability.hpp"

#include <gmock/gmock.h>

namespace ddpbench {
namespace {

using ::testing::HasSubstr;

const std::vector<std::string> kCuda13{"sm_75", "sm_80", "sm_90"}, kCuda12{"sm_50", "sm_70", "sm_90"};

Vocabulary vocabulary() {
  Vocabulary vocabulary;
  vocabulary.torch_version = "2.11.0";
  vocabulary.backends = {{.name = "gloo", .device = "cpu"}, {.name = "nccl", .device = "cuda"}};
  vocabulary.precisions = {{.name = "fp32"}, {.name = "amp_bf16", .least_sm = 80}};
  return vocabulary;
}

Site v100() {
  Site site;
  site.name = "old";
  site.launcher = "srun";
  site.node_gpus = 4;
  site.gpu = "NVIDIA V100";
  site.gpu_sm = 70;
  return site;
}

std::string why_not(const Availability& availability, const std::string& kind, const std::string& name) {
  const auto reasons = availability.why_not.find(kind);
  return reasons == availability.why_not.end() || !reasons->second.contains(name) ? "" : reasons->second.at(name);
}

TEST(SiteAvailability, IsOfTheSitesNodes) {
  auto site = v100();
  site.most_nodes = 8;
  const auto there = site_availability(site, vocabulary(), kCuda12);
  EXPECT_EQ(there.gpus, 4);
  EXPECT_EQ(there.max_nodes, 8);
  EXPECT_EQ(there.launcher, "srun");
  EXPECT_EQ(there.site, "old");
  EXPECT_TRUE(there.probed);
  EXPECT_EQ(why_not(there, "backend", "nccl"), "");
}

TEST(SiteAvailability, AGpuWithoutKernelsIsToldAtPlanning) {
  const auto there = site_availability(v100(), vocabulary(), kCuda13);
  EXPECT_EQ(why_not(there, "backend", "nccl"),
            "NVIDIA V100 is sm_70, for which LibTorch 2.11.0 has no kernels; another release may have them (./bootstrap.sh build "
            "--torch-version 2.7.1)");
  EXPECT_EQ(why_not(there, "backend", "gloo"), "");
  EXPECT_EQ(why_not(site_availability(v100(), vocabulary(), {}), "backend", "nccl"), "") << "not known is no reason";
}

TEST(SiteAvailability, APrecisionThatTheGpuLacksIsToldAtPlanning) {
  const auto there = site_availability(v100(), vocabulary(), kCuda12);
  EXPECT_EQ(why_not(there, "precision on cuda", "amp_bf16"), "needs sm_80, NVIDIA V100 is sm_70");
  EXPECT_EQ(why_not(there, "precision on cuda", "fp32"), "");
}

TEST(SiteAvailability, ASiteWithoutGpusHasNoBackendOfTheirs) {
  Site site;
  site.name = "cpus";
  EXPECT_EQ(why_not(site_availability(site, vocabulary(), kCuda13), "backend", "nccl"), "site 'cpus' has no GPUs");
}

TEST(SiteAvailability, ABuildMayBeSupposed) {
  auto tables = vocabulary();
  tables.backends[1].why_not_built = "no CUDA";
  auto there = site_availability(v100(), tables, kCuda13);
  suppose_built_for(v100(), tables, there);
  EXPECT_EQ(tables.backends[1].why_not_built, "");
  EXPECT_EQ(why_not(there, "backend", "nccl"), "");
  EXPECT_EQ(why_not(there, "precision on cuda", "amp_bf16"), "needs sm_80, NVIDIA V100 is sm_70") << "no build changes the site";
  auto none = v100();
  none.node_gpus = 0;
  there = site_availability(none, tables, {});
  suppose_built_for(none, tables, there);
  EXPECT_EQ(why_not(there, "backend", "nccl"), "site 'old' has no GPUs");
}

TEST(SiteAvailability, AStudyThatLeavesGpusIdleIsTold) {
  Plan plan;
  plan.launches.resize(2);
  for (auto& launch : plan.launches) launch.spec.backend = "gloo";
  EXPECT_EQ(why_gpus_idle(v100(), plan, vocabulary()),
            "no launch of it trains on a GPU, and each node of site 'old' has 4, which the job would ask for and leave idle: "
            "--set backend=nccl --set ranks_per_node=4 measures on them");
  plan.launches[1].spec.backend = "nccl";
  EXPECT_EQ(why_gpus_idle(v100(), plan, vocabulary()), "");
  plan.launches[1].skip_reason = "not here";
  EXPECT_THAT(why_gpus_idle(v100(), plan, vocabulary()),
              HasSubstr("no launch of it trains on a GPU (those that would are skipped: not here), and"));
  plan.launches[0].skip_reason = "not here";
  EXPECT_EQ(why_gpus_idle(v100(), plan, vocabulary()), "") << "why nothing runs is told";
  auto none = v100();
  none.node_gpus = 0;
  EXPECT_EQ(why_gpus_idle(none, plan, vocabulary()), "");
}

}  // namespace
}  // namespace ddpbench
