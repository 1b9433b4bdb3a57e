#include "suite/commands/turns.hpp"

#include <unistd.h>

#include <deque>
#include <iostream>

#include "suite/commands/clean_output.hpp"
#include "suite/commands/run_end.hpp"
#include "suite/launch/progress.hpp"
#include "suite/plan/launch_seed.hpp"

namespace ddpbench {
namespace {

// A side's sweep with all that it refers to.
class TurnTaker {
 public:
  TurnTaker(const ReadySide& side, int sides, bool resume, std::chrono::system_clock::time_point started,
            ProgressDisplay& display)
      : folder_(open_folder(side.ready, side.path, resume, started)),
        setup_{side.ready.plan, side.ready.installation,     side.ready.launcher, side.ready.data,
               started,         side.ready.allocation.hosts, side.side.folder,    sides},
        sweep_(setup_, folder_, display) {}
  TurnTaker(const TurnTaker&) = delete;
  TurnTaker& operator=(const TurnTaker&) = delete;

  bool advance(SignalInbox& inbox) { return sweep_.advance(inbox); }

  SweepCounts end() {
    if (sweep_.counts().lost.empty()) folder_.close();  // where nothing can be stored any more, the folder is whole as it is
    print_unwell_launches(folder_, std::cout);
    return sweep_.counts();
  }

 private:
  ResultsFolder folder_;
  SweepSetup setup_;
  Sweep sweep_;
};

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

SweepCounts measure_in_turn(const std::vector<ReadySide>& sides, bool resume, std::chrono::system_clock::time_point started) {
  std::ostream terminal(CleanOutput::beneath(std::cerr));
  ProgressDisplay display(terminal, ProgressDisplay::screen_of(STDERR_FILENO));
  std::deque<TurnTaker> takers;
  for (const auto& side : sides) takers.emplace_back(side, static_cast<int>(sides.size()), resume, started, display);
  {
    SignalInbox inbox;
    const auto seed = sides.front().ready.experiment.protocol.seed;
    bool anyone_went_on = true;
    for (std::int64_t turn = 0; anyone_went_on; ++turn) {
      anyone_went_on = false;
      for (const auto place : launch_order(takers.size(), seed, turn)) anyone_went_on |= takers[place].advance(inbox);
    }
  }
  display.clear_bar();
  SweepCounts all;
  for (auto& taker : takers) add(all, taker.end());
  return all;
}

}  // namespace ddpbench
