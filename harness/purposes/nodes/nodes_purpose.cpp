#include <algorithm>
#include <cmath>
#include <functional>

#include "harness/measure/process/stop_signal.hpp"
#include "harness/probe/clock_readings.hpp"
#include "harness/purposes/nodes/node_partners.hpp"
#include "harness/purposes/rank_purposes.hpp"
#include "suite/base/errors.hpp"
#include "suite/base/median.hpp"
#include "suite/base/numbers.hpp"
#include "suite/contract/vocabulary/node_checks.hpp"

namespace ddpbench {
namespace {

// Enough for an exact signed-rank test that is far from every doubt.
constexpr int kRounds = 24;
constexpr double kMostSeconds = 20;  // of rounds; beyond, the fewest are enough

// Of all rounds alike the test's p is 2^-n; three checks of every node share 1 % (slow_nodes.hpp, Holm).
int fewest_rounds(std::int64_t nodes) {
  constexpr double kTestsOverAlpha = 3 / 0.01;
  return std::min(kRounds, 1 + static_cast<int>(std::ceil(std::log2(kTestsOverAlpha * static_cast<double>(nodes)))));
}

// Several slices of the scheduler: a process that shares the core gets its part of it.
constexpr double kProductSeconds = 0.04;
constexpr std::int64_t kMostProducts = 2000;

// The factors stay in the cache of a core, or keep a GPU's processors busy.
constexpr std::int64_t kHostSide = 384, kDeviceSide = 4096;

// More than the caches that a rank has.
constexpr std::int64_t kHostCopyBytes = std::int64_t{64} << 20, kDeviceCopyBytes = std::int64_t{512} << 20;

constexpr std::int64_t kChainLength = 3'000'000;

constexpr int kAllReducesPerRound = 10;

// A node meets so many others: a link that is slow is seen by the first few.
constexpr std::int64_t kMostPartnerRounds = 8;
constexpr int kVisits = 3;
constexpr int kLatencySwaps = 20, kTransferSwaps = 3;
constexpr std::int64_t kTransferElements = std::int64_t{1} << 20;  // of 4 bytes

// Powers of two up to the kernels of an all-reduce that are for large tensors.
constexpr std::int64_t kSumSizes[] = {1, 1 << 10, 1 << 20};
constexpr std::int64_t kPatternLength = 16;

// Numbers that are used, as far as the compiler can tell.
volatile std::uint64_t chain_end;

// Each operation waits for the one before: what it takes is the core's clock.
void run_chain() {
  std::uint64_t x = chain_end;
  for (std::int64_t i = 0; i < kChainLength; ++i) x = x * 6364136223846793005ULL + 1442695040888963407ULL;
  chain_end = x;
}

// Measures what the node of this rank can do, beside all others at the same time: node_checks.hpp names the rows. It takes some
// four seconds on nodes that are well; where one is very slow, the rounds end after 20 seconds, but not before a test can tell it.
class NodesPurpose final : public RankPurpose {
 public:
  explicit NodesPurpose(RankLaunch& launch) : launch_(launch) {}

  void run(Outcome& /*outcome*/) override {
    launch_.rendezvous();
    launch_.progress.say("nodes", 0, 0);
    check_node();
    launch_.group().leave();
  }

 private:
  void check_node() {
    const torch::NoGradGuard no_grad;
    check_sums();
    make_work();
    choose_products();
    const auto begin = wall_ns();
    for (int round = 0; round < kRounds; ++round) {
      if (is_long_enough(round, begin)) break;
      run_round();
    }
    add(node_check::kWrongProducts, static_cast<double>(wrong_products_));
    meet_partners();
    launch_.writer.flush();
  }

  void add(const NodeCheck& check, double value, const std::string& name = "") {
    launch_.writer.add(MetricRow{launch_.spec.launch_id, "", launch_.info.rank, name.empty() ? std::string(check.name) : name,
                                 value, std::string(check.unit)});
  }

  void add_link(const NodeCheck& check, std::int64_t peer, double value) {
    std::string name(check.name);
    name += '.';
    append_number(name, peer);
    add(check, value, name);
  }

  void meet() {
    stop_if_requested();
    launch_.group().control_channel().from_rank0("", [](const auto&) { return std::string(); });
  }

  void wait() const {
    if (auto* accelerator = launch_.group().accelerator(); accelerator != nullptr) accelerator->wait();
  }

  double seconds_of(const std::function<void()>& work) const {
    const auto begin = wall_ns();
    work();
    wait();
    return seconds(wall_ns() - begin);
  }

  at::TensorOptions own(at::ScalarType type) const { return at::TensorOptions(launch_.group().device()).dtype(type); }

