#include "suite/plan/cells.hpp"

#include <charconv>
#include <map>
#include <unordered_set>
#include <utility>

#include "suite/plan/constraint.hpp"
#include "suite/plan/constraint_names.hpp"
#include "suite/plan/launch_seed.hpp"
#include "suite/plan/plan.hpp"
#include "suite/plan/protocol_table.hpp"
#include "suite/plan/standard_axes.hpp"
#include "suite/plan/wording.hpp"
#include "suite/vocab/errors.hpp"
#include "suite/vocab/registry.hpp"

namespace ddpbench {
namespace {

using Swept = std::vector<std::pair<std::string, std::string>>;

ConstraintValue value_for_constraints(const Axis& axis, const std::string& text) {
  ConstraintValue value{.text = text, .condition = text == "true"};
  if (axis.type == OptionType::kInteger || axis.type == OptionType::kNumber) {
    std::from_chars(text.data(), text.data() + text.size(), value.number);
  }
  return value;
}

// Walks the product of the axes like the wheels of a mileage counter.
class Odometer {
 public:
  explicit Odometer(const std::vector<Axis>& axes) : axes_(axes), digits_(axes.size(), 0), values_(axes.size()) {
    for (std::size_t i = 0; i < axes.size(); ++i) set(i, 0);
  }

  const std::string& text(std::size_t axis) const { return axes_[axis].values[digits_[axis]]; }
  const std::vector<ConstraintValue>& values() const { return values_; }

  bool advance() {
    for (std::size_t i = axes_.size(); i-- > 0;) {
      if (digits_[i] + 1 < axes_[i].values.size()) {
        set(i, digits_[i] + 1);
        return true;
      }
      set(i, 0);
    }
    return false;
  }

 private:
  void set(std::size_t axis, std::size_t digit) {
    digits_[axis] = digit;
    values_[axis] = value_for_constraints(axes_[axis], text(axis));
  }

  const std::vector<Axis>& axes_;
  std::vector<std::size_t> digits_;
  std::vector<ConstraintValue> values_;
};

// Every option of the entry: the swept value, else the given one, else the default. `used` gets the swept ones that the entry
// has.
std::map<std::string, std::string> options_of(const VocabularyEntry& entry, const std::map<std::string, OptionValue>& given,
                                              const Swept& swept, Swept& used) {
  std::map<std::string, std::string> options;
  for (const auto& option : entry.options) {
    const auto found = given.find(option.name);
    options[option.name] = found == given.end() ? option.default_value : found->second.text;
    for (const auto& [name, value] : swept) {
      if (name != option.name) continue;
      options[name] = value;
      used.emplace_back(name, value);
    }
  }
  return options;
}

void follow(const Protocol& protocol, LaunchSpec& spec) {
  spec.block_steps = protocol.block_steps;
  spec.margin_percent = protocol.margin_percent;
  spec.margin_us = protocol.margin_us;
  spec.warmup_steps = protocol.warmup_steps;
  spec.max_seconds = protocol.max_seconds_per_launch;
  spec.min_super_blocks = protocol.min_super_blocks;
  spec.max_super_blocks = protocol.max_super_blocks;
  spec.injected_us = protocol.injected_us;
  spec.hang_timeout_seconds = protocol.hang_timeout_seconds;
  spec.threads_per_rank = protocol.threads_per_rank;
  spec.deterministic = protocol.deterministic;
  spec.cudnn_benchmark = protocol.cudnn_benchmark;
}

class CellMaker {
 public:
  CellMaker(const Experiment& experiment, const Vocabulary& vocabulary) : experiment_(experiment), vocabulary_(vocabulary) {
    for (const auto& text : experiment.constraints) constraints_.push_back(Constraint::parse(text, constraint_names(experiment)));
    drops_.resize(constraints_.size(), 0);
  }

  Cells all() {
    Odometer odometer(experiment_.axes);
    do {
      if (passes(odometer)) keep(cell_at(odometer));
    } while (odometer.advance());
    if (cells_.kept.empty()) throw UsageError(nothing_left());
    return std::move(cells_);
  }

 private:
  bool passes(const Odometer& odometer) {
    for (std::size_t i = 0; i < constraints_.size(); ++i) {
      if (holds(constraints_[i], odometer)) continue;
      ++drops_[i];
      ++cells_.dropped;
      return false;
    }
    return true;
  }

  bool holds(const Constraint& constraint, const Odometer& odometer) const {
    try {
      return constraint.holds(odometer.values());
    } catch (const UsageError& error) {
      throw UsageError(experiment_.origin.path + ": constraint in cell " + cell_at(odometer).spec.cell_id + ": " + error.what());
    }
  }

