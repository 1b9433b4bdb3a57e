#include "tests/reports/truths/cases.hpp"

#include <algorithm>
#include <cmath>

#include "reports/analysis/verdicts/overhead.hpp"
#include "suite/base/errors.hpp"
#include "suite/contract/status.hpp"

namespace ddpbench {
namespace {

bool is_trainer(const StepPlace& at) { return at.arm == "trainer"; }

Effect every_step(double us) {
  return {.added_us = [us](const StepPlace& at) { return is_trainer(at) ? us : 0.0; }};
}

Effect every_tenth_step(double us) {
  return {.added_us = [us](const StepPlace& at) { return is_trainer(at) && at.steps_before % 10 == 0 ? us : 0.0; }};
}

Effect some_blocks(double share, double us) {
  return {.added_us = [share, us](const StepPlace& at) { return is_trainer(at) && at.lot < share ? us : 0.0; }};
}

Effect rank0(double us) {
  return {.added_us = [us](const StepPlace& at) { return is_trainer(at) && at.rank == 0 ? us : 0.0; }};
}

// Whatever runs behind the trainer is slower.
Effect slow_successor(double share) {
  return {.factor = [share](const StepPlace& at) { return at.previous == "trainer" ? 1 + share : 1.0; }};
}

Effect off_alike(double us) {
  return {.added_us = [us](const StepPlace& at) { return is_trainer(at) || at.arm == "raw_again" ? us : 0.0; }};
}

Effect growing(double last_us) {
  return {.added_us = [last_us](const StepPlace& at) { return is_trainer(at) ? last_us * at.share_done : 0.0; }};
}

Effect in_some_launches(double us) {
  return {.added_us = [us](const StepPlace& at) { return is_trainer(at) && at.launch % 5 == 0 ? us : 0.0; }};
}

// The trainer waits, on one rank or on all: no CPU clock sees it.
Effect waits(double us, bool rank0_alone = false) {
  return {.waited_us = [us, rank0_alone](const StepPlace& at) {
    return is_trainer(at) && (at.rank == 0 || !rank0_alone) ? us : 0.0;
  }};
}

CampaignPlan plan_with(Effect effect, const HostNoise& noise = mild()) {
  CampaignPlan plan;
  plan.effect = std::move(effect);
  plan.noise = noise;
  return plan;
}

// The longer of two equal steps is longer than one alone by so many standard deviations (normal: 1 / sqrt(pi)).
constexpr double kLongerOfTwo = 0.5642;

// Ranks whose steps differ by so little that the longer one is nearly the mean one.
HostNoise quiet() {
  HostNoise noise;
  noise.jitter_sd = 0.002;
  return noise;
}

TruthCase awaited(const std::string& name, Effect effect, const HostNoise& noise, double us) {
  TruthCase one{name, plan_with(std::move(effect), noise), us, us};
  one.clock = "awaited";
  return one;
}

TruthCase of_every_step(const std::string& name, double us, const HostNoise& noise) {
  return {name, plan_with(every_step(us), noise), us, us};
}

std::vector<std::string> nine_arms() {
  return {"raw",         "raw_again",   "trainer",      "injected",     "trainer+log",
          "trainer+bar", "trainer+csv", "trainer+clip", "trainer+hooks"};
}

std::vector<TruthCase> awaited_cases() {
  return {
      awaited("awaited: nothing, mild noise", {}, mild(), 0),
      awaited("awaited: nothing, full noise", {}, full(), 0),
      awaited("awaited: waits 50 us, mild noise", waits(50), mild(), 50),
      awaited("awaited: waits 50 us, full noise", waits(50), full(), 50),
      awaited("awaited: computes 50 us, full noise", every_step(50), full(), 50),
      awaited("awaited: waits 10 us, mild noise", waits(10), mild(), 10),
      awaited("awaited: waits 30 us behind a peer that is 10 % slower", waits(30, true), mild(), 0),
      awaited("awaited: waits 50 us on one rank, the other as fast", waits(50, true), quiet(), 50 - kLongerOfTwo * 0.002 * 620),
  };
}

bool holds(double lo, double hi, double truth) { return lo <= truth && truth <= hi; }

void add(TruthTally& tally, const TruthCase& truth, const OverheadRow& row) {
  const double centre = std::isnan(truth.over_launches_us) ? truth.centre_us : truth.over_launches_us;
  ++tally.campaigns;
  ++tally.verdicts[row.verdict];
  tally.centre_held += holds(row.overhead_us.lo, row.overhead_us.hi, centre) ? 1 : 0;
  tally.mean_held += holds(row.overhead_us_of_means_lo, row.overhead_us_of_means_hi, truth.mean_us) ? 1 : 0;
  tally.rank_held += holds(row.largest_rank_us.lo, row.largest_rank_us.hi, truth.largest_rank_us) ? 1 : 0;
  tally.bounds_held += holds(row.at_least_us, row.at_most_us, centre) ? 1 : 0;
  tally.rank_named += row.largest_rank == 0 ? 1 : 0;
  tally.qualified += row.qualified.empty() ? 0 : 1;
  tally.width_us += 0.5 * (row.overhead_us.hi - row.overhead_us.lo);
  const bool must_be_named = std::fabs(centre) >= 2 * row.resolution_us && std::fabs(centre) > row.margin_us;  // not of a NaN
  if (!must_be_named) return;
  ++tally.beyond_twice_resolution;
  tally.named_beyond_it += row.verdict == (centre > 0 ? verdict::kSlower : verdict::kFaster) ? 1 : 0;
}

}  // namespace

std::vector<TruthCase> truth_cases() {
  std::vector<TruthCase> cases{
      of_every_step("nothing, mild noise", 0, mild()),
      of_every_step("nothing, full noise", 0, full()),
      {"1 ms in every 10th step", plan_with(every_tenth_step(1000)), 100, kNotMeasured},
      {"100 us in a tenth of the blocks", plan_with(some_blocks(0.1, 100)), 10, kNotMeasured},
      {"40 us in a quarter of the blocks", plan_with(some_blocks(0.25, 40)), 10, kNotMeasured},
      of_every_step("+50 us, mild noise", 50, mild()),
      of_every_step("+50 us, full noise", 50, full()),
      of_every_step("+10 us, mild noise", 10, mild()),
      of_every_step("+10 us, full noise", 10, full()),
      of_every_step("-10 us, mild noise", -10, mild()),
      {"10 us on one rank of 2", plan_with(rank0(10)), 5, 5, 10},
      {"10 us on one rank of 8", plan_with(rank0(10)), 1.25, 1.25, 10},
      {"10 us on one rank of 2, the other 5 % slower", plan_with(rank0(10)), 5, 5, 10},
      {"no cost, three times the scatter", plan_with({}), 0, kNotMeasured},
      {"no cost, the next block is 5 % slower", plan_with(slow_successor(0.05)), 0, 0},
      {"the same with nine arms", plan_with(slow_successor(0.05)), 0, 0},
      {"A/A and trainer off by -1.6 us", plan_with(off_alike(-1.6)), -1.6, -1.6},
      of_every_step("+10 us, a clock of 100 us ticks", 10, mild()),
      {"0 to 8 us along the run", plan_with(growing(8)), 4, 4},
      {"+30 us in disturbed blocks, one of two", plan_with({}), 15, 15},
      of_every_step("by fastest steps: nothing, full noise", 0, full()),
      of_every_step("by fastest steps: +10 us, full noise", 10, full()),
      of_every_step("by fastest steps: -10 us, full noise", -10, full()),
      {"by fastest steps: no cost, three times the scatter", plan_with({}), 0, kNotMeasured},
      {"by fastest steps: no cost, 1.2 times the scatter", plan_with({}), 0, kNotMeasured},
      {"by fastest steps: no cost, 0.8 times the scatter", plan_with({}), 0, kNotMeasured},
      {"10 launches, 20 us in every fifth", plan_with(in_some_launches(20)), 4, 0, kNotMeasured, 4},
  };
  for (auto& one : awaited_cases()) cases.push_back(std::move(one));
  for (auto& one : cases) {
    auto& plan = one.plan;
    if (one.name.find("rank of 8") != std::string::npos) plan.ranks = 8;
    if (one.name.find("5 % slower") != std::string::npos && one.name.starts_with("10 us")) plan.slower_rank = 0.05;
    if (one.name.find("peer that is 10 % slower") != std::string::npos) plan.slower_rank = 0.1;
    plan.fastest_step = one.name.starts_with("by fastest steps");
    if (one.name.find("scatter") != std::string::npos) plan.effect.jitter_factor = 3;
    if (one.name.find("1.2 times") != std::string::npos) plan.effect.jitter_factor = 1.2;
    if (one.name.find("0.8 times") != std::string::npos) plan.effect.jitter_factor = 0.8;
    if (one.name.find("nine arms") != std::string::npos) plan.arms = nine_arms();
    if (one.name.find("ticks") != std::string::npos) plan.tick_us = 100;
    if (one.name.find("disturbed") != std::string::npos) {
      plan.disturbed_share = 0.5;
      plan.effect.added_us = [plan](const StepPlace& at) {
        return is_trainer(at) && is_flagged(plan, at.super_block) ? 30.0 : 0.0;
      };
    }
    if (one.name.starts_with("10 launches")) {
      plan.launches = 10;
      plan.super_blocks = 100;
    }
  }
  return cases;
}

const TruthCase& truth_case(const std::string& name) {
  static const auto kCases = truth_cases();
  const auto found = std::find_if(kCases.begin(), kCases.end(), [&](const TruthCase& one) { return one.name == name; });
  if (found == kCases.end()) throw Error("no case '" + name + "'");
  return *found;
}

int TruthTally::of(const char* verdict) const {
  const auto found = verdicts.find(verdict);
  return found == verdicts.end() ? 0 : found->second;
}

TruthTally tally(const TruthCase& truth, int campaigns) {
  TruthTally found;
  for (int seed = 1; seed <= campaigns; ++seed) {
    const auto rows = overhead_rows(campaign(truth.plan, static_cast<std::uint64_t>(seed)));
    add(found, truth, row_of(rows, "trainer", truth.clock));
  }
  found.width_us /= campaigns;
  return found;
}

const OverheadRow& row_of(const std::vector<OverheadRow>& rows, const std::string& arm, const std::string& clock,
                          const std::string& cell) {
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const OverheadRow& row) {
    return row.arm == arm && row.clock == clock && row.cell_id == cell;
  });
  if (found == rows.end()) throw Error("no row of " + arm + " on " + clock + " in " + cell);
  return *found;
}

}  // namespace ddpbench
