#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <iostream>

#include "suite/commands/clean_output.hpp"
#include "suite/commands/command_line.hpp"
#include "suite/commands/exit_status.hpp"
#include "suite/commands/written_output.hpp"

namespace {

// A caller may have closed standard streams; the next file that is opened would take their place.
void open_standard_streams() {
  int fd = 0;
  while (fd >= 0 && fd <= STDERR_FILENO) fd = ::open("/dev/null", O_RDWR);
  if (fd > STDERR_FILENO) ::close(fd);
}

}  // namespace

int main(int count, char** arguments) {
  open_standard_streams();
  ::signal(SIGPIPE, SIG_IGN);  // a reader that goes away (`ddpbench run … 2>&1 | head`) must not end a measurement
  ::signal(SIGXFSZ, SIG_IGN);  // a file that reaches the limit (`ulimit -f`): its write fails, with a reason
  ::signal(SIGCHLD, SIG_DFL);  // a caller may ignore it; then nobody would be told that a rank ended
  const ddpbench::CleanOutput clean_out(std::cout), clean_messages(std::cerr);
  const auto work = [&] {
    const auto code = ddpbench::run_command_line({arguments + 1, arguments + count});
    if (code == ddpbench::ExitCode::kDone) ddpbench::require_written(std::cout, STDOUT_FILENO);
    return code;
  };
  const auto code = ddpbench::guarded(work, std::cerr);
  return static_cast<int>(code);
}
