#include "harness/ranks/mpi/mpi_backend.hpp"
#include "harness/ranks/mpi_module.hpp"

namespace ddpbench {
namespace {

std::string mpi_library() {
  std::string text(MPI_MAX_LIBRARY_VERSION_STRING, '\0');
  int length = 0;
  MPI_Get_library_version(text.data(), &length);  // also before MPI_Init, MPI 3.1 §8.1.1
  text.resize(static_cast<std::size_t>(length));
  return text.substr(0, text.find_first_of(",\n"));
}

c10::intrusive_ptr<c10d::Backend> make_mpi(const BackendRequest& request) {
  const auto progress = request.options.at(kMpiProgressOption) == kMpiProgressPoll ? MpiProgress::kPoll : MpiProgress::kThread;
  return c10::make_intrusive<MpiBackend>(static_cast<int>(request.info.rank), static_cast<int>(request.info.world_size), progress,
                                         request.timeout);
}

}  // namespace
}  // namespace ddpbench

extern "C" const ddpbench::MpiModule* ddpbench_mpi_module() {
  static const ddpbench::MpiModule module{ddpbench::mpi_library, ddpbench::make_mpi};
  return &module;
}
