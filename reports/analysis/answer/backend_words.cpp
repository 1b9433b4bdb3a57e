#include "reports/analysis/answer/backend_words.hpp"

#include <algorithm>
#include <cmath>

#include "reports/analysis/words/wording.hpp"
#include "suite/base/text.hpp"

namespace ddpbench {
namespace {

using ShareRows = std::vector<const BackendShareRow*>;

std::string signed_duration_text(double us) { return (us < 0 ? "-" : "+") + short_duration_text(std::fabs(us)); }

bool same_ranks(const BackendShareRow& a, const BackendShareRow& b) {
  return a.nodes == b.nodes && a.ranks_per_node == b.ranks_per_node;
}

std::string where_text(const BackendShareRow& row) {
  return "With bucket_cap_mb = " + row.bucket_cap + " on " + counted(row.world_size, "rank") + " on " +
         counted(row.nodes, "node");
}

// "With bucket_cap_mb = 25 on 2 ranks on 1 node a step takes 41 ms [+30, +52] longer over gloo than over mpi: 20 ms of that because gloo moves the
// same buckets more slowly, 21 ms because less of it is hidden."
std::string beyond_fastest_sentence(const BackendShareRow& row) {
  const auto interval = us_interval_text(row.beyond_fastest_us_lo, row.beyond_fastest_us_hi);
  if (!(row.beyond_fastest_us_lo > 0))
    return where_text(row) + " no difference between a step over " + row.backend + " and over " + row.fastest + " is measured (" +
           interval + ").";
  const double hidden_less_us = row.beyond_fastest_us - row.alone_beyond_us;
  return where_text(row) + " a step takes " + short_duration_text(row.beyond_fastest_us) + " longer over " + row.backend +
         " than over " + row.fastest + " (" + interval + "): the same buckets alone take " + row.backend + " " +
         signed_duration_text(row.alone_beyond_us) + ", and computing beside them " + signed_duration_text(hidden_less_us) + ".";
}

// The estimate where its interval has a sign, else the interval.
std::string share_text(double us, double lo_us, double hi_us) {
  return lo_us > 0 || hi_us < 0 ? signed_duration_text(us) : us_interval_text(lo_us, hi_us);
}

std::string overlap_words(const BackendShareRow& row) {
  if (row.overlap_us_hi < 0) return " hidden behind the backward";
  return row.overlap_us_lo > 0 ? " because sending and computing hold each other up" : " of overlap";
}

// "Beyond computing a step over gloo takes +98 ms: 29 ms the floor (the same buckets by mpi_blocking), +20 ms gloo's own, +5 ms DDP's work, +2 ms
// waiting for the slowest rank, -30 ms hidden behind the backward."
std::string shares_sentence(const BackendShareRow& row) {
  std::vector<std::string> shares{short_duration_text(row.floor_us) + " the floor (the same buckets by " + row.floor_arm + ")"};
  if (row.backend != row.floor_arm)
    shares.push_back(share_text(row.backend_us, row.backend_us_lo, row.backend_us_hi) + " " + row.backend + "'s own");
  shares.push_back(share_text(row.ddp_us, row.ddp_us_lo, row.ddp_us_hi) + " DDP's work");
  shares.push_back(share_text(row.skew_us, row.skew_us_lo, row.skew_us_hi) + " waiting for the slowest rank");
  shares.push_back(share_text(row.overlap_us, row.overlap_us_lo, row.overlap_us_hi) + overlap_words(row));
  return "Beyond computing a step over " + row.backend + " takes " +
         share_text(row.exposed_us, row.exposed_us_lo, row.exposed_us_hi) + ": " + join(shares, ", ") + ".";
}

// Of each number of ranks all backends at the bucket size of the shortest step.
ShareRows at_best_buckets(std::span<const BackendShareRow> rows, const BackendShareRow& ranks) {
  const BackendShareRow* best = nullptr;
  for (const auto& row : rows) {
    if (same_ranks(row, ranks) && (best == nullptr || row.step_us < best->step_us)) best = &row;
  }
  ShareRows found;
  for (const auto& row : rows) {
    const bool has_shares = std::isfinite(row.exposed_us) && std::isfinite(row.floor_us);
    if (same_ranks(row, ranks) && row.bucket_cap == best->bucket_cap && has_shares) found.push_back(&row);
  }
  return found;
}

}  // namespace

std::vector<std::string> backend_sentences(std::span<const BackendShareRow> rows) {
  std::vector<std::string> sentences;
  ShareRows told;
  for (const auto& row : rows) {
    if (std::any_of(told.begin(), told.end(), [&](const auto* other) { return same_ranks(*other, row); })) continue;
    told.push_back(&row);
    const auto of_ranks = at_best_buckets(rows, row);
    for (const auto* one : of_ranks) {
      if (std::isfinite(one->beyond_fastest_us)) sentences.push_back(beyond_fastest_sentence(*one));
    }
    for (const auto* one : of_ranks) sentences.push_back(shares_sentence(*one));
  }
  return sentences;
}

}  // namespace ddpbench
