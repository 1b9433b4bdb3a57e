#include <algorithm>
#include <nlohmann/json.hpp>

#include "harness/launch/launch_training.hpp"
#include "harness/measure/blocks/timed_block.hpp"
#include "harness/measure/process/backward_ranges.hpp"
#include "harness/measure/process/kineto_trace.hpp"
#include "harness/measure/process/profiler_window.hpp"
#include "harness/measure/process/stop_signal.hpp"
#include "harness/purposes/rank_purposes.hpp"
#include "suite/base/text.hpp"
#include "suite/contract/launch/profile.hpp"
#include "suite/contract/processes/heartbeat.hpp"
#include "suite/contract/processes/outcome.hpp"

namespace ddpbench {
namespace {

// Records some steps of each arm: a block each, one arm behind the other; by a schedule a block for each cycle of each arm, in a
// trace of its own. Kineto is switched here; nsys, which started this process, takes the profiler's window. The timers' figures of
// the same steps are the rank's rows of steps.
class ProfilePurpose final : public RankPurpose {
 public:
  explicit ProfilePurpose(RankLaunch& launch) : launch_(launch), training_(launch), windows_(profiled_windows(launch.spec)) {}

  void run(Outcome& outcome) override {
    if (records_memory()) KinetoTrace::count_host_memory();
    training_.begin(outcome);
    launch_.spec.protocol.block_steps = windows_.front().steps.count();
    auto& group = launch_.group();
    const Measurement measurement{launch_.spec, launch_.info.rank,       training_.session(), training_.arms(),
                                  group.log(),  group.control_channel(), launch_.writer};
    name_ranges(measurement);
    if (launch_.spec.profile_schedule.empty()) {
      warm_up();
      group.wait_at_most(launch_.hang_timeout());
      record(measurement);
    } else {
      record_by_schedule(measurement);
    }
    training_.end();
  }

 private:
  bool records_by_kineto() const {
    return is_profiled(launch_.spec, launch_.info.rank) && launch_.spec.profiler == profiler::kKineto;
  }
  bool records_memory() const { return records_by_kineto() && holds(launch_.spec.profile_with, "memory"); }

  void take_steps(const NamedArm& named, std::int64_t count) {
    auto& arm = *named.arm;
    tell_arm(named.name);
    for (std::int64_t step = 0; step < count; ++step) {
      arm.step();
      stop_if_requested();
    }
    quiesce_arm(training_.session(), arm);
    launch_.group().log().clear();
  }

  void warm_up() {
    launch_.progress.say("warmup", 0, 0);
    for (const auto& named : training_.arms()) take_steps(named, windows_.front().steps.first - 1 - kDiscarded);
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
    await_writers();
  }

  void await_writers() {
    launch_.group().wait_at_most(std::max(launch_.hang_timeout(), launch_.first_step_timeout()));  // a peer may write long
    launch_.group().control_channel().all_gather("profiled");
  }

  void record_by_kineto(const Measurement& measurement) {
    auto trace = kineto_trace(0);
    trace.prepare();
    begin(trace);
    run_blocks(measurement);
    end(trace, 0);
  }

  // As torch.profiler.schedule does. A step that is recorded waits for no peer that is still about to begin.
  void record_by_schedule(const Measurement& measurement) {
    launch_.progress.say("profile", 0, 0);
    launch_.spec.protocol.rewarm_steps = 0;
    const auto schedule = parse_profile_schedule(launch_.spec.profile_schedule);
    const bool records = is_profiled(launch_.spec, launch_.info.rank);
    LaunchRecorder recorder(measurement);
    TimedBlock block(measurement, recorder, EventCounter("none: of a profile"));
    for (std::size_t place = 0; place < windows_.size(); ++place) {
      const auto arm = place / static_cast<std::size_t>(schedule.repeat);
      auto trace = kineto_trace(windows_[place].steps.first - 1);
      take_steps(training_.arms()[arm], schedule.wait);
      if (records) trace.prepare();
      take_steps(training_.arms()[arm], schedule.warmup);
      if (records) begin(trace);
      launch_.group().control_channel().all_gather("profile");
      launch_.group().wait_at_most(launch_.hang_timeout());
      recorder.add_block({windows_[place].span, static_cast<std::int64_t>(arm)}, arm, block.run(arm, 0), {});
      recorder.end_super_block({});
      launch_.group().log().clear();
      launch_.group().control_channel().all_gather("measured");  // time for the backend's threads to end their last ranges
      if (records) end(trace, place);
      await_writers();
    }
  }

  KinetoTrace kineto_trace(std::int64_t first_step) {
    const auto with = [&](const char* what) { return holds(launch_.spec.profile_with, what); };
    const bool has_device = training_.session().accelerator != nullptr;
    return {{has_device, with("shapes"), with("memory"), with("stacks")}, launch_.spec.arms, first_step};
  }

  void begin(KinetoTrace& trace) {
    training_.session().timer.show_ranges_in(trace);
    trace.begin();
  }

  void end(KinetoTrace& trace, std::size_t place) {
    add_facts(windows_[place]);
    trace.end(trace_part(launch_.spec.part_dir, launch_.info.rank, trace_suffix(launch_.spec, place)));
    training_.session().timer.show_ranges_in(nvtx_ranges());
  }

  // The window stays open to the rank's end.
  void record_by_nsys(const Measurement& measurement) {
    const BackwardRanges of_autograd;
    open_profiler_window(training_.session().accelerator);
    run_blocks(measurement);
  }

  // `distributedInfo` is where readers of such traces look for the rank.
  void add_facts(const ProfiledWindow& window) const {
    const auto& spec = launch_.spec;
    const nlohmann::ordered_json place{
        {"backend", spec.backend}, {"rank", launch_.info.rank}, {"world_size", spec.world_size()}, {"pg_count", 1}};
    nlohmann::ordered_json who{{"launch_id", spec.launch_id},
                               {"cell_id", spec.cell_id},
                               {"arms", window.arms},
                               {"knows_all_host_memory", records_memory()}};
    if (window.span > 0) who.update({{"schedule", spec.profile_schedule}, {"span", window.span}});
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
  std::vector<ProfiledWindow> windows_;
};

}  // namespace

std::unique_ptr<RankPurpose> make_profile_purpose(RankLaunch& launch) { return std::make_unique<ProfilePurpose>(launch); }

}  // namespace ddpbench
