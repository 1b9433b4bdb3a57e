#include "suite/base/nearest.hpp"

#include <gtest/gtest.h>

namespace ddpbench {
namespace {

const std::vector<std::string> kWords{"run", "report", "plan", "batch_size_per_rank", "ddp"};

TEST(Nearest, FindsWhatATypingErrorMeant) {
  EXPECT_EQ(nearest(kWords, "rnu"), "run") << "two letters exchanged";
  EXPECT_EQ(nearest(kWords, "rum"), "run");
  EXPECT_EQ(nearest(kWords, "reports"), "report");
  EXPECT_EQ(nearest(kWords, "batchsize_perrank"), "batch_size_per_rank");
}

// The words that real users tried.
TEST(Nearest, GuessesByMeaningToo) {
  const std::vector<std::string> precisions{"fp32", "tf32", "amp_bf16", "amp_fp16"}, keys{"batch_size_per_rank", "backend"};
  const std::vector<std::string> workloads{"null", "convnet_cifar10", "resnet18_cifar10", "resnet50_cifar10",
                                           "resnet18_cifar100"};
  const std::vector<std::string> sites{"generic-slurm", "jean-zay-a100", "jean-zay-h100"};
  EXPECT_EQ(did_you_mean(precisions, "bf16"), "; did you mean 'amp_bf16'?");
  EXPECT_EQ(did_you_mean(keys, "batchsize"), "; did you mean 'batch_size_per_rank'?");
  EXPECT_EQ(did_you_mean(workloads, "ResNet18"), "; did you mean 'resnet18_cifar10' or 'resnet18_cifar100'?");
  EXPECT_EQ(did_you_mean(sites, "jeanzay"), "; did you mean 'jean-zay-a100' or 'jean-zay-h100'?");
  EXPECT_EQ(did_you_mean(workloads, "rn"), "; did you mean 'resnet18_cifar10', 'resnet50_cifar10' or 'resnet18_cifar100'?");
  EXPECT_EQ(did_you_mean(workloads, "vit"), "");
  EXPECT_EQ(did_you_mean(workloads, "--"), "");
}

TEST(Nearest, GuessesNothingThatIsFarOff) {
  EXPECT_EQ(nearest(kWords, "fsdp"), "");
  EXPECT_EQ(nearest(kWords, "rx"), "");
  EXPECT_EQ(nearest(kWords, ""), "");
  EXPECT_EQ(nearest(kWords, std::string(100'000, 'r')), "");
  EXPECT_EQ(nearest({}, "run"), "");
  EXPECT_EQ(did_you_mean(kWords, "fsdp"), "");
  EXPECT_EQ(did_you_mean(kWords, std::string(100'000, 'r')), "");
}

}  // namespace
}  // namespace ddpbench
