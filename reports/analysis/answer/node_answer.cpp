#include "reports/analysis/answer/node_answer.hpp"

#include <algorithm>
#include <array>

#include "reports/analysis/phrases/number_phrases.hpp"
#include "suite/base/aligned_columns.hpp"
#include "suite/base/printable.hpp"
#include "suite/base/text.hpp"
#include "suite/contract/vocabulary/node_checks.hpp"

namespace ddpbench {
namespace {

constexpr std::size_t kMostWellNodes = 20;

struct ShownCheck {
  const NodeCheck* check;
  const char* title;
};
constexpr std::array kShownChecks{
    ShownCheck{&node_check::kProduct, "matrix product"},   ShownCheck{&node_check::kChain, "core's clock"},
    ShownCheck{&node_check::kCopy, "copy in memory"},      ShownCheck{&node_check::kLinkLatency, "link, 8 bytes"},
    ShownCheck{&node_check::kLinkTransfer, "link, 4 MiB"},
};

using Words = std::vector<std::string>;

class NodeTable {
 public:
  NodeTable(const std::vector<NodeRow>& rows, const std::vector<BadNode>& bad) : rows_(rows), bad_(bad) {}

  std::string text() const {
    std::vector<Words> lines{{"node", ""}};
    for (const auto& shown : kShownChecks) lines.front().emplace_back(shown.title);
    std::size_t well = 0;
    for (const auto& node : nodes()) {
      const auto finding = finding_of(node);
      if (finding == node_finding::kOk && ++well > kMostWellNodes) continue;
      lines.push_back(line_of(node, finding));
    }
    auto text = aligned_columns(lines);
    if (well > kMostWellNodes) text += "and " + std::to_string(well - kMostWellNodes) + " more that are ok\n";
    return text;
  }

 private:
  Words nodes() const {
    Words names;
    for (const auto& row : rows_) {
      if (!holds(names, row.node)) names.push_back(row.node);
    }
    return names;
  }

  std::string finding_of(const std::string& node) const {
    const auto found = std::find_if(bad_.begin(), bad_.end(), [&](const BadNode& one) { return one.node == node; });
    return found == bad_.end() ? node_finding::kOk : found->finding;
  }

  Words line_of(const std::string& node, const std::string& finding) const {
    Words line{printable(node), finding};
    for (const auto& shown : kShownChecks) line.push_back(cell_of(node, *shown.check));
    return line;
  }

  // "41 ms (1.00 x)"
  std::string cell_of(const std::string& node, const NodeCheck& check) const {
    const auto row =
        std::find_if(rows_.begin(), rows_.end(), [&](const NodeRow& one) { return one.node == node && one.check == check.name; });
    return row == rows_.end() ? "-" : duration_text(row->value) + " (" + number_text(row->ratio.value) + " x)";
  }

  const std::vector<NodeRow>& rows_;
  const std::vector<BadNode>& bad_;
};

}  // namespace

NodeAnswer node_answer(std::span<const NodeCheckRow> rows) {
  const auto judged = judge_node_checks(rows);
  NodeAnswer answer;
  answer.bad = bad_nodes(judged);
  if (!judged.empty()) answer.table = NodeTable(judged, answer.bad).text();
  return answer;
}

}  // namespace ddpbench
