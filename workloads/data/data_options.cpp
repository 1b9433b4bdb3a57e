#include "workloads/data/data_options.hpp"

#include <array>

#include "suite/contract/launch/option_values.hpp"
#include "suite/contract/vocabulary/registry.hpp"

namespace ddpbench {
namespace {

struct ResidentName {
  const char* name;
  Resident resident;
};
constexpr std::array<ResidentName, 3> kResidentNames{
    {{"off", Resident::kOff}, {"host", Resident::kHost}, {"device", Resident::kDevice}}};

std::vector<std::string> resident_names() {
  std::vector<std::string> names;
  for (const auto& entry : kResidentNames) names.emplace_back(entry.name);
  return names;
}

void check_together(const DataOptions& options) {
  if (options.resident != Resident::kDevice) return;
  std::vector<std::string> mistakes;
  const std::string reason =
      " cannot go with resident = \"device\": no batch is made on the host (leave the combination out by a constraint)";
  if (options.workers > 0) mistakes.push_back("workers = " + std::to_string(options.workers) + reason);
  if (options.pin_memory) mistakes.push_back("pin_memory = true" + reason);
  if (!mistakes.empty()) throw UsageError(std::move(mistakes));
}

}  // namespace

std::vector<OptionEntry> data_options(const std::string& files, const std::string& default_data) {
  constexpr auto kText = OptionType::kText;
  constexpr auto kInteger = OptionType::kInteger;
  constexpr auto kSwitch = OptionType::kSwitch;
  return {
      {"data", kText, default_data, {files, "constant"}, 0, 0, "images from files of the data set, or one constant batch"},
      {"channels_last", kSwitch, "false", {}, 0, 0, "images and weights as NHWC in memory"},
      {"workers", kInteger, "0", {}, 0, 64, "threads of a rank that make its batches ahead; 0: the step makes its own"},
      {"prefetch", kInteger, "2", {}, 1, 1024, "batches ahead for each worker"},
      {"pin_memory", kSwitch, "false", {}, 0, 0, "batches in page-locked memory; nothing on a CPU, as in PyTorch"},
      {"resident",
       kText,
       "off",
       resident_names(),
       0,
       0,
       "the whole set in its files, in memory, or on the device",
       {{"device", {{"workers", "0"}, {"pin_memory", "false"}}}}},
      {"augment", kSwitch, "false", {}, 0, 0, "random crop from 4 pixels of zeros around the image, and random mirroring"},
      {"shuffle", kSwitch, "true", {}, 0, 0, "another order in each epoch"},
      {"last_batch", kText, "drop", {"drop", "keep"}, 0, 0, "an epoch's smaller last batch is left out or kept"},
  };
}

DataOptions data_options_from(const std::map<std::string, std::string>& values) {
  const OptionValues options(values);
  DataOptions data;
  data.constant = options.text("data") == "constant";
  data.channels_last = options.is_on("channels_last");
  data.workers = options.integer("workers");
  data.prefetch = options.integer("prefetch");
  data.pin_memory = options.is_on("pin_memory");
  data.resident = find_entry(kResidentNames, "value of resident", options.text("resident")).resident;
  data.augment = options.is_on("augment");
  data.shuffle = options.is_on("shuffle");
  data.keep_last = options.text("last_batch") == "keep";
  check_together(data);
  return data;
}

}  // namespace ddpbench
