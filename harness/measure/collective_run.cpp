#include "harness/measure/collective_run.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "harness/measure/collective_check.hpp"
#include "harness/measure/stop_signal.hpp"
#include "harness/probe/clocks.hpp"
#include "reports/estimates/estimate.hpp"
#include "suite/base/numbers.hpp"
#include "suite/base/random.hpp"
#include "suite/base/text.hpp"
#include "suite/contract/heartbeat.hpp"

namespace ddpbench {
namespace {

// Of the fastest arm: far more than what the ranks' arrivals differ by behind a repetition that does not count. Of the slowest at most: a round
// must be short beside what the machine drifts.
constexpr double kBlockSeconds = 1e-3, kMostBlockSeconds = 1e-2;
constexpr std::int64_t kMostCalls = 1000;

// Pairs enough for an interval, with two to spare; beyond the most, an interval narrows by less than a tenth for a third more time.
constexpr std::int64_t kFewestRounds = 8, kMostRounds = 40;
constexpr double kMeetSeconds = 3e-4;  // of the agreement before each block, about
constexpr int kTrials = 3;
constexpr double kTail = 0.99;

std::string numbers_text(const std::vector<double>& numbers) {
  std::string text;
  for (const double number : numbers) {
    if (!text.empty()) text += ' ';
    append_number(text, number);
  }
  return text;
}

std::vector<double> numbers_of(const std::string& text) {
  std::vector<double> numbers;
  for (const auto& word : split(text, ' ')) numbers.push_back(parse_number<double>(word).value_or(kNotMeasured));
  return numbers;
}

// One block of one arm, as this rank saw it; of one repetition.
struct Block {
  double wall_s = kNotMeasured, cpu_s = kNotMeasured, longest_s = kNotMeasured;
};

// What one rank has of a case, in the order of its text: a block for each round and arm; then for each arm its tail, and wrong elements
// before and behind the rounds.
struct CaseResult {
  static constexpr std::size_t kOfBlock = 3, kOfArm = 3;
  std::size_t arms = 0;
  std::vector<double> numbers;

  void add(const Block& block) { numbers.insert(numbers.end(), {block.wall_s, block.cpu_s, block.longest_s}); }
  double of_block(std::size_t round, std::size_t arm, std::size_t which) const {
    return numbers.at((round * arms + arm) * kOfBlock + which);
  }
  double of_arm(std::size_t arm, std::size_t which) const { return numbers.at(numbers.size() - (arms - arm) * kOfArm + which); }
};

double mean_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double largest_of(const std::vector<double>& values) { return *std::max_element(values.begin(), values.end()); }

class CollectiveRun {
 public:
  explicit CollectiveRun(const CollectiveRunSetup& setup) : setup_(setup) {}

  void run() {
    const torch::NoGradGuard no_grad;
    for (std::size_t i = 0; i < setup_.spec.cases.size(); ++i) {
      run_case(parse_collective_case(setup_.spec.cases[i]), i);
    }
  }

 private:
  struct Sizes {
    std::int64_t calls = 1, rounds = kFewestRounds;
  };

  void run_case(const CollectiveCase& one, std::size_t number) {
    case_ = one;
    const auto sizes = one.bucket_cap.empty() ? std::vector<std::int64_t>{one.bytes} : setup_.bucket_bytes(one.bucket_cap);
    const auto world = setup_.spec.world_size();
    messages_.clear();
    for (const auto bytes : sizes) messages_.emplace_back(one.kind, bytes, setup_.rank, world, setup_.device);
    if (std::any_of(messages_.begin(), messages_.end(), [](const auto& message) { return message.is_too_small(); })) return;
    choose_arms();
    const auto wrong_before = check_all();
    const auto chosen = choose_sizes();
    CaseResult result{arms_.size(), {}};
    run_rounds(chosen, number, result);
    const auto wrong_behind = check_all();
    for (std::size_t arm = 0; arm < arms_.size(); ++arm)
      result.numbers.insert(result.numbers.end(), {tail_of(repetitions_[arm]), wrong_before[arm], wrong_behind[arm]});
    setup_.agreement.from_rank0(numbers_text(result.numbers), [&](const std::vector<std::string>& of_ranks) {
      write_rows(of_ranks, chosen, number);
      return std::string();
    });
  }

  // A barrier has nothing to copy.
  void choose_arms() {
    arms_.clear();
    for (std::size_t arm = 0; arm < setup_.ways.size(); ++arm) {
      if (setup_.spec.arms[arm] != kCopyArm || case_.kind != Collective::kBarrier) arms_.push_back(arm);
    }
  }

  CollectiveWay& way_of(std::size_t arm) const { return *setup_.ways[arms_[arm]]; }
  const std::string& name_of(std::size_t arm) const { return setup_.spec.arms[arms_[arm]]; }

