// parity_program REQUESTS ANSWERS: does the tasks of a JSON list and writes a list of what became of each: {} or {"error", "text"}.
// Where the environment names ranks it is one of them; "{rank}" in ANSWERS and in a task's paths is its own.
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>

#include "harness/ranks/rank_group.hpp"
#include "suite/base/errors.hpp"
#include "tests/parity/training_task.hpp"
#include "workloads/models/resnet.hpp"
#include "workloads/models/weights.hpp"

namespace ddpbench::parity {
namespace {

using nlohmann::json;

constexpr std::chrono::milliseconds kTimeout{
    60'000};  // of one collective: a rank that is ahead by a compute-bound step must not fail

using MakeModel = std::shared_ptr<Model> (*)(std::int64_t classes, Stem stem);
const std::map<std::string, MakeModel> kModels{
    {"resnet18", make_resnet18}, {"resnet50", make_resnet50}, {"resnet101", make_resnet101}};

// A model from a seed, or with weights from a file, written to another.
void pass_weights(const json& request, const Self& self) {
  torch::manual_seed(request.value("seed", std::uint64_t{1}));
  const auto model = kModels.at(request["model"])(request["classes"], stem_from(request["stem"]));
  if (request.contains("weights")) read_weights(path_of(request, "weights", self), *model);
  write_weights(path_of(request, "results", self), *model);
}

const std::map<std::string, void (*)(const json&, const Self&)> kTasks{{"weights", pass_weights}, {"train", train}};

json answer(const json& request, const Self& self) {
  try {
    kTasks.at(request["do"])(request, self);
  } catch (const UsageError& error) {
    return {{"error", "UsageError"}, {"text", error.what()}};
  } catch (const CannotRun& error) {
    return {{"error", "CannotRun"}, {"text", error.what()}};
  } catch (const std::exception& error) {
    return {{"error", "Error"}, {"text", error.what()}};
  }
  return json::object();
}

void run(const std::string& requests, const std::string& answers) {
  at::set_num_threads(1);
  std::unique_ptr<RankGroup> ranks;  // holds the log that the group's threads write into: must outlive `self`
  Self self{rank_info_from_environment(), nullptr};
  if (self.info.world_size > 1) ranks = RankGroup::rendezvous(self.info, "gloo", kTimeout);
  if (ranks) self.group = ranks->process_group();
  auto done = json::array();
  for (const auto& request : json::parse(std::ifstream(requests))) done.push_back(answer(request, self));
  std::ofstream(path_of({{"answers", answers}}, "answers", self)) << done;
  if (ranks) ranks->control_channel().leave();
}

}  // namespace
}  // namespace ddpbench::parity

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: parity_program REQUESTS ANSWERS\n";
    return 2;
  }
  try {
    ddpbench::parity::run(argv[1], argv[2]);
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
  return 0;
}
