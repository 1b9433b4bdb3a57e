#include "suite/plan/plan_text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <span>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "suite/base/text.hpp"
#include "suite/contract/launch/protocol.hpp"
#include "suite/contract/launch/purposes.hpp"
#include "suite/contract/vocabulary/option_groups.hpp"
#include "suite/contract/vocabulary/registry.hpp"
#include "suite/plan/message_text.hpp"

namespace ddpbench {
namespace {

std::string rounded(double value) {
  std::array<char, 32> buffer{};
  std::snprintf(buffer.data(), buffer.size(), "%.3g", value);
  return value >= 1000 ? readable_number(std::round(value)) : buffer.data();
}

std::string duration_text(double seconds) {
  if (seconds < 120) return rounded(seconds) + " s";
  if (seconds < 7'200) return rounded(seconds / 60) + " min";
  return rounded(seconds / 3'600) + " h";
}

constexpr std::size_t kNames = 28;  // a column of them

// A blank stands behind it, however long it is.
std::string in_column(std::string text, std::size_t width) { return padded(std::move(text), width - 1) + " "; }

// More than these are no longer read one by one: the rest of the planned cells is counted, and skips are told by reason.
constexpr std::size_t kShownCells = 100;

// The launches of one cell that run, or are skipped for one reason.
struct Group {
  const PlannedLaunch* first;
  std::int64_t launches = 0;
};

std::vector<Group> grouped(const Plan& plan, bool skipped) {
  std::vector<Group> groups;
  std::unordered_map<std::string, std::size_t> places;
  for (const auto& launch : plan.launches) {
    if (launch.skip_reason.empty() == skipped) continue;
    const auto [place, fresh] = places.try_emplace(launch.spec.cell_id + "\n" + launch.skip_reason, groups.size());
    if (fresh) groups.push_back({&launch});
    groups[place->second].launches += launch.stands_for;
  }
  return groups;
}

std::int64_t total(const std::vector<Group>& groups) {
  std::int64_t launches = 0;
  for (const auto& group : groups) launches += group.launches;
  return launches;
}

std::string what_text(const Experiment& experiment, const std::vector<ArmFacts>& arms) {
  std::string text = "experiment " + experiment.name + "\n  " + in_column("arms", kNames) + listed(experiment.arms) + "\n";
  for (const auto& [arm, where] : experiment.arms_where) {
    text += "  " + in_column("", kNames) + arm + (find_arm(arms, arm).is_reference() ? ", and what is compared with it," : "") +
            " where " + shown(where, 2'000) + "\n";
  }
  for (const auto& [name, constraint] : experiment.extra_where)
    text += "  " +
            in_column(name + (find_entry(purposes(), "purpose", name).takes_all_arms ? " of all arms" : " of each arm"), kNames) +
            "where " + shown(constraint, 2'000) + "\n";
  text += "\naxes\n";
  for (const auto& axis : experiment.axes) text += "  " + in_column(axis.name, kNames) + listed(axis.values) + "\n";
  for (const auto& constraint : experiment.constraints)
    text += "  " + in_column("constraint", kNames) + shown(constraint, 2'000) + "\n";
  return text;
}

std::string options_text(const Experiment& experiment) {
  std::string text;
  for (const auto& group : kOptionGroups) {
    const auto& options = experiment.options[group.group];
    if (!options.empty()) text += "\n" + std::string(group.name) + " options, as given\n";
    for (const auto& [name, value] : options) text += "  " + in_column(name, kNames) + value.text + "\n";
  }
  return text;
}

std::string protocol_text(const Experiment& experiment) {
  std::string text = "\nprotocol\n";
  for (const auto& field : protocol_fields()) {
    const bool swept =
        std::any_of(experiment.axes.begin(), experiment.axes.end(), [&](const Axis& axis) { return axis.name == field.key; });
    if (swept) continue;  // stands among the axes
    text += "  " + in_column(field.key, kNames) + in_column(text_of(field, experiment.protocol), 8) + help_of(field) + "\n";
  }
  return text;
}

std::string planned_text(const std::vector<Group>& groups, const PlanTextOptions& options) {
  std::string text;
  const auto shown_cells = options.all_commands ? groups.size() : std::min(groups.size(), kShownCells);
  for (const auto& [first, launches] : std::span(groups).first(shown_cells)) {
    text += "  " + first->spec.cell_id + "   " + counted(launches, "launch") + "\n";
    if (!first->options.empty()) text += "      options " + first->options + "\n";
    if (const auto known = options.resolution(*first); !known.empty())
      text += "      an earlier run here resolved: " + known + "\n";
    if (!options.all_commands && options.command) text += "      " + options.command(*first) + "\n";
  }
  if (shown_cells < groups.size()) {
    const auto hidden = static_cast<std::int64_t>(groups.size() - shown_cells);
    text += "  … and " + counted(hidden, "more cell") + " (--all-commands shows all)\n";
  }
  return text.empty() ? "" : "\nplanned, in the order of the first repetition\n" + text;
}

std::string skip_text(const Group& group) {
  return counted(group.launches, "launch") + " (" + listed(group.first->spec.arms) + "): " + group.first->skip_reason + "\n";
}

// A cell per line while there are few.
std::string skips_by_reason(const std::vector<Group>& groups) {
  struct Skips {
    Group all;
    std::int64_t cells = 0;
  };
  std::vector<Skips> reasons;
  std::unordered_map<std::string, std::size_t> places;
  for (const auto& group : groups) {
    const auto& first = *group.first;
    const auto [place, fresh] = places.try_emplace(listed(first.spec.arms) + "\n" + first.skip_reason, reasons.size());
    if (fresh) reasons.push_back({{&first}});
    auto& skips = reasons[place->second];
    skips.all.launches += group.launches;
    ++skips.cells;
  }
  std::string text;
  for (const auto& skips : reasons) text += "  " + counted(skips.cells, "cell") + "   " + skip_text(skips.all);
  return text;
}

std::string skipped_text(const std::vector<Group>& groups, const PlanTextOptions& options) {
  if (groups.empty()) return "";
  if (groups.size() > kShownCells && !options.all_commands) return "\nskipped, by reason\n" + skips_by_reason(groups);
  std::string text = "\nskipped\n";
  for (const auto& group : groups) text += "  " + group.first->spec.cell_id + "   " + skip_text(group);
  return text;
}

std::string order_text(const Plan& plan, const PlanTextOptions& options) {
  if (!options.all_commands || !options.command) return "";
  std::string text = "\nlaunches in their order\n";
  for (const auto& launch : plan.launches) {
    if (launch.skip_reason.empty()) text += "  " + launch.spec.launch_id + "\n      " + options.command(launch) + "\n";
  }
  return text;
}

// Of some seconds each.
std::string extra_text(const Plan& plan) {
  std::map<std::string, std::int64_t> starts;
  for (const auto& launch : plan.launches) {
    for (const auto& extra : launch.extra)
      starts[extra.purpose] += find_entry(purposes(), "purpose", extra.purpose).takes_all_arms ? launch.stands_for : 1;
  }
  std::string text;
  for (const auto& entry : purposes()) {
    const auto found = starts.find(std::string(entry.name));
    if (found == starts.end()) continue;
    text += ", and " + counted(found->second, "start") + (entry.takes_all_arms ? " of all arms for " : " of one arm alone for ") +
            std::string(entry.extra_for);
  }
  return text;
}

std::string sum_text(const Plan& plan, std::int64_t planned, std::int64_t skipped) {
  std::string text = "\n" + counted(static_cast<std::int64_t>(plan.cells), "cell");
  if (plan.dropped_by_constraints > 0)
    text += ", " + std::to_string(plan.dropped_by_constraints) + " more dropped by constraints";
  if (plan.merged > 0)
    text += ", " + std::to_string(plan.merged) + " more without effect (the workload or strategy has no such option)";
  const auto cost = expected_cost(plan);
  return text + "; " + counted(planned, "launch") + " planned, " + std::to_string(skipped) + " skipped" + extra_text(plan) +
         "\nexpected: " + duration_text(expected_seconds(plan)) + " of measuring, " + rounded(cost.gpu_hours) + " GPU-hours, " +
         rounded(cost.cpu_core_hours) +
         " CPU core-hours (the launches' time caps; start-up, and super-blocks that must be taken beyond a cap, come on top)\n";
}

}  // namespace

Cost expected_cost(const Plan& plan) {
  Cost cost;
  for (const auto& launch : plan.launches) {
    if (!launch.skip_reason.empty()) continue;
    const auto& spec = launch.spec;
    const double rank_hours =
        static_cast<double>(launch.stands_for * spec.world_size()) * spec.protocol.max_seconds_per_launch / 3'600;
    if (launch.on_gpus) {
      cost.gpu_hours += rank_hours;
    } else {
      cost.cpu_core_hours += rank_hours * static_cast<double>(spec.protocol.threads_per_rank);
    }
  }
  return cost;
}

std::string points_text(const Plan& plan) {
  auto planned = grouped(plan, false);
  const auto size = [](const Group& group) {
    const auto& spec = group.first->spec;
    return std::tie(spec.nodes, spec.ranks_per_node, spec.batch_size_per_rank, spec.cell_id);
  };
  std::sort(planned.begin(), planned.end(), [&](const Group& a, const Group& b) { return size(a) < size(b); });
  const auto skipped = grouped(plan, true);
  std::string text;
  for (const auto& group : std::span(planned).first(std::min(planned.size(), kShownCells)))
    text += "  " + in_column(group.first->spec.cell_id, 56) + counted(group.launches, "launch") + "\n";
  if (planned.size() > kShownCells)
    text += "  … and " + counted(static_cast<std::int64_t>(planned.size() - kShownCells), "more cell") + "\n";
  return skipped.empty() ? text : text + "skipped, by reason\n" + skips_by_reason(skipped);
}

std::string plan_text(const Plan& plan, const Experiment& experiment, const PlanTextOptions& options) {
  const auto planned = grouped(plan, false);
  const auto skipped = grouped(plan, true);
  std::string text = what_text(experiment, plan.arms) + options_text(experiment) + protocol_text(experiment) +
                     planned_text(planned, options) + skipped_text(skipped, options) + order_text(plan, options);
  if (!options.probed) text += "\nnot probed: what is available on this machine is not known yet; `ddpbench doctor` looks\n";
  return text + sum_text(plan, total(planned), total(skipped));
}

}  // namespace ddpbench
