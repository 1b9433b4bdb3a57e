#include "tests/parity/training_task.hpp"

#include <nlohmann/json.hpp>

#include "harness/arms/raw_step.hpp"
#include "harness/precision/grad_scaler.hpp"
#include "harness/strategies/strategies.hpp"
#include "suite/contract/vocabulary/registry.hpp"
#include "tests/parity/reduction_log.hpp"
#include "tests/parity/twin.hpp"
#include "workloads/models/weights.hpp"
#include "workloads/recipes.hpp"

namespace ddpbench::parity {
namespace {

using nlohmann::json;
using Options = std::map<std::string, std::string>;

// The batches of one rank as Python saved them: input.0, target.0, input.1, ...
class FileCursor final : public BatchCursor {
 public:
  FileCursor(const std::string& path, bool with_input_gradients) {
    const auto tensors = read_tensors(path);
    for (std::size_t i = 0; i + 1 < tensors.size(); i += 2) batches_.push_back({tensors[i].second, tensors[i + 1].second});
    for (auto& batch : batches_) batch.input.requires_grad_(with_input_gradients);
  }
  Batch next() override { return batches_.at(position_++); }
  std::int64_t position() const override { return static_cast<std::int64_t>(position_); }
  void seek(std::int64_t position) override { position_ = static_cast<std::size_t>(position); }
  std::int64_t batches_per_epoch() const override { return static_cast<std::int64_t>(batches_.size()); }

 private:
  std::vector<Batch> batches_;
  std::size_t position_ = 0;
};

// fp32 with a scaler, whose settings a precision of the table does not offer.
class Scaled final : public Precision {
 public:
  explicit Scaled(const GradScalerOptions& options) : scaler_(options, at::kCPU) {}
  at::Tensor scale(at::Tensor loss) override { return scaler_.scale(loss); }
  void unscale(Strategy& strategy) override { scaler_.unscale(strategy); }
  bool step(Strategy& strategy) override { return scaler_.step(strategy); }
  std::vector<at::Tensor> state() override { return scaler_.state(); }

 private:
  GradScaler scaler_;
};

std::unique_ptr<Precision> make_precision(const json& request) {
  if (!request.contains("scaler")) return std::make_unique<Precision>();
  const auto& given = request["scaler"];
  return std::make_unique<Scaled>(GradScalerOptions{given["init_scale"], given["growth_factor"], given["backoff_factor"],
                                                    given["growth_interval"].get<std::int64_t>()});
}

Options with_defaults(const std::vector<OptionEntry>& entries, const json& given) {
  Options options;
  for (const auto& entry : entries) options[entry.name] = entry.default_value;
  for (const auto& [name, value] : given.items()) options.at(name) = value;
  return options;
}

Recipe make_recipe(const json& request, const Self& self) {
  const bool twin = request["model"] == "twin";
  const auto& entry = find_entry(workloads(), "workload", twin ? "null" : request["model"].get<std::string>());
  auto options = with_defaults(entry.options, request["options"]);
  options["data"] = "constant";
  options["weights"] = path_of(request, "weights", self);
  const WorkloadRequest asked{options, 1, self.info.rank, self.info.world_size, 1, ""};
  constexpr double kNoDefault = 0;
  auto recipe =
      twin ? classification_recipe({"twin", std::make_shared<Twin>()}, entry.dataset, asked, kNoDefault) : entry.recipe(asked);
  recipe.batches = std::make_unique<FileCursor>(path_of(request, "batches", self), request.value("input_gradients", false));
  return recipe;
}

// One training by a request. Its plan is a letter a turn: t an optimizer step, e a forward in evaluation mode, n one in training mode
// without gradients, b forward and backward whose buckets are written out.
class TrainingTask {
 public:
  TrainingTask(const json& request, const Self& self)
      : request_(request), recipe_(make_recipe(request, self)), precision_(make_precision(request)) {
    if (self.group) log_ = c10::make_intrusive<ReductionLog>(self.group->getBackend(at::kCPU));
    const auto& entry = find_entry(strategies(), "strategy", request["strategy"].get<std::string>());
    const auto options = with_defaults(entry.options, request["strategy_options"]);
    strategy_ = entry.make({options, self.group ? logged(self.group, log_) : nullptr});
    strategy_->set_up(recipe_);
    session_ = std::make_unique<Session>(
        Session{*strategy_, *precision_, recipe_.loss, *recipe_.batches, timer_, at::kCPU, step_options(options)});
    take_buckets();
  }

