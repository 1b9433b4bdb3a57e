#include "suite/store/same_plan.hpp"

#include <algorithm>
#include <variant>

#include "suite/base/errors.hpp"
#include "suite/base/numbers.hpp"
#include "suite/contract/launch/protocol.hpp"
#include "suite/contract/tables/schema.hpp"

namespace ddpbench {
namespace {

std::string first_line(std::string_view text) { return std::string(text.substr(0, text.find('\n'))); }

// A folder may be extended: then it has more launches, and its looks are planned ones.
bool may_grow(const std::string& before, const std::string& now) {
  const auto number = [](const std::string& line, std::string_view key) -> std::int64_t {
    if (!line.starts_with(key)) return 0;
    const auto value = line.substr(key.size());
    return parse_number<std::int64_t>(value.substr(0, value.find(' '))).value_or(0);  // a comment stands behind it
  };
  for (const std::string_view key : {"launches = ", "looks = "}) {
    if (number(before, key) > 0 && number(now, key) >= number(before, key)) return true;
  }
  return false;
}

// A key of the protocol that the folder's release did not know yet: at its default a launch is measured as before.
bool is_newer_default(const std::string& line, std::string_view before) {
  const auto equals = line.find(" = ");
  if (equals == std::string::npos) return false;
  const auto key = line.substr(0, equals);
  const auto* field = find_protocol_field(key);
  if (field == nullptr || ("\n" + std::string(before)).find("\n" + key + " = ") != std::string::npos) return false;
  const auto value = line.substr(equals + 3);
  return value.substr(0, value.find(' ')) == text_of(*field, Protocol());
}

std::string without_newer_defaults(std::string_view now, std::string_view before) {
  std::string kept;
  while (!now.empty()) {
    const auto line = now.substr(0, std::min(now.size(), now.find('\n') + 1));
    if (!is_newer_default(first_line(line), before)) kept += line;
    now.remove_prefix(line.size());
  }
  return kept;
}

}  // namespace

void require_same_experiment(const std::string& path, std::string_view before, std::string_view now) {
  const auto known = without_newer_defaults(now, before);
  now = known;
  for (int line = 1; before != now; ++line) {
    const auto old_line = first_line(before);
    const auto new_line = first_line(now);
    if ((old_line != new_line && !may_grow(old_line, new_line)) || before.empty() || now.empty()) {
      throw UsageError(path + ":" + std::to_string(line) + ": this folder holds another experiment: it has '" + old_line +
                       "', this run '" + new_line + "': choose another --out");
    }
    before.remove_prefix(std::min(before.size(), old_line.size() + 1));
    now.remove_prefix(std::min(now.size(), new_line.size() + 1));
  }
}

namespace {

// What the machine, not the experiment, decides: it may differ when a run is continued elsewhere.
bool depends_on_machine(std::string_view column) {
  return column == "command" || column == "status_planned" || column == "skip_reason";
}

void require_same_launch(const std::string& path, const PlanRow& before, const PlanRow& now) {
  for (const auto& column : columns<PlanRow>()) {
    const bool same = std::visit([&](auto member) { return before.*member == now.*member; }, column.member);
    if (same || depends_on_machine(column.name)) continue;
    throw UsageError(path + ": launch " + before.launch_id + " differs from this run's plan in column " + column.name +
                     ": choose another --out");
  }
}

}  // namespace

void require_same_plan(const std::string& path, const std::vector<PlanRow>& before, const std::vector<PlanRow>& now) {
  if (before.size() > now.size()) {
    throw UsageError(path + " has " + std::to_string(before.size()) + " launches, this run " + std::to_string(now.size()) +
                     ": choose another --out");
  }
  for (std::size_t i = 0; i < before.size(); ++i) require_same_launch(path, before[i], now[i]);
}

}  // namespace ddpbench
