#include "suite/commands/compare/interleaved_sweeps.hpp"

#include <unistd.h>

#include <algorithm>
#include <deque>
#include <iostream>

#include "suite/commands/clean_output.hpp"
#include "suite/commands/report/run_end.hpp"
#include "suite/launch/progress.hpp"
#include "suite/plan/launch_seed.hpp"

namespace ddpbench {
namespace {

// A side's sweep with all that it refers to.
class InterleavedSweep {
 public:
  InterleavedSweep(const ReadySide& side, int sides, bool resume, std::chrono::system_clock::time_point started,
                   ProgressDisplay& display)
      : folder_(open_folder(side.ready, side.path, resume, started)),
        setup_{side.ready.plan,  side.ready.installation,     side.ready.launcher, side.ready.data,
               {started, false}, side.ready.allocation.hosts, side.side.folder,    sides},
        sweep_(setup_, folder_, display) {}
  InterleavedSweep(const InterleavedSweep&) = delete;
  InterleavedSweep& operator=(const InterleavedSweep&) = delete;

  Sweep& sweep() { return sweep_; }

  SweepCounts end() {
    if (sweep_.counts().lost.empty()) folder_.close();  // where nothing can be stored any more, the folder is whole as it is
    print_unwell_launches(folder_, std::cout, sweep_.counts().told);
    return sweep_.counts();
  }

 private:
  ResultsFolder folder_;
  SweepSetup setup_;
  Sweep sweep_;
};

bool any_ended(std::deque<InterleavedSweep>& takers) {
  return std::any_of(takers.begin(), takers.end(), [](InterleavedSweep& taker) { return taker.sweep().has_ended(); });
}

// Runs each planned launch once on every side; a skip costs the others no turn. Where one side ends, all do.
void take_turns(const std::vector<ReadySide>& sides, std::deque<InterleavedSweep>& takers, SignalInbox& inbox) {
  const auto seed = sides.front().ready.experiment.protocol.seed;
  std::int64_t turn = 0;
  for (const auto& launch : sides.front().ready.plan.launches) {
    for (const auto place : launch_order(takers.size(), seed, turn++)) {
      if (!any_ended(takers)) takers[place].sweep().take(launch.spec.launch_id, inbox);
    }
  }
  for (auto& taker : takers) {  // what the first side does not plan
    while (!any_ended(takers) && taker.sweep().advance(inbox)) continue;
  }
}

void add(SweepCounts& all, const SweepCounts& one) {
  all.ok += one.ok;
  all.skipped += one.skipped;
  all.failed += one.failed;
  all.wrong += one.wrong;
  all.partial += one.partial;
  all.stopped |= one.stopped;
  if (all.lost.empty()) all.lost = one.lost;
}

}  // namespace

SweepCounts run_interleaved(const std::vector<ReadySide>& sides, bool resume, std::chrono::system_clock::time_point started) {
  std::ostream terminal(CleanOutput::beneath(std::cerr));
  ProgressDisplay display(terminal, ProgressDisplay::screen_of(STDERR_FILENO));
  std::deque<InterleavedSweep> takers;
  for (const auto& side : sides) takers.emplace_back(side, static_cast<int>(sides.size()), resume, started, display);
  {
    SignalInbox inbox;
    take_turns(sides, takers, inbox);
  }
  display.clear_bar();
  SweepCounts all;
  for (auto& taker : takers) add(all, taker.end());
  return all;
}

}  // namespace ddpbench
