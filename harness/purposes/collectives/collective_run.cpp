#include "harness/purposes/collectives/collective_run.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "harness/measure/process/stop_signal.hpp"
#include "harness/probe/clock_readings.hpp"
#include "harness/purposes/collectives/collective_check.hpp"
#include "harness/purposes/collectives/collective_rounds.hpp"
#include "suite/base/random.hpp"
#include "suite/contract/processes/heartbeat.hpp"
#include "suite/estimates/estimate.hpp"

namespace ddpbench {
namespace {

constexpr int kTrials = 3;
constexpr double kTail = 0.99;

double sum_of(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

double mean_of(const std::vector<double>& values) { return sum_of(values) / static_cast<double>(values.size()); }

double largest_of(const std::vector<double>& values) { return *std::max_element(values.begin(), values.end()); }

// One case as it is measured.
struct CaseInWork {
  CollectiveCase one;
  std::size_t number = 0;                            // in the launch
  std::vector<std::size_t> arms;                     // that take part, as places in the launch's
  std::vector<CollectiveMessage> messages;           // none of a step
  std::vector<std::shared_ptr<RepeatedStep>> steps;  // of a step, by arm
  std::vector<std::int64_t> bytes;                   // of each message, or of each of a step's buckets
  std::string filled;                                // of a step
  CollectiveRounds chosen;
  double round_s = 0;                            // what a round of it takes, about; rank 0 knows it
  std::vector<std::vector<double>> repetitions;  // by arm, of all rounds, seconds
  CollectiveResult result;
};

class CollectiveRun {
 public:
  explicit CollectiveRun(const CollectiveRunSetup& setup)
      : setup_(setup), launch_(setup.launch), group_(launch_.group()), device_(group_.device()) {}

  void run() {
    const torch::NoGradGuard no_grad;
    std::vector<CaseInWork> together;
    for (std::size_t i = 0; i < launch_.spec.cases.size(); ++i) {
      auto one = parse_collective_case(launch_.spec.cases[i]);
      if (!together.empty() && !take_turns(together.front().one, one)) run_cases(together);
      together.push_back(prepared(std::move(one), i));
    }
    run_cases(together);
  }

 private:
  // A model's bucket sequences share their memory, as one backward's do.
  CaseInWork prepared(CollectiveCase one, std::size_t number) {
    CaseInWork work;
    work.one = std::move(one);
    work.number = number;
    work.bytes = work.one.bucket_cap.empty() ? std::vector<std::int64_t>{work.one.bytes}
                                             : setup_.workload.bucket_bytes(work.one.bucket_cap);
    if (work.one.is_step) {
      take_steps(work);
    } else {
      take_messages(work);
    }
    return work;
  }

  void take_steps(CaseInWork& work) {
    work.filled = text_of(setup_.workload.filled_buckets(work.one.bucket_cap));
    for (std::size_t arm = 0; arm < setup_.runners.size(); ++arm) {
      auto step = setup_.workload.make_step(arm, work.one.bucket_cap);
      if (!step) continue;
      work.arms.push_back(arm);
      work.steps.push_back(std::move(step));
    }
  }

  void take_messages(CaseInWork& work) {
    const auto world = launch_.spec.world_size();
    for (auto& bytes : work.bytes) {
      work.messages.emplace_back(work.one.kind, bytes, launch_.info.rank, world, device_);
      bytes = work.messages.back().bytes();
    }
    if (!work.one.bucket_cap.empty()) share_memory(work.messages);
    for (std::size_t arm = 0; arm < setup_.runners.size(); ++arm) {
      const bool has_nothing_to_copy = launch_.spec.arms[arm] == kCopyArm && work.one.kind == Collective::kBarrier;
      if (!has_nothing_to_copy && !is_step_arm(launch_.spec.arms[arm])) work.arms.push_back(arm);
    }
  }

  void share_memory(std::vector<CollectiveMessage>& messages) {
    std::int64_t elements = 0;
    for (const auto& message : messages) elements += message.bytes() / kCollectiveElementBytes;
    if (gradients_.numel() != elements) gradients_ = at::zeros({elements}, at::TensorOptions(device_).dtype(at::kFloat));
    std::int64_t begin = 0;
    for (auto& message : messages) {
      const auto length = message.bytes() / kCollectiveElementBytes;
      message.use(gradients_.narrow(0, begin, length));
      begin += length;
    }
  }

  // Runs all cases in each round, to pair a step with its buckets alone; empties the list.
  void run_cases(std::vector<CaseInWork>& together) {
    std::erase_if(together, [](const auto& work) {
      return std::any_of(work.messages.begin(), work.messages.end(), [](const auto& message) { return message.is_too_small(); });
    });
    for (auto& work : together) {
      work.result.arms.resize(work.arms.size());
      check_all(work, &CollectiveTail::wrong_before);
      choose_sizes(work);
    }
    run_rounds(together);
    for (auto& work : together) {
      check_all(work, &CollectiveTail::wrong_behind);
      for (std::size_t arm = 0; arm < work.arms.size(); ++arm) work.result.arms[arm].p99_s = tail_of(work.repetitions[arm]);
      group_.control_channel().from_rank0(work.result.text(), [&](const std::vector<std::string>& of_ranks) {
        write_rows(work, of_ranks);
        return std::string();
      });
    }
    together.clear();
  }

  CollectiveRunner& runner_of(const CaseInWork& work, std::size_t arm) const { return *setup_.runners[work.arms[arm]]; }
  const std::string& name_of(const CaseInWork& work, std::size_t arm) const { return launch_.spec.arms[work.arms[arm]]; }

  void meet() {
    stop_if_requested();
    launch_.progress.say("measure", 0, seconds(wall_ns() - begun_ns_));
    group_.control_channel().from_rank0("", [](const auto&) { return std::string(); });
    own_heartbeat().enter(Phase::kOther);
  }

  void wait_for_device() const {
    if (group_.accelerator() != nullptr) group_.accelerator()->wait();
  }

  void repeat(CaseInWork& work, std::size_t arm) const {
    if (work.one.is_step) return work.steps[arm]->run();
    auto& runner = runner_of(work, arm);
    for (auto& message : work.messages) runner.begin(work.one.kind, message.buffers());
    runner.wait();
  }

  // Counts each arm's wrong elements; not those of one that is no collective.
  void check_all(CaseInWork& work, double CollectiveTail::*wrong) {
    for (std::size_t arm = 0; arm < work.arms.size(); ++arm) {
      for (auto& message : work.messages) message.fill();
      meet();
      repeat(work, arm);
      wait_for_device();
      if (name_of(work, arm) == kCopyArm || work.one.kind == Collective::kBarrier) continue;
      auto& of_arm = work.result.arms[arm].*wrong = 0;
      if (work.one.is_step) of_arm = static_cast<double>(work.steps[arm]->wrong_elements());
      for (const auto& message : work.messages) of_arm += static_cast<double>(message.wrong_elements());
    }
    for (auto& message : work.messages) message.clear();  // a sum of sums would soon be infinite
    wait_for_device();
  }

  // Chooses by the time of a repetition of each arm on its slowest rank. Rank 0 decides.
  void choose_sizes(CaseInWork& work) {
    std::vector<double> mine;
    for (std::size_t arm = 0; arm < work.arms.size(); ++arm) {
      meet();
      repeat(work, arm);
      const auto begin = wall_ns();
      for (int i = 0; i < kTrials; ++i) repeat(work, arm);
      wait_for_device();
      mine.push_back(seconds(wall_ns() - begin) / kTrials);
    }
    const double budget = launch_.spec.protocol.max_seconds_per_launch / static_cast<double>(launch_.spec.cases.size());
    const auto answer = group_.control_channel().from_rank0(numbers_text(mine), [&](const std::vector<std::string>& of_ranks) {
      std::vector<double> slowest(work.arms.size(), 1e-9);
      for (const auto& text : of_ranks) {
        const auto of_rank = numbers_of(text);
        for (std::size_t arm = 0; arm < slowest.size(); ++arm) slowest[arm] = std::max(slowest[arm], of_rank.at(arm));
      }
      const auto chosen = choose_rounds(slowest, budget);
      work.round_s = sum_of(slowest) * static_cast<double>(chosen.calls + discarded_calls(chosen.calls));
      return numbers_text({static_cast<double>(chosen.calls), static_cast<double>(chosen.rounds)});
    });
    const auto numbers = numbers_of(answer);
    work.chosen = {static_cast<std::int64_t>(numbers.at(0)), static_cast<std::int64_t>(numbers.at(1))};
  }

  // Draws an order anew for each round of each case; drawing 0: of the cases.
  std::vector<std::size_t> order_of(std::size_t count, std::int64_t round, std::size_t drawing) const {
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), 0);
    SplitMix64 words(mixed(static_cast<std::uint64_t>(launch_.spec.seed)) + 1000 * drawing + static_cast<std::uint64_t>(round));
    shuffle(order, words);
    return order;
  }
  std::vector<std::size_t> order_of_arms(const CaseInWork& work, std::int64_t round) const {
    return order_of(work.arms.size(), round, work.number + 1);
  }

