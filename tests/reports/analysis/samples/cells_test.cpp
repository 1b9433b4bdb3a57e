// How cells are ordered, and what they are called.
#include <gmock/gmock.h>

#include "reports/analysis/samples/cell_labels.hpp"
#include "reports/analysis/samples/cell_order.hpp"

namespace ddpbench {
namespace {

using testing::ElementsAre;

PlanRow cell(const std::string& id, const std::string& options = "", std::int64_t batch = 8) {
  PlanRow row;
  row.cell_id = id;
  row.workload = "null";
  row.batch_size_per_rank = batch;
  row.options = options;
  return row;
}

std::vector<std::string> labels_of(const std::vector<PlanRow>& cells) {
  Study study;
  for (const auto& row : cells) study.cells.emplace_back().axes = row;
  label_cells(study);
  std::vector<std::string> labels;
  for (const auto& labelled : study.cells) labels.push_back(labelled.label);
  return labels;
}

TEST(CellOrder, IsThatOfTheAxesAndNotOfThePlan) {
  const auto ids = [](const Settings& settings, const std::vector<PlanRow>& plan) {
    std::vector<std::string> found;
    for (const auto& row : cells_in_order(settings, plan)) found.push_back(row.cell_id);
    return found;
  };
  const std::vector<PlanRow> plan{cell("b16", "", 16), cell("b8", "", 8), cell("b128", "", 128), cell("b16", "", 16)};
  EXPECT_THAT(ids({}, plan), ElementsAre("b8", "b16", "b128")) << "by their numbers where no list says more";
  Settings listed;
  listed.axes["batch_size_per_rank"] = {"128", "8", "16"};
  EXPECT_THAT(ids(listed, plan), ElementsAre("b128", "b8", "b16"));
  EXPECT_THAT(ids({}, {cell("c", "z=1"), cell("b", "a=nan"), cell("a", "a=2")}), ElementsAre("b", "a", "c")) << "key by key";
  listed.axes["matmuls"] = {"0", "10", "100"};
  EXPECT_THAT(ids(listed, {cell("m100", "matmuls=100"), cell("m0", "matmuls=0"), cell("m10", "matmuls=10")}),
              ElementsAre("m0", "m10", "m100"));
}

TEST(CellLabels, NameWhatDiffers) {
  EXPECT_THAT(labels_of({cell("a", "matmuls=0"), cell("b", "matmuls=8")}), ElementsAre("null, matmuls=0", "null, matmuls=8"));
  EXPECT_THAT(labels_of({cell("a", "", 8), cell("b", "", 16)}), ElementsAre("null, batch 8", "null, batch 16"));
}

// As those of DDP, which a single rank does not have.
TEST(CellLabels, DoNotNameOptionsThatComeWithAnotherValue) {
  auto single = cell("single");
  single.strategy = "single";
  EXPECT_THAT(labels_of({single, cell("ddp", "broadcast_buffers=true;static_graph=false")}),
              ElementsAre("null, single", "null, ddp"));
}

// As in folders of two releases, of which one knows the option.
TEST(CellLabels, NameAnOptionThatAloneTellsCellsApart) {
  EXPECT_THAT(labels_of({cell("old"), cell("new", "fused=true")}), ElementsAre("null", "null, fused=true"));
}

}  // namespace
}  // namespace ddpbench
