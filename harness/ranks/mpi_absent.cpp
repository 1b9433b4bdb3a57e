#include "harness/ranks/mpi_module.hpp"
#include "suite/base/errors.hpp"

namespace ddpbench {

std::string why_no_mpi_module() { return "no MPI library was found (Debian: libopenmpi-dev; elsewhere a module of the site)"; }

const MpiModule& mpi_module() { throw CannotRun(why_no_mpi_module()); }

}  // namespace ddpbench
