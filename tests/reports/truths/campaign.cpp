#include "tests/reports/truths/campaign.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <random>

#include "reports/analysis/samples/block_series.hpp"
#include "suite/contract/status.hpp"
#include "suite/contract/tables/metrics.hpp"
#include "tests/reports/analysis/resolved_study.hpp"

namespace ddpbench {
namespace {

constexpr int kBlockSteps = 4;

class LaunchMaker {
 public:
  LaunchMaker(const CampaignPlan& plan, int launch, double length, std::uint64_t seed)
      : plan_(plan), launch_(launch), length_(length), generator_(seed) {
    for (const auto& arm : plan.arms) {
      of_launch_[arm] = std::exp(plan.noise.arm_by_launch_sd * normal_(generator_));
      auto& samples = samples_.arms.emplace_back();
      samples.arm = arm;
      samples.ranks.resize(static_cast<std::size_t>(plan.ranks));
    }
    jitter_.assign(static_cast<std::size_t>(plan.ranks), 0.0);
  }

  LaunchSamples make() {
    const auto references = plan_.arms.size() > 5 ? std::size_t{2} : std::size_t{1};
    samples_.world_size = plan_.ranks;
    samples_.block_steps = kBlockSteps;
    samples_.arms.front().blocks_per_super_block = static_cast<std::int64_t>(references);
    std::vector<std::size_t> order(plan_.arms.size() + references - 1, 0);
    std::iota(order.begin() + static_cast<std::ptrdiff_t>(references - 1), order.end(), std::size_t{0});
    for (int super_block = 0; super_block < plan_.super_blocks; ++super_block) {
      advance();
      if (plan_.shuffled) std::shuffle(order.begin(), order.end(), generator_);
      const int discards = plan_.discards > 0 ? plan_.discards : 1 + static_cast<int>(3 * uniform());
      std::map<std::size_t, int> repeated;
      for (const auto arm : order) add_block(super_block, arm, repeated[arm]++, discards);
      if (is_flagged(plan_, super_block)) samples_.disturbed.insert(super_block + 1);
    }
    for (auto& arm : samples_.arms) find_series(arm, plan_.ranks, plan_.fastest_step);
    samples_.host.wall_s = wall_s_;
    return std::move(samples_);
  }

 private:
  double uniform() { return std::uniform_real_distribution<double>()(generator_); }

  void advance() {
    const auto& noise = plan_.noise;
    const double left = std::exp(-1 / noise.drift_super_blocks);
    drift_ = left * drift_ + noise.drift_sd * std::sqrt(1 - left * left) * normal_(generator_);
    if (uniform() < 0.03) fast_ = !fast_;
  }

  void add_block(int super_block, std::size_t which, int repeated, int discards) {
    const auto& noise = plan_.noise;
    auto& arm = samples_.arms[which];
    StepPlace place;
    place.launch = launch_;
    place.super_block = super_block;
    place.arm = arm.arm;
    place.previous = previous_;
    place.share_done = static_cast<double>(super_block) / plan_.super_blocks;
    place.lot = uniform();
    const double burst = uniform() < noise.burst_share ? -noise.burst * std::log1p(-uniform()) : 0;
    const auto block = super_block * arm.blocks_per_super_block + repeated + 1;
    arm.block_numbers.push_back(++blocks_);
    for (int step = -discards; step < kBlockSteps; ++step) {
      place.discarded = step < 0;
      place.steps_before = steps_[which]++;
      std::vector<Times> of_ranks;
      Times slowest;
      for (int rank = 0; rank < plan_.ranks; ++rank) {
        place.rank = rank;
        const auto& times = of_ranks.emplace_back(step_times(place, burst));
        slowest.wall_us = std::max(slowest.wall_us, times.wall_us);
        slowest.own_us = std::max(slowest.own_us, times.own_us);
      }
      for (std::size_t rank = 0; rank < of_ranks.size(); ++rank) {
        auto& of_rank = arm.ranks[rank];
        auto& table = step < 0 ? of_rank.discarded_steps.at(block, -step) : of_rank.steps.at(block, step + 1);
        table = {1e-6 * of_ranks[rank].wall_us, 1e-6 * of_ranks[rank].cpu_us, 1e-6 * slowest.own_us};
      }
      if (step >= 0) wall_s_ += 1e-6 * slowest.wall_us;
    }
    previous_ = arm.arm;
  }