  // Runs, for all, the fewest rounds chosen.
  void run_rounds(std::vector<CaseInWork>& together) {
    auto rounds = std::numeric_limits<std::int64_t>::max();
    for (const auto& work : together) rounds = std::min(rounds, work.chosen.rounds);
    double expected_s = seconds(wall_ns() - begun_ns_);
    for (auto& work : together) {
      work.chosen.rounds = rounds;
      work.repetitions.assign(work.arms.size(), {});
      expected_s += static_cast<double>(rounds) * work.round_s;
    }
    launch_.progress.expect(expected_s);
    for (std::int64_t round = 0; round < rounds && !together.empty(); ++round) {
      for (const auto place : order_of(together.size(), round, 0)) run_round(together[place], round);
    }
  }

  void run_round(CaseInWork& work, std::int64_t round) {
    auto& blocks = work.result.rounds.emplace_back(work.arms.size());
    for (const auto arm : order_of_arms(work, round)) blocks[arm] = time_block(work, arm);
  }

  CollectiveBlock time_block(CaseInWork& work, std::size_t arm) {
    auto& repetitions = work.repetitions[arm];
    const auto calls = work.chosen.calls;
    repetitions.reserve(repetitions.size() + static_cast<std::size_t>(calls));
    meet();
    for (std::int64_t i = 0; i < discarded_calls(calls); ++i) repeat(work, arm);
    wait_for_device();
    const auto cpu = process_cpu_ns(), begin = wall_ns();
    auto last = begin;
    for (std::int64_t i = 0; i < calls; ++i) {
      repeat(work, arm);
      const auto now = wall_ns();
      repetitions.push_back(seconds(now - last));
      last = now;
    }
    wait_for_device();
    const double of_all = seconds(wall_ns() - begin);
    const double cpu_s = seconds(process_cpu_ns() - cpu);
    const auto n = static_cast<double>(calls);
    const double longest = *std::max_element(repetitions.end() - calls, repetitions.end());
    return {of_all / n, cpu_s / n, calls_end_with_their_collective() ? longest : kNotMeasured};
  }

