// Asked by test_sampler.py, a line each:
//   indices SIZE WORLD_SIZE RANK SEED EPOCH SHUFFLE DROP_LAST    answers with the sampler's indices
//   values DATASET                                               with the loader's float of each byte, channel after channel
#include <array>
#include <iostream>
#include <limits>
#include <sstream>
#include <string>

#include "suite/contract/vocabulary/registry.hpp"
#include "workloads/data/distributed_sampler.hpp"
#include "workloads/data/image_transform.hpp"

namespace ddpbench {
namespace {

void print_indices(std::istream& question) {
  SamplerOptions options;
  std::int64_t epoch = 0;
  question >> options.size >> options.world_size >> options.rank >> options.seed >> epoch >> options.shuffle >> options.drop_last;
  if (!question) throw UsageError("indices needs seven numbers");
  for (const auto index : DistributedSampler(options).indices(epoch)) std::cout << index << ' ';
  std::cout << '\n';
}

void print_values(std::istream& question) {
  std::string dataset;
  question >> dataset;
  std::cout.precision(std::numeric_limits<float>::max_digits10);
  const ImageTransform transform(find_data_set(dataset));
  for (const auto& channel : transform.table()) {
    for (const auto value : channel) std::cout << value << ' ';
  }
  std::cout << '\n';
}

struct Verb {
  std::string_view name;
  void (*answer)(std::istream& question);
};
constexpr std::array<Verb, 2> kVerbs{{{"indices", print_indices}, {"values", print_values}}};

void answer_all() {
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream question(line);
    std::string verb;
    question >> verb;
    find_entry(kVerbs, "question", verb).answer(question);
  }
}

}  // namespace
}  // namespace ddpbench

int main() {
  try {
    ddpbench::answer_all();
  } catch (const std::exception& error) {
    std::cerr << error.what() << std::endl;
    return 2;
  }
}