  void run() {
    for (const char turn : request_["plan"].get<std::string>()) {
      recipe_.model->train(turn != 'e');
      if (turn == 't') step();
      if (turn == 'e' || turn == 'n') forward_without_gradients();
      if (turn == 'b') write_buckets();
      ++turn_;
    }
  }

  NamedTensors results() {
    for (const auto& [name, tensor] : state_dict(*recipe_.model)) {
      keep("state." + name, tensor);
      if (tensor.grad().defined()) keep("gradient." + name, tensor.grad());
    }
    keep("skipped", torch::tensor(session_->skipped_steps));
    if (request_.value("input_gradients", false)) keep_input_gradients();
    return std::move(results_);
  }

 private:
  void keep(const std::string& name, const at::Tensor& tensor) { results_.emplace_back(name, tensor.detach().clone()); }
  void keep_of_turn(const std::string& name, const at::Tensor& tensor) { keep(name + "." + std::to_string(turn_), tensor); }

  std::vector<at::Tensor> take_buckets() { return log_ ? log_->take() : std::vector<at::Tensor>{}; }

  void step() {
    keep_of_turn("loss", raw_step(*session_));
    for (const auto& tensor : precision_->state()) keep_of_turn("scaler" + std::to_string(tensor.is_floating_point()), tensor);
    if (log_) keep_bucket_bytes();
  }

  void keep_bucket_bytes() {
    std::vector<std::int64_t> bytes;
    for (const auto& bucket : log_->take()) bytes.push_back(static_cast<std::int64_t>(bucket.nbytes()));
    keep_of_turn("bucket_bytes", torch::tensor(bytes, at::kLong));
  }

  void forward_without_gradients() {
    const torch::NoGradGuard no_grad;
    keep_of_turn("output", strategy_->forward(recipe_.batches->next().input));
  }

  void write_buckets() {
    strategy_->zero_grad();
    const auto batch = recipe_.batches->next();
    strategy_->backward(recipe_.loss(strategy_->forward(batch.input), batch.target));
    std::size_t next = 0;
    for (const auto& bucket : take_buckets()) keep("bucket." + std::to_string(next++), bucket);
  }

  void keep_input_gradients() {
    const auto drawn = recipe_.batches->position();
    recipe_.batches->seek(0);
    for (std::int64_t i = 0; i < drawn; ++i) {
      const auto gradient = recipe_.batches->next().input.grad();
      if (gradient.defined()) keep("input_gradient." + std::to_string(i), gradient);
    }
  }

  const json& request_;
  Recipe recipe_;
  std::unique_ptr<Precision> precision_;
  c10::intrusive_ptr<ReductionLog> log_;
  std::unique_ptr<Strategy> strategy_;
  StepTimer timer_;
  std::unique_ptr<Session> session_;
  NamedTensors results_;
  std::size_t turn_ = 0;
};

}  // namespace

std::string path_of(const json& request, const char* key, const Self& self) {
  auto path = request.at(key).get<std::string>();
  const std::string mark = "{rank}";
  if (const auto at = path.find(mark); at != std::string::npos) path.replace(at, mark.size(), std::to_string(self.info.rank));
  return path;
}

void train(const json& request, const Self& self) {
  TrainingTask task(request, self);
  task.run();
  write_tensors(path_of(request, "results", self), task.results());
}

}  // namespace ddpbench::parity
