#include "reports/analysis/findings/ladder.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>

#include "reports/analysis/comparisons/pairs.hpp"
#include "reports/analysis/tables/report_table.hpp"
#include "suite/base/text.hpp"
#include "suite/estimates/estimate.hpp"

namespace ddpbench {
namespace {

void take(LadderRow& row, const Contrast& found) {
  row.cost_us = found.us;
  row.pairs = found.pairs;
  row.launches = found.launches;
}

using Features = std::vector<std::string>;

struct Rung {
  std::string arm;
  Features features;
};

bool includes(const Features& larger, const Features& smaller) {
  return std::all_of(smaller.begin(), smaller.end(), [&](const std::string& feature) { return holds(larger, feature); });
}

Features without(const Features& features, const Features& taken) {
  Features left;
  for (const auto& feature : features) {
    if (!holds(taken, feature)) left.push_back(feature);
  }
  return left;
}

bool starts(const Features& features, const Features& own) {
  return features.size() <= own.size() && std::equal(features.begin(), features.end(), own.begin());
}

// Those of the base's family: what changes the work is compared with a reference of its own.
std::vector<Rung> rungs_of(const Study& study, const Cell& cell, const ArmFacts& base) {
  std::vector<Rung> rungs;
  for (const auto& name : cell.arms) {
    const auto& arm = study.facts_of(name);
    if (arm.base == base.name && arm.reference == base.reference && arm.is_subject()) rungs.push_back({name, arm.features});
  }
  return rungs;
}

// Smallest set first; of sets of one size, those that the default features begin with, then the experiment's order.
std::vector<Rung> chain_of(std::vector<Rung> rungs, const Features& own) {
  std::stable_sort(rungs.begin(), rungs.end(), [&](const Rung& a, const Rung& b) {
    const auto key = [&](const Rung& rung) { return std::pair(rung.features.size(), !starts(rung.features, own)); };
    return key(a) < key(b);
  });
  std::vector<Rung> chain;
  for (const auto& rung : rungs) {
    const bool grows =
        chain.empty() || (rung.features.size() > chain.back().features.size() && includes(rung.features, chain.back().features));
    if (grows) chain.push_back(rung);
  }
  return chain;
}

// One base arm of one cell on one clock.
class Ladder {
 public:
  Ladder(const Cell& cell, const ArmFacts& base, Clock clock)
      : cell_(cell), base_(base.name), reference_(base.reference), clock_(clock) {}

  std::vector<LadderRow> rows(const std::vector<Rung>& rungs, const Features& own) {
    const auto chain = chain_of(rungs, own);
    if (chain.size() < 2) return {};
    add_cumulative(chain);
    add_leave_one_out(chain, rungs);
    return std::move(rows_);
  }

 private:
  void add_cumulative(const std::vector<Rung>& chain) {
    const Rung ground{reference_, {}};
    const auto* below = &ground;
    double sum_us = 0;
    for (const auto& rung : chain) {
      add(ladder_kind::kCumulative, what_it_adds(rung, *below), {rung.arm, below->arm}, {{rung.arm, 1}, {below->arm, -1}});
      sum_us += rows_.back().cost_us.value;
      below = &rung;
    }
    const auto& whole = chain.back();
    add(ladder_kind::kTotal, join(whole.features, "+"), {whole.arm, reference_}, {{whole.arm, 1}, {reference_, -1}});
    rows_.back().remainder_us = rows_.back().cost_us.value - sum_us;
  }

  // The first rung adds the base's own loop, too.
  std::string what_it_adds(const Rung& rung, const Rung& below) const {
    auto added = without(rung.features, below.features);
    if (below.arm == reference_) added.insert(added.begin(), base_);
    return join(added, "+");
  }

  // The features that no arm leaves out stay under both sides of the interaction: their rung is then its ground.
  void add_leave_one_out(const std::vector<Rung>& chain, const std::vector<Rung>& rungs) {
    const auto& whole = chain.back();
    std::vector<Term> interaction{{whole.arm, 1}};
    Features left_out;
    const auto leaves_one_out = [&whole](const Rung& rung) {
      return includes(whole.features, rung.features) && without(whole.features, rung.features).size() == 1;
    };
    const auto several = static_cast<std::size_t>(std::count_if(rungs.begin(), rungs.end(), leaves_one_out));
    const double of_the_largest =
        bonferroni_confidence(cell_.settings.confidence, several);  // the one that saves most is told first
    for (const auto& rung : rungs) {
      if (!leaves_one_out(rung)) continue;
      const auto missing = without(whole.features, rung.features);
      add(ladder_kind::kLeaveOneOut, missing.front(), {whole.arm, rung.arm}, {{whole.arm, 1}, {rung.arm, -1}}, of_the_largest);
      interaction.front().weight -= 1;
      interaction.push_back({rung.arm, 1});
      left_out.push_back(missing.front());
    }
    const auto kept = without(whole.features, left_out);
    const auto ground = ground_of(rungs, kept);
    if (left_out.size() < 2 || ground.empty()) return;
    interaction.push_back({ground, -1});
    add(ladder_kind::kInteraction, join(without(whole.features, kept), "+"), {whole.arm, ground}, merged(interaction));
  }

  // The arm that has nothing but `kept`; "" where there is none.
  std::string ground_of(const std::vector<Rung>& rungs, const Features& kept) const {
    for (const auto& rung : rungs) {
      if (rung.features.size() == kept.size() && includes(rung.features, kept)) return rung.arm;
    }
    return kept.empty() ? reference_ : "";
  }

