#include "reports/analysis/samples/families.hpp"

#include <algorithm>
#include <cmath>

#include "reports/analysis/samples/block_series.hpp"
#include "reports/analysis/samples/study.hpp"
#include "suite/base/in_parallel.hpp"
#include "suite/base/median.hpp"
#include "suite/base/text.hpp"
#include "suite/estimates/median_interval.hpp"
#include "suite/estimates/quantity.hpp"

namespace ddpbench {
namespace {

Family& family_named(std::vector<Family>& families, const std::string& reference) {
  const auto found = std::find_if(families.begin(), families.end(), [&](const Family& f) { return f.reference == reference; });
  if (found != families.end()) return *found;
  auto& fresh = families.emplace_back();
  fresh.reference = reference;
  return fresh;
}

// Step of every block of the reference that has one, seconds.
std::vector<double> reference_steps_s(const Cell& cell, const std::string& reference, Clock clock) {
  std::vector<double> steps;
  for (const auto* launch : cell.launches_with({reference})) {
    for (const double b : block_series(*launch->samples.find(reference), clock).of_medians) {
      if (std::isfinite(b)) steps.push_back(std::exp(b));
    }
  }
  return steps;
}

// By batch means (Law, Simulation Modeling and Analysis, 2015, 9.5.3): stretches of the launches that are so long that what drifts within one hardly
// reaches into the next; from kLaunchesForTheirOwnScatter launches on each is one. By order statistics of their medians, since a host may have two
// clock frequencies; of too few by Student's.
double step_error_of(const Cell& cell, const Family& family) {
  constexpr std::size_t kBatches = 10, kFewestInABatch = 4;
  const auto launches = cell.launches_with({family.reference});
  if (launches.empty()) return 0;
  const auto each = launches.size() >= kLaunchesForTheirOwnScatter ? 1 : (kBatches + launches.size() - 1) / launches.size();
  std::vector<double> logs;
  for (const auto* launch : launches) {
    auto blocks = block_series(*launch->samples.find(family.reference), family.step_clock()).of_medians;
    std::erase_if(blocks, [](double log_s) { return !std::isfinite(log_s); });
    const auto batches = std::min(each, blocks.size() / kFewestInABatch);
    for (std::size_t i = 0; i < batches; ++i) {
      const auto at = [&](std::size_t batch) {
        return blocks.begin() + static_cast<std::ptrdiff_t>(batch * blocks.size() / batches);
      };
      logs.push_back(median(std::vector<double>(at(i), at(i + 1))));
    }
  }
  auto interval = median_interval(logs, cell.settings.confidence);
  if (std::isnan(interval.hi)) interval = t_interval(logs, cell.settings.confidence);
  const double log_step = std::log(family.step_s());
  return std::isfinite(interval.hi) ? std::max(interval.hi - log_step, log_step - interval.lo) : 0;
}

// The first arm of the family for which `is_it` holds; where there is none, the name that the tables have for it.
template <class IsIt>
Control control_of(const Study& study, const Family& family, IsIt is_it, const std::string& by_the_tables) {
  for (const auto& name : family.arms) {
    if (is_it(study.facts_of(name))) return {name, true};
  }
  return {by_the_tables, false};
}

void find_controls(const Study& study, Family& family) {
  const auto is_aa = [](const ArmFacts& arm) { return arm.role == ArmRole::kAaControl; };
  family.aa = control_of(study, family, is_aa, aa_control_of(study.vocabulary, family.reference));
  for (const auto& clock : kClocks) {
    // What sleeps also costs what runs behind it on cores that have gone idle: shown, and no gate.
    const auto sleeps = [](const ArmFacts& arm) { return arm.clocks == std::vector<std::string>{clock_name::kAwaited}; };
    const auto checks = [&](const ArmFacts& arm) { return arm.is_delayed() && !sleeps(arm) && holds(arm.clocks, clock.name); };
    const auto by_the_tables = positive_control_of(study.vocabulary, family.reference, clock.name);
    family.clocks[index_of(clock.clock)].control = control_of(study, family, checks, by_the_tables);
  }
}

std::vector<Family> families_of(const Study& study, const Cell& cell) {
  std::vector<Family> families;
  for (const auto& name : cell.arms) {
    const auto& arm = study.facts_of(name);
    auto& family = family_named(families, arm.reference);
    if (!arm.is_reference()) family.arms.push_back(name);
  }
  if (families.empty()) families.emplace_back();  // a damaged plan: a cell without arms
  for (auto& family : families) {
    find_controls(study, family);
    for (const auto& clock : kClocks) {
      auto steps = reference_steps_s(cell, family.reference, clock.clock);
      auto& reference = family.clocks[index_of(clock.clock)];
      reference.is_measured = !steps.empty();
      reference.step_s = median(std::move(steps));
    }
    family.step_error = step_error_of(cell, family);
  }
  return families;
}

// The first one of what a user waits for: a device's where there is one; awaited time, unless a family that was timed lacks it, which nobody would judge
// then; else the wall.
Clock primary_clock(const Study& study) {
  bool has_awaited = false, lacks_awaited = false;
  for (const auto& cell : study.cells) {
    for (const auto& family : cell.families) {
      if (family.on(Clock::kDevice).is_measured) return Clock::kDevice;
      const bool is_awaited = family.on(Clock::kAwaited).is_measured;
      has_awaited |= is_awaited;
      lacks_awaited |= family.on(Clock::kWall).is_measured && !is_awaited;
    }
  }
  return has_awaited && !lacks_awaited ? Clock::kAwaited : Clock::kWall;
}

}  // namespace

void find_families(Study& study) {
  for (std::size_t i = 0; i < study.cells.size(); ++i) study.cells_by_id.emplace(study.cells[i].axes.cell_id, i);
  for (auto& cell : study.cells) {
    for (const auto& arm : cell.arms) cell.micro_batches.push_back(study.facts_of(arm).micro_batches);
  }
  in_parallel(study.cells.size(), reading_threads(),
              [&](std::size_t i, std::size_t /*thread*/) { study.cells[i].families = families_of(study, study.cells[i]); });
  study.primary_clock = primary_clock(study);
}

}  // namespace ddpbench
