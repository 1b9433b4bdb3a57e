// Asked by test_sampler.py, a line each:
//   indices SIZE WORLD_SIZE RANK SEED EPOCH SHUFFLE DROP_LAST    answers with the sampler's indices
#include <iostream>
#include <sstream>
#include <string>

#include "suite/vocab/errors.hpp"
#include "workloads/data/distributed_sampler.hpp"

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

void answer_all() {
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream question(line);
    std::string verb;
    question >> verb;
    if (verb != "indices") throw UsageError("unknown question '" + line + "'");
    print_indices(question);
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
