#include "suite/plan/plan_text.hpp"

#include <gmock/gmock.h>

#include "tests/support/test_vocabulary.hpp"

namespace ddpbench {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class PlanText : public testing::Test {
 protected:
  std::string text(const std::vector<std::string>& settings, const std::vector<std::string>& constraints = {}) {
    const char* least =
        "name = \"n\"\narms = [\"raw\", \"trainer+log\"]\n[axes]\nworkload = [\"resnet50_cifar10\"]\n[protocol]\nlaunches = 2\n";
    experiment_ = parse_experiment(least, "x.toml", vocabulary_, {settings, constraints});
    const auto depth = options_.all_commands ? PlanDepth::kEveryLaunch : PlanDepth::kFirstRepetition;
    return plan_text(make_plan(experiment_, vocabulary_, {}, depth), experiment_, options_);
  }

  Vocabulary vocabulary_ = test::test_vocabulary();
  Experiment experiment_;
  PlanTextOptions options_{.command = [](const PlannedLaunch& launch) { return "start " + launch.spec.launch_id; }};
};

TEST_F(PlanText, ShowsCellsSkipsAndEveryDefault) {
  const auto shown = text({"ranks_per_node=2", "strategy=ddp,single", "batch_size_per_rank=1,2"}, {"batch_size_per_rank < 2"});
  EXPECT_THAT(shown,
              AllOf(HasSubstr("experiment n"), HasSubstr("raw, trainer+log"), HasSubstr("precision                   fp32"),
                    HasSubstr("margin_percent              0.5 "), HasSubstr("first_step_timeout_seconds  600 "),
                    HasSubstr("constraint                  batch_size_per_rank < 2")));
  EXPECT_THAT(shown, HasSubstr("resnet50_cifar10-ddp-gloo-n1r2-fp32-b1   2 launches\n      options data=cifar;stem=cifar;"));
  EXPECT_THAT(shown, HasSubstr("2 launches (raw, trainer+log): strategy 'single' runs 1 rank, this cell has 2"));
  EXPECT_THAT(shown, HasSubstr("2 launches (trainer+log): feature 'log' needs device tpu"));
  EXPECT_THAT(shown, HasSubstr("2 cells, 2 more dropped by constraints; 2 launches planned, 4 skipped"));
}

TEST_F(PlanText, SaysWhereAnArmIs) {
  EXPECT_THAT(text({"arms_where.trainer+log=nodes == 1", "arms_where.raw=nodes < 3"}),
              HasSubstr("raw, trainer+log\n                              raw, and what is compared with it, where nodes < 3\n"
                        "                              trainer+log where nodes == 1\n"));
  EXPECT_THAT(text({"memory_where=nodes == 1"}), AllOf(HasSubstr("memory of each arm          where nodes == 1\n"),
                                                       HasSubstr("skipped, and 1 start of one arm alone for its peak memory\n")));
}

TEST_F(PlanText, ShowsTheCommandOfEachCellOrOfEveryLaunch) {
  EXPECT_THAT(text({}), AllOf(HasSubstr("start resnet50_cifar10-ddp-gloo-n1r1-fp32-b16-r0\n"), Not(HasSubstr("-r1\n"))));
  options_.all_commands = true;
  EXPECT_THAT(text({}),
              AllOf(HasSubstr("-r0\n      start resnet50_cifar10-ddp-gloo-n1r1-fp32-b16-r0\n"), HasSubstr("-r1\n      start")));
}

TEST_F(PlanText, ASweptFieldStandsAmongTheAxesOnly) {
  EXPECT_THAT(text({"launches=1,2"}),
              AllOf(HasSubstr("launches                    1, 2\n"), Not(HasSubstr("launches                    5"))));
}

// 100,000 cells: the first ones are shown, the others counted, and no reason is lost.
TEST_F(PlanText, ManyCellsAreShownInPartAndTheirSkipsByReason) {
  const auto numbers = [](const std::string& axis, int last) {
    std::string text = axis + "=1";
    for (int i = 2; i <= last; ++i) text += "," + std::to_string(i);
    return text;
  };
  const std::vector<std::string> settings{numbers("batch_size_per_rank", 250), numbers("margin_us", 20),
                                          "ranks_per_node=1,2,4,8,16", "strategy=ddp,single", "stem=imagenet,cifar"};
  const auto shown = text(settings);
  EXPECT_LT(shown.size(), 100'000U);
  EXPECT_THAT(
      shown, AllOf(HasSubstr("\n  … and 59900 more cells (--all-commands shows all)\n"),
                   HasSubstr("10000 cells   20000 launches (raw, trainer+log): strategy 'single' runs 1 rank, this cell has 8\n"),
                   HasSubstr("60000 cells   120000 launches (trainer+log): feature 'log' needs device tpu, this cell has cpu "
                             "(backend 'gloo')\n"),
                   HasSubstr("100000 cells; 120000 launches planned, 200000 skipped\n")));
}

TEST_F(PlanText, TellsTimeAndCost) {
  EXPECT_THAT(text({"ranks_per_node=2", "max_seconds_per_launch=90", "threads_per_rank=4"}),
              HasSubstr("expected: 3 min of measuring, 0 GPU-hours, 0.4 CPU core-hours"));
  vocabulary_.backends[1].why_not_built.clear();
  EXPECT_THAT(text({"backend=nccl", "ranks_per_node=4", "max_seconds_per_launch=9000"}),
              AllOf(HasSubstr("expected: 5 h"), HasSubstr("20 GPU-hours, 0 CPU")));
}

TEST_F(PlanText, SaysWhereNobodyLooked) {
  EXPECT_THAT(text({}), Not(HasSubstr("not probed")));
  options_.probed = false;
  EXPECT_THAT(text({}), HasSubstr("not probed"));
}

}  // namespace
}  // namespace ddpbench
