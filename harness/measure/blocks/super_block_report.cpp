#include "harness/measure/blocks/super_block_report.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>

#include "suite/base/errors.hpp"
#include "suite/base/numbers.hpp"
#include "suite/base/text.hpp"

namespace ddpbench {
namespace {

constexpr char kArmEnd = ';';
constexpr char kLineEnd = '\n';  // before each block
constexpr std::string_view kStop = "stop";

void append_with_blank(std::string& payload, double value) {
  append_number(payload, value);
  payload += ' ';
}

// "0.25 0.5 " -> {0.25, 0.5}
std::vector<double> numbers_from(std::string_view text, const char* what) {
  std::vector<double> numbers;
  const auto* at = text.data();
  const auto* const end = at + text.size();
  while (at < end) {
    double value = 0;
    const auto parsed = std::from_chars(at, end, value);
    if (parsed.ec != std::errc()) throw Error(std::string(what) + " cannot be read: '" + std::string(text) + "'");
    numbers.push_back(value);
    at = parsed.ptr + 1;
  }
  return numbers;
}

}  // namespace

std::vector<std::vector<double>> slowest_steps_s(const std::vector<SuperBlockReport>& ranks) {
  auto slowest_s = ranks.front().steps_s;
  for (std::size_t arm = 0; arm < slowest_s.size(); ++arm) {
    for (const auto& rank : ranks) {
      const auto& steps_s = rank.steps_s.at(arm);
      if (steps_s.size() != slowest_s[arm].size()) slowest_s[arm].clear();
      for (std::size_t i = 0; i < slowest_s[arm].size(); ++i) slowest_s[arm][i] = std::max(slowest_s[arm][i], steps_s[i]);
    }
  }
  return slowest_s;
}

std::string to_payload(const SuperBlockReport& report) {
  std::string payload = report.disturbed ? "1" : "0";
  for (std::size_t arm = 0; arm < report.steps_s.size(); ++arm) {
    payload += kArmEnd;
    for (const double step_s : report.steps_s[arm]) append_with_blank(payload, step_s);
  }
  for (const auto& block : report.blocks) payload += kLineEnd + to_payload(block);
  return payload;
}

SuperBlockReport report_from_payload(const std::string& payload) {
  SuperBlockReport report;
  const auto lines = split(payload, kLineEnd);
  const auto arms = split(lines.front(), kArmEnd);
  report.disturbed = arms.front() == "1";
  for (std::size_t i = 1; i < arms.size(); ++i) {
    report.steps_s.push_back(numbers_from(arms[i], "a peer's report of its super-block"));
  }
  for (std::size_t i = 1; i < lines.size(); ++i) report.blocks.push_back(path_from_payload(lines[i]));
  return report;
}

std::string to_payload(const SuperBlockAnswer& answer) {
  std::string payload;
  for (const auto arm : answer.next_order) payload += std::to_string(arm) + " ";
  if (answer.next_order.empty()) payload = kStop;
  for (const auto& block : answer.awaited_ns) {
    payload += kLineEnd;
    for (const double step_ns : block) append_with_blank(payload, step_ns);
  }
  return payload;
}

SuperBlockAnswer answer_from_payload(const std::string& payload, std::size_t arms) {
  SuperBlockAnswer answer;
  const auto lines = split(payload, kLineEnd);
  for (std::size_t i = 1; i < lines.size(); ++i)
    answer.awaited_ns.push_back(numbers_from(lines[i], "rank 0's account of the blocks"));
  if (lines.front() == kStop) return answer;
  const auto order = numbers_from(lines.front(), "rank 0's order of arms");
  const auto is_arm = [arms](double arm) { return arm >= 0 && arm < static_cast<double>(arms) && arm == std::floor(arm); };
  if (order.empty() || !std::all_of(order.begin(), order.end(), is_arm))
    throw Error("rank 0 tells an order of arms that is none: '" + payload + "'");
  for (const double arm : order) answer.next_order.push_back(static_cast<std::int64_t>(arm));
  return answer;
}

}  // namespace ddpbench
