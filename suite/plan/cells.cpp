#include "suite/plan/cells.hpp"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "suite/base/errors.hpp"
#include "suite/base/not_measured.hpp"
#include "suite/base/numbers.hpp"
#include "suite/base/text.hpp"
#include "suite/contract/launch/axes.hpp"
#include "suite/contract/launch/protocol.hpp"
#include "suite/contract/vocabulary/arm_name.hpp"
#include "suite/contract/vocabulary/option_groups.hpp"
#include "suite/plan/constraint.hpp"
#include "suite/plan/constraint_names.hpp"
#include "suite/plan/launch_seed.hpp"
#include "suite/plan/message_text.hpp"
#include "suite/plan/option_resolver.hpp"
#include "suite/plan/plan.hpp"

namespace ddpbench {
namespace {

ConstraintValue value_for_constraints(const Axis& axis, const std::string& text) {
  ConstraintValue value{.text = text, .condition = text == "true"};
  if (axis.type == OptionType::kInteger || axis.type == OptionType::kNumber) {
    value.number = parse_number<double>(text).value_or(kNotMeasured);  // "default": to compare it with a number is false
  }
  return value;
}

// Walks the product of the axes like the wheels of a mileage counter.
class Odometer {
 public:
  Odometer(const std::vector<Axis>& axes, std::int64_t gpus) : axes_(axes), digits_(axes.size(), 0), values_(axes.size()) {
    for (std::size_t i = 0; i < axes.size(); ++i) set(i, 0);
    values_.push_back({.number = static_cast<double>(gpus), .text = {}});
  }

  const std::string& text(std::size_t axis) const { return axes_[axis].values[digits_[axis]]; }
  const std::vector<ConstraintValue>& values() const { return values_; }  // in the order of constraint_names

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

std::vector<const StandardAxis*> axes_of_an_id() {
  std::vector<const StandardAxis*> axes;
  for (const auto& axis : standard_axes()) axes.push_back(&axis);
  std::stable_sort(axes.begin(), axes.end(), [](const auto* a, const auto* b) { return a->id_place < b->id_place; });
  return axes;
}

class CellMaker {
 public:
  CellMaker(const Experiment& experiment, const Vocabulary& vocabulary, const Availability& availability)
      : experiment_(experiment),
        gpus_(availability.gpus),
        launcher_{availability.launcher},
        resolvers_(option_resolvers(experiment, vocabulary)) {
    for (const auto& arm : experiment.arms) arms_.push_back(base_of_arm(arm));
    for (const auto& axis : experiment.axes) targets_.push_back({find_standard_axis(axis.name), find_protocol_field(axis.name)});
    for (const auto& text : experiment.constraints) constraints_.push_back(Constraint::parse(text, constraint_names(experiment)));
    drops_.resize(constraints_.size(), 0);
    for (const auto& [arm, text] : experiment.arms_where) {
      wanted_where_.emplace_back(arm, Constraint::parse(text, constraint_names(experiment)));
    }
    for (const auto& [purpose, text] : experiment.extra_where) {
      extra_where_.emplace_back(purpose, Constraint::parse(text, constraint_names(experiment)));
    }
  }

