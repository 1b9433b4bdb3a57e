#pragma once

namespace ddpbench::test {

// An experiment file with something of every part; test_vocabulary() knows all its names.
inline constexpr const char* kSoundExperiment = R"(name = "n"
arms = ["raw", "trainer-fetch-loss"]
[axes]
workload = ["null", "resnet50_cifar10"]
nodes = [1, 2]
stem = ["imagenet", "cifar"]
constraints = ["nodes * ranks_per_node <= 16 and not backend == \"mpi\""]
[protocol]
launches = 2
margin_percent = 0.5
[strategy]
bucket_cap_mb = 1.5
)";

}  // namespace ddpbench::test
