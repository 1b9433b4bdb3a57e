#include "suite/store/launch_check.hpp"

#include <type_traits>
#include <utility>

#include "suite/contract/tables/csv_writer.hpp"
#include "suite/store/header_check.hpp"

namespace ddpbench {

LaunchCheck::LaunchCheck(std::string launch_id, std::int64_t ranks)
    : launch_id_(std::move(launch_id)),
      steps_{LaunchRows<StepRow>(launch_id_, ranks), ""},
      blocks_{LaunchRows<BlockRow>(launch_id_, ranks), ""} {}

template <class Row>
LaunchCheck::OfFile<Row>& LaunchCheck::file_of() {
  if constexpr (std::is_same_v<Row, StepRow>) {
    return steps_;
  } else {
    return blocks_;
  }
}

template <class Row>
void LaunchCheck::begin(const std::string& csv, const std::string& origin) {
  file_of<Row>().origin = origin;
  if (const auto why = why_no_header(csv, csv_header<Row>()); !why.empty()) problems_.push_back(origin + ":1: " + why);
}
template void LaunchCheck::begin<StepRow>(const std::string&, const std::string&);
template void LaunchCheck::begin<BlockRow>(const std::string&, const std::string&);

template <class Row>
void LaunchCheck::check(const Row& row, OfFile<Row>& file) {
  ++file.read;
  if (file.has_problem) return;  // what made it is likely to have made more
  const auto problem = file.rows.problem_of(row);
  if (problem.empty()) return;
  file.has_problem = true;
  problems_.push_back(file.origin + ": row " + std::to_string(file.read) + ": " + problem);
}

ArmRows& LaunchCheck::counts_of(const std::string& arm) {
  if (of_last_ == nullptr || arm != last_arm_) of_last_ = &rows_[arm];
  last_arm_ = arm;
  return *of_last_;
}

void LaunchCheck::add(const StepRow& row) {
  check(row, steps_);
  if (row.super_block == 0) return;
  auto& counts = counts_of(row.arm);
  counts.switching_steps += row.step == 0 ? 1 : 0;
  counts.timed_steps += row.step > 0 ? 1 : 0;
  both_.add(row);
}

void LaunchCheck::add(const BlockRow& row) {
  check(row, blocks_);
  counts_of(row.arm).blocks += row.super_block > 0 ? 1 : 0;
  both_.add(row);
}

template <>
void LaunchCheck::end<StepRow>() {
  steps_.give_back();
}

template <>
void LaunchCheck::end<BlockRow>() {
  blocks_.give_back();
  const auto contradictions = both_.problems(launch_id_);
  problems_.insert(problems_.end(), contradictions.begin(), contradictions.end());
  both_ = {};
}

ArmRows LaunchCheck::rows_of(const std::string& arm) const {
  const auto found = rows_.find(arm);
  return found == rows_.end() ? ArmRows{} : found->second;
}

}  // namespace ddpbench
