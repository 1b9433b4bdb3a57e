#include "reports/analysis/answer/collective_phrases.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <limits>
#include <utility>

#include "reports/analysis/phrases/number_phrases.hpp"
#include "suite/base/aligned_columns.hpp"
#include "suite/base/text.hpp"
#include "suite/contract/vocabulary/collectives.hpp"

namespace ddpbench {
namespace {

// What is said of "small" and "large": latency counts up to the one, bandwidth from the other on.
constexpr std::int64_t kSmallBytes = 4 << 10, kLargeBytes = 1 << 20;

using Rows = std::vector<const CollectiveRow*>;

bool is_subject(const CollectiveRow& row) { return row.role == collective_role::kBackend || row.role == collective_role::kBare; }

std::string bytes_text(std::int64_t bytes) {
  constexpr std::int64_t kKib = 1 << 10, kMib = 1 << 20, kGib = 1 << 30;
  const auto in = [bytes](std::int64_t unit, const char* name) {
    return (bytes % unit == 0 ? std::to_string(bytes / unit)
                              : number_text(static_cast<double>(bytes) / static_cast<double>(unit))) +
           name;
  };
  if (bytes >= kGib) return in(kGib, " GiB");
  if (bytes >= kMib) return in(kMib, " MiB");
  return bytes >= kKib ? in(kKib, " KiB") : in(1, " B");
}

std::string fixed(double value, int digits) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return std::isfinite(value) ? text : "-";
}

std::string ranks_text(const CollectiveRow& row) { return counted(row.world_size, "rank") + " on " + counted(row.nodes, "node"); }

template <class Is>
Rows rows_that(std::span<const CollectiveRow> rows, Is is) {
  Rows found;
  for (const auto& row : rows) {
    if (is(row)) found.push_back(&row);
  }
  return found;
}

template <class Value>
std::pair<double, double> range_of(const Rows& rows, Value value) {
  std::pair range{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  for (const auto* row : rows) {
    range.first = std::min(range.first, value(*row));
    range.second = std::max(range.second, value(*row));
  }
  return range;
}

std::string range_text(std::pair<double, double> range, int digits) {
  const auto low = fixed(range.first, digits), high = fixed(range.second, digits);
  return low == high ? low : low + " to " + high;
}

// "1.1 to 2.3 ms longer than ", "39 to 61 us less than ", "between 2.4 ms less and 1.2 ms longer than ".
std::string longer_text(std::pair<double, double> us) {
  if (us.first < 0 && us.second > 0)
    return "between " + short_duration_text(-us.first) + " less and " + short_duration_text(us.second) + " longer than ";
  const bool is_less = us.second <= 0 && us.first < 0;
  if (is_less) us = {-us.second, -us.first};
  const auto low = short_duration_text(us.first), high = short_duration_text(us.second);
  return (low == high ? low : low + " to " + high) + (is_less ? " less than " : " longer than ");
}

std::string sizes_text(const Rows& rows) {
  const auto first = bytes_text(rows.front()->bytes), last = bytes_text(rows.back()->bytes);
  return first == last ? first : first + " to " + last;
}

std::vector<std::string> wrong_sentences(std::span<const CollectiveRow> rows) {
  std::vector<std::string> sentences;
  for (const auto& row : rows) {
    if (!(row.wrong > 0)) continue;
    sentences.push_back("WRONG RESULTS: " + row.arm + ", " + row.collective + " of " + bytes_text(row.bytes) + ", " +
                        ranks_text(row) + ": " + fixed(row.wrong, 0) + " elements");
  }
  return sentences;
}

bool same_size(const CollectiveRow& a, const CollectiveRow& b) {
  return a.nodes == b.nodes && a.ranks_per_node == b.ranks_per_node;
}

// "all_reduce on 2 ranks on 1 node: mpi_poll takes 0.3 to 0.5 us longer than mpi_nonblocking for 4 B to 4 KiB, and has 0.97 to 0.99 of its speed
// for 1 MiB to 16 MiB (no less than 0.95). It keeps 1.0 cores busy for each rank."
std::string comparison_sentence(const Rows& of_arm) {
  const auto& first = *of_arm.front();
  Rows small, large;
  for (const auto* row : of_arm) {
    if (row->bytes <= kSmallBytes) small.push_back(row);
    if (row->bytes >= kLargeBytes) large.push_back(row);
  }
  std::vector<std::string> parts;
  if (!small.empty())
    parts.push_back("takes " + longer_text(range_of(small, [](const auto& row) { return row.beyond_us.value; })) +
                    first.reference + " for " + sizes_text(small));
  if (!large.empty()) {
    const auto lowest = range_of(large, [](const auto& row) { return row.speed.lo; }).first;
    parts.push_back("has " + range_text(range_of(large, [](const auto& row) { return row.speed.value; }), 2) + " of " +
                    (small.empty() ? first.reference + "'s" : std::string("its")) + " speed for " + sizes_text(large) +
                    (std::isfinite(lowest) ? " (no less than " + fixed(lowest, 2) + ")" : ""));
  }
  if (parts.empty()) return "";
  const auto cores = range_of(of_arm, [](const auto& row) { return row.cores; });
  return first.collective + ", " + ranks_text(first) + ": " + first.arm + " " + join(parts, ", and ") + ". It keeps " +
         range_text(cores, 1) + " cores busy for each rank.";
}

void add_comparisons(std::span<const CollectiveRow> rows, std::vector<std::string>& sentences) {
  Rows told;
  for (const auto& row : rows) {
    const bool counts =
        is_subject(row) && row.collective == "all_reduce" && row.bucket_cap.empty() && std::isfinite(row.speed.value);
    const auto is_same = [&](const CollectiveRow* other) { return same_size(*other, row) && other->arm == row.arm; };
    if (!counts || std::any_of(told.begin(), told.end(), is_same)) continue;
    told.push_back(&row);
    auto sentence = comparison_sentence(rows_that(rows, [&](const CollectiveRow& other) {
      return is_same(&other) && other.collective == row.collective && other.bucket_cap.empty();
    }));
    if (!sentence.empty()) sentences.push_back(std::move(sentence));
  }
}

// A backend's rows of one kind (sequences or steps) on the same ranks, one for each layout of buckets: sizes that make the same buckets are one.
struct BucketChoice {
  Rows rows;
  const CollectiveRow* own() const {  // DDP's; nullptr: not measured
    const auto found = std::find_if(rows.begin(), rows.end(), [](const auto* row) { return row->bucket_cap == kDefaultBuckets; });
    return found == rows.end() ? nullptr : *found;
  }
  // Which takes least of those whose advantage over DDP's own is no chance among all that were tried; DDP's own where none is. Without DDP's own
  // nothing was tested: nullptr.
  const CollectiveRow* best() const {
    const auto* found = own();
    if (found == nullptr) return nullptr;
    for (const auto* row : rows) {
      if (row->default_over.lo > 1 && row->time_us.value < found->time_us.value) found = row;
    }
    return found;
  }
};

// What stands before and behind the size.
struct BucketWords {
  std::string fastest, none_better, took;
  int digits = 2;
};

std::string bucket_text(const CollectiveRow& row) { return "bucket_cap_mb = " + row.bucket_cap; }

// "mpi, 2 ranks on 1 node: moving the model's 89 MiB of gradients takes least with bucket_cap_mb = 4: 41 ms (2.2 GB/s) in 22 buckets; with DDP's own it takes 1.09
// [1.05, 1.13] times as long." Or that no size is measurably better than DDP's own. Or, of one layout or without DDP's own, what each took.
std::string choice_sentence(const BucketChoice& choice, const BucketWords& words,
                            const std::function<std::string(const CollectiveRow&)>& took) {
  const auto& first = *choice.rows.front();
  const auto subject = first.arm + ", " + ranks_text(first) + ": ";
  const auto* best = choice.best();
  if (best == nullptr || choice.rows.size() == 1) {
    std::vector<std::string> each;
    for (const auto* row : choice.rows) each.push_back(took(*row) + " with " + bucket_text(*row));
    return subject + words.took + join(each, "; ") + ".";
  }
  if (best == choice.own())
    return subject + words.none_better + "; with DDP's own (" + bucket_text(*best) + ") it takes " + took(*best) + ".";
  return subject + words.fastest + bucket_text(*best) + ": " + took(*best) + "; with DDP's own buckets it takes " +
         fixed(best->default_over.value, words.digits) + " [" + fixed(best->default_over.lo, words.digits) + ", " +
         fixed(best->default_over.hi, words.digits) + "] times as long.";
}

std::string bucket_sentence(const BucketChoice& choice) {
  const auto gradients = "moving the model's " + bytes_text(choice.rows.front()->bytes) + " of gradients";
  return choice_sentence(
      choice,
      {gradients + " takes least with ",
       gradients + " is measurably faster with no bucket size that was tried than with DDP's own", gradients + " takes ", 2},
      [](const CollectiveRow& row) {
        return short_duration_text(row.time_us.value) + " (" + fixed(row.busbw_gb_s.value, 2) + " GB/s) in " +
               counted(row.messages, "bucket");
      });
}

// By the bounds of what a step takes beyond computing and of what its buckets take alone.
std::string hidden_text(const CollectiveRow& step, const CollectiveRow& alone) {
  const auto percent = [](double beyond_us, double alone_us) { return 100 * (1 - std::clamp(beyond_us / alone_us, 0.0, 1.0)); };
  const double least = percent(step.beyond_us.hi, alone.time_us.lo), most = percent(step.beyond_us.lo, alone.time_us.hi);
  if (least <= 0 && most >= 100) return "how much of that is hidden is open";
  return range_text({least, most}, 0) + " % of that is hidden";
}

// What a step takes beyond computing alone, beside the same buckets with nothing to hide behind. On a CPU they share the cores with the compute.
std::string exposed_text(std::span<const CollectiveRow> rows, const CollectiveRow& step) {
  const auto text = us_interval_text(step.beyond_us.lo, step.beyond_us.hi) + " longer than computing alone";
  const auto alone = std::find_if(rows.begin(), rows.end(), [&](const CollectiveRow& row) {
    return row.collective != kStepCase && row.bucket_cap == step.bucket_cap && row.arm == step.arm && same_size(row, step);
  });
  if (alone == rows.end()) return text;
  const auto buckets = "its buckets alone take " + short_duration_text(alone->time_us.value);
  if (step.beyond_us.lo > alone->time_us.hi) return text + " (" + buckets + ": beside the compute more)";
  return text + " (" + buckets + ": " + hidden_text(step, *alone) + ")";
}

// "mpi, 2 ranks on 1 node: a step (forward and backward) takes least with bucket_cap_mb = 4: 812 ms, [+22, +40] ms longer than computing alone (its
// buckets alone take 49 ms: 37 % of that is hidden); with DDP's own buckets it takes 1.02 [1.00, 1.03] times as long."
std::string step_sentence(std::span<const CollectiveRow> rows, const BucketChoice& choice) {
  const std::string step = "a step (forward and backward)";
  return choice_sentence(
      choice,
      {step + " takes least with ", step + " is measurably shorter with no bucket size that was tried than with DDP's own",
       step + " takes ", 3},
      [&](const CollectiveRow& row) { return short_duration_text(row.time_us.value) + ", " + exposed_text(rows, row); });
}

// By backend and ranks; DDP's own buckets first among those that are alike.
std::vector<BucketChoice> bucket_choices(std::span<const CollectiveRow> rows, bool of_steps) {
  std::vector<BucketChoice> choices;
  for (const auto& row : rows) {
    if (row.bucket_cap.empty() || !is_backend_arm(row.arm) || (row.collective == kStepCase) != of_steps) continue;
    auto found = std::find_if(choices.begin(), choices.end(), [&](const BucketChoice& other) {
      return same_size(*other.rows.front(), row) && other.rows.front()->arm == row.arm;
    });
    if (found == choices.end()) found = choices.insert(choices.end(), BucketChoice{});
    const auto alike =
        std::find_if(found->rows.begin(), found->rows.end(), [&](const auto* other) { return other->layout == row.layout; });
    if (alike == found->rows.end()) {
      found->rows.push_back(&row);
    } else if (row.bucket_cap == kDefaultBuckets) {
      *alike = &row;
    }
  }
  return choices;
}

}  // namespace

std::vector<std::string> collective_sentences(std::span<const CollectiveRow> rows) {
  auto sentences = wrong_sentences(rows);
  add_comparisons(rows, sentences);
  for (const auto& choice : bucket_choices(rows, /*of_steps=*/false)) sentences.push_back(bucket_sentence(choice));
  for (const auto& choice : bucket_choices(rows, /*of_steps=*/true)) sentences.push_back(step_sentence(rows, choice));
  return sentences;
}

std::vector<std::string> collective_sureness(std::span<const CollectiveRow> rows) {
  std::int64_t launches = 0, rounds = std::numeric_limits<std::int64_t>::max();
  for (const auto& row : rows) {
    launches = std::max(launches, row.launches);
    rounds = std::min(rounds, row.rounds);
  }
  std::vector<std::string> phrases{counted(launches, "launch"), "at least " + counted(rounds, "block") + " of each arm and size"};
  const auto again =
      rows_that(rows, [](const auto& row) { return row.role == collective_role::kAgain && std::isfinite(row.speed.value); });
  if (!again.empty())
    phrases.push_back("measured twice, " + again.front()->reference + " has " +
                      range_text(range_of(again, [](const auto& row) { return row.speed.value; }), 2) + " of its own speed");
  return phrases;
}

std::vector<Fom> collective_foms(std::span<const CollectiveRow> rows) {
  std::vector<Fom> all;
  for (const auto& row : rows) {
    if (row.role == collective_role::kAgain || row.role == collective_role::kLimit) continue;
    const auto size = row.bucket_cap.empty() ? std::to_string(row.bytes) : "bucket_cap_mb_" + row.bucket_cap;
    const auto ranks = std::to_string(row.nodes) + "x" + std::to_string(row.ranks_per_node);
    all.push_back({"collective_us." + row.collective + "." + size + "." + row.arm + "." + ranks, row.time_us.value, "us",
                   row.time_us.lo, row.time_us.hi});
  }
  return all;
}

std::string collective_table_text(std::span<const CollectiveRow> rows) {
  std::vector<std::vector<std::string>> lines{{"ranks", "collective", "size(B)", "count", "type", "redop", "arm", "time(us)",
                                               "algbw(GB/s)", "busbw(GB/s)", "#wrong", "of reference", "cores"}};
  for (const auto& row : rows) {
    const auto what = row.bucket_cap.empty() ? row.collective : row.collective + ", bucket_cap_mb=" + row.bucket_cap;
    const auto speed = row.role == collective_role::kReference ? "reference"
                       : std::isfinite(row.speed.value)
                           ? fixed(row.speed.value, 2) + " [" + fixed(row.speed.lo, 2) + ", " + fixed(row.speed.hi, 2) + "]"
                           : "-";
    lines.push_back({std::to_string(row.world_size), what, std::to_string(row.bytes), std::to_string(row.count),
                     row.type.empty() ? "-" : row.type, row.redop.empty() ? "-" : row.redop, row.arm, fixed(row.time_us.value, 2),
                     fixed(row.algbw_gb_s, 2), fixed(row.busbw_gb_s.value, 2), fixed(row.wrong, 0), speed, fixed(row.cores, 2)});
  }
  return aligned_columns(lines);
}

}  // namespace ddpbench
