#pragma once
#include <array>
#include <cstddef>

namespace ddpbench {

// Names the parts of a step in a trace. Every instant of a step belongs to exactly one, so that they add up to the step.
enum class TracePart : std::size_t {
  kOperations,         // a kernel runs; in a trace without kernels: an operation of the step's threads
  kExposed,            // else: a collective runs
  kData,               // else, without kernels: the host gets data (phases data and h2d, a DataLoader's __next__)
  kHost,               // else, without kernels: the host does something between operations
  kIdleData,           // else, with kernels, the device is idle: the host gets data,
  kIdleLaunching,      // is in an operation or a call into CUDA,
  kIdleHost,           // or does something between them
  kOperationsAndHost,  // in a trace that recorded neither operations nor kernels: all but data
};

// Counts the parts.
inline constexpr std::size_t kPartCount = 8;

// Names each part in its order, as tables and files do.
inline constexpr std::array<const char*, kPartCount> kPartNames{"operations",
                                                                "exposed communication",
                                                                "data",
                                                                "host between operations",
                                                                "idle: data",
                                                                "idle: operations or launching",
                                                                "idle: host between operations",
                                                                "operations and host"};

// Returns the part's place in kPartNames.
constexpr std::size_t index_of(TracePart part) { return static_cast<std::size_t>(part); }

// Names the row of the whole step.
inline constexpr const char* kWholeStepName = "step";

// Names what of exposed communication a rank spends waiting for a slower one; known where several ranks recorded.
inline constexpr const char* kWaitedName = "waiting for a slower rank";

}  // namespace ddpbench
