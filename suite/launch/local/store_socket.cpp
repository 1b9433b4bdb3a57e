#include "suite/launch/local/store_socket.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "suite/launch/system_call.hpp"

namespace ddpbench {

StoreSocket open_store_socket() {
  StoreSocket store{UniqueFd(checked(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), "cannot open a socket")), 0};
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  checked(::bind(store.fd.get(), generic, sizeof(address)), "cannot bind a socket to 127.0.0.1");
  checked(::listen(store.fd.get(), SOMAXCONN), "cannot listen on 127.0.0.1");
  socklen_t size = sizeof(address);
  checked(::getsockname(store.fd.get(), generic, &size), "cannot read the port of a socket");
  store.port = ntohs(address.sin_port);
  return store;
}

}  // namespace ddpbench