  bool calls_end_with_their_collective() const { return group_.accelerator() == nullptr; }

  double tail_of(std::vector<double>& repetitions) const {
    if (!calls_end_with_their_collective() || !bears_quantile(repetitions.size(), kTail)) return kNotMeasured;
    std::sort(repetitions.begin(), repetitions.end());
    return quantile_of_sorted(repetitions, kTail);
  }

  // On rank 0.
  void write_rows(const CaseInWork& work, const std::vector<std::string>& of_ranks) {
    std::vector<CollectiveResult> results;
    for (const auto& text : of_ranks) results.push_back(CollectiveResult::from(text, work.arms.size()));
    const auto common = row_of(work);
    for (std::int64_t round = 0; round < work.chosen.rounds; ++round) {
      const auto order = order_of_arms(work, round);
      for (std::size_t arm = 0; arm < order.size(); ++arm) {
        auto row = common;
        row.arm = name_of(work, arm);
        const bool is_reference = work.arms[arm] == 0 && !work.one.is_step;
        row.role = is_reference ? collective_role::kReference : find_collective_arm(row.arm).role;
        row.round = round + 1;
        row.position = std::find(order.begin(), order.end(), arm) - order.begin() + 1;
        add_times(results, static_cast<std::size_t>(round), arm, row);
        const auto of_arm = [&](double CollectiveTail::*member) {
          return over_ranks(results, [&](const auto& result) { return result.arms.at(arm).*member; });
        };
        const bool is_last = round + 1 == work.chosen.rounds;
        if (round == 0 && row.arm == kIdealArm) row.filled = work.filled;
        if (is_last) row.p99_s = largest_of(of_arm(&CollectiveTail::p99_s));
        if (round == 0) row.wrong = sum_of(of_arm(&CollectiveTail::wrong_before));
        if (is_last) row.wrong = sum_of(of_arm(&CollectiveTail::wrong_behind));
        launch_.writer.add(row);
      }
    }
    launch_.writer.flush();
  }

  static void add_times(const std::vector<CollectiveResult>& results, std::size_t round, std::size_t arm,
                        CollectiveSampleRow& row) {
    const auto of_block = [&](double CollectiveBlock::*member) {
      return over_ranks(results, [&](const auto& result) { return result.rounds.at(round).at(arm).*member; });
    };
    const auto walls = of_block(&CollectiveBlock::wall_s);
    row.wall_s = mean_of(walls);
    row.slowest_s = largest_of(walls);
    row.cpu_s = mean_of(of_block(&CollectiveBlock::cpu_s));
    row.longest_s = largest_of(of_block(&CollectiveBlock::longest_s));
  }

  template <class Value>
  static std::vector<double> over_ranks(const std::vector<CollectiveResult>& results, Value value) {
    std::vector<double> values;
    for (const auto& result : results) values.push_back(value(result));
    return values;
  }

  // What its blocks have in common.
  CollectiveSampleRow row_of(const CaseInWork& work) const {
    CollectiveSampleRow row;
    row.launch_id = launch_.spec.launch_id;
    row.nodes = launch_.spec.nodes;
    row.ranks_per_node = launch_.spec.ranks_per_node;
    row.collective = work.one.is_step ? kStepCase : entry_of(work.one.kind).name;
    row.bucket_cap = work.one.bucket_cap;
    for (const auto bytes : work.bytes) row.bytes += bytes;
    row.messages = static_cast<std::int64_t>(work.bytes.size());
    row.calls = work.chosen.calls;
    return row;
  }

  const CollectiveRunSetup& setup_;
  RankLaunch& launch_;
  RankGroup& group_;
  const at::Device device_;
  const std::int64_t begun_ns_ = wall_ns();
  at::Tensor gradients_ = at::empty({0});  // of all bucket sequences
};

}  // namespace

void run_collectives(const CollectiveRunSetup& setup) { CollectiveRun(setup).run(); }

}  // namespace ddpbench
