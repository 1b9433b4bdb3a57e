#include "reports/analysis/samples/cell_labels.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "reports/analysis/phrases/axis_phrases.hpp"
#include "suite/contract/launch/axes.hpp"

namespace ddpbench {
namespace {

// A workload's cells: what a label has to tell apart.
class Namesakes {
 public:
  explicit Namesakes(const PlanRow& first) : first_(first) {}

  void add(const PlanRow& axes) {
    ++cells_;
    std::size_t place = 0;
    for (const auto& axis : standard_axes()) {
      if (!same_value(axis, axes, first_)) differs_[place] = true;
      ++place;
    }
    for (const auto& option : options_of(axes)) {
      cells_with_[option].insert(axes.cell_id);
      values_of_[option_name(option)].insert(option);
    }
  }
  // A part stands in a label when another of the cells has another one. `lacking_tells`: also when another has none; options that come with a
  // strategy or a workload need not be named beside it.
  std::string label_of(const PlanRow& axes, const std::vector<std::string>& telling_options, bool lacking_tells) const {
    auto label = axes.workload;
    std::size_t place = 0;
    for (const auto& axis : standard_axes()) {
      if (differs_[place++]) label += ", " + axis_phrase(axis, axes);
    }
    for (const auto& option : telling_options) {
      const bool differs =
          values_of_.at(option_name(option)).size() > 1 || (lacking_tells && cells_with_.at(option).size() < cells_);
      if (differs) label += ", " + option;
    }
    return label;
  }

 private:
  const PlanRow& first_;
  std::size_t cells_ = 0;
  std::vector<bool> differs_ = std::vector<bool>(standard_axes().size(), false);
  std::map<std::string, std::set<std::string>> cells_with_;  // an option -> ids
  std::map<std::string, std::set<std::string>> values_of_;   // its key -> options
};

}  // namespace

void label_cells(Study& study) {
  std::map<std::string, Namesakes> of_workload;
  for (const auto& cell : study.cells) of_workload.try_emplace(cell.axes.workload, cell.axes).first->second.add(cell.axes);
  const auto label = [&](const Cell& cell, bool lacking_tells) {
    return of_workload.at(cell.axes.workload).label_of(cell.axes, telling_options_of(study, cell.axes), lacking_tells);
  };
  std::map<std::string, int> cells_of_label;
  for (auto& cell : study.cells) ++cells_of_label[cell.label = label(cell, false)];
  for (auto& cell : study.cells) {
    if (cells_of_label.at(cell.label) > 1) cell.label = label(cell, true);
  }
}

}  // namespace ddpbench
