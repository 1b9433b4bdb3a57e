#include "harness/measure/blocks/critical_path.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

#include "suite/base/errors.hpp"
#include "suite/base/median.hpp"

namespace ddpbench {
namespace {

// ---- payload

void put(std::string& payload, std::int64_t number) { payload += std::to_string(number) + ' '; }

void put(std::string& payload, const Instant& instant) {
  put(payload, instant.wall_ns);
  put(payload, instant.delay_ns);
}

class Numbers {
 public:
  explicit Numbers(std::string_view payload) : payload_(payload), at_(payload.data()), end_(at_ + payload.size()) {}

  std::int64_t next() {
    std::int64_t number = 0;
    const auto parsed = std::from_chars(at_, end_, number);
    if (parsed.ec != std::errc()) throw Error("a peer's account of a block cannot be read: '" + std::string(payload_) + "'");
    at_ = parsed.ptr + (parsed.ptr != end_ ? 1 : 0);
    return number;
  }
  Instant instant() {
    const auto wall_ns = next();
    return {wall_ns, next()};
  }
  bool is_over() const { return at_ == end_; }

 private:
  std::string_view payload_;
  const char *at_, *end_;
};

// ---- one rank

enum class EventKind { kIssue, kWait, kEnd };

// What a rank does behind so much time of its own. Collectives are numbered over the block.
struct Event {
  EventKind kind;
  double own_ns;
  std::vector<std::size_t> collectives{};
};

struct Point {
  EventKind kind;
  Instant at;
  std::vector<std::size_t> collectives;
  Instant goes_on;  // kWait: where the collectives had completed
};

bool later(const Instant& a, const Instant& b) { return a.wall_ns > b.wall_ns; }

// Where a rank issues and waits in a step. Reducer waits for its buckets where the last of them is issued.
std::vector<Point> points_of(const PathStep& step, std::size_t first) {
  std::vector<Point> points;
  Point buckets{EventKind::kWait, {}, {}, {}};
  for (std::size_t i = 0; i < step.collectives.size(); ++i) {
    const auto& one = step.collectives[i];
    points.push_back({EventKind::kIssue, one.returned, {first + i}, {}});
    if (one.waited_ns == 0) {
      buckets.collectives.push_back(first + i);
      if (later(one.returned, buckets.at)) buckets.at = one.returned;
      if (one.completed_ns > buckets.goes_on.wall_ns) buckets.goes_on = {one.completed_ns, one.main_delay_ns};
      continue;
    }
    points.push_back({EventKind::kWait, one.wait_begin, {first + i}, {one.completed_ns, one.wait_begin.delay_ns}});
  }
  if (!buckets.collectives.empty()) points.push_back(std::move(buckets));
  std::stable_sort(points.begin(), points.end(), [](const Point& a, const Point& b) { return later(b.at, a.at); });
  return points;
}

std::vector<Event> events_of(const PathBlock& block) {
  std::vector<Event> events;
  Instant last;
  const auto own_until = [&](const Instant& now) {
    if (later(last, now)) return 0.0;  // it lies in a wait that reaches beyond it
    const auto own = (now.wall_ns - last.wall_ns) - (now.delay_ns - last.delay_ns);
    last = now;
    return static_cast<double>(std::max<std::int64_t>(0, own));
  };
  std::size_t first = 0;
  for (const auto& step : block.steps) {
    for (auto& point : points_of(step, first)) {
      events.push_back({point.kind, own_until(point.at), std::move(point.collectives)});
      if (point.kind == EventKind::kWait && later(point.goes_on, last)) last = point.goes_on;
    }
    events.push_back({EventKind::kEnd, own_until(step.end), {}});
    first += step.collectives.size();
  }
  return events;
}

// ---- the ranks together

// Whether a rank's part is over only when `other` has issued its own.
bool needs(const PathCollective& one, std::size_t rank, std::size_t other) {
  if (rank == other) return true;
  const bool is_root = static_cast<std::int64_t>(rank) == one.root, other_is = static_cast<std::int64_t>(other) == one.root;
  switch (one.kind) {
    case CollectiveKind::kBroadcast:
    case CollectiveKind::kScatter: return other_is;
    case CollectiveKind::kReduce:
    case CollectiveKind::kGather: return is_root;
    case CollectiveKind::kSend:
    case CollectiveKind::kReceive: return false;  // whose partner is not known
    default: return true;
  }
}

bool is_between_two(const PathCollective& one) {
  return one.kind == CollectiveKind::kSend || one.kind == CollectiveKind::kReceive;
}

// One rank sends what another receives.
bool is_same(const PathCollective& a, const PathCollective& b) {
  return (a.kind == b.kind || (is_between_two(a) && is_between_two(b))) && a.root == b.root;
}

bool ends_on_all_at_once(const PathCollective& one) {
  return one.kind == CollectiveKind::kAllreduce || one.kind == CollectiveKind::kAllgather ||
         one.kind == CollectiveKind::kBarrier || one.kind == CollectiveKind::kReduceScatter ||
         one.kind == CollectiveKind::kAlltoall;
}

class Replay {
 public:
  Replay(const std::vector<PathBlock>& ranks, const std::vector<std::size_t>& hosts) : ranks_(ranks), hosts_(hosts) {
    for (const auto& rank : ranks) {
      events_.push_back(events_of(rank));
      auto& all = collectives_.emplace_back();
      for (const auto& step : rank.steps) {
        for (const auto& one : step.collectives) all.push_back(&one);
      }
    }
  }

