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

struct BackendRequest {
  c10::intrusive_ptr<c10d::Store> store;
  RankInfo info;
  std::chrono::milliseconds timeout;             // of one collective
  at::Device device = at::kCPU;                  // of this rank's tensors
  std::map<std::string, std::string> options{};  // all of the backend's options, checked
};

// How long a collective of a backend may take from now on. False where this LibTorch cannot change that (2.7 cannot): a backend keeps what
// it was made with.
template <class Backend>
bool set_timeout(Backend& backend, std::chrono::milliseconds timeout) {
  constexpr bool kCan = requires { backend.setTimeout(timeout); };
  if constexpr (kCan) backend.setTimeout(timeout);
  return kCan;
}

struct BackendEntry;

// `backend` as DDP takes it.
c10::intrusive_ptr<c10d::ProcessGroup> process_group_on(const BackendEntry& entry, const BackendRequest& request,
                                                        const c10::intrusive_ptr<c10d::Backend>& backend);

// One line of the table of collectives' backends. c10d::Backend is the seam: we invent no second collective API.
struct BackendEntry {
  std::string name;
  std::string help;
  std::string why_not_built;         // "" where this build has it
  std::string (*why_unavailable)();  // "" where it runs on this machine; asked by --probe, and before ranks meet
  c10d::ProcessGroup::BackendType type;
  at::DeviceType device;  // that its ranks train on
  c10::intrusive_ptr<c10d::Backend> (*make)(const BackendRequest& request);
  std::vector<OptionEntry> options{};
  // What it stands on and the build does not know, for the launch's facts; asked when ranks have met.
  std::map<std::string, std::string> (*facts)() = nullptr;
  // Whether the thread that issues collectives waits for them in a loop; nullptr: it sleeps.
  bool (*waits_in_loop)(const std::map<std::string, std::string>& options) = nullptr;
};
std::span<const BackendEntry> backends();

// The backend of that name, which this build and this machine have. Throws UsageError for an unknown one and for one that is not built,
// CannotRun where this machine lacks what it needs.
const BackendEntry& usable_backend(std::string_view name);

c10::intrusive_ptr<c10d::Backend> make_gloo(const BackendRequest& request);

}  // namespace ddpbench
