#include "reports/analysis/samples/settings.hpp"

#include <gmock/gmock.h>

#include "suite/base/errors.hpp"
#include "suite/contract/launch/options.hpp"

namespace ddpbench {
namespace {

using testing::HasSubstr;

TEST(Settings, DefaultsCellOptionsAndMistakes) {
  EXPECT_EQ(read_settings("", "e").protocol.margin_percent, 0.5);
  const auto settings = read_settings("name = 'x'\n[protocol]\nmargin_us = 3\nmargin_percent = 1\n", "e");
  EXPECT_EQ(settings.protocol.margin_us, 3);
  EXPECT_EQ(settings.protocol.margin_percent, 1);
  const auto cell = settings_of_cell(settings, "stem=cifar;margin_us=7.5");
  EXPECT_EQ(cell.protocol.margin_us, 7.5);
  EXPECT_EQ(cell.protocol.margin_percent, 1);
  EXPECT_EQ(option_value("stem=cifar;xstem=no", "stem"), "cifar");
  const auto axes = read_settings("[axes]\nbucket_cap_mb = [25, 0.01]\nbackend = [\"gloo\"]\nview = [true]\n", "e.toml").axes;
  EXPECT_EQ(axes, (decltype(axes){{"backend", {"gloo"}}, {"bucket_cap_mb", {"25", "0.01"}}, {"view", {"true"}}}));
  EXPECT_THAT([] { read_settings("name = \n", "e.toml"); }, testing::ThrowsMessage<UsageError>(HasSubstr("e.toml:1")));
}

}  // namespace
}  // namespace ddpbench
