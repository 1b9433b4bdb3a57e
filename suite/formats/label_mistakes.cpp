#include "suite/formats/label_mistakes.hpp"

#include <utility>

namespace ddpbench {

LabelMistakes::LabelMistakes(std::string path, std::vector<std::string>& mistakes)
    : path_(std::move(path)), mistakes_(mistakes) {}

void LabelMistakes::check(const DataLabel& legal, std::int64_t value, const LabelPlace& place) {
  if ((value >= 0 && value < legal.classes) || ++found_ > kLabelMistakesShown) return;
  const auto offset = place.offset ? " (offset " + std::to_string(*place.offset) + ")" : "";
  mistakes_.push_back(path_ + ": record " + std::to_string(place.record) + offset + ": " + std::string(legal.word) + " " +
                      std::to_string(value) + ", legal: 0 to " + std::to_string(legal.classes - 1));
}

void LabelMistakes::count_rest() {
  const auto rest = found_ - kLabelMistakesShown;
  if (rest > 0) mistakes_.push_back(path_ + ": " + std::to_string(rest) + " more labels out of range");
}

}  // namespace ddpbench
