#pragma once
#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace ddpbench {

// How many lines of a rank's output are kept to explain its end.
inline constexpr std::size_t kKeptLines = 20;

// How one rank ended.
struct RankEnd {
  int exit_code = 0;
  int signal = 0;                      // not 0: it died by this signal
  std::deque<std::string> last_lines;  // of its standard error, at most kKeptLines
  bool clean() const { return exit_code == 0 && signal == 0; }
};

// Why a launch stood still.
struct Hang {
  std::ptrdiff_t rank = -1;  // the one that the others wait for; -1: not known
  std::string words;         // "rank 1 hangs: it is stopped in phase backward after 12 super-blocks, …"
};

// How all processes of one launch ended.
struct LaunchEnd {
  std::vector<RankEnd> ranks;
  std::ptrdiff_t first_failed = -1;  // the rank that broke first: the others were ended because of it
  std::optional<Hang> hang;          // what it broke of, or what made the first rank give up
  bool stopped_by_signal = false;    // of the driver
  int stop_signal = 0;
  double wall_seconds = 0;
};

// "rank 1 was killed by signal 9 (Killed); it last said: …"; empty where every rank ended cleanly.
std::string why_broken(const LaunchEnd& end);

}  // namespace ddpbench
