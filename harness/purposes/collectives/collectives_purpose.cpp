#include "harness/purposes/collectives/collective_run.hpp"
#include "harness/purposes/collectives/collective_steps.hpp"
#include "harness/purposes/rank_purposes.hpp"
#include "harness/ranks/collective_runners.hpp"

namespace ddpbench {
namespace {

// Measures the launch's cases by each of its arms, which are ways to run a collective.
class CollectivesPurpose final : public RankPurpose {
 public:
  explicit CollectivesPurpose(RankLaunch& launch) : launch_(launch) {}

  void run(Outcome& outcome) override {
    launch_.rendezvous();
    launch_.note_facts(outcome);
    auto& group = launch_.group();
    const BackendRequest request{group.store(), launch_.info, launch_.hang_timeout(), group.device(), {}};
    for (const auto& arm : launch_.spec.arms) runners_.push_back(make_collective_runner(find_collective_arm(arm), request));
    {
      CollectiveSteps steps(launch_, runners_);
      run_collectives({launch_, runners_, steps});
    }
    for (const auto& runner : runners_) runner->close();
    group.leave();
  }

 private:
  RankLaunch& launch_;
  std::vector<std::unique_ptr<CollectiveRunner>> runners_;
};

}  // namespace

std::unique_ptr<RankPurpose> make_collectives_purpose(RankLaunch& launch) { return std::make_unique<CollectivesPurpose>(launch); }

}  // namespace ddpbench
