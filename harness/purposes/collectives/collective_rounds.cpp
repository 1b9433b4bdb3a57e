#include "harness/purposes/collectives/collective_rounds.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "suite/base/errors.hpp"
#include "suite/base/numbers.hpp"
#include "suite/base/text.hpp"

namespace ddpbench {
namespace {

// A block lasts about 1 ms for the fastest arm, far longer than the ranks' arrivals differ, and at most 10 ms for the slowest: the machine
// must not drift within a round.
constexpr double kBlockSeconds = 1e-3, kMostBlockSeconds = 1e-2;
constexpr double kMostCallsOfBlock = 1000;

// Pairs enough for an interval, with two to spare; beyond the most, an interval narrows by less than a tenth for a third more time.
constexpr double kFewestRoundsOfCase = 8, kMostRoundsOfCase = 40;
constexpr double kMeetSeconds = 3e-4;  // of the word that ranks exchange before each block, about

constexpr std::size_t kOfBlock = 3, kOfArm = 3;

}  // namespace

bool take_turns(const CollectiveCase& one, const CollectiveCase& other) {
  return !one.bucket_cap.empty() && !other.bucket_cap.empty();
}

std::int64_t discarded_calls(std::int64_t calls) { return calls > 1 ? 2 : 1; }

CollectiveRounds choose_rounds(const std::vector<double>& seconds_of_arms, double budget_seconds) {
  const double fastest = *std::min_element(seconds_of_arms.begin(), seconds_of_arms.end());
  const double slowest = *std::max_element(seconds_of_arms.begin(), seconds_of_arms.end());
  const double all = std::accumulate(seconds_of_arms.begin(), seconds_of_arms.end(), 0.0);
  const double wanted =
      std::min({kBlockSeconds / fastest, kMostBlockSeconds / slowest, budget_seconds / (kFewestRoundsOfCase * all)});
  CollectiveRounds chosen;
  chosen.calls = static_cast<std::int64_t>(std::clamp(std::ceil(wanted), 1.0, kMostCallsOfBlock));
  const auto repetitions = static_cast<double>(chosen.calls + discarded_calls(chosen.calls));
  const double round_s = all * repetitions + static_cast<double>(seconds_of_arms.size()) * kMeetSeconds;
  chosen.rounds =
      static_cast<std::int64_t>(std::clamp(std::floor(budget_seconds / round_s), kFewestRoundsOfCase, kMostRoundsOfCase));
  return chosen;
}

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

std::string CollectiveResult::text() const {
  std::vector<double> numbers;
  for (const auto& round : rounds) {
    for (const auto& block : round) numbers.insert(numbers.end(), {block.wall_s, block.cpu_s, block.longest_s});
  }
  for (const auto& arm : arms) numbers.insert(numbers.end(), {arm.p99_s, arm.wrong_before, arm.wrong_behind});
  return numbers_text(numbers);
}

CollectiveResult CollectiveResult::from(const std::string& text, std::size_t arms) {
  const auto numbers = numbers_of(text);
  if (arms == 0 || numbers.size() < arms * kOfArm || numbers.size() % (arms * kOfBlock) != 0)
    throw Error("a rank's result of a collective has " + std::to_string(numbers.size()) + " numbers");
  CollectiveResult result;
  const auto* at = numbers.data();
  for (auto left = numbers.size() / (arms * kOfBlock) - 1; left > 0; --left) {
    auto& round = result.rounds.emplace_back();
    for (std::size_t arm = 0; arm < arms; ++arm, at += kOfBlock) round.push_back({at[0], at[1], at[2]});
  }
  for (std::size_t arm = 0; arm < arms; ++arm, at += kOfArm) result.arms.push_back({at[0], at[1], at[2]});
  return result;
}

}  // namespace ddpbench
