#include "reports/analysis/findings/settings/setting_partners.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <deque>

namespace ddpbench {
namespace {

// Cells stay where they are: the facts point to them.
struct Cells {
  std::deque<Cell> cells;
  std::vector<CellFacts> facts;

  void add(const std::string& strategy, const std::string& options, std::int64_t ranks = 1, const std::string& backend = "gloo") {
    auto& cell = cells.emplace_back();
    cell.axes.workload = "null";
    cell.axes.strategy = strategy;
    cell.axes.backend = backend;
    cell.axes.options = options;
    cell.axes.ranks_per_node = ranks;
    facts.push_back(facts_of(cell, "raw"));
  }
};

const auto kAnyIsComparable = [](std::size_t) { return true; };

// By looking at every pair.
std::optional<std::size_t> first_of_all(const Cells& cells, std::size_t place, const std::string& setting) {
  for (std::size_t other = 0; other < place; ++other) {
    if (!same_work(cells.facts[place], cells.facts[other])) continue;
    if (only_difference(cells.facts[place].values, cells.facts[other].values) == setting) return other;
  }
  return std::nullopt;
}

std::string any_of(const char* name, int most) { return name + std::string("=") + std::to_string(*rc::gen::inRange(0, most)); }

TEST(SettingPartners, FindWhatLookingAtEveryPairFinds) {
  EXPECT_TRUE(rc::check([] {
    Cells cells;
    for (int i = 0; i < 30; ++i) {
      const bool is_ddp = *rc::gen::arbitrary<bool>();
      auto options = any_of("accumulate", 3) + ";" + any_of("matmuls", 2) + ";" + any_of("momentum", 2);
      if (is_ddp) options += ";" + any_of("bucket_cap_mb", 3);
      const bool is_mpi = *rc::gen::arbitrary<bool>();
      if (is_mpi) options += ";" + any_of("mpi_progress", 2);
      cells.add(is_ddp ? "ddp" : *rc::gen::element("single", "zero1"), options, *rc::gen::inRange(1, 3), is_mpi ? "mpi" : "gloo");
    }
    SettingPartners partners(cells.facts);
    for (std::size_t place = 0; place < cells.facts.size(); ++place) {
      for (const auto* setting : {"strategy", "backend", "accumulate", "momentum", "bucket_cap_mb", "mpi_progress"}) {
        RC_ASSERT(partners.first_before(place, setting, kAnyIsComparable) == first_of_all(cells, place, setting));
      }
    }
  }));
}

TEST(SettingPartners, OnlyWhatIsNotTheSameEverywhereIsASetting) {
  Cells cells;
  cells.add("ddp", "x=1;y=1");
  cells.add("ddp", "x=2;y=1");
  EXPECT_EQ(SettingPartners(cells.facts).settings(), std::set<std::string>{"x"});
}

TEST(SettingPartners, LookAtAFewCellsForEachAndNotAtAll) {
  constexpr std::size_t kCells = 3000;
  Cells cells;
  for (std::size_t i = 0; i < kCells; ++i) cells.add("ddp", "x=" + std::to_string(i / 10) + ";y=" + std::to_string(i % 10));
  SettingPartners partners(cells.facts);
  std::size_t looked_at = 0;
  std::size_t found = 0;
  const auto counted = [&](std::size_t) { return ++looked_at > 0; };
  for (std::size_t place = 0; place < kCells; ++place) {
    for (const auto& setting : partners.settings()) found += partners.first_before(place, setting, counted).has_value() ? 1 : 0;
  }
  EXPECT_GT(found, kCells);
  EXPECT_LE(looked_at, 2 * kCells);
}

}  // namespace
}  // namespace ddpbench