  // Each arm once: a rung may be both what leaves a feature out and the ground.
  static std::vector<Term> merged(const std::vector<Term>& terms) {
    std::vector<Term> once;
    for (const auto& term : terms) {
      const auto found = std::find_if(once.begin(), once.end(), [&](const Term& other) { return other.arm == term.arm; });
      if (found == once.end()) {
        once.push_back(term);
      } else {
        found->weight += term.weight;
      }
    }
    return once;
  }

  void add(const char* kind, const std::string& feature, const std::pair<std::string, std::string>& arms,
           const std::vector<Term>& terms, std::optional<double> confidence = {}) {
    auto& row = rows_.emplace_back();
    row.cell_id = cell_.axes.cell_id;
    row.clock = entry_of(clock_).name;
    row.base = base_;
    row.kind = kind;
    row.feature = feature;
    row.arm = arms.first;
    row.reference = arms.second;
    take(row, contrast(cell_, terms, clock_, confidence));
  }

  const Cell& cell_;
  std::string base_, reference_;
  Clock clock_;
  std::vector<LadderRow> rows_;
};

// References that do the same work in two programs: what the language of a loop costs.
std::vector<LadderRow> language_rows(const Study& study, const Cell& cell, Clock clock) {
  std::vector<LadderRow> rows;
  for (const auto& name : cell.arms) {
    const auto& arm = study.facts_of(name);
    for (const auto& other_name : cell.arms) {
      const auto& other = study.facts_of(other_name);
      const bool both_refer = arm.is_reference() && other.is_reference() && arm.work == other.work;
      if (!both_refer || arm.program == other.program || other.program != kWorkerProgram) continue;
      auto& row = rows.emplace_back();
      row.cell_id = cell.axes.cell_id;
      row.clock = entry_of(clock).name;
      row.base = arm.base;
      row.kind = ladder_kind::kLanguage;
      row.feature = arm.program;
      row.arm = name;
      row.reference = other_name;
      take(row, contrast(cell, std::vector<Term>{{name, 1}, {other_name, -1}}, clock));
    }
  }
  return rows;
}

bool measured(const std::vector<LadderRow>& rows) {
  return std::any_of(rows.begin(), rows.end(), [](const LadderRow& row) { return std::isfinite(row.cost_us.value); });
}

}  // namespace

std::vector<LadderRow> ladder_rows(const Study& study, std::span<const ClockEntry> clocks) {
  std::vector<ArmFacts> bases;
  for (const auto& entry : study.vocabulary.arms) bases.push_back(arm_facts(study.vocabulary, entry.name));
  std::erase_if(bases, [](const ArmFacts& base) { return !base.is_subject(); });
  std::vector<LadderRow> all;
  for (const auto& cell : study.cells) {
    for (const auto& base : bases) {
      const auto rungs = rungs_of(study, cell, base);
      for (const auto& clock : clocks) {
        const auto rows = Ladder(cell, base, clock.clock).rows(rungs, base.features);
        if (measured(rows)) all.insert(all.end(), rows.begin(), rows.end());
      }
    }
    for (const auto& clock : clocks) {
      const auto rows = language_rows(study, cell, clock.clock);
      if (measured(rows)) all.insert(all.end(), rows.begin(), rows.end());
    }
  }
  return all;
}

namespace {

using RungRow = LadderRow;
const std::array kLadderColumns{
    Column<RungRow>{"cell_id", &RungRow::cell_id, "one combination of every axis except arm"},
    Column<RungRow>{"clock", &RungRow::clock, "wall, thread_cpu, awaited, process_cpu or device"},
    Column<RungRow>{"base", &RungRow::base, "the arm whose features are put on one by one"},
    Column<RungRow>{
        "kind", &RungRow::kind,
        "cumulative: an arm less the rung below; total: the last arm less raw; leave_one_out: the last arm less the same "
        "without one feature; interaction: the total less all leave_one_out figures; language: the same loop in Python less it "
        "in C++"},
    Column<RungRow>{"feature", &RungRow::feature,
                    "what the arm has and its reference has not, joined by +; of a first rung the base stands first"},
    Column<RungRow>{"arm", &RungRow::arm, "the arm that is compared"},
    Column<RungRow>{"reference", &RungRow::reference, "with this arm"},
    Column<RungRow>{"cost_us", &RungRow::cost_us, "Hodges-Lehmann estimate of the paired difference, per step", "us",
                    "95 % bound; of leave_one_out, of all features of the arm together"},
    Column<RungRow>{"pairs", &RungRow::pairs, "super-blocks in the estimate"},
    Column<RungRow>{"launches", &RungRow::launches, "fresh processes in the estimate"},
    Column<RungRow>{"remainder_us", &RungRow::remainder_us, "of a total: what the rungs leave of it", "us"},
};

}  // namespace

template <>
std::span<const Column<LadderRow>> columns<LadderRow>() {
  return kLadderColumns;
}

template <>
std::vector<LadderRow> make_finding(const Findings& findings) {
  return ladder_rows(findings.study);
}

ReportTable ladder_table() {
  return report_table<LadderRow>("tables/ladder.csv", "one rung of one arm's ladder in one cell on one clock",
                                 [](const Findings& findings, auto& table) {
                                   for (const auto& rung : findings.rows<LadderRow>()) table.add(rung);
                                 });
}

}  // namespace ddpbench
