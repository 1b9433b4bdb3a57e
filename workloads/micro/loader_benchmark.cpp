// Batches of CIFAR-10 images per second of processor time (all threads of the process), beside copying the images' bytes.
#include <benchmark/benchmark.h>

#include <algorithm>

#include "suite/formats/data_folder.hpp"
#include "suite/formats/image_files.hpp"
#include "workloads/data/epoch_batches.hpp"
#include "workloads/data/image_cursor.hpp"

namespace ddpbench {
namespace {

constexpr std::int64_t kBatchSize = 128;
constexpr std::int64_t kSeed = 1;

const DataSet& cifar() { return find_data_set("cifar10"); }

std::string training_set() { return find_or_generate_data(cifar(), data_sources("")).path; }

void batches(benchmark::State& state, const DataOptions& options, std::int64_t batch_size) {
  at::set_num_threads(1);
  const auto cursor = make_image_cursor({{}, batch_size, 0, 1, kSeed, training_set()}, cifar(), options);
  for (int i = 0; i < 20; ++i) cursor->next();
  for (auto _ : state) benchmark::DoNotOptimize(cursor->next());
  state.SetItemsProcessed(state.iterations() * batch_size);
}

void add(const std::string& name, const DataOptions& options, std::int64_t batch_size = kBatchSize) {
  benchmark::RegisterBenchmark(("loader/" + name).c_str(), [=](benchmark::State& state) {
    batches(state, options, batch_size);
  })->MeasureProcessCPUTime();
}

// The bound that no loader passes: the bytes of as many images, in a shuffled order, from memory to memory.
void copy_bytes(benchmark::State& state) {
  ImageFiles images(cifar(), training_set(), Split::kTrain);
  images.keep_in_memory();
  EpochBatches epochs({.size = images.size(), .seed = kSeed}, kBatchSize, false);
  const auto image_bytes = cifar().image.bytes();
  std::vector<std::uint8_t> batch(static_cast<std::size_t>(kBatchSize * image_bytes));
  ImageRecord unused;
  std::int64_t position = 0;
  for (auto _ : state) {
    const auto share = epochs.at(position++);
    for (std::int64_t i = 0; i < share.count; ++i) {
      std::copy_n(images.read(share.image(i), unused).pixels, image_bytes, batch.data() + i * image_bytes);
    }
    benchmark::DoNotOptimize(batch.data());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * kBatchSize);
}

const bool kAdded = [] {
  benchmark::RegisterBenchmark("loader/copy_of_bytes", copy_bytes)->MeasureProcessCPUTime();
  add("files", {.augment = true});
  add("files_batch_4", {.augment = true}, 4);
  add("files_one_worker", {.workers = 1, .augment = true});
  add("host", {.resident = Resident::kHost, .augment = true});
  add("host_plain", {.resident = Resident::kHost});
  add("host_channels_last", {.channels_last = true, .resident = Resident::kHost, .augment = true});
  add("device", {.resident = Resident::kDevice, .augment = true});
  return true;
}();

}  // namespace
}  // namespace ddpbench
