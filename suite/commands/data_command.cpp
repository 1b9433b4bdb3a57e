#include <iostream>
#include <limits>
#include <memory>

#include "suite/base/errors.hpp"
#include "suite/base/numbers.hpp"
#include "suite/commands/command.hpp"
#include "suite/contract/processes/exit_code.hpp"
#include "suite/contract/vocabulary/registry.hpp"
#include "suite/formats/data_commands.hpp"
#include "suite/formats/data_folder.hpp"

namespace ddpbench {
namespace {

struct DataArguments {
  std::string path;
  std::string dataset = "cifar10";
  std::string seed = std::to_string(kDefaultDataSeed);
};

// Not CLI11's reading of numbers: to it -1 is 2^64 - 1, and 010 is 8.
std::uint64_t seed_from(const std::string& text) {
  const auto seed = parse_number<std::uint64_t>(text);
  if (seed) return *seed;
  throw UsageError("--seed: '" + text + "' must be an integer from 0 to " +
                   std::to_string(std::numeric_limits<std::uint64_t>::max()) + ", without sign and leading zeros");
}

CommandAction declare_data(CLI::App& app) {
  const auto arguments = std::make_shared<DataArguments>();
  app.require_subcommand(1);
  auto* make = app.add_subcommand("make", "Writes learnable, class-structured data in the true binary format");
  make->add_option("PATH", arguments->path, "folder in which the data set's folder is made")->required();
  make->add_option("--dataset", arguments->dataset, "one of " + known_names(data_sets()))->capture_default_str();
  make->add_option("--seed", arguments->seed, "of the generator: the same seed gives the same bytes")->capture_default_str();
  make->footer("\nExample: ddpbench data make ~/data --dataset cifar100");
  auto* verify = app.add_subcommand("verify", "Checks every data set found: sizes and labels");
  verify->add_option("PATH", arguments->path, "folder that holds data sets, or one data set's folder")->required();
  verify->footer("\nExample: ddpbench data verify ~/data");
  return [arguments, make] {
    const auto& [path, dataset, seed] = *arguments;
    std::cout << (make->parsed() ? make_data(path, dataset, seed_from(seed)) : verify_data(path));
    return ExitCode::kDone;
  };
}

}  // namespace

CommandEntry data_command() {
  return {"data",
          "Generates or checks data sets",
          "make: writes generated images in the format of the data set's files, for a machine without the data set.\n"
          "verify: checks a data set that is there.",
          "ddpbench data make ~/data --dataset cifar10",
          "0 done; 2 a mistake in the command, or the data are not whole",
          declare_data};
}

}  // namespace ddpbench
