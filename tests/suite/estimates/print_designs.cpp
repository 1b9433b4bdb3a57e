// Prints the table of designs that the report's method page shows (reports/html/designs.csv).
#include <array>
#include <iostream>

#include "suite/contract/tables/csv_writer.hpp"
#include "tests/suite/estimates/simulated_designs.hpp"

namespace ddpbench {
namespace {

const std::array kColumns{
    Column<DesignRow>{"design", &DesignRow::design, "name of the way of comparing two arms"},
    Column<DesignRow>{"words", &DesignRow::words, "what is done"},
    Column<DesignRow>{"campaigns", &DesignRow::campaigns, "simulated; each share is of so many"},
    Column<DesignRow>{"steps_per_arm", &DesignRow::steps_per_arm, "timed steps of an arm in one campaign"},
    Column<DesignRow>{"false_positives_percent", &DesignRow::false_positives_percent,
                      "campaigns of the same code twice whose interval does not hold 0; nominal: 5"},
    Column<DesignRow>{"rmse_percent", &DesignRow::rmse_percent, "error of their estimates, of the step"},
    Column<DesignRow>{"coverage_percent", &DesignRow::coverage_percent, "campaigns of a true 0.5 % whose interval holds it"},
    Column<DesignRow>{"power_percent", &DesignRow::power_percent, "campaigns of a true 0.5 % whose interval lies above 0"},
};

}  // namespace

template <>
std::span<const Column<DesignRow>> columns<DesignRow>() {
  return kColumns;
}

}  // namespace ddpbench

int main() {
  auto text = ddpbench::csv_header<ddpbench::DesignRow>();
  for (const auto& row : ddpbench::simulated_designs()) ddpbench::append_csv_row(text, row);
  std::cout << text;
}
