#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "suite/base/errors.hpp"
#include "suite/plan/plan.hpp"
#include "tests/support/sound_experiment.hpp"
#include "tests/support/test_vocabulary.hpp"

namespace ddpbench {
namespace {

TEST(RandomExperiment, ADamagedFileIsRefusedOrPlannedButNeverCrashes) {
  const auto vocabulary = test::test_vocabulary();
  const std::vector<std::string> splinters{"\"",
                                           "[",
                                           "]",
                                           "=",
                                           ",",
                                           "\n",
                                           "#",
                                           "-1",
                                           "1e9",
                                           "nan",
                                           "inf",
                                           "true",
                                           ".",
                                           "{",
                                           "}",
                                           "'''",
                                           "\\",
                                           "\xff",
                                           std::string(1, '\0'),
                                           "[axes]",
                                           "0x",
                                           "1979-05-27",
                                           "ü",
                                           "raw",
                                           "%"};
  EXPECT_TRUE(rc::check([&] {
    std::string toml = test::kSoundExperiment;
    const int damages = *rc::gen::inRange(1, 5);
    for (int i = 0; i < damages; ++i) {
      const auto at = *rc::gen::inRange<std::size_t>(0, toml.size());
      toml.replace(at, *rc::gen::inRange<std::size_t>(0, 4), *rc::gen::elementOf(splinters));
    }
    RC_LOG() << toml;
    try {
      const auto experiment = parse_experiment(toml, "x.toml", vocabulary);
      RC_ASSERT(parse_experiment(to_toml(experiment), "x.toml", vocabulary) == experiment);
      RC_ASSERT(!make_plan(experiment, vocabulary, {}).launches.empty());
    } catch (const UsageError& error) {
      RC_ASSERT(!error.messages().front().empty());
    }
  }));
}

}  // namespace
}  // namespace ddpbench
