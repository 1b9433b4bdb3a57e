#include "harness/ranks/mpi_module.hpp"

#include "harness/ranks/open_module.hpp"

namespace ddpbench {

std::string why_no_mpi_module() { return ""; }

const MpiModule& mpi_module() {
  static const auto* const module = open_module<MpiModule>("libddpbench_mpi.so", "ddpbench_mpi_module", "the MPI part");
  return *module;
}

}  // namespace ddpbench
