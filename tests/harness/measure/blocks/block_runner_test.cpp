#include "harness/measure/blocks/block_runner.hpp"

#include <c10/core/CPUAllocator.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <numeric>
#include <set>

#include "harness/measure/blocks/periodic_timer.hpp"
#include "harness/measure/checks/diverged.hpp"
#include "suite/base/errors.hpp"
#include "suite/base/median.hpp"
#include "suite/contract/launch/discarded_steps.hpp"
#include "suite/contract/processes/outcome.hpp"
#include "suite/contract/tables/csv_reader.hpp"
#include "suite/contract/tables/csv_writer.hpp"
#include "tests/support/allocation_counter.hpp"
#include "tests/support/scratch_folder.hpp"
#include "tests/support/tiny_training.hpp"

namespace ddpbench {
namespace {

// A step that does nothing and allocates nothing: what is counted between two of them is the runner's own.
class EmptyArm final : public Arm {
 public:
  explicit EmptyArm(std::int64_t seed) : seed_(seed) {}
  at::Tensor step() override {
    ++steps_;
    if (step_ > 1) between_timed_steps_ += allocations() - last_;  // before step 1 the discarded loss is read, with Torch's means
    last_ = allocations();
    if (step_ == kBlockSteps) ++super_block_;
    step_ = step_ == kBlockSteps ? first_step() : step_ + 1;
    return loss_;
  }
  std::int64_t allocated_between_timed_steps() const { return between_timed_steps_; }
  std::int64_t steps() const { return steps_; }

 private:
  static constexpr std::int64_t kBlockSteps = 4;
  std::int64_t first_step() const { return 1 - discarded_steps(seed_, super_block_); }

  std::int64_t seed_, super_block_ = 1, step_ = first_step();
  at::Tensor loss_ = torch::zeros({});
  std::int64_t last_ = 0, between_timed_steps_ = 0, steps_ = 0;
};

class BlockRunnerTest : public testing::Test {
 protected:
  BlockRunnerTest() : training_(tiny_training("null", "single", nullptr, RankInfo{})), writer_(folder_, 0) {
    spec_.launch_id = "L";
    spec_.protocol.warmup_steps = 0;
    take_super_blocks(4);
  }

  // So many, however often another process disturbs them.
  void take_super_blocks(std::int64_t count) { spec_.protocol.min_super_blocks = spec_.protocol.max_super_blocks = count; }

  template <class Row>
  std::vector<Row> rows(const std::string& path) {
    std::ifstream file(path);
    return read_csv_text<Row>(csv_header<Row>() + std::string(std::istreambuf_iterator<char>(file), {}), path);
  }
  std::vector<StepRow> run(std::vector<NamedArm> arms) {
    BlockRunner({spec_, 0, *training_->session, arms, log_, control_channel_, writer_}).run();
    return rows<StepRow>(steps_part(folder_, 0));
  }

