#include <array>
#include <utility>
#include <vector>

#include "harness/arms/arms.hpp"
#include "suite/contract/launch/resume_step.hpp"
#include "suite/contract/status.hpp"

namespace ddpbench {
namespace {

constexpr const char* kDataloaderFeature = "dataloader";

// What a line leaves open is alike for all of them.
ArmEntry in_python(ArmEntry entry) {
  entry.program = kPythonProgram;
  entry.trains_whole = true;
  entry.takes.insert(entry.takes.end(), {"ideal", "clip", "accumulate", kDataloaderFeature, kLoaderFeature});
  entry.only = {{"strategy", {"single", "ddp"}}, {"precision", {"fp32", "amp_bf16", "amp_fp16"}}};
  entry.excludes_cells = {
      {{{"device", "cpu"}, {"precision", "amp_fp16"}}, "on a CPU the frameworks put bf16 in the place of fp16, or leave it off"},
      {{{"device", "cpu"}, {"sync_batchnorm", "true"}}, "PyTorch's SyncBatchNorm runs on GPUs only"},
      {{{"bucket_cap_mb", "!default"}, {"first_bucket_mb", "!default"}},
       "PyTorch's DistributedDataParallel takes bucket_cap_mb or first_bucket_mb, not both"}};
  return entry;
}

ArmEntry of_lightning(ArmEntry entry) {
  entry = in_python(std::move(entry));
  entry.options = {
      {.name = "lightning_version",
       .default_value = "default",
       .help =
           "the release of Lightning: the environment's (default), or one that `bootstrap.sh build --lightning-version` added"}};
  return entry;
}

ArmEntry without_one_gpu(ArmEntry entry) {
  entry = in_python(std::move(entry));
  entry.excludes_cells.push_back(
      {{{"device", "cuda"}, {"strategy", "ddp"}, {"nodes", "1"}, {"ranks_per_node", "1"}},
       "with a single GPU it does not wrap the model in DistributedDataParallel, and the reference does"});
  return entry;
}

FeatureEntry at_every_nth(const std::string& name, const std::string& by_default, const std::string& help) {
  return {.name = name,
          .help = help,
          .value =
              OptionEntry{.name = name, .type = OptionType::kInteger, .default_value = by_default, .minimum = 1, .maximum = 1e6}};
}

// What the user's own code does, and where batches come from.
std::vector<FeatureEntry> features_of_own_code() {
  return {
      FeatureEntry{.name = kModuleFeature,
                   .help = "a LightningModule of your own: py_lightning=NAME, with NAME = \"FILE.py:Class\" under [modules]",
                   .only = {{"workload", {kModuleWorkload}}},
                   .excludes_features = {"log", "bar_item", "accuracy", "sync_dist", "gather",
                                         "rank_zero"},  // what a module logs is its own
                   .value = OptionEntry{.name = kModuleFeature, .default_value = "", .help = "a name under [modules]"},
                   .changes_work = true},
      FeatureEntry{.name = kLoopFeature,
                   .help = "the function that trains: py_loop=NAME, with NAME = \"FILE.py:function\" under [loops]",
                   .excludes_cells = {{{{"workload", kModuleWorkload}}, "a loop of yours trains the workload's model"}},
                   .value = OptionEntry{.name = kLoopFeature, .default_value = "", .help = "a name under [loops]"}},
      FeatureEntry{.name = kDataloaderFeature,
                   .help = "batches by PyTorch's DataLoader with so many worker processes, over the launch's data; 0: no "
                           "workers, it runs within the step",
                   .excludes_cells = {{{{"augment", "true"}}, "crops and mirroring are the launch's own"},
                                      {{{"workers", "!0"}}, "two loaders would make the batches"},
                                      {{{"resident", "device"}}, "batches are made on the device there"},
                                      {{{"workload", "transformer_lm"}}, "its tokens are made up batch by batch"}},
                   .excludes_features = {kModuleFeature, kLoaderFeature, "ideal"},
                   .value = OptionEntry{.name = kDataloaderFeature,
                                        .type = OptionType::kInteger,
                                        .default_value = "2",
                                        .maximum = 64,
                                        .help = "worker processes"}},
      FeatureEntry{
          .name = kLoaderFeature,
          .help = "batches by a loader of your own: py_raw+loader=NAME, with NAME = \"FILE.py:function\" under [loaders]",
          .excludes_cells = {{{{"augment", "true"}}, "crops and mirroring are the launch's own"},
                             {{{"workers", "!0"}}, "two loaders would make the batches"}},
          .excludes_features = {"ideal"},
          .value = OptionEntry{.name = kLoaderFeature, .default_value = "", .help = "a name under [loaders]"},
          .changes_work = true},
      FeatureEntry{.name = kCallbackFeature,
                   .help =
                       "callbacks of your own: py_lightning+callback=NAME, with NAME = \"FILE.py:Class\" under [callbacks]; a "
                       "function that makes one or a list will do",
                   .value = OptionEntry{.name = kCallbackFeature, .default_value = "", .help = "a name under [callbacks]"}},
  };
}

// What a framework does beside the step, as its users switch it on.
std::vector<FeatureEntry> features_of_frameworks() {
  return {
      FeatureEntry{.name = "log", .help = "a loss is logged at every step"},
      FeatureEntry{.name = "bar_item",
                   .help = "what is logged is shown on the bar: read on the host at every step, bar or not",
                   .requires_features = {"log"}},
      FeatureEntry{.name = "bar",
                   .help = "the framework's progress bar: Lightning's is drawn at every step, that of Hugging Face's Trainer ten "
                           "times a second at most"},
      at_every_nth("csv", "50", "a CSV logger, which writes at every n-th step"),
      at_every_nth("tensorboard", "50", "a TensorBoard logger, which writes at every n-th step; beside csv with the same number"),
      FeatureEntry{.name = "accuracy", .help = "torchmetrics' accuracy, its value logged at every step"},
      FeatureEntry{
          .name = "sync_dist", .help = "the logged loss is averaged over the ranks at every step", .requires_features = {"log"}},
      FeatureEntry{.name = "gather",
                   .help = "predictions and labels of all ranks gathered at every step, as metrics need them (all_gather of "
                           "Lightning and Fabric, gather_for_metrics of Accelerate)"},
      FeatureEntry{
          .name = "rank_zero",
          .help = "a function under rank_zero_only at every step, which reads the loss on the host: rank zero alone does"},
      FeatureEntry{.name = "checkpoint", .help = "the checkpoint callback; its saves are timed in whole fits"},
      FeatureEntry{
          .name = kResumedFeature,
          .help = "whole trainings go on from a checkpoint, behind so many steps; 0: behind half of the epochs; nothing in "
                  "timed steps",
          .excludes_features = {kModuleFeature, kLoaderFeature},
          .value = OptionEntry{.name = kResumedFeature, .type = OptionType::kInteger, .default_value = "0", .maximum = 1e9},
          // Among more than two ranks: DistributedDataParallel reduces a first step in other buckets.
          .equality = Equality::kRounding},
      FeatureEntry{.name = "messages",
                   .help =
                       "Lightning says what it says to its users: devices, ranks, table of parameters, epochs, test results; in "
                       "whole trainings"},
      FeatureEntry{
          .name = "typical", .help = "as users run it", .bundle = {"log", "bar_item", "bar", "csv=50", "accuracy", "checkpoint"}},
      FeatureEntry{.name = "everything",
                   .help = "all that can be switched on",
                   .bundle = {"log", "bar_item", "bar", "csv=50", "tensorboard=50", "accuracy", "sync_dist", "checkpoint"}},
      at_every_nth("logging_steps", "10",
                   "Hugging Face's Trainer logs at every n-th step: gathers the mean loss of all ranks, reads and shows it"),
      FeatureEntry{.name = "nan_inf_filter",
                   .help = "leaves losses that are not finite out of that log: the loss is read on the host at every step",
                   .requires_features = {"logging_steps"}},
      FeatureEntry{.name = "linear_schedule",
                   .help = "the learning rate falls linearly, set anew at every step; over so many steps that the training stays "
                           "its reference's, to rounding",
                   .equality = Equality::kRounding},
      at_every_nth("sigterm", "1",
                   "Lightning's broadcast, by which several ranks agree on a SIGTERM: at every batch, or -sigterm+sigterm=10"),
  };
}

}  // namespace

std::span<const ArmEntry> python_arms() {
  static const std::string raw = "py_raw";
  static const std::array table{
      in_python({.name = raw,
                 .help = "the hand-written training loop in Python: the reference of the frameworks",
                 .takes = {kModuleFeature, kResumedFeature},
                 .role = ArmRole::kReference}),
      in_python({.name = "py_raw_again",
                 .help = "the same code a second time, on a replica of its own (A/A control): shows the noise floor",
                 .takes = {kModuleFeature},
                 .role = ArmRole::kAaControl,
                 .reference = raw}),
      in_python({.name = "py_raw_item",
                 .help = "py_raw, reading the loss on the host at every step, as many examples do",
                 .reference = raw}),
      in_python({.name = "py_injected",
                 .help = "py_raw plus a known delay (positive control): shows that an effect is found",
                 .takes = {"wait", kModuleFeature},
                 .role = ArmRole::kPositiveControl,
                 .reference = raw,
                 .clocks = {clock_name::kWall, clock_name::kThreadCpu, clock_name::kAwaited, clock_name::kProcessCpu}}),
      of_lightning({.name = "py_fabric",
                    .help = "Lightning Fabric: the user's loop, Fabric's set-up, backward and precision",
                    .takes = {"gather", kResumedFeature},
                    .reference = raw,
                    .is_wrapper = true}),
      without_one_gpu({.name = "py_accelerate",
                       .help = "Hugging Face Accelerate: the user's loop, its prepare() and backward()",
                       .takes = {"gather", kResumedFeature},
                       .reference = raw,
                       .is_wrapper = true}),
      of_lightning({.name = "py_lightning",
                    .help = "Lightning's Trainer with everything off that can be switched off",
                    .features = {"sigterm"},
                    .takes = {kModuleFeature, kCallbackFeature, "gather", "rank_zero", kResumedFeature, "messages", "typical",
                              "everything"},
                    .reference = raw,
                    .is_wrapper = true}),
      without_one_gpu({.name = "py_hf_trainer",
                       .help = "Hugging Face's Trainer (transformers) with everything off that can be switched off",
                       .takes = {"typical"},
                       .bundles = {{"typical", {"clip=1", "bar", "logging_steps=10", "nan_inf_filter", "linear_schedule"}}},
                       .reference = raw,
                       .is_wrapper = true}),
      in_python({.name = "py_loop",
                 .help = "a training loop of your own, or of any framework: py_loop=NAME, with NAME under [loops]",
                 .takes = {kLoopFeature},
                 .requires_features = {kLoopFeature},
                 .reference = raw,
                 .is_wrapper = true}),
  };
  return table;
}

std::span<const FeatureEntry> python_features() {
  static const auto table = [] {
    auto all = features_of_own_code();
    for (auto& entry : features_of_frameworks()) all.push_back(std::move(entry));
    return all;
  }();
  return table;
}

}  // namespace ddpbench
