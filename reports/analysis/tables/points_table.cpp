#include <array>

#include "reports/analysis/tables/report_table.hpp"

namespace ddpbench {
namespace {

const std::array kPointColumns{
    Column<Point>{"launch_id", &Point::launch_id, "name of the launch"},
    Column<Point>{"cell_id", &Point::cell_id, "one combination of every axis except arm"},
    Column<Point>{"arm", &Point::arm, "who drives the step"},
    Column<Point>{"status", &Point::status, "skipped, failed, wrong_result or partial; planned: the launch never ran"},
    Column<Point>{"reason", &Point::reason, "why there is no result, or not a whole one"},
};

}  // namespace

template <>
std::span<const Column<Point>> columns<Point>() {
  return kPointColumns;
}

ReportTable points_table() {
  return report_table<Point>("tables/points.csv", "one arm of one launch that is not ok",
                             [](const Findings& findings, auto& table) {
                               for (const auto& point : findings.study.points) table.add(point);
                             });
}

}  // namespace ddpbench
