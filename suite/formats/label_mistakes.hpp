#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "suite/formats/data_set.hpp"

namespace ddpbench {

// Limits the wrong labels of a file that are named; the rest are counted.
inline constexpr int kLabelMistakesShown = 5;

// Says where a label stands.
struct LabelPlace {
  std::int64_t record;
  std::optional<std::int64_t> offset{};  // in its file, where labels are bytes
};

// Notes the labels of one file, or of one kind in it, that are out of range.
class LabelMistakes {
 public:
  // Adds to `mistakes`, each message beginning with `path`.
  LabelMistakes(std::string path, std::vector<std::string>& mistakes);

  // Judges one label.
  void check(const DataLabel& legal, std::int64_t value, const LabelPlace& place);

  // Adds how many more there were than those that are named.
  void count_rest();

 private:
  std::string path_;
  std::vector<std::string>& mistakes_;
  int found_ = 0;
};

}  // namespace ddpbench