  PlannedCell cell_at(const Odometer& odometer) const {
    PlannedCell cell{.spec = {}, .protocol = experiment_.protocol, .options = {}};
    Swept swept, used;
    for (std::size_t i = 0; i < experiment_.axes.size(); ++i) {
      const auto& name = experiment_.axes[i].name;
      if (const auto* axis = find_standard_axis(name)) {
        set_axis(*axis, odometer.text(i), cell.spec);
      } else if (const auto* field = find_protocol_field(name)) {
        set_field(*field, odometer.text(i), cell.protocol);
        used.emplace_back(name, odometer.text(i));
      } else {
        swept.emplace_back(name, odometer.text(i));
      }
    }
    follow(cell.protocol, cell.spec);
    fill_options(swept, used, cell);
    return cell;
  }

  void fill_options(const Swept& swept, Swept& used, PlannedCell& cell) const {
    const Swept of_protocol = used;
    auto& spec = cell.spec;
    spec.workload_options =
        options_of(find_entry(vocabulary_.workloads, "workload", spec.workload), experiment_.workload_options, swept, used);
    spec.strategy_options =
        options_of(find_entry(vocabulary_.strategies, "strategy", spec.strategy), experiment_.strategy_options, swept, used);
    spec.cell_id = cell_id(spec, used);
    const auto append = [&](const auto& options) {
      for (const auto& [name, value] : options) cell.options += (cell.options.empty() ? "" : ";") + name + "=" + value;
    };
    append(spec.workload_options);
    append(spec.strategy_options);
    append(of_protocol);
  }

  void keep(PlannedCell cell) {
    if (!seen_.insert(cell.spec.cell_id).second) {
      ++cells_.merged;
      return;
    }
    const auto contradiction = contradiction_in(cell);
    if (!contradiction.empty())
      throw UsageError(experiment_.origin.path + ": in cell " + cell.spec.cell_id + ": " + contradiction);
    launches_ += cell.protocol.launches;
    if (launches_ > kMaxLaunches) throw UsageError(too_many_launches());
    cells_.kept.push_back(std::move(cell));
  }

  std::string contradiction_in(const PlannedCell& cell) const {
    const auto& spec = cell.spec;
    if (auto why = why_contradictory(cell.protocol); !why.empty()) return why;
    const auto& workload = find_entry(vocabulary_.workloads, "workload", spec.workload);
    if (auto why = why_contradictory(workload.options, spec.workload_options); !why.empty()) return why;
    return why_contradictory(find_entry(vocabulary_.strategies, "strategy", spec.strategy).options, spec.strategy_options);
  }

  std::string too_many_launches() const {
    return experiment_.origin.path + ": the cells have more than " + std::to_string(kMaxLaunches) +
           " launches: must be at most that (fewer values on the axes, a constraint, or protocol.launches = " +
           std::to_string(experiment_.protocol.launches) + " lowered)";
  }

  std::string nothing_left() const {
    std::string text = experiment_.origin.path + ": the constraints leave none of " +
                       counted(static_cast<std::int64_t>(cells_.dropped), "cell") + ": must leave at least one";
    for (std::size_t i = 0; i < constraints_.size(); ++i) {
      text += "\n    dropped " + std::to_string(drops_[i]) + ": " + shown(constraints_[i].text());
    }
    return text;
  }

  const Experiment& experiment_;
  const Vocabulary& vocabulary_;
  std::vector<Constraint> constraints_;
  std::vector<std::size_t> drops_;
  std::unordered_set<std::string> seen_;
  std::int64_t launches_ = 0;
  Cells cells_;
};

}  // namespace

Cells make_cells(const Experiment& experiment, const Vocabulary& vocabulary) { return CellMaker(experiment, vocabulary).all(); }

std::string cell_id(const LaunchSpec& spec, const std::vector<std::pair<std::string, std::string>>& swept_options) {
  std::string id = spec.workload + "-" + spec.strategy + "-" + spec.backend + "-n" + std::to_string(spec.nodes) + "r" +
                   std::to_string(spec.ranks_per_node);
  if (spec.devices_per_rank != 1) id += "d" + std::to_string(spec.devices_per_rank);
  id += "-" + spec.precision + "-b" + std::to_string(spec.batch_size_per_rank);
  for (const auto& [name, value] : swept_options) id += "-" + name + "=" + value;
  return file_safe(id);
}

std::string file_safe(const std::string& text) {
  constexpr std::size_t kMaxBytes = 150;  // 255 less room for a repetition, an arm and an ending
  constexpr std::string_view kHex = "0123456789abcdef";
  constexpr std::string_view kSafe = "_+-=.";
  std::string safe;
  for (const char c : text) {
    const bool alphanumeric = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (alphanumeric || kSafe.find(c) != std::string_view::npos) {
      safe += c;
    } else {
      const auto byte = static_cast<unsigned char>(c);
      safe += {'~', kHex[byte / 16], kHex[byte % 16]};
    }
  }
  if (safe.size() <= kMaxBytes) return safe;
  return safe.substr(0, kMaxBytes - 24) + "~" + std::to_string(fnv1a(text));
}

}  // namespace ddpbench
