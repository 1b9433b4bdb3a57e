#include "reports/analysis/samples/cell_labels.hpp"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "reports/analysis/words/axis_words.hpp"
#include "suite/contract/axes.hpp"

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
    auto options = options_of(axes);
    std::sort(options.begin(), options.end());
    options.erase(std::unique(options.begin(), options.end()), options.end());
    for (auto& option : options) ++cells_with_[std::move(option)];
  }
  // A part stands in a label when another of the cells has another one.
  std::string label_of(const PlanRow& axes, const std::vector<std::string>& telling_options) const {
    auto label = axes.workload;
    std::size_t place = 0;
    for (const auto& axis : standard_axes()) {
      if (differs_[place++]) label += ", " + axis_words(axis, axes);
    }
    for (const auto& option : telling_options) {
      if (cells_with_.at(option) < cells_) label += ", " + option;
    }
    return label;
  }

 private:
  const PlanRow& first_;
  std::size_t cells_ = 0;
  std::vector<bool> differs_ = std::vector<bool>(standard_axes().size(), false);
  std::map<std::string, std::size_t> cells_with_;  // an option
};

}  // namespace

void label_cells(Study& study) {
  std::map<std::string, Namesakes> of_workload;
  for (const auto& cell : study.cells) of_workload.try_emplace(cell.axes.workload, cell.axes).first->second.add(cell.axes);
  for (auto& cell : study.cells) {
    cell.label = of_workload.at(cell.axes.workload).label_of(cell.axes, telling_options_of(study, cell.axes));
  }
}

}  // namespace ddpbench
