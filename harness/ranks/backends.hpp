#pragma once
#include <chrono>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <torch/csrc/distributed/c10d/Backend.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroup.hpp>
#include <torch/csrc/distributed/c10d/Store.hpp>
#include <vector>

#include "suite/contract/processes/rank_info.hpp"
#include "suite/contract/vocabulary/vocabulary.hpp"

namespace ddpbench {

// Holds what a rank's backend is made from.
struct BackendRequest {
  c10::intrusive_ptr<c10d::Store> store;
  RankInfo info;
  std::chrono::milliseconds timeout;             // of one collective
  at::Device device = at::kCPU;                  // of this rank's tensors
  std::map<std::string, std::string> options{};  // all of the backend's options, checked
};

// Sets how long a collective of a backend may take from now on. Returns false where this LibTorch cannot change that (2.7
// cannot): a backend keeps what it was made with.
template <class Backend>
bool set_timeout(Backend& backend, std::chrono::milliseconds timeout) {
  constexpr bool kCan = requires { backend.setTimeout(timeout); };
  if constexpr (kCan) backend.setTimeout(timeout);
  return kCan;
}

struct BackendFactory;

// Makes the process group of `backend`, as DDP takes it.
c10::intrusive_ptr<c10d::ProcessGroup> process_group_on(const BackendFactory& entry, const BackendRequest& request,
                                                        const c10::intrusive_ptr<c10d::Backend>& backend);

// Describes one backend, a line of the table. c10d::Backend is the seam: we invent no second collective API.
struct BackendFactory : BackendEntry {
  std::string (*why_unavailable)();  // "" where it runs on this machine; asked by --probe, and before ranks meet
  c10d::ProcessGroup::BackendType type;
  c10::intrusive_ptr<c10d::Backend> (*make)(const BackendRequest& request);
  // Returns what it stands on and the build does not know, for the launch's facts; asked when ranks have met.
  std::map<std::string, std::string> (*facts)() = nullptr;
  // Says whether the thread that issues collectives waits for them in a loop; nullptr: it sleeps.
  bool (*waits_in_loop)(const std::map<std::string, std::string>& options) = nullptr;

  // Returns what its ranks train on. Throws c10::Error for a word that names no device.
  at::DeviceType device_type() const { return at::Device(device).type(); }
};
// Returns the table of backends, also those that this build lacks.
std::span<const BackendFactory> backends();

// Returns the backend of that name. Throws UsageError for an unknown one and for one that is not built, CannotRun where this
// machine lacks what it needs.
const BackendFactory& usable_backend(std::string_view name);

// Makes gloo on the loopback where the ranks meet there, else on the interfaces of GLOO_SOCKET_IFNAME, of the request's own
// address, or the default one. Throws CannotRun where this host lacks an interface that the variable names.
c10::intrusive_ptr<c10d::Backend> make_gloo(const BackendRequest& request);

}  // namespace ddpbench