  void meet() {
    stop_if_requested();
    setup_.progress.say("measure", 0, seconds(wall_ns() - begun_ns_));
    setup_.agreement.from_rank0("", [](const auto&) { return std::string(); });
    own_heartbeat().enter(Phase::kOther);
  }

  void wait_for_device() const {
    if (setup_.accelerator != nullptr) setup_.accelerator->wait();
  }

  void repeat(CollectiveWay& way) {
    for (auto& message : messages_) way.begin(case_.kind, message.buffers());
    way.wait();
  }

  // Wrong elements by arm; not a number for one that is no collective.
  std::vector<double> check_all() {
    std::vector<double> wrong;
    for (std::size_t arm = 0; arm < arms_.size(); ++arm) {
      for (auto& message : messages_) message.fill();
      meet();
      repeat(way_of(arm));
      wait_for_device();
      double of_arm = 0;
      for (const auto& message : messages_) of_arm += static_cast<double>(message.wrong_elements());
      const bool is_checked = name_of(arm) != kCopyArm && case_.kind != Collective::kBarrier;
      wrong.push_back(is_checked ? of_arm : kNotMeasured);
    }
    for (auto& message : messages_) message.clear();  // a sum of sums would soon be infinite
    wait_for_device();
    return wrong;
  }

  // From what a repetition of each arm takes on its slowest rank. As rank 0 has it.
  Sizes choose_sizes() {
    std::vector<double> mine;
    for (std::size_t arm = 0; arm < arms_.size(); ++arm) {
      auto& way = way_of(arm);
      meet();
      repeat(way);
      const auto begin = wall_ns();
      for (int i = 0; i < kTrials; ++i) repeat(way);
      wait_for_device();
      mine.push_back(seconds(wall_ns() - begin) / kTrials);
    }
    const auto answer = setup_.agreement.from_rank0(numbers_text(mine), [this](const std::vector<std::string>& of_ranks) {
      std::vector<double> slowest(arms_.size(), 1e-9);
      for (const auto& text : of_ranks) {
        const auto of_rank = numbers_of(text);
        for (std::size_t arm = 0; arm < slowest.size(); ++arm) slowest[arm] = std::max(slowest[arm], of_rank.at(arm));
      }
      const auto sizes = sizes_for(slowest);
      return numbers_text({static_cast<double>(sizes.calls), static_cast<double>(sizes.rounds)});
    });
    const auto numbers = numbers_of(answer);
    return {static_cast<std::int64_t>(numbers.at(0)), static_cast<std::int64_t>(numbers.at(1))};
  }

  Sizes sizes_for(const std::vector<double>& seconds_of_arms) const {
    const double budget = setup_.spec.protocol.max_seconds_per_launch / static_cast<double>(setup_.spec.cases.size());
    const double fastest = *std::min_element(seconds_of_arms.begin(), seconds_of_arms.end());
    const double all = std::accumulate(seconds_of_arms.begin(), seconds_of_arms.end(), 0.0);
    const double slowest = *std::max_element(seconds_of_arms.begin(), seconds_of_arms.end());
    const double wanted = std::min({kBlockSeconds / fastest, kMostBlockSeconds / slowest, budget / (kFewestRounds * all)});
    Sizes sizes;
    sizes.calls = static_cast<std::int64_t>(std::clamp(std::ceil(wanted), 1.0, static_cast<double>(kMostCalls)));
    const auto repetitions = static_cast<double>(sizes.calls + discarded(sizes.calls));
    const double round_s = all * repetitions + static_cast<double>(seconds_of_arms.size()) * kMeetSeconds;
    const double rounds = std::floor(budget / round_s);
    sizes.rounds = static_cast<std::int64_t>(std::clamp(rounds, double{kFewestRounds}, double{kMostRounds}));
    return sizes;
  }

  // They take what the ranks' arrivals differ by, and fill the caches.
  static std::int64_t discarded(std::int64_t calls) { return calls > 1 ? 2 : 1; }

  std::vector<std::size_t> order_of(std::int64_t round, std::size_t number) const {
    std::vector<std::size_t> order(arms_.size());
    std::iota(order.begin(), order.end(), 0);
    RandomWords words(mixed(static_cast<std::uint64_t>(setup_.spec.seed)) + 1000 * number + static_cast<std::uint64_t>(round));
    shuffle(order, words);
    return order;
  }

  void run_rounds(const Sizes& chosen, std::size_t number, CaseResult& result) {
    repetitions_.assign(arms_.size(), {});
    for (std::int64_t round = 0; round < chosen.rounds; ++round) {
      std::vector<Block> blocks(arms_.size());
      for (const auto arm : order_of(round, number)) blocks[arm] = time_block(arm, chosen.calls);
      for (const auto& block : blocks) result.add(block);
    }
  }