  // Of one rank's step. What neighbours take is in wall alone; what the ranks await together is the longest own time.
  struct Times {
    double wall_us = 0, cpu_us = 0, own_us = 0;
  };
  Times step_times(const StepPlace& place, double burst) {
    const auto& noise = plan_.noise;
    auto& jitter = jitter_[static_cast<std::size_t>(place.rank)];
    const double rho = noise.autocorrelation;
    jitter = rho * jitter + std::sqrt(1 - rho * rho) * normal_(generator_);
    const double sd = noise.jitter_sd * (place.arm == "trainer" ? plan_.effect.jitter_factor : 1);
    const double state =
        drift_ + (fast_ ? 0 : std::log1p(noise.two_clocks)) + std::log(of_launch_[place.arm]) + sd * jitter - 0.5 * sd * sd;
    const double stall = uniform() < noise.stall_share ? noise.stall * (1 / std::sqrt(1 - uniform()) - 1) : 0;
    const double slow = place.rank == plan_.ranks - 1 ? 1 + plan_.slower_rank : 1;
    const double factor = length_ * slow * plan_.effect.factor(place);
    const double added =
        plan_.effect.added_us(place) + (place.arm == "injected" ? plan_.injected_us : 0) + (place.discarded ? 5 : 0);
    const double waited = plan_.effect.waited_us(place);
    const double wall_us = plan_.wall_us * factor * (std::exp(state) + stall + burst) + added + waited;
    const double cpu_us = plan_.cpu_us * factor * (std::exp(state) + 0.05 * (stall + burst)) + added;
    const double ticked_us = plan_.tick_us > 0 ? plan_.tick_us * std::floor(cpu_us / plan_.tick_us + uniform()) : cpu_us;
    const double own_us = plan_.wall_us * factor * (std::exp(state) + 0.05 * (stall + burst)) + added + waited;
    return {wall_us, ticked_us, own_us};
  }

  const CampaignPlan& plan_;
  int launch_;
  double length_;
  std::mt19937_64 generator_;
  std::normal_distribution<double> normal_;
  LaunchSamples samples_;
  std::map<std::string, double> of_launch_;
  std::vector<double> jitter_;
  std::map<std::size_t, std::int64_t> steps_;
  double drift_ = 0, wall_s_ = 0;
  bool fast_ = true;
  std::int64_t blocks_ = 0;
  std::string previous_;
};

Launch launch_of(const CampaignPlan& plan, int number, double length, std::uint64_t seed) {
  Launch launch;
  launch.launch_id = "L" + std::to_string(number + 1);
  launch.samples = LaunchMaker(plan, number, length, seed).make();
  launch.samples.launch_id = launch.launch_id;
  for (const auto& arm : plan.arms) {
    auto& run = launch.runs.emplace_back();
    run.launch_id = launch.launch_id;
    run.arm = arm;
    run.status = status::kOk;
    run.repetition = number;
    run.super_blocks = plan.super_blocks;
    run.wall_s = launch.samples.host.wall_s * 1.5 + 5;
  }
  for (const auto* metric : {&kMetrics.injected_true_wall, &kMetrics.injected_true_thread_cpu, &kMetrics.injected_true_own}) {
    launch.metrics.push_back({launch.launch_id, "injected", 0, std::string(metric->name), 1e-6 * plan.injected_us, "s"});
  }
  return launch;
}

}  // namespace

HostNoise mild() { return {}; }

HostNoise full() {
  HostNoise noise;
  noise.drift_sd = 0.05;
  noise.two_clocks = 0.1;
  noise.jitter_sd = 0.06;
  noise.autocorrelation = 0.5;
  noise.burst_share = 0.05;
  noise.stall_share = 0.03;
  return noise;
}

bool is_flagged(const CampaignPlan& plan, int super_block) {
  const auto every = plan.disturbed_share > 0 ? static_cast<int>(std::lround(1 / plan.disturbed_share)) : 0;
  return every > 0 && super_block % every == 0;
}

Study campaign(const CampaignPlan& plan, std::uint64_t seed) {
  Study study;
  study.cores = 4;
  study.settings.confidence = plan.confidence;
  std::seed_seq seeds{seed, std::uint64_t{20261122}};
  std::vector<std::uint32_t> drawn(static_cast<std::size_t>(2 * plan.cells * plan.launches));
  seeds.generate(drawn.begin(), drawn.end());
  std::size_t next = 0;
  for (int i = 0; i < plan.cells; ++i) {
    auto& cell = study.cells.emplace_back();
    const double length = plan.cell_lengths.empty() ? 1 : plan.cell_lengths[static_cast<std::size_t>(i)];
    cell.axes.cell_id = "C" + std::to_string(i + 1);
    cell.axes.workload = "null";
    cell.axes.ranks_per_node = plan.ranks;
    cell.axes.batch_size_per_rank = i + 1;
    cell.label = "null, " + cell.axes.cell_id;
    cell.arms = plan.arms;
    cell.settings.confidence = plan.confidence;
    cell.settings.protocol.budget_percent = plan.budget_percent;
    cell.settings.protocol.fastest_step = plan.fastest_step;
    for (int launch = 0; launch < plan.launches; ++launch) {
      const auto of_launch = (std::uint64_t{drawn[next]} << 32U) | drawn[next + 1];
      next += 2;
      cell.launches.push_back(launch_of(plan, launch, length, of_launch));
    }
  }
  return resolved(std::move(study));
}

}  // namespace ddpbench
