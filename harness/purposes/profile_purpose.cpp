#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "harness/launch/launch_training.hpp"
#include "harness/measure/blocks/timed_block.hpp"
#include "harness/measure/process/backward_ranges.hpp"
#include "harness/measure/process/kineto_trace.hpp"
#include "harness/measure/process/profiler_window.hpp"
#include "harness/measure/process/stop_signal.hpp"
#include "harness/purposes/rank_purposes.hpp"
#include "suite/base/text.hpp"
#include "suite/contract/launch/profile.hpp"
#include "suite/contract/processes/outcome.hpp"
#include "suite/contract/vocabulary/registry.hpp"

namespace ddpbench {
namespace {

// Records some steps of each arm: a block each, one arm behind the other. Kineto is switched here; nsys, which started this
// process, takes the profiler's window. The timers' figures of the same steps are the rank's rows of steps.
class ProfilePurpose final : public RankPurpose {
 public:
  explicit ProfilePurpose(RankLaunch& launch)
      : launch_(launch), training_(launch), steps_(parse_profiled_steps(launch.spec.profile_steps)) {}

  void run(Outcome& outcome) override {
    if (records_memory()) KinetoTrace::count_host_memory();
    training_.begin(outcome);
    launch_.spec.protocol.block_steps = steps_.count();
    auto& group = launch_.group();
    const Measurement measurement{launch_.spec, launch_.info.rank,       training_.session(), training_.arms(),
                                  group.log(),  group.control_channel(), launch_.writer};
    name_ranges(measurement);
    warm_up();
    group.wait_at_most(launch_.hang_timeout());
    record(measurement);
    training_.end();
  }

 private:
  bool records_by_kineto() const {
    return is_profiled(launch_.spec, launch_.info.rank) && launch_.spec.profiler == profiler::kKineto;
  }
  bool records_memory() const { return records_by_kineto() && holds(launch_.spec.profile_with, "memory"); }

  void warm_up() {
    launch_.progress.say("warmup", 0, 0);
    for (const auto& named : training_.arms()) {
      for (std::int64_t step = 1; step + kDiscarded < steps_.first; ++step) {
        named.arm->step();
        stop_if_requested();
      }
      quiesce_arm(training_.session(), *named.arm);
      launch_.group().log().clear();
    }
  }

  // Ranks begin together, and none leaves while another still writes its trace.
  void record(const Measurement& measurement) {
    auto& peers = launch_.group().control_channel();
    launch_.progress.say("profile", 0, 0);
    peers.all_gather("profile");
    if (records_by_kineto()) {
      record_by_kineto(measurement);
    } else if (is_profiled(launch_.spec, launch_.info.rank)) {
      record_by_nsys(measurement);
    } else {
      run_blocks(measurement);
    }
    launch_.group().wait_at_most(std::max(launch_.hang_timeout(), launch_.first_step_timeout()));  // a peer may write long
    peers.all_gather("profiled");
  }

  void record_by_kineto(const Measurement& measurement) {
    const auto with = [&](const char* what) { return holds(launch_.spec.profile_with, what); };
    auto& session = training_.session();
    KinetoTrace trace({session.accelerator != nullptr, with("shapes"), with("memory"), with("stacks")}, launch_.spec.arms);
    session.timer.show_ranges_in(trace);
    trace.begin();
    run_blocks(measurement);
    add_facts();
    trace.end(
        trace_part(launch_.spec.part_dir, launch_.info.rank, find_entry(profilers(), "profiler", profiler::kKineto).suffix));
    session.timer.show_ranges_in(nvtx_ranges());
  }

  // The window stays open to the rank's end.
  void record_by_nsys(const Measurement& measurement) {
    const BackwardRanges of_autograd;
    open_profiler_window(training_.session().accelerator);
    run_blocks(measurement);
  }

  // `distributedInfo` is where readers of such traces look for the rank.
  void add_facts() const {
    const auto& spec = launch_.spec;
    const nlohmann::ordered_json place{
        {"backend", spec.backend}, {"rank", launch_.info.rank}, {"world_size", spec.world_size()}, {"pg_count", 1}};
    const nlohmann::ordered_json who{{"launch_id", spec.launch_id},
                                     {"cell_id", spec.cell_id},
                                     {"arms", spec.arms},
                                     {"knows_all_host_memory", records_memory()}};
    KinetoTrace::add_fact("distributedInfo", place.dump());
    KinetoTrace::add_fact("ddpbench", who.dump());
  }

  void run_blocks(const Measurement& measurement) {
    LaunchRecorder recorder(measurement);
    TimedBlock block(measurement, recorder, EventCounter("none: of a profile"));
    const auto arms = training_.arms().size();
    for (std::size_t arm = 0; arm < arms; ++arm) {
      recorder.add_block({1, static_cast<std::int64_t>(arm)}, arm, block.run(arm, kDiscarded), {});
      launch_.group().log().clear();
    }
    recorder.end_super_block({});
  }

  static constexpr std::int64_t kDiscarded = 1;  // of a block

  RankLaunch& launch_;
  LaunchTraining training_;
  ProfiledSteps steps_;
};

}  // namespace

std::unique_ptr<RankPurpose> make_profile_purpose(RankLaunch& launch) { return std::make_unique<ProfilePurpose>(launch); }

}  // namespace ddpbench
