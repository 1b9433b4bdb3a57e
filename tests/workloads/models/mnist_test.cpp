#include <gtest/gtest.h>

#include "harness/api/workload.hpp"
#include "suite/contract/launch/option_values.hpp"
#include "suite/contract/vocabulary/registry.hpp"
#include "suite/formats/generate.hpp"
#include "suite/formats/image_files.hpp"
#include "tests/support/scratch_folder.hpp"

namespace ddpbench {
namespace {

Recipe mnist_recipe(const std::map<std::string, std::string>& given, const std::string& data = "") {
  const auto& entry = find_entry(workloads(), "workload", "mnist_convnet");
  WorkloadRequest request;
  request.options = default_values(entry.options);
  for (const auto& [name, value] : given) request.options.at(name) = value;
  request.batch_size_per_rank = 64;
  request.data = data;
  return entry.recipe(request);
}

TEST(MnistConvNet, HasTheParametersOfPyTorchsExample) {
  const auto recipe = mnist_recipe({{"data", "constant"}});
  std::int64_t count = 0;
  for (const auto& parameter : recipe.model->parameters()) count += parameter.numel();
  EXPECT_EQ(count, 1'199'882);
}

TEST(MnistConvNet, BatchesAreTheFilesImagesNormalisedAsInThatExample) {
  const ScratchFolder folder;
  const auto& set = find_data_set("mnist");
  const auto files = generate_data(set, folder.path(), 1);
  const ImageFiles images(set, files, Split::kTrain);
  for (const std::string resident : {"off", "host", "device"}) {
    const auto batch = mnist_recipe({{"shuffle", "false"}, {"resident", resident}}, files).batches->next();
    ASSERT_EQ(batch.input.sizes(), (std::vector<std::int64_t>{64, 1, 28, 28}));
    ImageRecord buffer{};
    for (std::int64_t i = 0; i < 64; ++i) {
      const auto image = images.read(i, buffer);
      const auto pixels = at::from_blob(const_cast<std::uint8_t*>(image.pixels), {1, 28, 28}, at::kByte).to(at::kFloat);
      EXPECT_TRUE(torch::equal(batch.input[i], pixels.div(255).sub(0.1307F).div(0.3081F))) << resident << i;
      EXPECT_EQ(batch.target[i].item<std::int64_t>(), image.label);
    }
  }
}

TEST(MnistConvNet, CropsAreTheSameOnTheDevice) {
  const ScratchFolder folder;
  const auto files = generate_data(find_data_set("mnist"), folder.path(), 1);
  for (const std::string channels_last : {"false", "true"}) {
    const auto made = [&](const std::string& resident) {
      return mnist_recipe({{"augment", "true"}, {"resident", resident}, {"channels_last", channels_last}}, files).batches->next();
    };
    EXPECT_TRUE(torch::equal(made("off").input, made("device").input));
  }
}

}  // namespace
}  // namespace ddpbench
