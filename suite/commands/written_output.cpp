#include "suite/commands/written_output.hpp"

#include <poll.h>

#include "suite/base/errors.hpp"

namespace ddpbench {
namespace {

bool has_reader(int fd) {
  pollfd output{fd, POLLOUT, 0};
  return ::poll(&output, 1, 0) < 0 || (output.revents & (POLLERR | POLLHUP)) == 0;
}

}  // namespace

void require_written(std::ostream& out, int fd) {
  out.flush();
  if (!out && has_reader(fd)) throw Error("standard output could not be written whole: is its disk full?");
}

}  // namespace ddpbench
