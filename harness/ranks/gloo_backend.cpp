#include <net/if.h>

#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>

#include "harness/ranks/backends.hpp"
#include "suite/base/errors.hpp"
#include "suite/base/system_environment.hpp"
#include "suite/base/text.hpp"

namespace ddpbench {
namespace {

using Gloo = c10d::ProcessGroupGloo;

void require_interface(const std::string& name) {
  if (::if_nametoindex(name.c_str()) != 0) return;
  std::vector<std::string> own;
  if (auto* all = ::if_nameindex(); all != nullptr) {
    for (const auto* one = all; one->if_index != 0; ++one) own.emplace_back(one->if_name);
    ::if_freenameindex(all);
  }
  throw CannotRun("GLOO_SOCKET_IFNAME names '" + name + "', and " + host_name() + " has no such network interface (it has " +
                  join(own, ", ") + ")");
}

// PyTorch's rule: the interfaces of GLOO_SOCKET_IFNAME, else the one by which the driver is reached where there is one, else the one behind this
// host's name. Ranks that meet on the loopback address are all on this host, whatever the variable says, and whose name may resolve to nothing.
void add_devices(const BackendRequest& request, Gloo::Options& options) {
  if (is_loopback(request.info.main_address)) {
    options.devices.push_back(Gloo::createDeviceForHostname("127.0.0.1"));
  } else if (const auto names = environment_variable("GLOO_SOCKET_IFNAME"); !names.empty()) {
    for (const auto& name : split(names, ',')) {
      require_interface(name);
      options.devices.push_back(Gloo::createDeviceForInterface(name));
    }
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
