#include "reports/analysis/answer/cost_phrases.hpp"

#include <algorithm>
#include <cmath>

#include "reports/analysis/comparisons/periodic_cost.hpp"
#include "reports/analysis/phrases/number_phrases.hpp"
#include "reports/analysis/verdicts/row_phrases.hpp"
#include "suite/base/text.hpp"
#include "suite/contract/status.hpp"
#include "suite/estimates/estimate.hpp"

namespace ddpbench {
namespace {

// "39 us per step over raw DDP", "39 us of wall time per step over raw DDP"
std::string of_what(const Subject& subject, const std::string& cost) {
  const auto of_clock = subject.row.clock == clock_name::kAwaited ? "" : " of " + clock_phrase(subject.row.clock);
  return cost + of_clock + " per step over " + reference_phrase(*subject.span.shortest.cell, subject.row.reference);
}

std::string between_phrase(const Estimate& us) {
  const auto told = durations_apart({us.lo, us.hi});
  return "between " + told.texts[0] + " and " + told.texts[1] + told.unit;
}

// A figure and its bounds, in one unit: `of` places the figure in its sentence ("39 us per step over raw DDP", ", between 38 and 40 us"). Where a bound
// says too little, the bounds alone.
template <class Of>
std::string size_phrase(const Estimate& us, const Of& of) {
  if (!is_tellable(us.value, us.lo, us.hi)) return of(between_phrase(us));
  const auto told = durations_apart({us.value, us.lo, us.hi});
  return of(told.texts[0] + told.unit) + ", between " + told.texts[1] + " and " + told.texts[2] + told.unit;
}

// Of what a cost is made, where it is surely not CPU time alone: "; 0.5 ms computing, 0.7 ms waiting".
std::string parts_phrase(const Subject& subject) {
  const auto& row = subject.row;
  constexpr double kTellableUs = 0.05;  // less is printed as nothing
  const bool differ = row.waiting_us.lo > kTellableUs || row.waiting_us.hi < -kTellableUs;
  if (!differ || rests_on_mean(row) || subject.on_cpu == nullptr || !has_estimate(*subject.on_cpu)) return "";
  const auto part = [](const Estimate& us, const char* doing) {
    const auto size = us.value < 0 ? Estimate{-us.value, -us.hi, -us.lo, us.n} : us;
    const auto told = durations_apart({size.value, size.lo, size.hi});
    return told.texts[0] + told.unit + (us.value < 0 ? " less " : " ") + doing + " (" + told.texts[1] + " to " + told.texts[2] +
           ")";
  };
  return "; " + part(told_us(*subject.on_cpu), "computing") + ", " + part(row.waiting_us, "waiting");
}

std::string resolved_phrase(const Subject& subject, const Estimate& whole) {
  const auto& row = subject.row;
  if (row.verdict == verdict::kEquivalent) {
    return row.arm + " costs nothing that matters: " + of_what(subject, between_phrase(whole));
  }
  const bool costs = row.verdict == verdict::kSlower;
  const bool shows = costs ? whole.lo > 0 : whole.hi < 0;
  const auto on_average = rests_on_mean(row) ? std::string(" on average: some steps cost more than the median one, which ") +
                                                   (whole_us(row).value < 0 ? "saves " : "costs ") +
                                                   short_duration_text(std::fabs(whole_us(row).value))
                                             : "";
  if (!shows)
    return row.arm + " costs something over " + reference_phrase(*subject.span.shortest.cell, row.reference) + ": " + row.reason;
  return row.arm + (costs ? " costs " : " saves ") +
         size_phrase(without_sign(whole), [&](const std::string& size) { return of_what(subject, size); }) + on_average +
         parts_phrase(subject);
}

// The bound holds what the A/A pair differs by; of a smaller part of it nothing is said.
constexpr double kAaShare = 0.1;

std::string open_phrase(const Subject& subject) {
  const auto& row = subject.row;
  if (!(row.at_most_us > 0))
    return row.arm + " saves at most " + of_what(subject, short_duration_text(-row.at_least_us)) + ", if anything";
  const auto most = of_what(subject, short_duration_text(row.at_most_us));
  if (row.at_least_us > 0) {
    const Estimate bounds{row.overhead_us.value, row.at_least_us, row.at_most_us, 0};
    return row.arm + " probably costs something, " + of_what(subject, between_phrase(bounds));
  }
  const bool aa_counts = aa_excludes_zero(row) && (row.overhead_us.lo > 0 || farther_aa_us(row) > kAaShare * row.at_most_us);
  const auto why = aa_counts ? ": the same code twice differs by up to " + short_duration_text(farther_aa_us(row)) : "";
  return row.arm + " costs at most " + most + ", and perhaps nothing" + why;
}

}  // namespace

std::string cost_sentence(const Subject& subject) {
  const auto& row = subject.row;
  if (!has_estimate(row)) return "What " + row.arm + " costs cannot be said: " + row.reason + ".";
  return (is_resolved(row) ? resolved_phrase(subject, told_us(row)) : open_phrase(subject)) + ".";
}

std::string wall_sentence(const Subject& subject) {
  const auto& row = subject.row;
  if (row.clock != clock_name::kAwaited || subject.on_wall == nullptr || !is_resolved(*subject.on_wall)) return "";
  const auto awaited = told_us(row), wall = told_us(*subject.on_wall);
  if (!(wall.lo > awaited.hi + row.margin_us) && !(wall.hi < awaited.lo - row.margin_us)) return "";
  return std::string("On the wall clock, which includes waiting for a free core, it ") + (wall.hi < 0 ? "saves " : "costs ") +
         size_phrase(without_sign(wall), [](const std::string& size) { return size; }) + ".";
}

std::string cpu_sentence(const Subject& subject) {
  const auto* cpu = subject.on_cpu;
  if (is_resolved(subject.row) || cpu == nullptr || cpu == &subject.row || cpu->verdict != verdict::kSlower) return "";
  const auto us = told_us(*cpu);
  if (!(us.lo > 0)) return "";
  return "It surely uses more CPU time, " + size_phrase(us, [](const std::string& size) { return size; }) +
         "; whether that makes the step longer is open.";
}

// Costs of the resolution are mostly called so, of twice as much nearly always (tests/reports/truths, "WhatTheResolutionIsIsSeen").
std::string seen_phrase(const OverheadRow& row) {
  return "a cost of " + short_duration_text(2 * row.seen_us) + " would nearly always be seen, one of " +
         short_duration_text(row.seen_us) + " mostly";
}

// What those pairs mean for the figure depends on the clock: awaited time leaves out what other programs and a quota took, and not what the
// hypervisor did; the wall holds all of it.
std::string disturbed_phrase(const OverheadRow& row, const Disturbances& found) {
  if (!std::isfinite(row.disturbed_percent)) return "";
  const bool by_quota = found.quota > found.programs + found.hypervisor, by_machines = found.hypervisor > found.programs;
  const auto* who = by_quota ? "the CPU quota" : by_machines ? "other machines" : "other programs";
  const auto text = std::string(who) + " disturbed " + number_text(row.disturbed_percent, 2) + " % of the pairs";
  if (!(row.disturbed_percent > 0)) return text;
  if (row.clock != clock_name::kAwaited && row.clock != clock_name::kWall) return text;
  const bool is_left_out = row.clock == clock_name::kAwaited && (by_quota || !by_machines);
  return text + "; the time that " + (by_quota ? "it" : "they") + " took is " + (is_left_out ? "left out" : "in the figures");
}

std::string launches_phrase(std::int64_t launches) { return launches == 1 ? "one launch" : counted(launches, "launch"); }

std::string sure_sentence(const Subject& subject) {
  const auto& row = subject.row;
  if (std::isfinite(row.settle_launches)) {
    const auto time = std::isnan(row.settle_minutes) ? "" : " (" + minutes_text(row.settle_minutes) + ")";
    return "About " + counted(std::llround(row.settle_launches), "launch") + " of " +
           counted(std::llround(row.settle_pairs), "pair") + time + " would settle the cost of " + row.arm +
           (subject.has_other_cells ? " on " + subject.span.shortest.cell->label : "") +
           (row.launches == 1 ? ", if launches are alike." : ".");
  }
  if (row.launches == 1) return "Measured in one launch: five would tell whether it repeats.";
  return "This was seen over " + launches_phrase(row.launches) + ".";
}

std::vector<std::string> control_phrase(const OverheadRow& row, const OverheadRow* control) {
  std::vector<std::string> phrases;
  if (aa_excludes_zero(row)) {
    const auto nearer = durations_apart({std::fmin(std::fabs(row.aa_lo), std::fabs(row.aa_hi)), farther_aa_us(row)});
    phrases.push_back("the same code twice differs by " + nearer.texts[0] + " to " + nearer.texts[1] + nearer.unit);
  } else if (std::isfinite(farther_aa_us(row))) {
    phrases.push_back("the same code twice agrees within " + margin_text(farther_aa_us(row)));
  }
  if (control != nullptr && std::isfinite(row.injected_us) && std::isfinite(row.injected_true_us)) {
    const auto found = durations_apart({control->overhead_us.value, control->overhead_us.lo, control->overhead_us.hi});
    phrases.push_back("a delay of " + short_duration_text(row.injected_true_us) + " was found as " + found.texts[0] + found.unit +
                      " (" + found.texts[1] + " to " + found.texts[2] + ")");
  }
  return phrases;
}

// What instructions say where time leaves open what an arm costs; "" where they say nothing.
std::string instruction_sentence(const Subject& subject, const std::vector<InstructionRow>& rows) {
  const auto& row = subject.row;
  if (row.verdict != verdict::kAmbiguous) return "";
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const InstructionRow& counted) {
    return counted.kind == instruction_kind::kArm && counted.cell_id == row.cell_id && counted.arm == row.arm;
  });
  if (found == rows.end() || found->verdict == instruction_verdict::kOpen || found->verdict == instruction_verdict::kNone)
    return "";
  const auto percent = [&](double of) { return number_text(std::fabs(found->percent(of)), 2) + " %"; };
  const bool is_less = found->verdict == instruction_verdict::kFewer;
  const auto lo = is_less ? -found->extra.hi : found->extra.lo, hi = is_less ? -found->extra.lo : found->extra.hi;
  const auto from = count_phrase(lo), to = count_phrase(hi);
  const auto size = (from == to ? from : "between " + from + " and " + to) + " a step";
  if (found->verdict == instruction_verdict::kEqual)
    return "Counted in instructions, " + row.arm + " does as much as " + row.reference + " to within " + percent(found->margin) +
           ": the difference is " + size + ".";
  return "Counted in instructions, which noise hardly moves, " + row.arm + " does " + percent(found->extra.value) +
         (is_less ? " less than " : " more than ") + row.reference + ": " + size + ".";
}

}  // namespace ddpbench
