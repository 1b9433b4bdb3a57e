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

std::string overlap_text(const BackendShareRow& row) {
  const auto size = signed_duration_text(row.overlap_us);
  if (row.overlap_us_hi < 0) return size + " hidden behind the backward";
  if (row.overlap_us_lo > 0) return size + " because sending and computing hold each other up";
  return size + " of overlap, which may be none";
}

// "Beyond computing a step over gloo takes 98 ms: 29 ms the floor (the same buckets by mpi_nonblocking), +20 ms gloo's own, +5 ms DDP's work, +2 ms
// waiting for the slowest rank, -30 ms hidden behind the backward."
std::string shares_sentence(const BackendShareRow& row) {
  std::vector<std::string> shares{short_duration_text(row.floor_us) + " the floor (the same buckets by " + row.floor_arm + ")"};
  if (row.backend != row.floor_arm) shares.push_back(signed_duration_text(row.backend_us) + " " + row.backend + "'s own");
  shares.push_back(signed_duration_text(row.ddp_us) + " DDP's work");
  shares.push_back(signed_duration_text(row.skew_us) + " waiting for the slowest rank");
  shares.push_back(overlap_text(row));
  return "Beyond computing a step over " + row.backend + " takes " + short_duration_text(row.exposed_us) + ": " +
         join(shares, ", ") + ".";
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
