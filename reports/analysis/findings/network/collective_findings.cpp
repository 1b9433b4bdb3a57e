#include "reports/analysis/findings/network/collective_findings.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

#include "reports/analysis/comparisons/weighted_line.hpp"
#include "reports/analysis/findings/network/bucket_predictions.hpp"
#include "reports/analysis/findings/network/collective_cases.hpp"
#include "reports/analysis/tables/report_table.hpp"
#include "suite/base/median.hpp"
#include "suite/base/text.hpp"
#include "suite/contract/vocabulary/collectives.hpp"
#include "suite/estimates/estimate.hpp"
#include "suite/estimates/over_launches.hpp"

namespace ddpbench {
namespace {

constexpr double kMicro = 1e6, kGiga = 1e9;

CollectiveCaseKey in_default_buckets(CollectiveCaseKey key) {
  key.bucket_cap = kDefaultBuckets;
  return key;
}

// A value of each block, launch by launch.
template <class Value>
LaunchPairs by_launch(const CollectiveSamples& samples, Value value) {
  std::map<std::string, std::vector<double>> launches;
  for (const auto* sample : samples) {
    if (const double v = value(*sample); std::isfinite(v)) launches[sample->launch_id].push_back(v);
  }
  LaunchPairs pairs;
  for (auto& [launch, values] : launches) pairs.push_back(std::move(values));
  return pairs;
}

// Of the same rounds of the same launches.
template <class Difference>
LaunchPairs paired(const CollectiveSamples& arm, const CollectiveSamples& reference, Difference difference) {
  std::map<std::pair<std::string, std::int64_t>, double> of_reference;
  for (const auto* sample : reference) of_reference[{sample->launch_id, sample->round}] = sample->wall_s;
  return by_launch(arm, [&](const CollectiveSampleRow& sample) {
    const auto found = of_reference.find({sample.launch_id, sample.round});
    return found == of_reference.end() ? kNotMeasured : difference(sample.wall_s, found->second);
  });
}

double median_of(const CollectiveSamples& samples, double CollectiveSampleRow::*member) {
  std::vector<double> values;
  for (const auto* sample : samples) {
    if (std::isfinite(sample->*member)) values.push_back(sample->*member);
  }
  return median(std::move(values));
}

double largest_of(const CollectiveSamples& samples, double CollectiveSampleRow::*member) {
  double largest = kNotMeasured;
  for (const auto* sample : samples) largest = std::fmax(largest, sample->*member);
  return largest;
}

double sum_of(const CollectiveSamples& samples, double CollectiveSampleRow::*member) {
  double sum = kNotMeasured;
  for (const auto* sample : samples) {
    if (std::isfinite(sample->*member)) sum = (std::isfinite(sum) ? sum : 0) + sample->*member;
  }
  return sum;
}

double cores_of(const CollectiveSamples& samples) {
  const double wall = sum_of(samples, &CollectiveSampleRow::wall_s);
  return wall > 0 ? sum_of(samples, &CollectiveSampleRow::cpu_s) / wall : kNotMeasured;
}

double from_log(double log) { return std::exp(log); }

double in_us(double seconds) { return seconds * kMicro; }

void compare(CollectiveRow& row, const CollectiveSamples& arm, const CollectiveSamples& reference) {
  const auto speed = location_over_launches(paired(arm, reference, [](double a, double r) { return std::log(r / a); }));
  const auto beyond = location_over_launches(paired(arm, reference, [](double a, double r) { return a - r; }));
  row.speed = mapped(speed, from_log);
  row.beyond_us = mapped(beyond, in_us);
}

void add_bandwidth(CollectiveRow& row) {
  if (row.bytes == 0 || row.collective == kStepCase) return;  // of a step most is compute
  const auto& entry = find_collective(row.collective);
  const double factor = row.role == collective_role::kLimit ? 1 : entry.bus_factor(static_cast<double>(row.world_size));
  const auto rate = [&](double us) { return static_cast<double>(row.bytes) / (us / kMicro) / kGiga; };
  row.algbw_gb_s = rate(row.time_us.value);
  row.busbw_gb_s = {factor * row.algbw_gb_s, factor * rate(row.time_us.hi), factor * rate(row.time_us.lo)};
}

// Of a bucket sequence or a step: how much longer the same arm takes for the same gradients in DDP's own buckets. One of `layouts` is chosen by
// that, so that their intervals hold together.
void compare_with_default(CollectiveRow& row, const CollectiveSamples& samples, const CollectiveSamples& of_default,
                          std::size_t layouts) {
  const auto over = location_over_launches(paired(samples, of_default, [](double a, double d) { return std::log(d / a); }),
                                           bonferroni_confidence(kDefaultConfidence, layouts));
  row.default_over = mapped(over, from_log);
}

bool reduces(const std::string& collective) { return collective == "all_reduce" || collective == "reduce_scatter"; }

CollectiveRow row_of(const CollectiveCaseSamples& one, const std::string& arm) {
  const auto& samples = one.by_arm.at(arm);
  const auto& first = *samples.front();
  CollectiveRow row;
  std::tie(row.nodes, row.ranks_per_node) = std::tuple(first.nodes, first.ranks_per_node);
  std::tie(row.collective, row.bucket_cap, row.bytes) = std::tuple(first.collective, first.bucket_cap, first.bytes);
  row.world_size = row.nodes * row.ranks_per_node;
  row.count = row.bytes / kCollectiveElementBytes;
  row.messages = first.messages;
  row.type = row.bytes > 0 ? "float" : "";
  row.redop = reduces(row.collective) ? "sum" : "";
  std::tie(row.arm, row.role, row.reference) = std::tuple(arm, first.role, one.reference);
  const auto walls = by_launch(samples, [](const auto& sample) { return sample.wall_s; });
  row.time_us = mapped(location_over_launches(walls), in_us);
  add_bandwidth(row);
  if (arm != one.reference && one.by_arm.count(one.reference) != 0) compare(row, samples, one.by_arm.at(one.reference));
  row.slowest_us = median_of(samples, &CollectiveSampleRow::slowest_s) * kMicro;
  row.p99_us = largest_of(samples, &CollectiveSampleRow::p99_s) * kMicro;
  row.longest_us = largest_of(samples, &CollectiveSampleRow::longest_s) * kMicro;
  row.cores = cores_of(samples);
  row.wrong = sum_of(samples, &CollectiveSampleRow::wrong);
  row.launches = static_cast<std::int64_t>(walls.size());
  row.rounds = static_cast<std::int64_t>(samples.size());
  row.calls = first.calls;
  return row;
}

// The ranks of a case, and its buckets: bucket_cap_mb -> what tells one layout from another. Where a step's timeline is known (FilledBucket): the
// buckets' bytes; else two sizes are told apart unless each makes one bucket.
using Ranks = std::pair<std::int64_t, std::int64_t>;
using Layouts = std::map<std::string, std::string>;

Ranks size_of(const CollectiveCaseKey& key) { return {key.nodes, key.ranks_per_node}; }

std::string bytes_of_buckets(const std::string& filled) {
  std::string bytes;
  for (const auto& bucket : parse_filled_buckets(filled)) bytes += std::to_string(bucket.bytes) + " ";
  return bytes;
}

std::map<Ranks, Layouts> layouts_of(std::span<const CollectiveSampleRow> samples, const CollectiveCases& cases) {
  std::map<Ranks, Layouts> found;
  for (const auto& key : cases.order()) {
    if (key.bucket_cap.empty()) continue;
    const auto& one = *cases.find(key);
    const bool is_one_bucket = one.by_arm.at(one.arms.front()).front()->messages == 1;
    found[size_of(key)].try_emplace(key.bucket_cap, is_one_bucket ? "one" : "bucket_cap_mb = " + key.bucket_cap);
  }
  for (const auto& sample : samples) {
    if (sample.filled.empty() || sample.messages == 1) continue;
    found[{sample.nodes, sample.ranks_per_node}][sample.bucket_cap] = bytes_of_buckets(sample.filled);
  }
  return found;
}

// How many layouts are compared with DDP's own.
std::size_t others_than_ddps(const Layouts& layouts) {
  std::set<std::string> others;
  for (const auto& [cap, layout] : layouts) others.insert(layout);
  const auto own = layouts.find(kDefaultBuckets);
  if (own != layouts.end()) others.erase(own->second);
  return others.size();
}

// Half an interval of 95 % is about two standard errors.
double error_of(const CollectiveRow& row) {
  const double own = std::isfinite(row.time_us.hi) ? (row.time_us.hi - row.time_us.lo) / 4 : 0;
  return std::max(own, kFitShare * row.time_us.value);
}

void note_worst_miss(CollectiveFitRow& fit, const WeightedLine& line, const std::vector<const CollectiveRow*>& rows) {
  double worst = -1;
  for (const auto* row : rows) {
    const double miss = line.at(static_cast<double>(row->bytes)) / row->time_us.value - 1;
    if (std::abs(miss) <= worst) continue;
    worst = std::abs(miss);
    fit.worst_miss_percent = 100 * miss;
    fit.worst_miss_bytes = row->bytes;
  }
}

CollectiveFitRow fit_of(const std::vector<const CollectiveRow*>& rows) {
  CollectiveFitRow fit;
  const auto& first = *rows.front();
  std::tie(fit.nodes, fit.ranks_per_node, fit.world_size) = std::tuple(first.nodes, first.ranks_per_node, first.world_size);
  std::tie(fit.collective, fit.arm) = std::tuple(first.collective, first.arm);
  fit.sizes = static_cast<std::int64_t>(rows.size());
  if (rows.size() < kFewestFitSizes) {
    fit.reason = counted(fit.sizes, "size") + "; a line takes " + std::to_string(kFewestFitSizes);
    return fit;
  }
  std::vector<LinePoint> points;
  for (const auto* row : rows) points.push_back({static_cast<double>(row->bytes), row->time_us.value, error_of(*row)});
  const auto line = fit_line(points, kDefaultConfidence);
  fit.alpha_us = line.intercept_estimate();
  const auto bandwidth = [](double us_per_byte) { return us_per_byte > 0 ? kMicro / us_per_byte / kGiga : kNotMeasured; };
  const auto slope = line.slope_estimate();
  fit.bandwidth_gb_s = {bandwidth(slope.value), bandwidth(slope.hi), bandwidth(slope.lo)};
  note_worst_miss(fit, line, rows);
  return fit;
}

}  // namespace

std::vector<CollectiveRow> collective_rows(std::span<const CollectiveSampleRow> samples) {
  const CollectiveCases cases(samples);
  const auto layouts = layouts_of(samples, cases);
  std::vector<CollectiveRow> rows;
  for (const auto& key : cases.order()) {
    const auto& one = *cases.find(key);
    const auto* defaults =
        key.bucket_cap.empty() || key.bucket_cap == kDefaultBuckets ? nullptr : cases.find(in_default_buckets(key));
    for (const auto& arm : one.arms) {
      rows.push_back(row_of(one, arm));
      if (!key.bucket_cap.empty()) rows.back().layout = layouts.at(size_of(key)).at(key.bucket_cap);
      if (defaults != nullptr && defaults->by_arm.count(arm) != 0)
        compare_with_default(rows.back(), one.by_arm.at(arm), defaults->by_arm.at(arm),
                             others_than_ddps(layouts.at(size_of(key))));
    }
  }
  return rows;
}

std::vector<CollectiveFitRow> collective_fits(std::span<const CollectiveRow> rows) {
  using Key = std::tuple<std::int64_t, std::int64_t, std::string, std::string>;
  std::vector<Key> order;
  std::map<Key, std::vector<const CollectiveRow*>> groups;
  for (const auto& row : rows) {
    if (!row.bucket_cap.empty() || row.bytes == 0 || row.role == collective_role::kLimit) continue;
    const auto [found, fresh] = groups.try_emplace({row.nodes, row.ranks_per_node, row.collective, row.arm});
    if (fresh) order.push_back(found->first);
    found->second.push_back(&row);
  }
  std::vector<CollectiveFitRow> fits;
  for (const auto& key : order) fits.push_back(fit_of(groups.at(key)));
  return fits;
}

namespace {

using Row = CollectiveRow;
using Fit = CollectiveFitRow;

const std::array kCollectiveColumns{
    Column<Row>{"nodes", &Row::nodes, "hosts"},
    Column<Row>{"ranks_per_node", &Row::ranks_per_node, "processes per host"},
    Column<Row>{"world_size", &Row::world_size, "ranks"},
    Column<Row>{"collective", &Row::collective,
                "all_reduce, broadcast, all_gather, reduce_scatter, all_to_all or barrier; step: a forward and a backward of the "
                "workload"},
    Column<Row>{"bucket_cap", &Row::bucket_cap, "bucket_cap_mb of a model's bucket sequence, or of a step; empty: one buffer"},
    Column<Row>{"bytes", &Row::bytes, "nccl-tests' size: of the larger buffer; of a sequence its sum", "bytes"},
    Column<Row>{"count", &Row::count, "elements in them"},
    Column<Row>{"messages", &Row::messages, "collectives of one repetition"},
    Column<Row>{"type", &Row::type, "of an element, as nccl-tests calls it"},
    Column<Row>{"redop", &Row::redop, "sum, where something is reduced"},
    Column<Row>{"arm", &Row::arm, "who ran it"},
    Column<Row>{"role", &Row::role,
                "reference, A/A (the reference once more), backend (as training calls it), library (its bare call), limit (a "
                "copy in memory; of a step DDP on an ideal network)"},
    Column<Row>{"reference", &Row::reference, "the arm that it is compared with"},
    Column<Row>{"time_us", &Row::time_us, "of one repetition: mean over ranks, Hodges-Lehmann over rounds", "us",
                "95 % bound (Wilcoxon's; over launches t)"},
    Column<Row>{"algbw_gb_s", &Row::algbw_gb_s, "bytes over time, 10^9 bytes a second", "GB/s"},
    Column<Row>{"busbw_gb_s", &Row::busbw_gb_s,
                "algbw times nccl-tests' factor: all_reduce 2(n-1)/n; all_gather, reduce_scatter, all_to_all (n-1)/n; others 1",
                "GB/s"},
    Column<Row>{"speed", &Row::speed, "the reference's time over the arm's, paired by round"},
    Column<Row>{"beyond_us", &Row::beyond_us, "the arm's time less the reference's, paired by round", "us"},
    Column<Row>{
        "default_over", &Row::default_over,
        "of a bucket sequence or a step: the time with bucket_cap_mb = default over this one's, same arm, paired by round", "",
        "95 % bound, of all other bucket layouts together (Bonferroni)"},
    Column<Row>{
        "predicted_us", &Row::predicted_us,
        "of a bucket sequence: its messages' times by size, added; of a step: each bucket sent when it is full and the one "
        "before it is through, on the timeline of arm ideal, and no less than its CPU time takes on a rank's cores; empty: fewer "
        "than two sizes of all_reduce, or no step",
        "us"},
    Column<Row>{"slowest_us", &Row::slowest_us, "of the rank that took longest: median over rounds", "us"},
    Column<Row>{"p99_us", &Row::p99_us, "99th percentile of single repetitions, largest over ranks; empty: fewer than 299", "us"},
    Column<Row>{"longest_us", &Row::longest_us, "the longest of all repetitions", "us"},
    Column<Row>{"cores", &Row::cores, "CPU time of a rank's whole process over wall time: cores that it keeps busy"},
    Column<Row>{"wrong", &Row::wrong, "elements that were wrong, over all checks; empty: nothing to check"},
    Column<Row>{"rounds", &Row::rounds, "blocks in the estimate"},
    Column<Row>{"calls", &Row::calls, "repetitions of a block"},
    Column<Row>{"launches", &Row::launches, "fresh processes in the estimate"},
};

const std::array kFitColumns{
    Column<Fit>{"nodes", &Fit::nodes, "hosts"},
    Column<Fit>{"ranks_per_node", &Fit::ranks_per_node, "processes per host"},
    Column<Fit>{"world_size", &Fit::world_size, "ranks"},
    Column<Fit>{"collective", &Fit::collective, "whose sizes are fitted"},
    Column<Fit>{"arm", &Fit::arm, "who ran it"},
    Column<Fit>{"alpha_us", &Fit::alpha_us, "time of an empty message: time = alpha + bytes / bandwidth, weighted least squares",
                "us", "95 % bound (t)"},
    Column<Fit>{"bandwidth_gb_s", &Fit::bandwidth_gb_s, "algbw of a long message; empty: the line does not rise", "GB/s",
                "95 % bound; the upper one is empty where there is none"},
    Column<Fit>{"worst_miss_percent", &Fit::worst_miss_percent, "the line less the measured time, where it fails most", "%"},
    Column<Fit>{"worst_miss_bytes", &Fit::worst_miss_bytes, "and at which size that is", "bytes"},
    Column<Fit>{"sizes", &Fit::sizes, "points of the line"},
    Column<Fit>{"reason", &Fit::reason, "why there is no line"},
};

}  // namespace

template <>
std::span<const Column<CollectiveRow>> columns<CollectiveRow>() {
  return kCollectiveColumns;
}
template <>
std::span<const Column<CollectiveFitRow>> columns<CollectiveFitRow>() {
  return kFitColumns;
}

template <>
std::vector<CollectiveRow> make_finding(const Findings& findings) {
  const auto& samples = findings.study.collective_samples;
  auto rows = collective_rows(samples);
  add_predictions(samples, findings.study.cores, rows);
  return rows;
}

ReportTable collectives_table() {
  return report_table<CollectiveRow>("collectives.csv", "one collective of one size by one arm",
                                     [](const Findings& findings, auto& table) {
                                       for (const auto& row : findings.rows<CollectiveRow>()) table.add(row);
                                     });
}

ReportTable collective_fits_table() {
  return report_table<CollectiveFitRow>("tables/collective_fits.csv", "the line through the sizes of one collective by one arm",
                                        [](const Findings& findings, auto& table) {
                                          for (const auto& row : collective_fits(findings.rows<CollectiveRow>())) table.add(row);
                                        });
}

}  // namespace ddpbench
