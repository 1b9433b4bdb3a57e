#include <iostream>
#include <memory>

#include "reports/analysis/prediction.hpp"
#include "suite/base/errors.hpp"
#include "suite/base/numbers.hpp"
#include "suite/base/printable.hpp"
#include "suite/base/text.hpp"
#include "suite/commands/command.hpp"
#include "suite/commands/report/report_folder.hpp"
#include "suite/commands/report/studies.hpp"
#include "suite/contract/processes/exit_code.hpp"

namespace ddpbench {
namespace {

struct PredictArguments {
  std::vector<std::string> folders;
  std::string world_sizes, price_unit = "units";
  PredictionRequest request;
};

constexpr std::int64_t kMostPredictedRanks = 1'000'000;

std::vector<std::int64_t> sizes_in(const std::string& text) {
  std::vector<std::int64_t> sizes;
  for (const auto& word : split(text, ',')) {
    const auto size = parse_number<std::int64_t>(word).value_or(0);
    if (size < 1 || size > kMostPredictedRanks)
      throw UsageError("--world-size " + printable(text) + ": must be numbers of ranks from 1 to 1000000, as in 8,16,32");
    sizes.push_back(size);
  }
  return sizes;
}

ExitCode predict_all(PredictArguments arguments) {
  arguments.request.world_sizes = sizes_in(arguments.world_sizes);
  arguments.request.price_unit = arguments.price_unit;
  std::size_t groups = 0, sizes = 0;
  for (const auto& study : studies_of(arguments.folders, "")) {
    auto request = arguments.request;
    if (request.price_per_gpu_hour <= 0) {
      request.price_per_gpu_hour = study.price_per_gpu_hour;
      request.price_unit = study.price_unit;
    }
    if (!study.told.empty()) std::cout << study.told << "\n";
    const auto prediction = predict(open_study(study.folders), request);
    std::cout << prediction.text << std::flush;
    groups += prediction.groups;
    sizes += prediction.sizes;
  }
  if (sizes > 0) return ExitCode::kDone;
  if (groups > 0) throw UsageError("none of these sizes can be predicted: the reasons stand above");
  throw UsageError("nothing to predict from: the folder has no two sizes of the arm that differ in the number of ranks alone");
}

CommandAction declare_predict(CLI::App& app) {
  const auto arguments = std::make_shared<PredictArguments>();
  app.add_option("DIR", arguments->folders, "results folders, or one that `ddpbench submit` wrote")->required();
  app.add_option("--world-size", arguments->world_sizes, "N,M: the numbers of ranks to predict")->required();
  app.add_option("--ranks-per-node", arguments->request.ranks_per_node, "ranks of a node (default: the most of a measured size)")
      ->check(CLI::PositiveNumber);
  app.add_option("--arm", arguments->request.arm, "which (default: the loop by hand)");
  app.add_option("--price", arguments->request.price_per_gpu_hour, "of an hour of one GPU")->check(CLI::PositiveNumber);
  app.add_option("--price-unit", arguments->price_unit, "its unit: EUR, SU, …")->needs("--price")->capture_default_str();
  return [arguments] { return predict_all(*arguments); };
}

}  // namespace

CommandEntry predict_command() {
  return {"predict",
          "Step time, efficiency and GPU-hours at sizes that were not measured",
          "Fits what was measured at the sizes of a results folder: compute by batch, the slowest rank's extra, "
          "communication\n"
          "(α–β model). It tells how far off it was for each measured size when that one was held out.",
          "ddpbench predict results/first --world-size 4,8",
          "0 done; 2 a mistake in the command, or no two sizes",
          declare_predict};
}

}  // namespace ddpbench