  Block time_block(std::size_t arm, std::int64_t calls) {
    auto& way = way_of(arm);
    auto& repetitions = repetitions_[arm];
    const auto first = repetitions.size();
    repetitions.reserve(first + static_cast<std::size_t>(calls));
    meet();
    for (std::int64_t i = 0; i < discarded(calls); ++i) repeat(way);
    wait_for_device();
    const auto cpu = process_cpu_ns(), begin = wall_ns();
    auto last = begin;
    for (std::int64_t i = 0; i < calls; ++i) {
      repeat(way);
      const auto now = wall_ns();
      repetitions.push_back(seconds(now - last));
      last = now;
    }
    wait_for_device();
    const double of_all = seconds(wall_ns() - begin);
    const double cpu_s = seconds(process_cpu_ns() - cpu);
    const auto n = static_cast<double>(calls);
    const bool is_device = setup_.accelerator != nullptr;  // then a call ends before its collective
    return {of_all / n, cpu_s / n,
            is_device ? kNotMeasured
                      : *std::max_element(repetitions.begin() + static_cast<std::ptrdiff_t>(first), repetitions.end())};
  }

  double tail_of(std::vector<double>& repetitions) const {
    if (setup_.accelerator != nullptr || !bears_quantile(repetitions.size(), kTail)) return kNotMeasured;
    std::sort(repetitions.begin(), repetitions.end());
    return quantile_of_sorted(repetitions, kTail);
  }

  // On rank 0.
  void write_rows(const std::vector<std::string>& of_ranks, const Sizes& chosen, std::size_t number) {
    std::vector<CaseResult> results;
    for (const auto& text : of_ranks) results.push_back({arms_.size(), numbers_of(text)});
    for (std::int64_t round = 0; round < chosen.rounds; ++round) {
      const auto order = order_of(round, number);
      for (std::size_t arm = 0; arm < order.size(); ++arm) {
        auto row = row_of(results, static_cast<std::size_t>(round), arm);
        row.round = round + 1;
        row.position = std::find(order.begin(), order.end(), arm) - order.begin() + 1;
        row.calls = chosen.calls;
        if (round + 1 == chosen.rounds) row.p99_s = over_ranks(results, largest_of, arm, 0);
        if (round == 0) row.wrong = over_ranks(results, sum_of_ranks, arm, 1);
        if (round + 1 == chosen.rounds) row.wrong = over_ranks(results, sum_of_ranks, arm, 2);
        setup_.writer.add(row);
      }
    }
    setup_.writer.flush();
  }

  static double sum_of_ranks(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

  static double over_ranks(const std::vector<CaseResult>& results, double (*how)(const std::vector<double>&), std::size_t arm,
                           std::size_t which) {
    std::vector<double> values;
    for (const auto& result : results) values.push_back(result.of_arm(arm, which));
    return how(values);
  }

  CollectiveSampleRow row_of(const std::vector<CaseResult>& results, std::size_t round, std::size_t arm) const {
    std::vector<double> wall, cpu, longest;
    for (const auto& result : results) {
      wall.push_back(result.of_block(round, arm, 0));
      cpu.push_back(result.of_block(round, arm, 1));
      longest.push_back(result.of_block(round, arm, 2));
    }
    CollectiveSampleRow row;
    row.launch_id = setup_.spec.launch_id;
    row.nodes = setup_.spec.nodes;
    row.ranks_per_node = setup_.spec.ranks_per_node;
    row.collective = entry_of(case_.kind).name;
    row.bucket_cap = case_.bucket_cap;
    for (const auto& message : messages_) row.bytes += message.bytes();
    row.messages = static_cast<std::int64_t>(messages_.size());
    row.arm = name_of(arm);
    row.role = arms_[arm] == 0 ? collective_role::kReference : find_collective_arm(row.arm).role;
    row.wall_s = mean_of(wall);
    row.slowest_s = largest_of(wall);
    row.cpu_s = mean_of(cpu);
    row.longest_s = largest_of(longest);
    return row;
  }

  const CollectiveRunSetup& setup_;
  const std::int64_t begun_ns_ = wall_ns();
  CollectiveCase case_;
  std::vector<std::size_t> arms_;  // that take part in the case, as places in the launch's
  std::vector<CollectiveMessage> messages_;
  std::vector<std::vector<double>> repetitions_;  // by arm, of all rounds, seconds
};

}  // namespace

void run_collectives(const CollectiveRunSetup& setup) { CollectiveRun(setup).run(); }

}  // namespace ddpbench