  ScratchFolder scratch_;
  const std::string& folder_ = scratch_.path();
  std::unique_ptr<TinyTraining> training_;
  CollectiveLog log_{64};
  LoneControlChannel control_channel_;
  PartWriter writer_;
  LaunchSpec spec_;
};

TEST_F(BlockRunnerTest, EverySuperBlockHoldsEveryArmOnce) {
  const auto steps = run(training_->make_arms({"raw", "raw_again", "trainer"}));
  std::int64_t rows_of_an_arm = 0;
  for (std::int64_t i = 1; i <= 4; ++i) rows_of_an_arm += discarded_steps(spec_.seed, i) + 4;
  EXPECT_EQ(static_cast<std::int64_t>(steps.size()), 3 * rows_of_an_arm);
  std::map<std::pair<std::int64_t, std::string>, int> timed, discarded;
  for (const auto& step : steps) ++(step.discarded ? discarded : timed)[{step.super_block, step.arm}];
  EXPECT_EQ(timed.size(), 12U);
  for (const auto& [key, count] : timed) EXPECT_EQ(count, 4) << key.second;
  for (const auto& [key, count] : discarded) EXPECT_EQ(count, discarded_steps(spec_.seed, key.first)) << key.second;
}

TEST_F(BlockRunnerTest, AnArmWarmsUpAgainBeforeEveryBlockWithoutARow) {
  spec_.protocol.rewarm_steps = 8;
  auto counted = std::make_unique<EmptyArm>(spec_.seed);
  const auto& arm = *counted;
  std::vector<NamedArm> arms;
  arms.push_back({"raw", std::move(counted)});
  BlockRunner({spec_, 0, *training_->session, arms, log_, control_channel_, writer_}).run();
  EXPECT_EQ(arm.steps(), std::ssize(rows<StepRow>(steps_part(folder_, 0))) + 4 * 8 + 4) << "four are behind the blocks";
}

// What another than rank 0 might tell in its place.
struct ForgedOrder final : LoneControlChannel {
  explicit ForgedOrder(std::string told) : order(std::move(told)) {}
  std::string from_rank0(const std::string& /*mine*/, const Answer& /*answer*/) override { return order; }
  std::string order;
};

TEST_F(BlockRunnerTest, RefusesAnOrderThatIsNone) {
  auto arms = training_->make_arms({"raw", "trainer"});
  for (const auto* told : {"0 2 ", "-1 ", "0 x ", ""}) {
    ForgedOrder forged(told);
    EXPECT_THROW(BlockRunner({spec_, 0, *training_->session, arms, log_, forged, writer_}).run(), Error) << told;
  }
}

TEST_F(BlockRunnerTest, OfManyArmsTheReferenceStandsAmongEveryFour) {
  std::map<std::pair<std::int64_t, std::string>, std::set<std::int64_t>> blocks;
  const std::vector<std::string> arms{"raw", "raw_again", "raw_item", "trainer", "trainer-loss", "trainer-fetch", "raw-nvtx"};
  for (const auto& row : run(training_->make_arms(arms))) blocks[{row.super_block, row.arm}].insert(row.block);
  EXPECT_EQ(blocks.size(), 4U * 7);
  for (const auto& [key, numbers] : blocks) EXPECT_EQ(numbers.size(), key.second == "raw" ? 2U : 1U) << key.second;
}

TEST_F(BlockRunnerTest, PhasesOfEveryRowAddUpToItsStep) {
  for (const auto& row : run(training_->make_arms({"raw", "trainer"}))) {
    const double sum = row.data_s + row.h2d_s + row.forward_s + row.backward_s + row.optimizer_s + row.wrapper_s + row.other_s;
    EXPECT_NEAR(sum, row.step_s, 1e-12);
    EXPECT_GT(row.backward_s, 0);
  }
}

TEST_F(BlockRunnerTest, OnlyTheTrainerHasAWrapperPhase) {
  for (const auto& row : run(training_->make_arms({"raw", "trainer"}))) EXPECT_EQ(row.wrapper_s > 0, row.arm == "trainer");
}

TEST_F(BlockRunnerTest, LossesAreReadOnTheLastDiscardedStepOnly) {
  for (const auto& row : run(training_->make_arms({"raw"}))) EXPECT_EQ(std::isnan(row.loss), row.step != 0);
}

TEST_F(BlockRunnerTest, StepsOfABlockCountUpToTheLastDiscardedAndOnFromThere) {
  std::map<std::int64_t, std::vector<std::int64_t>> steps;  // by block
  for (const auto& row : run(training_->make_arms({"raw", "trainer"}))) {
    EXPECT_EQ(row.discarded, row.step <= 0);
    steps[row.block].push_back(row.step);
  }
  std::set<std::size_t> lengths;
  for (const auto& [block, numbers] : steps) {
    EXPECT_EQ(numbers.back(), 4);
    for (std::size_t i = 1; i < numbers.size(); ++i) EXPECT_EQ(numbers[i], numbers[i - 1] + 1) << block;
    EXPECT_EQ(numbers.front(), 1 - discarded_steps(spec_.seed, (block + 1) / 2)) << block;
    lengths.insert(numbers.size());
  }
  EXPECT_GT(lengths.size(), 1U) << "another seed draws different lengths in four super-blocks";
}

TEST_F(BlockRunnerTest, StopsAtTheCapButNotBeforeTheFewestSuperBlocks) {
  spec_.protocol.max_super_blocks = 2;
  spec_.protocol.min_super_blocks = 1;
  std::set<std::int64_t> super_blocks;
  for (const auto& row : run(training_->make_arms({"raw"}))) super_blocks.insert(row.super_block);
  EXPECT_EQ(super_blocks, (std::set<std::int64_t>{1, 2}));
}

TEST_F(BlockRunnerTest, AnArmWithoutTimersHasItsBlocksTimedAlone) {
  for (const auto& row : run(training_->make_arms({"raw", "raw-nvtx", "raw-timers-nvtx"}))) {
    const bool timed = row.arm != "raw-timers-nvtx";
    EXPECT_EQ(std::isfinite(row.step_s) && std::isfinite(row.thread_cpu_s) && std::isfinite(row.forward_s), timed) << row.arm;
  }
  std::map<std::string, std::string> instrumentation;
  for (const auto& block : rows<BlockRow>(blocks_part(folder_, 0))) {
    EXPECT_GT(block.wall_s, 0);
    EXPECT_GT(block.thread_cpu_s, 0);
    EXPECT_GT(block.process_cpu_s, 0);
    instrumentation[block.arm] = block.instrumentation;
  }
  const std::string whole = nvtx_built() ? "timers+nvtx" : "timers";
  EXPECT_EQ(instrumentation,
            (std::map<std::string, std::string>{{"raw", whole}, {"raw-nvtx", "timers"}, {"raw-timers-nvtx", "off"}}));
}

// On the clock that stands still while another process has the core; with the discarded step it would be a quarter more.
TEST_F(BlockRunnerTest, ABlocksTimeIsThatOfItsTimedSteps) {
  std::vector<double> ratios;
  std::map<std::int64_t, double> steps_s;
  take_super_blocks(40);
  for (const auto& row : run(training_->make_arms({"raw"}))) steps_s[row.block] += row.discarded ? 0 : row.thread_cpu_s;
  for (const auto& block : rows<BlockRow>(blocks_part(folder_, 0))) {
    ratios.push_back(block.thread_cpu_s / steps_s[block.block]);
  }
  EXPECT_NEAR(median(ratios), 1, 0.1);
}

// An empty arm with work of every 7th step.
class LoggingArm final : public Arm {
 public:
  at::Tensor step() override {
    ++steps_;
    return loss_;
  }
  std::vector<PeriodicWork> periodic_work() override {
    return {{"log", 7, [this] { steps_before_.push_back(std::exchange(steps_, 0)); }}};
  }
  const std::vector<int>& steps_before() const { return steps_before_; }  // each event, since the one before

