#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <functional>

#include "suite/base/aligned_columns.hpp"
#include "suite/base/printable.hpp"
#include "suite/base/text.hpp"
#include "suite/traces/trace_report.hpp"

namespace ddpbench {
namespace {

using Lines = std::vector<std::vector<std::string>>;
constexpr std::size_t kNameBytes = 70;
constexpr const char* kSinceRecording = " of what was allocated since the recording began";

std::string formatted(const char* format, double value) {
  std::array<char, 64> buffer{};
  const int count = std::snprintf(buffer.data(), buffer.size(), format, value);
  return {buffer.data(), static_cast<std::size_t>(count)};
}

// Three digits: "5.12 ms", "87.3 us".
std::string time_text(double us) {
  const auto [value, unit] = us >= 1e6   ? std::pair{us / 1e6, " s"}
                             : us >= 1e3 ? std::pair{us / 1e3, " ms"}
                                         : std::pair{us, " us"};
  return formatted(value >= 99.95 ? "%.0f" : value >= 9.995 ? "%.1f" : "%.2f", value) + unit;
}

std::string us_text(double us) { return formatted("%.1f", us); }

std::string share_text(double share) {
  const auto percent = share * 100;
  return formatted(percent >= 9.95 || percent == 0 ? "%.0f %%" : "%.1f %%", percent);
}

std::string name_text(const std::string& name) { return printable(name, kNameBytes); }

std::string arm_title(const ArmReport& arm) {
  return name_text(arm.arm) + (arm.launch.empty() ? "" : " (launch " + name_text(arm.launch) + ")");
}

std::int64_t idle_of(const ArmSum& sum) {
  std::int64_t idle = 0;
  for (const auto part : {TracePart::kIdleData, TracePart::kIdleLaunching, TracePart::kIdleHost})
    idle += sum.partition.parts[index_of(part)];
  return idle;
}

std::string part_phrase(const ArmSum& sum, TracePart part, const std::string& name) {
  return share_text(share_of(sum, sum.partition.parts[index_of(part)])) + " " + name;
}

std::string parts_sentence(const ArmReport& arm) {
  const auto& sum = arm.all;
  std::vector<std::string> phrases;
  std::vector<std::string> causes;
  for (const auto part : parts_of(arm.detail)) {
    const std::string name = kPartNames[index_of(part)];
    constexpr std::string_view kIdle = "idle: ";
    if (name.starts_with(kIdle)) {
      causes.push_back(part_phrase(sum, part, name.substr(kIdle.size())));
    } else {
      phrases.push_back(part_phrase(sum, part, name));
      if (part == TracePart::kExposed && arm.waited_ns)
        phrases.back() += " (" + share_text(share_of(sum, *arm.waited_ns)) + " of the step " + kWaitedName + ")";
    }
  }
  if (!causes.empty())
    phrases.push_back(share_text(share_of(sum, idle_of(sum))) + " idle (the host: " + join(causes, ", ") + ")");
  return join(phrases, ", ");
}

// What the parts' time goes to: of each the name that took longest, with its time.
std::string longest_phrase(const ArmReport& arm) {
  std::string text;
  const bool has_kernels = arm.detail == TraceDetail::kKernels;
  const auto operations = longest(has_kernels ? arm.all.kernel_names : arm.all.operation_names, 1);
  if (!operations.empty()) {
    const auto& [name, time] = operations.front();
    text += std::string("; longest ") + (has_kernels ? "kernel or copy " : "operation ") + name_text(name) + " (" +
            time_text(us_per_step(arm.all, time.time_ns)) + " a step)";
  }
  const std::pair<const std::string, NamedTime>* waited = nullptr;
  for (const auto& one : arm.all.collective_names) {
    if (one.second.exposed_ns > 0 && (waited == nullptr || one.second.exposed_ns > waited->second.exposed_ns)) waited = &one;
  }
  if (waited != nullptr && arm.all.partition.parts[index_of(TracePart::kExposed)] > 0)
    text += "; exposed communication waits in " + name_text(waited->first);
  return text;
}

std::string phases_phrase(const ArmReport& arm) {
  std::vector<std::string> phrases;
  for (std::size_t i = 0; i < kPhaseCount; ++i) {
    if (arm.all.phases[i].time_ns > 0)
      phrases.push_back(share_text(share_of(arm.all, arm.all.phases[i].time_ns)) + " " + kPhaseNames[i]);
  }
  return join(phrases, ", ");
}

std::string mib_text(std::int64_t bytes) {
  const auto mib = mib_of(bytes);
  return formatted(mib >= 99.95 ? "%.0f" : mib >= 9.995 ? "%.1f" : "%.2f", mib);
}

std::string memory_phrase(const ArmReport& arm) {
  std::string text;
  for (const auto& memory : arm.all.memory) {
    const auto share = static_cast<double>(memory.at_ns) / static_cast<double>(memory.step_ns);
    text += "; memory of " + name_text(memory.device) + " is largest " + formatted("%.0f %%", 100 * share) + " into " +
            (arm.source == StepSource::kWholeWindow ? "it" : "a step");
    if (arm.all.has_phases) text += std::string(", in ") + kPhaseNames[memory.phase];
    text += ": " + mib_text(memory.peak.allocated) + " MiB" + (memory.is_whole ? "" : kSinceRecording);
  }
  return text;
}

std::string answer_of(const ArmReport& arm) {
  const auto takes = arm.source == StepSource::kWholeWindow ? ": no step was found; the whole window takes " : ": a step takes ";
  auto text = arm_title(arm) + takes + time_text(step_us(arm.all));
  if (arm.detail == TraceDetail::kRanges) {
    text += "; the trace records neither operations nor kernels: " + parts_sentence(arm);
    if (arm.all.has_phases) text += "; by phase: " + phases_phrase(arm);
    return text + memory_phrase(arm);
  }
  return text + ": " + parts_sentence(arm) + longest_phrase(arm) + memory_phrase(arm);
}

// A line of a table of parts: all ranks together, then each.
std::vector<std::string> part_line(const ArmReport& arm, const std::string& name,
                                   const std::function<std::int64_t(const ArmSum&)>& of) {
  std::vector<std::string> line{name, us_text(us_per_step(arm.all, of(arm.all))), share_text(share_of(arm.all, of(arm.all)))};
  if (arm.ranks.size() < 2) return line;
  for (const auto& rank : arm.ranks) line.push_back(us_text(us_per_step(*rank.sum, of(*rank.sum))));
  return line;
}

std::vector<std::string> waited_line(const ArmReport& arm) {
  std::vector<std::string> line{std::string("  of it ") + kWaitedName, us_text(us_per_step(arm.all, *arm.waited_ns)),
                                share_text(share_of(arm.all, *arm.waited_ns))};
  for (const auto& rank : arm.ranks) line.push_back(us_text(us_per_step(*rank.sum, rank.waited_ns)));
  return line;
}

std::string parts_table(const ArmReport& arm) {
  Lines lines{{"part", "us a step", "share"}};
  if (arm.ranks.size() > 1) {
    for (const auto& rank : arm.ranks) lines.front().push_back("rank " + name_text(rank.rank));
  }
  lines.push_back(part_line(arm, kWholeStepName, [](const ArmSum& sum) { return sum.step_ns; }));
  for (const auto part : parts_of(arm.detail)) {
    if (part == TracePart::kIdleData) lines.push_back(part_line(arm, "idle", idle_of));
    constexpr std::size_t kIdleBytes = 4;
    const auto name = std::string(kPartNames[index_of(part)]);
    lines.push_back(part_line(arm, name.starts_with("idle:") ? "  " + name.substr(kIdleBytes + 2) : name,
                              [part](const ArmSum& sum) { return sum.partition.parts[index_of(part)]; }));
    if (part == TracePart::kExposed && arm.waited_ns) lines.push_back(waited_line(arm));
  }
  if (arm.detail != TraceDetail::kRanges) {
    lines.push_back(
        part_line(arm, "hidden communication (during operations)", [](const ArmSum& sum) { return sum.partition.hidden; }));
  }
  if (arm.detail == TraceDetail::kKernels)
    lines.push_back(part_line(arm, "kernels of the step after its end", [](const ArmSum& sum) { return sum.late_ns; }));
  return aligned_columns(lines, "  ");
}

std::string phases_table(const ArmReport& arm) {
  const bool has_kernels = arm.detail == TraceDetail::kKernels;
  Lines lines{{"phase", "us a step", "share"}};
  if (has_kernels) lines.front().insert(lines.front().end(), {"us of its kernels", "kernels"});
  for (std::size_t i = 0; i < kPhaseCount; ++i) {
    const auto& phase = arm.all.phases[i];
    if (phase.time_ns == 0 && phase.kernels == 0) continue;
    lines.push_back({kPhaseNames[i], us_text(us_per_step(arm.all, phase.time_ns)), share_text(share_of(arm.all, phase.time_ns))});
    if (!has_kernels) continue;
    const auto kernels = static_cast<double>(phase.kernels) / static_cast<double>(arm.all.steps);
    lines.back().insert(lines.back().end(), {us_text(us_per_step(arm.all, phase.kernels_ns)), us_text(kernels)});
  }
  return "\n" + aligned_columns(lines, "  ");
}

std::string names_table(const ArmReport& arm, const std::map<std::string, NamedTime>& names, const char* title, std::size_t top) {
  const auto shown = longest(names, top);
  if (shown.empty()) return "";
  Lines lines{{title, "a step", "us a step", "share"}};
  for (const auto& [name, time] : shown)
    lines.push_back({name_text(name), us_text(static_cast<double>(time.count) / static_cast<double>(arm.all.steps)),
                     us_text(us_per_step(arm.all, time.time_ns)), share_text(share_of(arm.all, time.time_ns))});
  return "\n" + aligned_columns(lines, "  ");
}

std::string collectives_table(const ArmReport& arm) {
  if (arm.all.collective_names.empty()) return "";
  Lines lines{{"collective", "a step", "us each", "bytes each", "GB/s", "us a step exposed"}};
  for (const auto& [name, time] : longest(arm.all.collective_names, arm.all.collective_names.size())) {
    const auto count = static_cast<double>(time.count), sized = static_cast<double>(time.sized);
    const bool has_bytes = time.sized > 0 && time.sized_ns > 0;
    lines.push_back({name_text(name), us_text(count / static_cast<double>(arm.all.steps)),
                     us_text(time.count == 0 ? 0 : static_cast<double>(time.time_ns) / count / 1e3),
                     has_bytes ? formatted("%.0f", static_cast<double>(time.bytes) / sized) : "not in the trace",
                     has_bytes ? formatted("%.3g", static_cast<double>(time.bytes) / static_cast<double>(time.sized_ns)) : "",
                     us_text(us_per_step(arm.all, time.exposed_ns))});
  }
  return "\n" + aligned_columns(lines, "  ");
}

std::string timers_table(const ArmReport& arm) {
  Lines lines{{"timers", "rank", "trace us", "timers us", "difference us", "gate us", ""}};
  for (const auto& rank : arm.ranks) {
    for (const auto& row : rank.timers)
      lines.push_back({row.what, name_text(rank.rank), us_text(row.trace_us), us_text(row.timer_us),
                       formatted("%+.1f", row.difference_us), us_text(row.limit_us), row.agrees() ? "agrees" : "does not agree"});
  }
  return lines.size() == 1 ? "" : "\n" + aligned_columns(lines, "  ");
}

const DeviceMemory* memory_of(const ArmSum& sum, const std::string& device) {
  const auto found =
      std::find_if(sum.memory.begin(), sum.memory.end(), [&](const DeviceMemory& one) { return one.device == device; });
  return found == sum.memory.end() ? nullptr : &*found;
}

// The most of all ranks, then of each.
std::vector<std::string> memory_line(const ArmReport& arm, const DeviceMemory& all, const std::string& name,
                                     const std::function<std::optional<MemoryPeak>(const DeviceMemory&)>& of) {
  const auto peak = of(all);
  std::vector<std::string> line{name, mib_text(peak->allocated)};
  if (all.peak.reserved > 0) line.push_back(mib_text(peak->reserved));
  if (arm.ranks.size() < 2) return line;
  for (const auto& rank : arm.ranks) {
    const auto* memory = memory_of(*rank.sum, all.device);
    const auto own = memory == nullptr ? std::nullopt : of(*memory);
    line.push_back(own ? mib_text(own->allocated) : "");
  }
  return line;
}

std::string memory_tables(const ArmReport& arm) {
  std::string text;
  for (const auto& all : arm.all.memory) {
    Lines lines{{"memory of " + name_text(all.device), "peak MiB"}};
    if (all.peak.reserved > 0) lines.front().emplace_back("reserved MiB");
    if (arm.ranks.size() > 1) {
      for (const auto& rank : arm.ranks) lines.front().push_back("rank " + name_text(rank.rank));
    }
    lines.push_back(memory_line(arm, all, "step", [](const DeviceMemory& memory) { return memory.peak; }));
    for (std::size_t phase = 0; arm.all.has_phases && phase < kPhaseCount; ++phase) {
      if (all.phases[phase])
        lines.push_back(memory_line(arm, all, kPhaseNames[phase], [&](const auto& memory) { return memory.phases[phase]; }));
    }
    text += "\n" + aligned_columns(lines, "  ");
    if (!all.is_whole) text += std::string("  ") + "memory" + kSinceRecording + "; older memory and its release are not in it\n";
  }
  return text;
}

std::string arm_text(const ArmReport& arm, std::size_t top) {
  const auto& sum = arm.all;
  const auto per_step = [&](std::int64_t count) { return us_text(static_cast<double>(count) / static_cast<double>(sum.steps)); };
  auto text = "\n" + arm_title(arm) + ": " + counted(sum.steps, "step") + " of " +
              counted(static_cast<std::int64_t>(arm.ranks.size()), "rank");
  if (sum.operations > 0) text += ", " + per_step(sum.operations) + " operations a step";
  if (arm.detail == TraceDetail::kKernels) text += ", " + per_step(sum.launches) + " launches (kernels) a step";
  text += "\n" + parts_table(arm);
  if (const auto* slowest = slowest_rank(arm)) {
    const auto own = slowest->sum->step_ns - slowest->sum->partition.parts[index_of(TracePart::kExposed)];
    text += "  slowest rank: " + name_text(slowest->rank) + ", " + time_text(us_per_step(*slowest->sum, own)) +
            " a step without its exposed communication\n";
  }
  if (sum.has_phases) text += phases_table(arm);
  text += memory_tables(arm);
  text += names_table(arm, sum.kernel_names, "kernel or copy", top);
  text += names_table(arm, sum.operation_names, "operation (self time)", top);
  text += collectives_table(arm);
  return text + timers_table(arm);
}

std::string note_sentences(const std::vector<RankReport>& ranks) {
  std::string text;
  for (const auto& rank : ranks) {
    if (!rank.summary.note.empty()) text += "rank " + name_text(rank.summary.rank) + ": " + rank.summary.note + "\n";
  }
  return text;
}

std::string timer_sentences(const std::vector<RankReport>& ranks) {
  std::string text;
  for (const auto& [summary, timers] : ranks) {
    if (!timers) continue;
    std::int64_t beyond = 0;
    for (const auto& row : timers->rows) beyond += row.agrees() ? 0 : 1;
    text += "rank " + name_text(summary.rank) + ": trace and timers of " + counted(timers->matched, "step") + " ";
    text += timers->agrees() ? "agree" : "do not agree";
    if (beyond > 0)
      text += ": " + std::to_string(beyond) + " of " + std::to_string(timers->rows.size()) + " figures are beyond the gate";
    text += " (gate: the larger of 5 % and 2 us for each mark)";
    if (timers->only_trace > 0) text += "; the trace has " + counted(timers->only_trace, "step") + " that the timers lack";
    if (timers->only_timers > 0) text += "; the timers have " + counted(timers->only_timers, "step") + " that the trace lacks";
    text += "\n";
  }
  return text;
}

}  // namespace

std::vector<std::string> answer_sentences(const std::vector<ArmReport>& arms) {
  std::vector<std::string> sentences;
  for (const auto& arm : arms) sentences.push_back(answer_of(arm));
  return sentences;
}

std::string trace_text(const std::vector<RankReport>& ranks, std::size_t top) {
  const auto arms = arm_reports(ranks);
  auto text = join(answer_sentences(arms), "\n") + "\n" + note_sentences(ranks) + timer_sentences(ranks);
  for (const auto& arm : arms) text += arm_text(arm, top);
  return text;
}

}  // namespace ddpbench
