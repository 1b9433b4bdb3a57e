#include <algorithm>
#include <array>

#include "harness/ranks/mpi/bare_collectives.hpp"
#include "harness/ranks/mpi/mpi_backend.hpp"
#include "harness/ranks/mpi_module.hpp"
#include "suite/base/text.hpp"

namespace ddpbench {
namespace {

std::string mpi_library() {
  std::string text(MPI_MAX_LIBRARY_VERSION_STRING, '\0');
  int length = 0;
  MPI_Get_library_version(text.data(), &length);  // also before MPI_Init, MPI 3.1 §8.1.1
  text.resize(static_cast<std::size_t>(length));
  std::replace(text.begin(), text.end(), '\t', ' ');  // MPICH's
  return text.substr(0, text.find_first_of(",\n"));
}

std::string thread_level() {
  int level = MPI_THREAD_SINGLE;
  MPI_Query_thread(&level);
  switch (level) {
    case MPI_THREAD_SINGLE: return "MPI_THREAD_SINGLE";
    case MPI_THREAD_FUNNELED: return "MPI_THREAD_FUNNELED";
    case MPI_THREAD_SERIALIZED: return "MPI_THREAD_SERIALIZED";
    default: return "MPI_THREAD_MULTIPLE";
  }
}

// "" where the library has no such variable, or it is no text.
std::string control_variable(const char* name) {
  int index = 0, verbosity = 0, bind = 0, scope = 0, count = 0;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_T_cvar_handle handle{};
  if (MPI_T_cvar_get_index(name, &index) != MPI_SUCCESS) return "";
  if (MPI_T_cvar_get_info(index, nullptr, nullptr, &verbosity, &type, nullptr, nullptr, nullptr, &bind, &scope) != MPI_SUCCESS ||
      type != MPI_CHAR || MPI_T_cvar_handle_alloc(index, nullptr, &handle, &count) != MPI_SUCCESS)
    return "";
  std::string text(static_cast<std::size_t>(count), '\0');
  const bool is_read = MPI_T_cvar_read(handle, text.data()) == MPI_SUCCESS;
  MPI_T_cvar_handle_free(&handle);
  return is_read ? std::string(text.c_str()) : "";
}

// Open MPI's frameworks and MPICH's device.
std::string transport() {
  constexpr std::array kVariables{"pml", "btl", "mtl", "MPIR_CVAR_CH4_NETMOD", "MPIR_CVAR_CH4_SHM"};
  int level = 0;
  if (MPI_T_init_thread(MPI_THREAD_SERIALIZED, &level) != MPI_SUCCESS) return "";
  std::vector<std::string> told;
  for (const auto* name : kVariables) {
    if (const auto value = control_variable(name); !value.empty()) told.push_back(std::string(name) + "=" + value);
  }
  MPI_T_finalize();
  return join(told, " ");
}

std::map<std::string, std::string> mpi_facts() {
  const std::lock_guard lock(MpiSession::mutex());
  return {{"backend_library", mpi_library()}, {"mpi_thread_level", thread_level()}, {"mpi_transport", transport()}};
}

c10::intrusive_ptr<c10d::Backend> make_mpi(const BackendRequest& request) {
  const auto progress = request.options.at(kMpiProgressOption) == kMpiProgressPoll ? MpiProgress::kPoll : MpiProgress::kThread;
  return c10::make_intrusive<MpiBackend>(static_cast<int>(request.info.rank), static_cast<int>(request.info.world_size), progress,
                                         request.timeout);
}

std::unique_ptr<CollectiveRunner> make_bare(bool is_blocking, int rank) {
  return std::make_unique<BareCollectives>(is_blocking, rank);
}

}  // namespace
}  // namespace ddpbench

extern "C" const ddpbench::MpiModule* ddpbench_mpi_module() {
  static const ddpbench::MpiModule module{ddpbench::mpi_facts, ddpbench::make_mpi, ddpbench::make_bare};
  return &module;
}
