#include "harness/probe/run_delays.hpp"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>

#include "harness/probe/clock_readings.hpp"
#include "suite/base/numbers.hpp"

namespace ddpbench {
namespace {

pid_t this_thread() { return static_cast<pid_t>(::syscall(SYS_gettid)); }

std::optional<Scheduled> read_thread(const FileDescriptor& file) {
  std::array<char, 96> line{};
  const auto length = ::pread(file.number(), line.data(), line.size(), 0);
  if (length <= 0) return {};
  return scheduled_of({line.data(), static_cast<std::size_t>(length)});
}

}  // namespace

std::optional<Scheduled> scheduled_of(std::string_view line) {
  std::array<std::int64_t, 3> numbers{};
  const auto* at = line.data();
  const auto* const end = at + line.size();
  for (auto& number : numbers) {
    while (at != end && *at == ' ') ++at;
    const auto parsed = std::from_chars(at, end, number);
    if (parsed.ec != std::errc()) return {};
    at = parsed.ptr;
  }
  return Scheduled{numbers[1], numbers[2]};
}

std::optional<RunDelays::Thread> RunDelays::opened(pid_t number) {
  const auto path = "/proc/self/task/" + std::to_string(number) + "/schedstat";
  FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.number() < 0) return {};
  const auto now = read_thread(file);
  if (!now) return {};
  return Thread{number, std::move(file), now->turns};
}

RunDelays RunDelays::of_this_thread() {
  auto main = opened(this_thread());
  if (!main) return RunDelays("none: this kernel has no /proc/self/task/TID/schedstat");
  if (main->turns == 0)
    return RunDelays("none: this kernel does not count run delays (CONFIG_SCHEDSTATS, or boot with delayacct)");
  RunDelays delays("schedstat");
  delays.threads_.push_back(std::move(*main));
  return delays;
}

RunDelays RunDelays::of_steps() {
  auto delays = of_this_thread();
  delays.keep_those_that_run();
  return delays;
}

void RunDelays::keep_those_that_run() {
  if (!reads()) return;
  const auto main = threads_.begin();
  const auto has_run = [](const Thread& thread) {
    const auto now = read_thread(thread.file);
    return now && now->turns > thread.turns;
  };
  std::vector<pid_t> known;
  for (const auto& thread : threads_) known.push_back(thread.number);
  threads_.erase(std::remove_if(main + 1, threads_.end(), [&](const Thread& other) { return !has_run(other); }), threads_.end());
  std::error_code gone;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/task", gone)) {
    const auto number = parse_number<pid_t>(entry.path().filename().string());
    if (!number || std::find(known.begin(), known.end(), *number) != known.end()) continue;
    if (auto thread = opened(*number)) threads_.push_back(std::move(*thread));
  }
}

Instant RunDelays::now() const {
  constexpr std::int64_t kUnbroken = 10'000;  // the reading takes a tenth of it
  constexpr int kMostReadings = 4;
  auto begin = wall_ns();
  if (!reads()) return {begin, 0};
  Instant instant;
  for (int reading = 0; reading < kMostReadings; ++reading) {
    instant.delay_ns = main_ns();
    instant.wall_ns = wall_ns();
    if (instant.wall_ns - begin < kUnbroken) break;
    begin = instant.wall_ns;
  }
  return instant;
}

std::int64_t RunDelays::delay_ns(const Thread& thread) {
  const auto now = read_thread(thread.file);
  return now ? now->delay_ns : 0;
}

std::int64_t RunDelays::others_ns() const {
  std::int64_t sum = 0;
  for (std::size_t i = 1; i < threads_.size(); ++i) sum += delay_ns(threads_[i]);
  return sum;
}

}  // namespace ddpbench