 private:
  at::Tensor loss_ = torch::zeros({});
  int steps_ = 0;
  std::vector<int> steps_before_;
};

TEST_F(BlockRunnerTest, WorkOfEveryNthStepIsNoPartOfBlocksAndIsTimedBehindAStepEach) {
  std::vector<NamedArm> arms;
  arms.push_back({"logging", std::make_unique<LoggingArm>()});
  BlockRunner({spec_, 0, *training_->session, arms, log_, control_channel_, writer_}).run();
  const auto& logging = dynamic_cast<const LoggingArm&>(*arms.front().arm);
  std::vector<int> expected(kPeriodicEvents, 1);
  for (std::int64_t i = 1; i <= 4; ++i)
    expected.front() += static_cast<int>(discarded_steps(spec_.seed, i)) + 4;  // the blocks before
  EXPECT_EQ(logging.steps_before(), expected);
  std::map<std::string, std::vector<double>> found;
  const auto metrics = rows<MetricRow>(metrics_part(folder_, 0));
  EXPECT_EQ(metrics.front().metric, "periodic_every.log") << "a launch that is stopped before its events tells that it has some";
  for (const auto& row : metrics) {
    if (row.arm == "logging") found[row.metric].push_back(row.value);
  }
  EXPECT_EQ(found["periodic_every.log"], std::vector<double>{7});
  EXPECT_EQ(found["periodic_wall_s.log"].size(), expected.size());
  EXPECT_EQ(found["periodic_thread_cpu_s.log"].size(), expected.size());
  EXPECT_FALSE(found.contains("periodic_device_s.log")) << "there is none";
}

// A step of 2 ms of CPU time, of 10 behind a rest; the logger's event is a step and a tenth of it more. One training, of 3 s.
class StepThatLogs final : public Arm {
 public:
  at::Tensor step() override {
    spin(std::exchange(is_rested_, false) ? 5 * kStepNs : kStepNs);
    return torch::zeros({});
  }
  void quiesce() override { is_rested_ = true; }
  std::vector<PeriodicWork> periodic_work() override {
    return {{"log", 7, [] { spin(kStepNs + kStepNs / 10); }, /*is_in_a_step=*/true}};
  }
  void run_whole_trainings() override { ++trainings_; }
  std::vector<ArmMetric> metrics() const override {
    return {{kMetrics.once, 3.0 * trainings_, "head"}, {kMetrics.injected_true_wall, 1.0}};
  }

