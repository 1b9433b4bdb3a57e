#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "suite/contract/vocabulary/vocabulary.hpp"

namespace ddpbench {

// Says where the whole set of uint8 images is kept: in its files (and the system's page cache), in this rank's memory, or on its
// device, where tensor operations then make the batches.
enum class Resident { kOff, kHost, kDevice };

// Says how a rank gets its batches; the options of [workload] that are about data.
struct DataOptions {
  bool constant = false;       // one batch for ever, made up
  bool channels_last = false;  // images as NHWC in memory
  std::int64_t workers = 0;    // threads beside the training's; 0: the step itself makes its batch
  std::int64_t prefetch = 2;   // batches ahead for each worker, as torch's prefetch_factor
  bool pin_memory = false;     // of batches that go to a GPU; nothing where the rank computes on the CPU, as in PyTorch
  Resident resident = Resident::kOff;
  bool augment = false;
  bool shuffle = true;
  bool keep_last = false;  // an epoch's last batch may be smaller
};

// Returns the options of [workload] that become DataOptions; `files`: what `data` is called where images come from files, cifar
// or mnist; `default_data`: that or constant.
std::vector<OptionEntry> data_options(const std::string& files, const std::string& default_data);

// Reads them. Throws UsageError where an option is missing or stands against another.
DataOptions data_options_from(const std::map<std::string, std::string>& values);

}  // namespace ddpbench
