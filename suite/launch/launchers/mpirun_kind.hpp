#pragma once
#include <string>
#include <string_view>

namespace ddpbench {

// Tells two programs apart that are called mpirun, and differ in their options: Open MPI's, and Hydra, that of MPICH, Intel MPI
// and MVAPICH.
enum class MpirunKind { kOpenMpi, kHydra };

// Tells the kind from what `mpirun --version` says. Takes what is not known for Open MPI's.
MpirunKind mpirun_kind_in(std::string_view version);

// Describes the one in $PATH.
struct InstalledMpirun {
  MpirunKind kind = MpirunKind::kOpenMpi;
  std::string why_not;  // it cannot be used; "": it can
};

// Asks it once, and returns the same from then on. Does not throw.
const InstalledMpirun& installed_mpirun();

}  // namespace ddpbench