 private:
  static constexpr std::int64_t kStepNs = 2'000'000;
  static void spin(std::int64_t ns) {
    for (const auto begin = thread_cpu_ns(); thread_cpu_ns() - begin < ns;) {
    }
  }
  int trainings_ = 0;
  bool is_rested_ = false;
};

TEST_F(BlockRunnerTest, OfAnEventThatIsAStepItselfTheStepIsTakenOff) {
  std::vector<NamedArm> arms;
  arms.push_back({"logging", std::make_unique<StepThatLogs>()});
  BlockRunner({spec_, 0, *training_->session, arms, log_, control_channel_, writer_}).run();
  std::map<std::string, std::vector<double>> found;
  for (const auto& row : rows<MetricRow>(metrics_part(folder_, 0))) found[row.metric].push_back(row.value);
  EXPECT_NEAR(median(found["periodic_thread_cpu_s.log"]), 0, 1e-3) << "a step is 2 ms, or 10";
  EXPECT_EQ(found["once_s.head"], std::vector<double>{3}) << "once, behind the blocks";
  EXPECT_EQ(found["injected_true_wall_s"], std::vector<double>{1});
}

// raw, whose update is left out at the given steps.
class SkippingArm final : public Arm {
 public:
  SkippingArm(Session& session, std::set<int> left_out)
      : session_(session), raw_(make_raw({session, {}, 0})), left_out_(std::move(left_out)) {}
  at::Tensor step() override {
    if (left_out_.count(steps_++) > 0) ++session_.skipped_steps;
    return raw_->step();
  }

 private:
  Session& session_;
  std::unique_ptr<Arm> raw_;
  std::set<int> left_out_;
  int steps_ = 0;
};

TEST_F(BlockRunnerTest, AStepThatTheScalerLeavesOutDiscardsItsSuperBlockForAllArms) {
  const auto first_of_the_second = static_cast<int>(discarded_steps(spec_.seed, 1)) + 4;  // step of super-block 2
  auto arms = training_->make_arms({"raw"});
  arms.push_back({"skipping", std::make_unique<SkippingArm>(*training_->session, std::set<int>{first_of_the_second})});
  std::map<std::int64_t, std::pair<int, int>> kept_and_discarded;
  double counted = -1, waited_s = 0;  // of raw, in the steps that count
  for (const auto& row : run(std::move(arms))) {
    auto& [kept, discarded] = kept_and_discarded[row.super_block];
    if (row.step > 0) ++(row.discarded ? discarded : kept);
    if (row.arm == "raw" && row.step > 0 && !row.discarded) waited_s += row.comm_wait_s / (3 * 4);
  }
  const std::pair whole{2 * 4, 0}, dropped{0, 2 * 4};
  EXPECT_EQ(kept_and_discarded, (decltype(kept_and_discarded){{1, whole}, {2, dropped}, {3, whole}, {4, whole}}));
  for (const auto& row : rows<MetricRow>(metrics_part(folder_, 0))) {
    if (row.metric == "discarded_super_blocks") counted = row.value;
    if (row.arm == "raw" && row.metric.starts_with("comm_wait_")) waited_s -= row.value;
  }
  EXPECT_EQ(counted, 1);
  EXPECT_NEAR(waited_s, 0, 1e-12) << "waits by phase are of the same steps";
}

// An empty arm on the ideal network.
class IdealArm final : public Arm {
 public:
  at::Tensor step() override { return loss_; }
  BlockConditions conditions() const override { return {.ideal_network = true}; }

