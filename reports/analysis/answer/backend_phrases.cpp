#include "reports/analysis/answer/backend_phrases.hpp"

#include <cmath>

#include "reports/analysis/phrases/number_phrases.hpp"
#include "suite/base/text.hpp"

namespace ddpbench {
namespace {

constexpr double kTellingRemainder = 0.01;  // of what a step takes beyond computing

std::string signed_duration_text(double us) { return (us < 0 ? "-" : "+") + short_duration_text(std::fabs(us)); }

std::string where_text(const BackendShareRow& row) {
  return "With bucket_cap_mb = " + row.bucket_cap + " on " + counted(row.world_size, "rank") + " on " +
         counted(row.nodes, "node");
}

// The estimate where its interval has a sign, else the interval.
std::string share_text(const Estimate& us) {
  return us.lo > 0 || us.hi < 0 ? signed_duration_text(us.value) : us_interval_text(us.lo, us.hi);
}

// "With bucket_cap_mb = 25 on 2 ranks on 1 node a step takes 41 ms longer over gloo than over mpi ([+30, +52] ms): +20 ms when its buckets move alone,
// +21 ms more beside the compute."
std::string beyond_fastest_sentence(const BackendShareRow& row) {
  if (std::isnan(row.beyond_fastest_us.lo))
    return where_text(row) + " too few rounds compare a step over " + row.backend + " with one over " + row.fastest + ".";
  const auto interval = us_interval_text(row.beyond_fastest_us.lo, row.beyond_fastest_us.hi);
  const bool is_longer = row.beyond_fastest_us.lo > 0;
  if (!is_longer && !(row.beyond_fastest_us.hi < 0))
    return where_text(row) + " no difference between a step over " + row.backend + " and over " + row.fastest + " is measured (" +
           interval + ").";
  return where_text(row) + " a step takes " + short_duration_text(std::fabs(row.beyond_fastest_us.value)) +
         (is_longer ? " longer over " : " less over ") + row.backend + " than over " + row.fastest + " (" + interval +
         "): " + share_text(row.alone_beyond_us) + " when its buckets move alone, " + share_text(row.beside_beyond_us) +
         " more beside the compute.";
}

std::string overlap_phrase(const BackendShareRow& row) {
  if (row.overlap_us.hi < 0) return " hidden behind the backward";
  return row.overlap_us.lo > 0 ? " because sending and computing hold each other up" : " of overlap";
}

// "With bucket_cap_mb = 25 on 2 ranks on 1 node a step over gloo takes +98 ms beyond computing: 29 ms the floor (the same buckets alone, by
// mpi_blocking), +20 ms gloo's own, +5 ms DDP's work, +2 ms waiting for the slowest rank, -30 ms hidden behind the backward."
std::string shares_sentence(const BackendShareRow& row) {
  std::vector<std::string> shares{short_duration_text(row.floor_us.value) + " the floor (the same buckets alone, by " +
                                  row.floor_arm + ")"};
  if (row.backend != row.floor_arm) shares.push_back(share_text(row.backend_us) + " " + row.backend + "'s own");
  shares.push_back(share_text(row.ddp_us) + " DDP's work");
  shares.push_back(share_text(row.skew_us) + " waiting for the slowest rank");
  shares.push_back(share_text(row.overlap_us) + overlap_phrase(row));
  if (std::fabs(row.remainder_us) >= kTellingRemainder * std::fabs(row.exposed_us.value))
    shares.push_back(signed_duration_text(row.remainder_us) + " left over, for medians do not add up");
  return where_text(row) + " a step over " + row.backend + " takes " + share_text(row.exposed_us) +
         " beyond computing: " + join(shares, ", ") + ".";
}

}  // namespace

std::vector<std::string> backend_sentences(std::span<const BackendShareRow> rows) {
  std::vector<std::string> beyond, shares;
  for (const auto& row : rows) {
    if (row.is_shortest == 0) continue;
    if (row.backend != row.fastest) beyond.push_back(beyond_fastest_sentence(row));
    shares.push_back(shares_sentence(row));
  }
  beyond.insert(beyond.end(), shares.begin(), shares.end());
  return beyond;
}

}  // namespace ddpbench
