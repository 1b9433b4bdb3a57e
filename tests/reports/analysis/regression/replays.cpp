// Replays of comparisons out of one recorded run, for a proof: how often is a regression called where there is none, and where there is one?
//
// usage: replays FOLDER LAUNCHES PERCENT COUNT [LOOKS]
//
// FOLDER holds many launches of one cell of one build. Three that follow each other are a turn: base, new and base again, in an order drawn anew; a
// replay takes LAUNCHES turns, without putting any back, and adds PERCENT of the step to what every subject costs in new. With LOOKS looks (1)
// it looks first at half of them, the last time at all, and stops where nothing is open. Prints how the replays ended: "regression N", "pass N", "open N".
#include <algorithm>
#include <iostream>
#include <map>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "reports/analysis/regression/build_comparison.hpp"
#include "reports/analysis/regression/folder_values.hpp"
#include "suite/base/errors.hpp"
#include "suite/base/numbers.hpp"

namespace ddpbench {
namespace {

constexpr std::size_t kSides = 3;

struct Replay {
  std::vector<LaunchValues> recorded;
  std::size_t launches = 0;
  double percent = 0;
  std::int64_t looks = 1;
};

using Sides = std::array<std::vector<LaunchValues>, kSides>;

// Of the first `turns` of the drawn order.
Sides sides_of(const Replay& replay, const std::vector<std::array<std::int64_t, kSides>>& turns, std::size_t count) {
  Sides sides;
  for (std::size_t side = 0; side < kSides; ++side) {
    for (const auto& values : replay.recorded) {
      auto one = values;
      one.by_repetition.clear();
      const bool is_planted = side == 1 && values.what == compared_what::kCost && !values.is_aa;
      for (std::size_t turn = 0; turn < count; ++turn) {
        const auto found = values.by_repetition.find(turns[turn][side]);
        if (found == values.by_repetition.end()) continue;
        one.by_repetition[static_cast<std::int64_t>(turn)] =
            found->second + (is_planted ? 0.01 * replay.percent * values.step_s : 0);
      }
      if (!one.by_repetition.empty()) sides[side].push_back(std::move(one));
    }
  }
  return sides;
}

std::vector<std::array<std::int64_t, kSides>> drawn_turns(std::int64_t recorded, std::mt19937& random) {
  std::vector<std::array<std::int64_t, kSides>> turns;
  for (std::int64_t first = 0; first + static_cast<std::int64_t>(kSides) <= recorded; first += kSides) {
    std::array<std::int64_t, kSides> turn{first, first + 1, first + 2};
    std::shuffle(turn.begin(), turn.end(), random);
    turns.push_back(turn);
  }
  std::shuffle(turns.begin(), turns.end(), random);
  return turns;
}

std::string end_of(const BuildComparison& comparison) {
  const auto ends_as = [&](const char* gate) {
    return std::any_of(comparison.rows.begin(), comparison.rows.end(),
                       [&](const ComparedRow& row) { return row.counts && row.gate == std::string(gate); });
  };
  if (ends_as(gate::kRegression)) return "regression";
  return ends_as(gate::kOpen) ? "open" : "pass";
}

std::string end_of_replay(const Replay& replay, ComparisonRule rule, std::int64_t recorded, std::mt19937& random) {
  const auto turns = drawn_turns(recorded, random);
  if (turns.size() < replay.launches) throw UsageError("too few launches are recorded");
  rule.confidence = confidence_of_a_look(replay.looks);
  std::string end;
  for (std::int64_t look = 1; look <= replay.looks; ++look) {
    const auto share =
        replay.looks == 1 ? 1.0 : 0.5 + 0.5 * static_cast<double>(look - 1) / static_cast<double>(replay.looks - 1);
    const auto count = static_cast<std::size_t>(share * static_cast<double>(replay.launches));
    const auto sides = sides_of(replay, turns, count);
    end = end_of(compare_builds(sides[0], sides[1], sides[2], rule));
    if (end != "open") break;
  }
  return end;
}

void run(const std::vector<std::string>& words) {
  const auto number = [&](std::size_t i) { return parse_number<double>(words.at(i)).value(); };
  const auto recorded = folder_values(JoinedFolders(ResultsFolder::open(words.at(0))));
  Replay replay{recorded.values, static_cast<std::size_t>(number(1)), number(2),
                words.size() > 4 ? static_cast<std::int64_t>(number(4)) : 1};
  ComparisonRule rule;
  rule.in_turn = true;
  rule.costs_only = true;
  rule.primary_clock = recorded.primary_clock;
  std::int64_t launches = 0;
  for (const auto& values : recorded.values) {
    if (!values.by_repetition.empty()) launches = std::max(launches, values.by_repetition.rbegin()->first + 1);
  }
  std::map<std::string, int> ends{{"regression", 0}, {"pass", 0}, {"open", 0}};
  std::mt19937 random(1);
  for (int i = 0; i < static_cast<int>(number(3)); ++i) ++ends[end_of_replay(replay, rule, launches, random)];
  for (const auto& [end, count] : ends) std::cout << end << ' ' << count << '\n';
}

}  // namespace
}  // namespace ddpbench

int main(int count, char** words) {
  try {
    ddpbench::run({words + 1, words + count});
  } catch (const std::exception& error) {
    std::cerr << "replays: " << error.what() << '\n';
    return 2;
  }
  return 0;
}
