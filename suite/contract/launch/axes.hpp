#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "suite/contract/vocabulary/vocabulary.hpp"

namespace ddpbench {

// Holds one value of every standard axis: what a launch, and every row about one, has of them. Is the base of LaunchSpec,
// PlanRow, RunRow, OverheadRow and ScalingRow. The members are the lines of axes.inc.
struct Axes {
#define DDPBENCH_NAME_AXIS(name, default_value, ...) std::string name = default_value;
#define DDPBENCH_SIZE_AXIS(name, default_value, ...) std::int64_t name = default_value;
#include "suite/contract/launch/axes.inc"
#undef DDPBENCH_NAME_AXIS
#undef DDPBENCH_SIZE_AXIS

  std::int64_t world_size() const { return nodes * ranks_per_node; }

  // Returns the axes of what has them: row.axes() = spec.axes().
  Axes& axes() { return *this; }
  const Axes& axes() const { return *this; }
};

// Says whether an id of a cell or a group of cells names the value always, or only where it is not the default.
enum class IdVisibility { kAlways, kUnlessDefault };

// Holds one line of axes.inc.
struct StandardAxis {
  using Member = std::variant<std::string Axes::*, std::int64_t Axes::*>;
  const char* name;
  Member member;
  EntriesOf entries;  // whose names are legal; nullptr: a size from 1 to `maximum`
  double maximum;
  int id_place;         // smaller ones stand further left in a cell's id
  const char* id_mark;  // text before the value there
  IdVisibility visibility;
  const char* words;  // the value as a label says it: "{rank} per node"
  const char* help;
};

// Returns the axes in the order of the columns, which is the order of Experiment::axes.
std::span<const StandardAxis> standard_axes();

// Returns nullptr where there is none of that name.
const StandardAxis* find_standard_axis(std::string_view name);

// Writes the axis' value as field_text does.
std::string text_of(const StandardAxis& axis, const Axes& axes);

// Returns whether the axis has the value of a default Axes.
bool is_default(const StandardAxis& axis, const Axes& axes);

// Returns whether both have the same value on the axis.
bool same_value(const StandardAxis& axis, const Axes& a, const Axes& b);

// Describes the axis as an option: type, bounds or legal names, default.
OptionEntry rule_of(const StandardAxis& axis, const Vocabulary& vocabulary);

// Sets the axis. Throws UsageError where the text is not of its type; whether it is legal is asked of rule_of.
void set_axis(const StandardAxis& axis, const std::string& text, Axes& axes);

}  // namespace ddpbench
