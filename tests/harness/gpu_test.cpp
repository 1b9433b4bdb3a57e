#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>

#include "harness/api/kernel_choice.hpp"
#include "harness/precision/precisions.hpp"
#include "harness/rank_process.hpp"
#include "harness/rank_run.hpp"
#include "harness/ranks/cuda_module.hpp"
#include "suite/contract/processes/outcome.hpp"
#include "suite/contract/status.hpp"
#include "suite/contract/tables/csv_reader.hpp"
#include "suite/contract/tables/csv_writer.hpp"
#include "tests/support/scratch_folder.hpp"
#include "tests/support/tiny_training.hpp"

namespace ddpbench {
namespace {

constexpr int kSkipped = 77;

std::string why_no_gpu() {
  if (!why_no_cuda_module().empty()) return why_no_cuda_module();
  const auto driver = read_cuda_driver();
  auto reason = why_no_device(driver);
  return reason.empty() ? why_unfit(driver, cuda_module().libraries()) : reason;
}

std::unique_ptr<RankGroup> alone() { return RankGroup::rendezvous(RankInfo{}, "nccl", std::chrono::milliseconds{60'000}); }

// One whole launch of a single rank, as the worker runs it.
class Launch : public testing::Test {
 protected:
  Launch() {
    spec_.part_dir = scratch_.path();
    spec_.launch_id = "L";
    spec_.backend = "nccl";
    spec_.workload = "convnet_cifar10";
    spec_.batch_size_per_rank = 8;
    spec_.protocol.max_super_blocks = spec_.protocol.min_super_blocks = 3;
    spec_.arms = {"raw", "raw_again", "trainer"};
  }

  Outcome run() {
    spec_.options[OptionGroup::kWorkload] = default_values(find_entry(workloads(), "workload", spec_.workload).options);
    spec_.options[OptionGroup::kWorkload]["data"] = "constant";
    spec_.options[OptionGroup::kStrategy] = default_values(find_entry(strategies(), "strategy", spec_.strategy).options);
    WorkerRuntime host;
    return run_rank(spec_, RankInfo{}, host);
  }

  std::vector<BlockRow> blocks() const {
    std::ifstream file(blocks_part(spec_.part_dir, 0));
    return read_csv_text<BlockRow>(csv_header<BlockRow>() + std::string(std::istreambuf_iterator<char>(file), {}), "blocks");
  }

  ScratchFolder scratch_;
  LaunchSpec spec_;
};

TEST_F(Launch, OfDdpOverNcclMeasuresEveryBlockOnTheDevicesClock) {
  const auto outcome = run();
  ASSERT_EQ(outcome.status, status::kOk) << outcome.reason;
  ASSERT_EQ(blocks().size(), 9U);
  for (const auto& block : blocks()) EXPECT_GT(block.device_s, 0);
}

// Its kernel counts cycles of the device's peak clock: it never runs faster than that.
TEST_F(Launch, WithADelayOnTheDeviceTellsItsLengthThere) {
  spec_.arms = {"raw", "injected+on_device"};
  spec_.protocol.injected_us = 2000;
  const auto outcome = run();
  ASSERT_EQ(outcome.status, status::kOk) << outcome.reason;
  std::ifstream file(metrics_part(spec_.part_dir, 0));
  double truth_s = 0;
  for (const auto& row :
       read_csv_text<MetricRow>(csv_header<MetricRow>() + std::string(std::istreambuf_iterator<char>(file), {}), "m")) {
    if (row.metric == "injected_true_device_s") truth_s = row.value;
  }
  EXPECT_GE(truth_s, 0.99 * 2000e-6);
  std::map<std::string, double> device_s;
  for (const auto& block : blocks()) device_s[block.arm] += block.device_s;
  EXPECT_GT(device_s["injected+on_device"], device_s["raw"]);
}

// What seconds_to_first_step rests on: by then the device is done, and not only told.
TEST(Accelerator, IsWaitedFor) {
  const auto group = alone();
  const auto training = tiny_training("null", "single", nullptr, RankInfo{});
  training->session->accelerator = group->accelerator();
  const auto clock = group->accelerator()->make_clock();
  clock->reserve(2);
  const auto begin = wall_ns();
  clock->mark();
  group->accelerator()->delay(200'000);
  clock->mark();
  wait_for_device(*training->session);
  const auto waited_s = seconds(wall_ns() - begin);
  EXPECT_GE(waited_s, 0.9 * clock->read().front());
}

TEST(Accelerator, TakesTheMemorysPeakAnewEachTime) {
  const auto group = alone();
  auto& accelerator = *group->accelerator();
  constexpr std::int64_t kBytes = std::int64_t{64} << 20;
  accelerator.take_peak();
  { const auto large = torch::empty({kBytes}, at::TensorOptions(at::kByte).device(group->device())); }
  const auto peak = accelerator.take_peak();
  EXPECT_GE(peak.allocated, kBytes);
  EXPECT_GE(peak.reserved, peak.allocated);
  EXPECT_LT(accelerator.take_peak().allocated, kBytes) << "it is dead by then";
  EXPECT_GE(accelerator.peak_reserved_bytes(), peak.reserved) << "of the whole process";
  group->leave();
}

TEST_F(Launch, OfACapturedStepDoesTheReferencesWork) {
  spec_.strategy = "single";
  spec_.arms = {"raw", "raw+graph"};
  for (const char* workload : {"null", "convnet_cifar10", "resnet18_cifar10"}) {
    spec_.workload = workload;
    const auto outcome = run();
    EXPECT_EQ(outcome.status, status::kOk) << workload << ": " << outcome.reason;
  }
}

TEST_F(Launch, OfEveryWorkloadThatIsNoImage) {
  spec_.workload = "transformer_lm";
  spec_.arms = {"raw", "trainer"};
  const auto outcome = run();
  EXPECT_EQ(outcome.status, status::kOk) << outcome.reason;
}

TEST_F(Launch, InEveryPrecision) {
  for (const auto& entry : precisions()) {
    if (!why_too_old(read_cuda_driver(), entry.least_sm).empty()) continue;
    spec_.precision = entry.name;
    const auto outcome = run();
    EXPECT_EQ(outcome.status, status::kOk) << entry.name << ": " << outcome.reason;
  }
}

// Inequalities that hold on any machine: what lies between two marks happened between two readings of the host's clock, and enough
// work takes the device longer than its enqueuing takes the host.
TEST(DeviceClock, MeasuresTheWorkAndNotItsEnqueuing) {
  const auto group = alone();
  const auto clock = group->accelerator()->make_clock();
  const auto factor = torch::randn({4096, 4096}, group->device());
  const auto work = [&] {
    auto product = factor;
    for (int i = 0; i < 50; ++i) product = product.matmul(factor);
    return product;
  };
  work().sum().item<float>();
  clock->reserve(2);
  const auto begin = wall_ns();
  clock->mark();
  const auto product = work();
  const auto enqueued_s = seconds(wall_ns() - begin);
  clock->mark();
  const auto device_s = clock->read().at(0);
  EXPECT_LE(device_s, seconds(wall_ns() - begin));
  EXPECT_GT(device_s, enqueued_s);
  group->leave();
}

double largest_error(const std::string& precision, at::Device device) {
  find_entry(precisions(), "precision", precision).make({device});
  torch::manual_seed(1);
  const auto left = torch::randn({512, 512}, device), right = torch::randn({512, 512}, device);
  const auto exact = left.to(at::kDouble).matmul(right.to(at::kDouble));
  return (left.matmul(right).to(at::kDouble) - exact).abs().max().item<double>();
}

// A product of two 10-bit mantissas is off by up to 2^-11 of each of the 512 terms, one of 23 bits by 2^-24.
TEST(Tf32, IsOnInItsOwnPrecisionOnly) {
  if (const auto reason = why_too_old(read_cuda_driver(), 80); !reason.empty()) GTEST_SKIP() << reason;
  const auto group = alone();
  EXPECT_LT(largest_error("fp32", group->device()), 1e-3);
  EXPECT_GT(largest_error("tf32", group->device()), 1e-3);
  EXPECT_LT(largest_error("fp32", group->device()), 1e-3);
  group->leave();
}

}  // namespace
}  // namespace ddpbench

int main(int count, char** arguments) {
  testing::InitGoogleTest(&count, arguments);
  if (const auto reason = ddpbench::why_no_gpu(); !reason.empty()) {
    std::cout << "skipped: " << reason << std::endl;
    return ddpbench::kSkipped;
  }
  return RUN_ALL_TESTS();
}
