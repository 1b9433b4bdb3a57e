#include "suite/launch/agents/launcher_process.hpp"

#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <thread>
#include <utility>

namespace ddpbench {
namespace {

using namespace std::chrono_literals;

constexpr auto kToEnd = 2s;

}  // namespace

LauncherProcess::LauncherProcess(const ChildRequest& request)
    : child_(start_child(request)), out_(std::move(child_.out)), err_(std::move(child_.err)) {}

LauncherProcess::~LauncherProcess() {
  signal(SIGTERM);
  const auto deadline = std::chrono::steady_clock::now() + kToEnd;
  while (runs() && std::chrono::steady_clock::now() < deadline) std::this_thread::sleep_for(20ms);
  signal(SIGKILL);
  while (runs()) std::this_thread::sleep_for(1ms);
}

void LauncherProcess::read(const OutputLines::Take& take) {
  const auto noted = [&](std::string_view line) {
    end_.last_lines.add(line);
    take(line);
  };
  out_.read(noted);
  err_.read(noted);
}

bool LauncherProcess::runs() {
  const auto ended = runs_ ? reap_child(child_.pid) : std::nullopt;
  if (!ended) return runs_;
  end_.note(*ended);
  const auto note = [this](std::string_view line) { end_.last_lines.add(line); };
  out_.finish(note);
  err_.finish(note);
  return runs_ = false;
}

void LauncherProcess::signal(int number) const {
  if (runs_) ::kill(-child_.pid, number);
}

}  // namespace ddpbench
