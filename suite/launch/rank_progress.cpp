#include "suite/launch/rank_progress.hpp"

#include <sstream>

#include "suite/base/numbers.hpp"

namespace ddpbench {
namespace {

constexpr std::string_view kMark = "@progress ";

template <class Number>
void read_number(std::string_view text, Number& number) {
  number = parse_number<Number>(text).value_or(number);
}

}  // namespace

std::optional<RankProgress> parse_progress(std::string_view line) {
  if (line.substr(0, kMark.size()) != kMark) return std::nullopt;
  RankProgress progress;
  std::istringstream words{std::string(line.substr(kMark.size()))};
  for (std::string word; words >> word;) {
    const auto equals = word.find('=');
    if (equals == std::string::npos) continue;
    const auto key = std::string_view(word).substr(0, equals);
    const auto value = std::string_view(word).substr(equals + 1);
    if (key == "stage") progress.stage = value;
    if (key == "super_blocks") read_number(value, progress.super_blocks);
    if (key == "elapsed") read_number(value, progress.elapsed_seconds);
    if (key == "max_seconds") read_number(value, progress.max_seconds);
  }
  return progress;
}

}  // namespace ddpbench