  std::vector<double> steps_ns() {
    if (!tell_of_the_same()) return {};
    set_clocks();
    find_transfers();
    if (!run()) return {};
    std::vector<double> found;
    for (std::size_t step = 0; step < ends_.size(); ++step) found.push_back(ends_[step] - (step == 0 ? begin_ : ends_[step - 1]));
    return found;
  }

 private:
  bool tell_of_the_same() const {
    const auto& first = ranks_.front();
    return std::all_of(ranks_.begin(), ranks_.end(), [&](const PathBlock& rank) {
      return std::equal(rank.steps.begin(), rank.steps.end(), first.steps.begin(), first.steps.end(),
                        [](const PathStep& a, const PathStep& b) {
                          return std::equal(a.collectives.begin(), a.collectives.end(), b.collectives.begin(),
                                            b.collectives.end(), [](const auto& x, const auto& y) { return is_same(x, y); });
                        });
    });
  }

  // On rank 0's clock.
  double at(std::size_t rank, std::int64_t ns) const { return begins_[rank] + static_cast<double>(ns); }

  void set_clocks() {
    for (const auto& rank : ranks_) begins_.push_back(static_cast<double>(rank.begin_ns - ranks_.front().begin_ns));
    for (std::size_t rank = 1; rank < ranks_.size(); ++rank) {
      if (hosts_.at(rank) == hosts_.front()) continue;
      std::vector<double> ahead;
      for (std::size_t i = 0; i < collectives_[rank].size(); ++i) {
        if (ends_on_all_at_once(*collectives_[rank][i]))
          ahead.push_back(at(rank, collectives_[rank][i]->completed_ns) - at(0, collectives_[0][i]->completed_ns));
      }
      begins_[rank] = ahead.empty() ? 0 : begins_[rank] - median(std::move(ahead));
    }
  }

  // How long a rank's other threads waited for a core since the previous collective completed; between collectives they are idle.
  double others_delay_ns(std::size_t rank, std::size_t which) const {
    const auto& one = *collectives_[rank][which];
    std::int64_t before = 0;
    for (auto i = which; i-- > 0;) {
      const auto& earlier = *collectives_[rank][i];
      if (earlier.completed_ns > one.returned.wall_ns) continue;
      const auto stamped_ns = earlier.completed_ns + earlier.late_ns;
      before = earlier.others_delay_ns - std::max<std::int64_t>(0, stamped_ns - one.returned.wall_ns);
      break;
    }
    return static_cast<double>(std::max<std::int64_t>(0, one.others_delay_ns - before - one.late_ns));
  }

  void find_transfers() {
    transfers_.assign(ranks_.size(), {});
    for (std::size_t which = 0; which < collectives_.front().size(); ++which) {
      double delay = 0;
      for (std::size_t rank = 0; rank < ranks_.size(); ++rank) delay = std::max(delay, others_delay_ns(rank, which));
      for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
        const auto& one = *collectives_[rank][which];
        double last_issue = at(rank, one.returned.wall_ns);
        for (std::size_t other = 0; other < ranks_.size(); ++other) {
          if (needs(one, rank, other)) last_issue = std::max(last_issue, at(other, collectives_[other][which]->returned.wall_ns));
        }
        transfers_[rank].push_back(std::max(0.0, at(rank, one.completed_ns) - last_issue - delay));
      }
    }
  }

  // When the collective completes on the rank; nothing as long as a rank that it needs has not come to it.
  std::optional<double> completion(std::size_t rank, std::size_t which) const {
    const auto& one = *collectives_[rank][which];
    double last_issue = 0;
    for (std::size_t other = 0; other < ranks_.size(); ++other) {
      if (!needs(one, rank, other)) continue;
      if (which >= issues_[other].size()) return {};
      last_issue = std::max(last_issue, issues_[other][which]);
    }
    return last_issue + transfers_[rank][which];
  }

  // Takes the rank through its next event; false where it waits for others.
  bool advance(std::size_t rank) {
    const auto& event = events_[rank][next_[rank]];
    auto now = now_[rank] + event.own_ns;
    if (event.kind == EventKind::kWait) {
      for (const auto which : event.collectives) {
        const auto done = completion(rank, which);
        if (!done) return false;
        now = std::max(now, *done);
      }
    }
    if (event.kind == EventKind::kIssue) issues_[rank].push_back(now);
    if (event.kind == EventKind::kEnd) {
      auto& end = ends_[steps_[rank]++];
      end = std::max(end, now);
    }
    now_[rank] = now;
    ++next_[rank];
    return true;
  }

