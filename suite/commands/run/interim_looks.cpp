#include "suite/commands/run/interim_looks.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <iostream>

#include "suite/base/errors.hpp"
#include "suite/base/numbers.hpp"
#include "suite/base/text.hpp"

namespace ddpbench {
namespace {

constexpr std::int64_t kMostLaunchesAsked = 10'000;

std::int64_t affordable(const InterimState& state) {
  if (!(state.left_s > 0) || !(state.seconds_of_one > 0)) return state.launches;
  return state.launches + static_cast<std::int64_t>(state.left_s / state.seconds_of_one);
}

}  // namespace

void add_look_arguments(CLI::App& app, StoppingRequest& request) {
  auto* until = app.add_option("--until", request.until,
                               "settled: add launches until every verdict stands; at most five looks, which share the 5 %");
  app.add_option("--minutes", request.minutes,
                 "stop after so many minutes; the experiment's own launches are measured in any case")
      ->needs(until)
      ->check(CLI::Range(0.1, 1e5))
      ->capture_default_str();
  app.add_option("--launches", request.launches, "of every cell; with --resume also +N: so many more than the folder has");
}

void check(const StoppingRequest& request) {
  if (!request.until.empty() && request.until != "settled")
    throw UsageError("--until '" + request.until + "': must be 'settled'");
}

std::int64_t wanted_launches(const StoppingRequest& request, std::int64_t has) {
  const auto& given = request.launches;
  if (given.empty()) return has;
  const bool is_more = given.starts_with('+');
  const auto number = parse_number<std::int64_t>(given.substr(is_more ? 1 : 0)).value_or(0);
  if (number < 1 || number > kMostLaunchesAsked)
    throw UsageError("--launches '" + given + "': must be a number from 1 to 10000, for example 8, or +3 with --resume");
  if (is_more && has == 0) throw UsageError("--launches " + given + ": there is no folder that has any: use --out DIR --resume");
  if (is_more) return has + number;
  if (number < has) throw UsageError("--launches " + given + ": the folder has " + std::to_string(has) + " of each cell already");
  return number;
}

InterimPlan wanted_looks(const StoppingRequest& request, const ExistingRun& begun, const Protocol& of_experiment) {
  const auto asked = wanted_launches(request, begun.launches);
  const auto wanted = request.launches.empty() ? std::max(begun.launches, of_experiment.launches) : asked;
  const bool is_extended = begun.launches > 0 && wanted > begun.launches;
  if (is_extended && begun.looks_taken >= kMostLooks)
    throw UsageError("the folder was looked at " + std::to_string(kMostLooks) + " times: measure more into another --out");
  const bool is_looked_at = request.until_settled() || is_extended;
  return {wanted, is_looked_at ? kMostLooks : std::max(begun.looks, of_experiment.looks)};
}

std::int64_t launches_at_next_look(const InterimState& state) {
  constexpr double kLeastGrowth = 1.25, kMostGrowth = 3;
  if (state.looks >= kMostLooks) return state.launches;
  const auto most = affordable(state);
  if (most <= state.launches || state.looks + 1 == kMostLooks) return most;
  const auto now = static_cast<double>(state.launches);
  const double wanted = std::isnan(state.needed) ? 2 * now : state.needed;
  const double next =
      std::ceil(std::clamp(wanted, std::fmax(now + 1, kLeastGrowth * now), std::fmax(now + 1, kMostGrowth * now)));
  return std::min(most, static_cast<std::int64_t>(next));
}

double LookClock::seconds_of_one(std::int64_t launches, double expected_s) const {
  if (launches > launches_before) return spent_s() / static_cast<double>(launches - launches_before);
  return expected_s / static_cast<double>(launches);
}

std::int64_t tell_next_look(const InterimState& state, const std::string& open, const std::string& of_what) {
  const auto next = launches_at_next_look(state);
  if (next == state.launches) {
    std::cerr << "not settled: " << why_no_other_look(state) << std::endl;
  } else {
    std::cerr << "look " << state.looks << ": " << open << " open after " << counted(state.launches, "launch") << ' ' << of_what
              << "; up to " << next << std::endl;
  }
  return next;
}

std::string why_no_other_look(const InterimState& state) {
  if (state.looks >= kMostLooks) return "all " + std::to_string(kMostLooks) + " looks were taken";
  return "the time is up: another launch would go beyond --minutes";
}

}  // namespace ddpbench