  // Whole numbers that every type holds: each rank's is a multiple of one pattern, so the sum is too.
  void check_sums() {
    const auto world = static_cast<double>(launch_.group().collectives().world_size());
    std::int64_t wrong = 0;
    for (const auto size : kSumSizes) {
      const auto pattern = at::remainder(at::arange(size, own(at::kDouble)), kPatternLength) + 1;
      auto sum = pattern * static_cast<double>(launch_.info.rank + 1);
      launch_.group().collectives().all_reduce(sum);
      wrong += sum.ne(pattern * (world * (world + 1) / 2)).sum().item<std::int64_t>();
    }
    add(node_check::kWrongSums, static_cast<double>(wrong));
  }

  // The same on every rank.
  void make_work() {
    const auto side = launch_.group().device().is_cuda() ? kDeviceSide : kHostSide;
    torch::manual_seed(1);
    left_ = at::randn({side, side}).to(launch_.group().device());
    right_ = at::randn({side, side}).to(launch_.group().device());
    product_ = at::empty({side, side}, own(at::kFloat));
    first_product_ = at::mm(left_, right_);
    const auto bytes = launch_.group().device().is_cuda() ? kDeviceCopyBytes : kHostCopyBytes;
    source_ = at::zeros({bytes}, own(at::kByte));
    copy_ = at::ones({bytes}, own(at::kByte));
    small_ = at::ones({2}, own(at::kFloat));
  }

  // As many for all ranks: the median of what each would need.
  void choose_products() {
    multiply(2);
    const double one_s = std::max(1e-6, seconds_of([this] { multiply(2); }) / 2);
    const auto answer =
        launch_.group().control_channel().from_rank0(shortest_text(one_s), [](const std::vector<std::string>& of_ranks) {
          std::vector<double> all;
          for (const auto& text : of_ranks) all.push_back(parse_finite<double>(text).value_or(1));
          return shortest_text(std::llround(std::ceil(kProductSeconds / median(std::move(all)))));
        });
    products_ = std::clamp<std::int64_t>(parse_number<std::int64_t>(answer).value_or(1), 1, kMostProducts);
  }

  void multiply(std::int64_t times) {
    for (std::int64_t i = 0; i < times; ++i) at::mm_out(product_, left_, right_);
  }

  // As rank 0 has it.
  bool is_long_enough(int round, std::int64_t begin) const {
    if (round < fewest_rounds(launch_.spec.nodes)) return false;
    const bool mine = seconds(wall_ns() - begin) > kMostSeconds;
    return !launch_.group()
                .control_channel()
                .from_rank0(mine ? "end" : "", [](const auto& of_ranks) { return of_ranks.front(); })
                .empty();
  }

  void run_round() {
    meet();
    const auto cpu = thread_cpu_ns();
    add(node_check::kProduct, seconds_of([this] { multiply(products_); }));
    add(node_check::kProductCpu, seconds(thread_cpu_ns() - cpu));
    wrong_products_ += at::equal(product_, first_product_) ? 0 : 1;
    meet();
    add(node_check::kCopy, seconds_of([this] { copy_.copy_(source_); }));
    const auto chain = thread_cpu_ns();
    run_chain();
    add(node_check::kChain, seconds(thread_cpu_ns() - chain));
    meet();
    const double all_reduces_s = seconds_of([this] {
      for (int i = 0; i < kAllReducesPerRound; ++i) launch_.group().collectives().all_reduce(small_);
    });
    add(node_check::kAllReduce, all_reduces_s / kAllReducesPerRound);
  }

  void meet_partners() {
    const auto nodes = launch_.spec.nodes, per_node = launch_.spec.ranks_per_node;
    const auto rounds = std::min(rounds_of_partners(nodes), kMostPartnerRounds);
    auto large = at::zeros({kTransferElements}, own(at::kFloat));
    for (std::int64_t visit = 0; visit < kVisits * rounds; ++visit) {
      meet();
      const auto partner = partner_of(launch_.info.rank / per_node, visit % rounds, nodes);
      if (partner < 0 || launch_.info.rank % per_node != 0) continue;
      const auto peer = partner * per_node;
      add_link(node_check::kLinkLatency, peer, median_swap(small_, peer, kLatencySwaps));
      add_link(node_check::kLinkTransfer, peer, median_swap(large, peer, kTransferSwaps));
    }
    meet();
  }

  double median_swap(at::Tensor& tensor, std::int64_t peer, int times) {
    std::vector<double> all;
    launch_.group().collectives().swap_with(tensor, peer);  // the first may connect
    for (int i = 0; i < times; ++i) all.push_back(seconds_of([&] { launch_.group().collectives().swap_with(tensor, peer); }));
    return median(std::move(all));
  }

  RankLaunch& launch_;
  at::Tensor left_, right_, product_, first_product_, source_, copy_, small_;
  std::int64_t products_ = 1, wrong_products_ = 0;
};

}  // namespace

std::unique_ptr<RankPurpose> make_nodes_purpose(RankLaunch& launch) { return std::make_unique<NodesPurpose>(launch); }

}  // namespace ddpbench
