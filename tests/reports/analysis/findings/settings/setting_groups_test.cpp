#include "reports/analysis/findings/settings/setting_groups.hpp"

#include <gmock/gmock.h>

namespace ddpbench {
namespace {

using testing::ElementsAre;

// A cell over gloo on two ranks.
Cell cell_with(const std::string& workload, const std::string& options, std::int64_t batch = 4) {
  Cell cell;
  cell.axes.workload = workload;
  cell.axes.options = options;
  cell.axes.batch_size_per_rank = batch;
  cell.axes.ranks_per_node = 2;
  return cell;
}

std::vector<std::size_t> sizes_of(const Study& study) {
  std::vector<std::size_t> sizes;
  for (const auto& group : setting_groups(study)) sizes.push_back(group.cells.size());
  return sizes;
}

TEST(SettingGroups, WhatMakesAStepLongerIsNoSetting) {
  Study study;
  study.cells = {cell_with("null", "matmuls=0"), cell_with("null", "matmuls=8"), cell_with("null", "matmuls=0", 64),
                 cell_with("resnet50_cifar10", "")};
  EXPECT_THAT(sizes_of(study), ElementsAre(4));
}

TEST(SettingGroups, EveryOtherAxisIsOne) {
  Study study;
  study.cells.assign(5, cell_with("null", "matmuls=0"));
  study.cells[1].axes.backend = "mpi";
  study.cells[2].axes.ranks_per_node = 1;
  study.cells[3].axes.nodes = 3;
  study.cells[4].axes.strategy = "single";
  const auto groups = setting_groups(study);
  ASSERT_EQ(groups.size(), 5U);
  std::vector<std::string> differences;
  for (const auto& group : groups) differences.push_back(what_differs(group, groups.front()));
  EXPECT_THAT(differences, ElementsAre("", "mpi", "1 rank per node", "3 nodes", "single"));
}

TEST(SettingGroups, SoIsAnOptionThatDiffersWithinAWorkload) {
  Study study;
  study.cells = {cell_with("null", "lightning_version=2.5.1;data=constant"),
                 cell_with("null", "lightning_version=2.6.6;data=constant"),
                 cell_with("resnet50_cifar10", "lightning_version=2.5.1;data=cifar;stem=cifar")};
  const auto groups = setting_groups(study);
  EXPECT_THAT(sizes_of(study), ElementsAre(2, 1));  // the data are the workload's own
  EXPECT_EQ(what_differs(groups[1], groups[0]), "lightning_version=2.6.6");
}

}  // namespace
}  // namespace ddpbench
