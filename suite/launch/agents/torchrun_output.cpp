#include "suite/launch/agents/torchrun_output.hpp"

#include <signal.h>

#include <algorithm>

#include "suite/base/numbers.hpp"

namespace ddpbench {
namespace {

constexpr std::string_view kLabelBegin = "[rank ";
constexpr std::string_view kLabelEnd = "] ";

bool contains(std::string_view line, std::string_view words) { return line.find(words) != std::string_view::npos; }

// The number after "  name      : "; what follows it in parentheses is passed over.
template <class Number>
std::optional<Number> value_of(std::string_view line, std::string_view name) {
  const auto start = line.find_first_not_of(' ');
  const auto colon = line.find(" : ");
  if (start == std::string_view::npos || colon == std::string_view::npos) return std::nullopt;
  if (line.substr(start, line.find(' ', start) - start) != name) return std::nullopt;
  const auto value = line.substr(colon + 3);
  return parse_number<Number>(value.substr(0, value.find(' ')));
}

ProcessEnd end_of(int exit_code) {
  ProcessEnd end;
  (exit_code < 0 ? end.signal : end.exit_code) = exit_code < 0 ? -exit_code : exit_code;
  return end;
}

}  // namespace

std::optional<LabelledLine> without_label(std::string_view line) {
  const auto end = line.find(kLabelEnd);
  if (!line.starts_with(kLabelBegin) || end == std::string_view::npos) return std::nullopt;
  const auto rank = parse_number<std::size_t>(line.substr(kLabelBegin.size(), end - kLabelBegin.size()));
  if (!rank) return std::nullopt;
  return LabelledLine{*rank, line.substr(end + kLabelEnd.size())};
}

void TorchrunOutputParser::hear(std::string_view line) {
  if (contains(line, "closing signal") || contains(line, "failed (exitcode:")) tells_of_the_end_ = true;
  if (line.starts_with("Root Cause")) at_root_cause_ = true;
  if (const auto rank = value_of<std::size_t>(line, "rank")) {
    rank_ = rank;
    if (at_root_cause_) root_cause_ = rank;
  }
  const auto exit_code = value_of<int>(line, "exitcode");
  if (exit_code && rank_) failures_[*rank_] = end_of(*exit_code);
}

std::optional<std::size_t> TorchrunOutputParser::first_failed(const std::set<std::size_t>& stragglers) const {
  const auto was_killed = [&](const auto& failure) { return failure.second.was_killed() && !stragglers.contains(failure.first); };
  const auto killed = std::find_if(failures_.begin(), failures_.end(), was_killed);
  return killed == failures_.end() ? root_cause_ : killed->first;
}

}  // namespace ddpbench
