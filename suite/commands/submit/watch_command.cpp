#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <memory>
#include <thread>

#include "suite/base/text.hpp"
#include "suite/commands/clean_output.hpp"
#include "suite/commands/command.hpp"
#include "suite/commands/submit/submitted_jobs.hpp"
#include "suite/contract/processes/exit_code.hpp"

namespace ddpbench {
namespace {

struct WatchArguments {
  std::string folder;
  double seconds = 5;
};

// Over the table before it: cursor up, clear to the end of the screen (ECMA-48 CUU, ED).
std::string over_lines(std::ptrdiff_t lines) { return lines == 0 ? "" : "\033[" + std::to_string(lines) + "A\033[J"; }

// A line that is wider would be two on the screen, and the next table stand too low.
std::string cut_to_screen(const std::string& text) {
  winsize screen{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &screen) != 0 || screen.ws_col < 2) return text;
  std::string cut;
  for (const auto& line : split(text, '\n')) cut += line.substr(0, screen.ws_col - 1U) + "\n";
  cut.pop_back();
  return cut;
}

// On a terminal one table that is drawn anew; elsewhere a table whenever it has changed. Ctrl-C ends the watching and no job.
ExitCode watch_jobs(const WatchArguments& arguments) {
  const bool is_terminal = ::isatty(STDOUT_FILENO) != 0;
  std::string shown;
  while (true) {
    const auto states = states_of_jobs(arguments.folder);
    const auto text = states.text + states.untold;
    if (text != shown) {
      const auto lines = is_terminal ? std::count(shown.begin(), shown.end(), '\n') : 0;
      std::ostream(CleanOutput::beneath(std::cout))
          << over_lines(lines) << std::flush;  // std::cout lets no control character pass
      std::cout << (is_terminal || shown.empty() ? "" : "\n") << (is_terminal ? cut_to_screen(text) : text) << std::flush;
    }
    shown = text;
    if (!states.may_go_on) {
      std::cout << states.why << std::flush;
      return states.exit_code();
    }
    std::this_thread::sleep_for(std::chrono::duration<double>(arguments.seconds));
  }
}

CommandAction declare_watch(CLI::App& app) {
  const auto arguments = std::make_shared<WatchArguments>();
  app.add_option("FOLDER", arguments->folder, "a folder that `ddpbench submit` made")->required();
  app.add_option("--every", arguments->seconds, "seconds between two looks; each asks the batch system")
      ->check(CLI::Range(0.5, 3600.0))
      ->capture_default_str();
  return [arguments] { return watch_jobs(*arguments); };
}

}  // namespace

CommandEntry watch_command() {
  return {"watch",
          "Shows how far the jobs of `submit` are, until all have ended",
          "One table of all jobs: what the batch system says of each, and how many of its launches are measured. Ctrl-C "
          "ends\n"
          "the watching; the jobs go on.",
          "ddpbench watch results/scaling-jean-zay-h100-20261124T101500Z",
          "0 all jobs have ended; 2 a mistake in the command; 3 the batch system is not here",
          declare_watch};
}

}  // namespace ddpbench
