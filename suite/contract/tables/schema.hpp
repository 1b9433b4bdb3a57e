#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <variant>

#include "suite/base/interval_estimate.hpp"
#include "suite/contract/tables/rows.hpp"

namespace ddpbench {

// Numbers the schema; raised when a file of a results folder gets, loses or renames a column. Stands in environment.json.
inline constexpr int kSchemaVersion = 12;

// Describes one column of one CSV file. Header, writer, reader, checks and documentation come from these tables and from nowhere
// else. An estimate is three columns of the file: name, name_lo and name_hi.
template <class Row>
struct Column {
  using Member = std::variant<std::string Row::*, std::int64_t Row::*, double Row::*, bool Row::*, Estimate Row::*>;
  const char* name;
  Member member;
  const char* help;
  const char* unit = "";              // "": a text, a count, a share
  const char* bounds = "95 % bound";  // of an estimate
};

// Returns the columns of a row's file in their order.
template <class Row>
std::span<const Column<Row>> columns();

template <>
std::span<const Column<PlanRow>> columns<PlanRow>();
template <>
std::span<const Column<RunRow>> columns<RunRow>();
template <>
std::span<const Column<StepRow>> columns<StepRow>();
template <>
std::span<const Column<BlockRow>> columns<BlockRow>();
template <>
std::span<const Column<MetricRow>> columns<MetricRow>();
template <>
std::span<const Column<ManifestRow>> columns<ManifestRow>();
template <>
std::span<const Column<KnownResolution>> columns<KnownResolution>();
template <>
std::span<const Column<NodeCheckRow>> columns<NodeCheckRow>();
template <>
std::span<const Column<CollectiveSampleRow>> columns<CollectiveSampleRow>();
template <>
std::span<const Column<ProfileRow>> columns<ProfileRow>();
template <>
std::span<const Column<TracePartRow>> columns<TracePartRow>();
template <>
std::span<const Column<TraceMemoryRow>> columns<TraceMemoryRow>();
template <>
std::span<const Column<KnownBadNode>> columns<KnownBadNode>();
template <>
std::span<const Column<OverheadRow>> columns<OverheadRow>();
template <>
std::span<const Column<ScalingRow>> columns<ScalingRow>();

}  // namespace ddpbench
