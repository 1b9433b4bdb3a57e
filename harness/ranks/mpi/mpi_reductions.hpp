#pragma once
#include <c10/core/ScalarType.h>
#include <mpi.h>

#include <torch/csrc/distributed/c10d/Types.hpp>

namespace ddpbench {

// Holds what a reduction hands to MPI: its type of an element, and its operation. A mean is a sum; the caller divides it.
struct MpiReduction {
  MPI_Datatype type;
  MPI_Op operation;
};

// Returns a reduction's type and operation. MPI knows neither float16 nor bfloat16: their operations are ours (added, compared
// and multiplied as float32, rounded to nearest even at each step, as gloo and PyTorch do). Throws UsageError naming what MPI
// cannot do, and what it can.
MpiReduction mpi_reduction(c10d::ReduceOp::RedOpType how, at::ScalarType type);

}  // namespace ddpbench
