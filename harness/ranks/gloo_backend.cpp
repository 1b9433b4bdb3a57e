#include <cstdlib>
#include <sstream>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>

#include "harness/ranks/backends.hpp"

namespace ddpbench {
namespace {

using Gloo = c10d::ProcessGroupGloo;

// PyTorch's rule: the interfaces of GLOO_SOCKET_IFNAME, else the one by which the driver is reached where there is one, else the one behind this
// host's name. Ranks that meet on the loopback address
// are all on this host, whose name may resolve to nothing.
void add_devices(const BackendRequest& request, Gloo::Options& options) {
  if (const char* names = std::getenv("GLOO_SOCKET_IFNAME"); names != nullptr && *names != '\0') {
    std::istringstream list(names);
    for (std::string name; std::getline(list, name, ',');) options.devices.push_back(Gloo::createDeviceForInterface(name));
  } else if (is_loopback(request.info.main_address)) {
    options.devices.push_back(Gloo::createDeviceForHostname("127.0.0.1"));
  } else if (!request.info.own_address.empty()) {
    options.devices.push_back(Gloo::createDeviceForHostname(request.info.own_address));
  } else {
    options.devices.push_back(Gloo::createDefaultDevice());
  }
}

}  // namespace

c10::intrusive_ptr<c10d::Backend> make_gloo(const BackendRequest& request) {
  auto options = Gloo::Options::create(request.timeout);
  add_devices(request, *options);
  const auto rank = static_cast<int>(request.info.rank);
  return c10::make_intrusive<Gloo>(request.store, rank, static_cast<int>(request.info.world_size), options);
}

}  // namespace ddpbench
