#include "reports/analysis/findings/findings.hpp"

#include <array>
#include <functional>

#include "reports/analysis/findings/network/bucket_predictions.hpp"
#include "reports/analysis/findings/sizes/scaling.hpp"
#include "suite/base/in_parallel.hpp"

namespace ddpbench {

Findings findings_of(const Study& study, const std::vector<OverheadRow>& rows) {
  Findings findings;
  const std::array<std::function<void()>, 15> all{[&] { findings.laws = step_time_laws(study, rows); },
                                                  [&] { findings.ladder = ladder_rows(study); },
                                                  [&] { findings.instructions = instruction_rows(study); },
                                                  [&] { findings.carry_over = carry_over_rows(study); },
                                                  [&] { findings.efficiency = efficiency_rows(study); },
                                                  [&] { findings.scaling = scaling_rows(study); },
                                                  [&] { findings.audit = audit_rows(study); },
                                                  [&] { findings.nodes = node_rows(study); },
                                                  [&] { findings.links = link_rows(study.node_checks); },
                                                  [&] { findings.skew = skew_rows(study); },
                                                  [&] { findings.settings = compare_settings(study); },
                                                  [&] { findings.batch_memory = batch_memory_rows(study); },
                                                  [&] { findings.start_up = start_up_rows(study); },
                                                  [&] { findings.backend_shares = backend_share_rows(study.collective_samples); },
                                                  [&] {
                                                    findings.collectives = collective_rows(study.collective_samples);
                                                    add_predictions(study.collective_samples, study.cores, findings.collectives);
                                                  }};
  in_parallel(all.size(), reading_threads(), [&](std::size_t i, std::size_t /*thread*/) { all[i](); });
  findings.disturbances = disturbances(study);
  findings.collective_fits = collective_fits(findings.collectives);
  findings.held_out = held_out_rows(size_groups(findings.scaling, findings.efficiency, study.arms));
  return findings;
}

}  // namespace ddpbench
