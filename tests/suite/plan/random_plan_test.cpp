#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <map>
#include <set>

#include "suite/base/errors.hpp"
#include "suite/contract/status.hpp"
#include "suite/plan/constraint.hpp"
#include "suite/plan/plan.hpp"
#include "tests/support/test_vocabulary.hpp"

namespace ddpbench {
namespace {

// A random choice of values for every kind of axis, and of constraints on them. The first values meet every constraint.
struct RandomSweep {
  std::vector<std::string> settings, constraints;
  std::size_t product = 1;

  RandomSweep() {
    pick("workload", {"resnet50_cifar10", "null", "convnet_cifar10", "resnet18_cifar10"});
    pick("strategy", {"ddp", "single"});
    pick("backend", {"gloo", "nccl", "mpi"});
    pick("nodes", {"1", "2", "3"});
    pick("ranks_per_node", {"1", "2", "4"});
    pick("stem", {"imagenet", "cifar"});
    pick("bucket_cap_mb", {"0.5", "1", "25"});
    pick("launches", {"1", "2", "5"});
    pick("margin_us", {"1", "2"});
    const std::vector<std::string> some{"nodes * ranks_per_node <= 4", "backend == 'gloo' or nodes == 1",
                                        "not (strategy == 'single' and ranks_per_node > 1)"};
    for (const auto& constraint : some) {
      if (*rc::gen::inRange(0, 3) == 0) constraints.push_back(constraint);
    }
  }

  void pick(const std::string& axis, const std::vector<std::string>& legal) {
    const auto count = *rc::gen::inRange<std::size_t>(1, legal.size() + 1);
    std::string setting = axis + "=";
    for (std::size_t i = 0; i < count; ++i) setting += (i == 0 ? "" : ",") + legal[i];
    settings.push_back(setting);
    product *= count;
  }
};

struct Planned {
  Plan whole, first;
};

Planned plan_of(const RandomSweep& sweep) {
  const char* least = "name = \"n\"\narms = [\"raw\", \"trainer\", \"trainer+log\"]\n[axes]\nworkload = [\"null\"]\n";
  const auto vocabulary = test::test_vocabulary();
  const Availability availability{.why_not = {{"workload", {{"convnet_cifar10", "no data"}}}}, .max_nodes = 2};
  const auto experiment = parse_experiment(least, "x.toml", vocabulary, {sweep.settings, sweep.constraints});
  return {make_plan(experiment, vocabulary, availability),
          make_plan(experiment, vocabulary, availability, PlanDepth::kFirstRepetition)};
}

TEST(RandomPlan, CellsAreTheProductLessWhatIsDroppedOrWithoutEffect) {
  EXPECT_TRUE(rc::check([] {
    const RandomSweep sweep;
    const auto planned = plan_of(sweep);
    const auto& plan = planned.whole;
    std::set<std::string> cells;
    for (const auto& launch : plan.launches) cells.insert(launch.spec.cell_id);
    RC_ASSERT(cells.size() == plan.cells);
    RC_ASSERT(plan.cells + plan.dropped_by_constraints + plan.merged == sweep.product);
  }));
}

TEST(RandomPlan, EveryLaunchHasANameOfItsOwnAndEverySkipAReason) {
  EXPECT_TRUE(rc::check([] {
    const auto planned = plan_of(RandomSweep());
    std::set<std::string> ids;
    std::map<std::string, std::set<std::string>> arms;
    for (const auto& launch : planned.whole.launches) {
      RC_ASSERT(ids.insert(launch.spec.launch_id).second);
      RC_ASSERT(!launch.spec.arms.empty());
      const auto row = to_row(launch, "");
      RC_ASSERT((row.status_planned == status::kSkipped) == !row.skip_reason.empty());
      RC_ASSERT(!launch.skip_reason.empty() || launch.spec.arms.front() == "raw");
      auto& of_start = arms[launch.spec.cell_id + std::to_string(launch.spec.repetition)];
      for (const auto& arm : launch.spec.arms) RC_ASSERT(of_start.insert(arm).second);
    }
    for (const auto& [start, names] : arms) RC_ASSERT(names.size() == 3U);
  }));
}

TEST(RandomPlan, IsTheSameAgainAndItsFirstRepetitionStandsForAll) {
  EXPECT_TRUE(rc::check([] {
    const RandomSweep sweep;
    const auto planned = plan_of(sweep);
    const auto again = plan_of(sweep);
    std::map<std::string, std::int64_t> launches, standing;
    for (std::size_t i = 0; i < planned.whole.launches.size(); ++i) {
      const auto& launch = planned.whole.launches[i];
      RC_ASSERT(to_tokens(launch.spec) == to_tokens(again.whole.launches[i].spec));
      launches[launch.spec.cell_id + launch.skip_reason] += 1;
    }
    for (std::size_t i = 0; i < planned.first.launches.size(); ++i) {
      const auto& launch = planned.first.launches[i];
      RC_ASSERT(to_tokens(launch.spec) == to_tokens(planned.whole.launches[i].spec));
      standing[launch.spec.cell_id + launch.skip_reason] += launch.stands_for;
    }
    RC_ASSERT(launches == standing);
    RC_ASSERT(expected_seconds(planned.first) == expected_seconds(planned.whole));
  }));
}

}  // namespace
}  // namespace ddpbench
