#include "suite/purposes/collectives/collective_launch.hpp"

#include "suite/contract/processes/outcome.hpp"
#include "suite/contract/tables/part_file.hpp"
#include "suite/launch/launchers/launchers.hpp"
#include "suite/runs/rank_outcomes.hpp"

namespace ddpbench {
namespace {

std::vector<CollectiveSampleRow> rows_of(const LaunchSpec& spec) {
  const PartFile part(collectives_part(spec.part_dir, 0));  // rank 0 writes for all
  std::vector<CollectiveSampleRow> rows;
  for (std::size_t i = 0; i < part.lines(); ++i) rows.push_back(part.row<CollectiveSampleRow>(i));
  return rows;
}

}  // namespace

CollectiveResult run_collective_launch(const CollectiveSetup& setup, const LaunchSpec& spec, SignalInbox& inbox,
                                       ProgressDisplay& display) {
  auto program = worker_program(setup.installation);
  program.hosts = setup.hosts;
  auto ended = outcome_of_ranks(setup.launcher, spec, program, inbox, shown_on(display)).ended;
  return {rows_of(spec), std::move(ended)};
}

}  // namespace ddpbench
