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

// One case as it is measured.
struct CaseInWork {
  CollectiveCase one;
  std::size_t number = 0;         // in the launch
  std::vector<std::size_t> arms;  // that take part, as places in the launch's
  std::vector<CollectiveMessage> messages;
  std::int64_t calls = 1, rounds = kFewestRounds;
  std::vector<std::vector<double>> repetitions;  // by arm, of all rounds, seconds
  std::vector<double> wrong_before;              // by arm
  CaseResult result;
};

class CollectiveRun {
 public:
  explicit CollectiveRun(const CollectiveRunSetup& setup) : setup_(setup) {}

  void run() {
    const torch::NoGradGuard no_grad;
    std::vector<CaseInWork> together;
    for (std::size_t i = 0; i < setup_.spec.cases.size(); ++i) {
      auto one = parse_collective_case(setup_.spec.cases[i]);
      const bool belongs = !together.empty() && !together.front().one.bucket_cap.empty() && !one.bucket_cap.empty();
      if (!belongs) run_cases(together);
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
    const auto sizes =
        work.one.bucket_cap.empty() ? std::vector<std::int64_t>{work.one.bytes} : setup_.bucket_bytes(work.one.bucket_cap);
    const auto world = setup_.spec.world_size();
    for (const auto bytes : sizes) work.messages.emplace_back(work.one.kind, bytes, setup_.rank, world, setup_.device);
    if (!work.one.bucket_cap.empty()) share_memory(work.messages);
    // A barrier has nothing to copy.
    for (std::size_t arm = 0; arm < setup_.ways.size(); ++arm) {
      if (setup_.spec.arms[arm] != kCopyArm || work.one.kind != Collective::kBarrier) work.arms.push_back(arm);
    }
    return work;
  }

  void share_memory(std::vector<CollectiveMessage>& messages) {
    std::int64_t elements = 0;
    for (const auto& message : messages) elements += message.bytes() / kCollectiveElementBytes;
    if (gradients_.numel() != elements) gradients_ = at::zeros({elements}, at::TensorOptions(setup_.device).dtype(at::kFloat));
    std::int64_t begin = 0;
    for (auto& message : messages) {
      const auto length = message.bytes() / kCollectiveElementBytes;
      message.buffers().input = gradients_.narrow(0, begin, length);
      begin += length;
    }
  }

  // Round by round, all of them in each; empties the list.
  void run_cases(std::vector<CaseInWork>& together) {
    std::erase_if(together, [](const auto& work) {
      return std::any_of(work.messages.begin(), work.messages.end(), [](const auto& message) { return message.is_too_small(); });
    });
    for (auto& work : together) {
      work.wrong_before = check_all(work);
      choose_sizes(work);
    }
    run_rounds(together);
    for (auto& work : together) {
      const auto wrong_behind = check_all(work);
      for (std::size_t arm = 0; arm < work.arms.size(); ++arm)
        work.result.numbers.insert(work.result.numbers.end(),
                                   {tail_of(work.repetitions[arm]), work.wrong_before[arm], wrong_behind[arm]});
      setup_.agreement.from_rank0(numbers_text(work.result.numbers), [&](const std::vector<std::string>& of_ranks) {
        write_rows(work, of_ranks);
        return std::string();
      });
    }
    together.clear();
  }

  CollectiveWay& way_of(const CaseInWork& work, std::size_t arm) const { return *setup_.ways[work.arms[arm]]; }
  const std::string& name_of(const CaseInWork& work, std::size_t arm) const { return setup_.spec.arms[work.arms[arm]]; }

  void meet() {
    stop_if_requested();
    setup_.progress.say("measure", 0, seconds(wall_ns() - begun_ns_));
    setup_.agreement.from_rank0("", [](const auto&) { return std::string(); });
    own_heartbeat().enter(Phase::kOther);
  }

  void wait_for_device() const {
    if (setup_.accelerator != nullptr) setup_.accelerator->wait();
  }

  static void repeat(CaseInWork& work, CollectiveWay& way) {
    for (auto& message : work.messages) way.begin(work.one.kind, message.buffers());
    way.wait();
  }

  // Wrong elements by arm; not a number for one that is no collective.
  std::vector<double> check_all(CaseInWork& work) {
    std::vector<double> wrong;
    for (std::size_t arm = 0; arm < work.arms.size(); ++arm) {
      for (auto& message : work.messages) message.fill();
      meet();
      repeat(work, way_of(work, arm));
      wait_for_device();
      double of_arm = 0;
      for (const auto& message : work.messages) of_arm += static_cast<double>(message.wrong_elements());
      const bool is_checked = name_of(work, arm) != kCopyArm && work.one.kind != Collective::kBarrier;
      wrong.push_back(is_checked ? of_arm : kNotMeasured);
    }
    for (auto& message : work.messages) message.clear();  // a sum of sums would soon be infinite
    wait_for_device();
    return wrong;
  }

  // From what a repetition of each arm takes on its slowest rank. As rank 0 has it.
  void choose_sizes(CaseInWork& work) {
    std::vector<double> mine;
    for (std::size_t arm = 0; arm < work.arms.size(); ++arm) {
      auto& way = way_of(work, arm);
      meet();
      repeat(work, way);
      const auto begin = wall_ns();
      for (int i = 0; i < kTrials; ++i) repeat(work, way);
      wait_for_device();
      mine.push_back(seconds(wall_ns() - begin) / kTrials);
    }
    const auto answer = setup_.agreement.from_rank0(numbers_text(mine), [&](const std::vector<std::string>& of_ranks) {
      std::vector<double> slowest(work.arms.size(), 1e-9);
      for (const auto& text : of_ranks) {
        const auto of_rank = numbers_of(text);
        for (std::size_t arm = 0; arm < slowest.size(); ++arm) slowest[arm] = std::max(slowest[arm], of_rank.at(arm));
      }
      return numbers_text(sizes_for(slowest));
    });
    const auto numbers = numbers_of(answer);
    work.calls = static_cast<std::int64_t>(numbers.at(0));
    work.rounds = static_cast<std::int64_t>(numbers.at(1));
  }

  // Calls of a block, and rounds.
  std::vector<double> sizes_for(const std::vector<double>& seconds_of_arms) const {
    const double budget = setup_.spec.protocol.max_seconds_per_launch / static_cast<double>(setup_.spec.cases.size());
    const double fastest = *std::min_element(seconds_of_arms.begin(), seconds_of_arms.end());
    const double slowest = *std::max_element(seconds_of_arms.begin(), seconds_of_arms.end());
    const double all = std::accumulate(seconds_of_arms.begin(), seconds_of_arms.end(), 0.0);
    const double wanted = std::min({kBlockSeconds / fastest, kMostBlockSeconds / slowest, budget / (kFewestRounds * all)});
    const double calls = std::clamp(std::ceil(wanted), 1.0, static_cast<double>(kMostCalls));
    const double repetitions = calls + static_cast<double>(discarded(static_cast<std::int64_t>(calls)));
    const double round_s = all * repetitions + static_cast<double>(seconds_of_arms.size()) * kMeetSeconds;
    return {calls, std::clamp(std::floor(budget / round_s), double{kFewestRounds}, double{kMostRounds})};
  }

  // They take what the ranks' arrivals differ by, and fill the caches.
  static std::int64_t discarded(std::int64_t calls) { return calls > 1 ? 2 : 1; }

  // Places of so many, drawn anew for each round of each case; 0: of the cases themselves.
  std::vector<std::size_t> order_of(std::size_t count, std::int64_t round, std::size_t drawing) const {
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), 0);
    RandomWords words(mixed(static_cast<std::uint64_t>(setup_.spec.seed)) + 1000 * drawing + static_cast<std::uint64_t>(round));
    shuffle(order, words);
    return order;
  }
  std::vector<std::size_t> order_of_arms(const CaseInWork& work, std::int64_t round) const {
    return order_of(work.arms.size(), round, work.number + 1);
  }

  void run_rounds(std::vector<CaseInWork>& together) {
    auto rounds = kMostRounds;
    for (auto& work : together) {
      work.repetitions.assign(work.arms.size(), {});
      work.result.arms = work.arms.size();
      rounds = std::min(rounds, work.rounds);
    }
    for (auto& work : together) work.rounds = rounds;
    for (std::int64_t round = 0; round < rounds; ++round) {
      for (const auto place : order_of(together.size(), round, 0)) run_round(together[place], round);
    }
  }

  void run_round(CaseInWork& work, std::int64_t round) {
    std::vector<Block> blocks(work.arms.size());
    for (const auto arm : order_of_arms(work, round)) blocks[arm] = time_block(work, arm);
    for (const auto& block : blocks) work.result.add(block);
  }

  Block time_block(CaseInWork& work, std::size_t arm) {
    auto& way = way_of(work, arm);
    auto& repetitions = work.repetitions[arm];
    const auto first = repetitions.size();
    repetitions.reserve(first + static_cast<std::size_t>(work.calls));
    meet();
    for (std::int64_t i = 0; i < discarded(work.calls); ++i) repeat(work, way);
    wait_for_device();
    const auto cpu = process_cpu_ns(), begin = wall_ns();
    auto last = begin;
    for (std::int64_t i = 0; i < work.calls; ++i) {
      repeat(work, way);
      const auto now = wall_ns();
      repetitions.push_back(seconds(now - last));
      last = now;
    }
    wait_for_device();
    const double of_all = seconds(wall_ns() - begin);
    const double cpu_s = seconds(process_cpu_ns() - cpu);
    const auto n = static_cast<double>(work.calls);
    const double longest = *std::max_element(repetitions.begin() + static_cast<std::ptrdiff_t>(first), repetitions.end());
    return {of_all / n, cpu_s / n, calls_end_with_their_collective() ? longest : kNotMeasured};
  }

  bool calls_end_with_their_collective() const { return setup_.accelerator == nullptr; }

  double tail_of(std::vector<double>& repetitions) const {
    if (!calls_end_with_their_collective() || !bears_quantile(repetitions.size(), kTail)) return kNotMeasured;
    std::sort(repetitions.begin(), repetitions.end());
    return quantile_of_sorted(repetitions, kTail);
  }

  // On rank 0.
  void write_rows(const CaseInWork& work, const std::vector<std::string>& of_ranks) {
    std::vector<CaseResult> results;
    for (const auto& text : of_ranks) results.push_back({work.arms.size(), numbers_of(text)});
    for (std::int64_t round = 0; round < work.rounds; ++round) {
      const auto order = order_of_arms(work, round);
      for (std::size_t arm = 0; arm < order.size(); ++arm) {
        auto row = row_of(work, results, static_cast<std::size_t>(round), arm);
        row.round = round + 1;
        row.position = std::find(order.begin(), order.end(), arm) - order.begin() + 1;
        if (round + 1 == work.rounds) row.p99_s = over_ranks(results, largest_of, arm, 0);
        if (round == 0) row.wrong = over_ranks(results, sum_of_ranks, arm, 1);
        if (round + 1 == work.rounds) row.wrong = over_ranks(results, sum_of_ranks, arm, 2);
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

  CollectiveSampleRow row_of(const CaseInWork& work, const std::vector<CaseResult>& results, std::size_t round,
                             std::size_t arm) const {
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
    row.collective = entry_of(work.one.kind).name;
    row.bucket_cap = work.one.bucket_cap;
    for (const auto& message : work.messages) row.bytes += message.bytes();
    row.messages = static_cast<std::int64_t>(work.messages.size());
    row.arm = name_of(work, arm);
    row.role = work.arms[arm] == 0 ? collective_role::kReference : find_collective_arm(row.arm).role;
    row.calls = work.calls;
    row.wall_s = mean_of(wall);
    row.slowest_s = largest_of(wall);
    row.cpu_s = mean_of(cpu);
    row.longest_s = largest_of(longest);
    return row;
  }

  const CollectiveRunSetup& setup_;
  const std::int64_t begun_ns_ = wall_ns();
  at::Tensor gradients_ = at::empty({0});  // of all bucket sequences
};

}  // namespace

void run_collectives(const CollectiveRunSetup& setup) { CollectiveRun(setup).run(); }

}  // namespace ddpbench