  bool run() {
    begin_ = *std::max_element(begins_.begin(), begins_.end());
    now_ = begins_;
    next_.assign(ranks_.size(), 0);
    steps_.assign(ranks_.size(), 0);
    issues_.assign(ranks_.size(), {});
    ends_.assign(ranks_.front().steps.size(), 0);
    for (bool moves = true; moves;) {
      moves = false;
      for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
        while (next_[rank] < events_[rank].size() && advance(rank)) moves = true;
      }
    }
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
      if (next_[rank] < events_[rank].size()) return false;
    }
    return true;
  }

  const std::vector<PathBlock>& ranks_;
  const std::vector<std::size_t>& hosts_;
  std::vector<std::vector<Event>> events_;
  std::vector<std::vector<const PathCollective*>> collectives_;  // by rank, over the block
  std::vector<std::vector<double>> transfers_;                   // the same
  std::vector<double> begins_, now_;
  std::vector<std::size_t> next_, steps_;
  std::vector<std::vector<double>> issues_;
  std::vector<double> ends_;
  double begin_ = 0;
};

}  // namespace

PathBlock path_of(const std::vector<StepTimes>& steps, std::span<const CollectiveRecord> records,
                  const std::vector<std::size_t>& log_marks, std::int64_t others_delay_ns, bool has_network) {
  PathBlock block;
  if (steps.empty()) return block;
  const Instant begin{steps.front().begin_ns, steps.front().begin_delay_ns};
  const auto since = [&](const Instant& instant) {
    return Instant{instant.wall_ns - begin.wall_ns, instant.delay_ns - begin.delay_ns};
  };
  block.begin_ns = begin.wall_ns;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const auto& step = steps[i];
    auto& found = block.steps.emplace_back();
    found.end = since({step.begin_ns + step.wall_ns, step.begin_delay_ns + step.run_delay_ns});
    const auto first = i == 0 ? 0 : log_marks[i - 1];
    for (const auto& record : records.subspan(first, has_network ? log_marks[i] - first : 0)) {
      PathCollective one;
      const auto seen_ns = seen_completion_of(record, step.backward_end.wall_ns);
      one.completed_ns = seen_ns - begin.wall_ns;
      one.late_ns = completion_of(record) - seen_ns;
      one.kind = record.kind;
      one.root = record.root;
      one.returned = since(record.returned);
      one.waited_ns = record.waited_ns;
      if (record.waited_ns > 0) one.wait_begin = since(record.wait_begin.wall_ns > 0 ? record.wait_begin : record.returned);
      const bool is_late_bucket = one.late_ns > 0 && record.waited_ns == 0;
      one.main_delay_ns = (is_late_bucket ? step.backward_end.delay_ns : record.main_delay_ns) - begin.delay_ns;
      one.others_delay_ns = record.others_delay_ns - others_delay_ns;
      found.collectives.push_back(one);
    }
  }
  return block;
}

std::string to_payload(const PathBlock& block) {
  std::string payload;
  put(payload, block.begin_ns);
  for (const auto& step : block.steps) {
    put(payload, step.end);
    put(payload, static_cast<std::int64_t>(step.collectives.size()));
    for (const auto& one : step.collectives) {
      put(payload, static_cast<std::int64_t>(one.kind));
      put(payload, one.root);
      put(payload, one.returned);
      put(payload, one.wait_begin);
      for (const auto number : {one.waited_ns, one.completed_ns, one.late_ns, one.main_delay_ns, one.others_delay_ns})
        put(payload, number);
    }
  }
  return payload;
}

PathBlock path_from_payload(std::string_view payload) {
  Numbers numbers(payload);
  PathBlock block;
  block.begin_ns = numbers.next();
  while (!numbers.is_over()) {
    auto& step = block.steps.emplace_back();
    step.end = numbers.instant();
    for (auto left = numbers.next(); left > 0; --left) {
      auto& one = step.collectives.emplace_back();
      one.kind = static_cast<CollectiveKind>(numbers.next());
      one.root = numbers.next();
      one.returned = numbers.instant();
      one.wait_begin = numbers.instant();
      for (auto* number : {&one.waited_ns, &one.completed_ns, &one.late_ns, &one.main_delay_ns, &one.others_delay_ns})
        *number = numbers.next();
    }
  }
  return block;
}

std::vector<double> awaited_ns(const std::vector<PathBlock>& ranks, const std::vector<std::size_t>& hosts) {
  return ranks.empty() ? std::vector<double>{} : Replay(ranks, hosts).steps_ns();
}

}  // namespace ddpbench