 private:
  at::Tensor loss_ = torch::zeros({});
};

class NoNetwork final : public Network {
 public:
  void make_ideal(bool ideal) override { ideal_ = ideal; }
  bool is_ideal() const { return ideal_; }

 private:
  bool ideal_ = false;
};

// LibTorch's memory on the CPU, with the large pieces counted: those of a model's parameters.
class CountingAllocator final : public c10::Allocator {
 public:
  CountingAllocator() { c10::SetCPUAllocator(this, kAbove); }
  ~CountingAllocator() override { c10::SetCPUAllocator(before_, kAbove); }
  c10::DataPtr allocate(std::size_t bytes) override {
    if (bytes >= 100'000) ++large_;
    return before_->allocate(bytes);
  }
  c10::DeleterFnPtr raw_deleter() const override { return before_->raw_deleter(); }
  void copy_data(void* to, const void* from, std::size_t bytes) const override { before_->copy_data(to, from, bytes); }
  int large() const { return large_; }

 private:
  static constexpr std::uint8_t kAbove = 1;
  c10::Allocator* before_ = c10::GetCPUAllocator();
  int large_ = 0;
};

TEST_F(BlockRunnerTest, TheIdealNetworksSnapshotHasItsMemoryBeforeTheFirstBlock) {
  NoNetwork network;
  training_->session->network = &network;
  std::vector<NamedArm> arms;
  arms.push_back({"ideal", std::make_unique<IdealArm>()});
  CountingAllocator memory;
  BlockRunner runner({spec_, 0, *training_->session, arms, log_, control_channel_, writer_});
  const auto before = memory.large();
  EXPECT_GT(before, 0) << "a copy of the parameters";
  runner.run();
  EXPECT_EQ(memory.large(), before);
  EXPECT_FALSE(network.is_ideal());
}

TEST_F(BlockRunnerTest, AllocatesNothingBetweenTheTimedStepsOfABlock) {
  std::vector<NamedArm> arms;
  arms.push_back({"empty", std::make_unique<EmptyArm>(spec_.seed)});
  BlockRunner({spec_, 0, *training_->session, arms, log_, control_channel_, writer_}).run();
  const auto& empty = dynamic_cast<const EmptyArm&>(*arms.front().arm);
  EXPECT_EQ(empty.allocated_between_timed_steps(), 0);
}

// A loss that is a number until the step given, and none from it on.
class DivergingArm final : public Arm {
 public:
  explicit DivergingArm(std::int64_t last_finite_step) : last_(last_finite_step) {}
  at::Tensor step() override { return steps_++ < last_ ? torch::zeros({}) : torch::full({}, std::nan("")); }

 private:
  std::int64_t last_, steps_ = 0;
};

TEST_F(BlockRunnerTest, ALossThatIsNoNumberEndsTheLaunchBehindItsSuperBlock) {
  const auto first_block = static_cast<int>(discarded_steps(spec_.seed, 1)) + 4;
  const auto both_blocks = first_block + static_cast<int>(discarded_steps(spec_.seed, 2)) + 4;
  for (const int last_finite_step : {first_block, both_blocks - 1}) {  // seen in a block's first step, and in its last
    std::vector<NamedArm> arms;
    arms.push_back({"raw", std::make_unique<DivergingArm>(last_finite_step)});
    PartWriter writer(folder_, last_finite_step);
    BlockRunner runner({spec_, 0, *training_->session, arms, log_, control_channel_, writer});
    try {
      runner.run();
      ADD_FAILURE() << "it went on";
    } catch (const DivergedError& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr("diverged: in super-block 2 the loss of arm 'raw' is nan"));
    }
    EXPECT_EQ(rows<StepRow>(steps_part(folder_, last_finite_step)).size(), static_cast<std::size_t>(both_blocks))
        << "rows are kept";
  }
}

}  // namespace
}  // namespace ddpbench