  Cells all() {
    Odometer odometer(experiment_.axes, gpus_);
    do {
      if (passes(odometer)) keep(cell_with_arms(odometer));
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

  bool holds(const Constraint& constraint, const Odometer& odometer) {
    try {
      return constraint.holds(odometer.values());
    } catch (const UsageError& error) {
      throw UsageError(experiment_.origin.path + ": constraint in cell " + cell_at(odometer).cell.spec.cell_id + ": " +
                       error.what());
    }
  }

  struct Made {
    PlannedCell cell;
    std::string contradiction;
  };

  // What an axis sets: a standard one, else a field of the protocol, else an option.
  struct Target {
    const StandardAxis* axis;
    const ProtocolField* field;
  };

  Made cell_at(const Odometer& odometer) {
    Made made;
    auto& spec = made.cell.spec;
    spec.protocol = experiment_.protocol;
    Swept swept, of_protocol;
    for (std::size_t i = 0; i < targets_.size(); ++i) {
      if (targets_[i].axis != nullptr) {
        set_axis(*targets_[i].axis, odometer.text(i), spec);
      } else if (targets_[i].field != nullptr) {
        set_field(*targets_[i].field, odometer.text(i), spec.protocol);
        of_protocol.emplace_back(experiment_.axes[i].name, odometer.text(i));
      } else {
        swept.emplace_back(experiment_.axes[i].name, odometer.text(i));
      }
    }
    fill_options(swept, of_protocol, made);
    return made;
  }

  Made cell_with_arms(const Odometer& odometer) {
    auto made = cell_at(odometer);
    for (const auto& [arm, constraint] : wanted_where_) {
      if (!holds(constraint, odometer)) made.cell.unwanted.push_back(arm);
    }
    for (const auto& [purpose, constraint] : extra_where_) {
      if (holds(constraint, odometer)) made.cell.extra_for.push_back(purpose);
    }
    return made;
  }

  void fill_options(const Swept& swept, const Swept& of_protocol, Made& made) {
    auto& spec = made.cell.spec;
    auto& text = made.cell.options;
    made.contradiction = why_contradictory(spec.protocol);
    auto used = of_protocol;
    for (auto& resolver : resolvers_) {
      const auto& resolved = resolver.resolved(chosen(resolver.group(), spec), swept);
      spec.options[resolver.group().group] = resolved.options;
      used.insert(used.end(), resolved.used.begin(), resolved.used.end());
      if (!resolved.text.empty()) text += (text.empty() ? "" : ";") + resolved.text;
      if (made.contradiction.empty()) made.contradiction = resolved.contradiction;
    }
    spec.cell_id = cell_id(spec, used);
    for (const auto& [name, value] : of_protocol) text += (text.empty() ? "" : ";") + name + "=" + value;
  }

  std::vector<std::string> chosen(const OptionGroupEntry& group, const Axes& axes) const {
    if (group.selector == EntrySelector::kAxis) return {text_of(*find_standard_axis(group.name), axes)};
    return group.selector == EntrySelector::kArms ? arms_ : launcher_;
  }

  void keep(Made made) {
    auto& cell = made.cell;
    if (!seen_.insert(cell.spec.cell_id).second) {
      ++cells_.merged;
      return;
    }
    if (!made.contradiction.empty()) {
      throw UsageError(experiment_.origin.path + ": in cell " + cell.spec.cell_id + ": " + made.contradiction);
    }
    launches_ += cell.spec.protocol.launches;
    if (launches_ > kMaxLaunches) throw UsageError(too_many(kMaxLaunches, "launches"));
    if (launches_ * static_cast<std::int64_t>(arms_.size()) > kMaxPlannedArms)
      throw UsageError(too_many(kMaxPlannedArms, "arms of launches"));
    cells_.kept.push_back(std::move(cell));
  }

  std::string too_many(std::int64_t bound, const char* of_what) const {
    return experiment_.origin.path + ": more than " + std::to_string(bound) + " " + of_what +
           " in all: must be at most that (use fewer values on the axes, a constraint, or protocol.launches below " +
           std::to_string(experiment_.protocol.launches) + ")";
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
  std::int64_t gpus_;
  std::vector<std::string> arms_, launcher_;  // their names, as the groups' tables have them
  std::vector<OptionResolver> resolvers_;
  std::vector<Target> targets_;  // of the axes
  std::vector<Constraint> constraints_;
  std::vector<std::size_t> drops_;
  std::vector<std::pair<std::string, Constraint>> wanted_where_;  // by arm
  std::vector<std::pair<std::string, Constraint>> extra_where_;   // by purpose
  std::unordered_set<std::string> seen_;
  std::int64_t launches_ = 0;
  Cells cells_;
};

}  // namespace

Cells make_cells(const Experiment& experiment, const Vocabulary& vocabulary, const Availability& availability) {
  return CellMaker(experiment, vocabulary, availability).all();
}

std::string cell_id(const Axes& axes, const std::vector<std::pair<std::string, std::string>>& swept_options) {
  static const auto in_order = axes_of_an_id();
  std::string id;
  for (const auto* axis : in_order) {
    if (axis->visibility == IdVisibility::kUnlessDefault && is_default(*axis, axes)) continue;
    id += axis->id_mark + text_of(*axis, axes);
  }
  id.erase(0, 1);  // the mark before the first name
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
