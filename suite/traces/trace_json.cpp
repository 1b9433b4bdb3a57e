#include <nlohmann/json.hpp>

#include "suite/base/numbers.hpp"
#include "suite/contract/tables/csv_writer.hpp"
#include "suite/traces/trace_report.hpp"

namespace ddpbench {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kWaitedKey = "waiting_for_slower_rank_us";

double per_step(const ArmSum& sum, std::int64_t count) {
  return sum.steps == 0 ? 0 : static_cast<double>(count) / static_cast<double>(sum.steps);
}

Json parts_json(const ArmSum& sum, TraceDetail detail) {
  auto parts = Json::array();
  for (const auto& [name, us, share] : parts_of_step(sum, detail))
    parts.push_back({{"part", name}, {"us", us}, {"share", share}});
  return parts;
}

Json sum_json(const ArmSum& sum, TraceDetail detail) {
  Json json{{"steps", sum.steps},
            {"step_us", step_us(sum)},
            {"parts", parts_json(sum, detail)},
            {"hidden_communication_us", us_per_step(sum, sum.partition.hidden)},
            {"operations_per_step", per_step(sum, sum.operations)}};
  if (detail == TraceDetail::kKernels) {
    json["launches_per_step"] = per_step(sum, sum.launches);
    json["kernels_after_step_us"] = us_per_step(sum, sum.late_ns);
  }
  return json;
}

Json phases_json(const ArmSum& sum) {
  auto phases = Json::array();
  for (std::size_t i = 0; sum.has_phases && i < kPhaseCount; ++i) {
    const auto& phase = sum.phases[i];
    phases.push_back({{"phase", kPhaseNames[i]},
                      {"us", us_per_step(sum, phase.time_ns)},
                      {"marks_per_step", per_step(sum, phase.marks)},
                      {"kernels_us", us_per_step(sum, phase.kernels_ns)},
                      {"launches_per_step", per_step(sum, phase.kernels)}});
  }
  return phases;
}

Json names_json(const ArmSum& sum, const std::map<std::string, NamedTime>& names, std::size_t top) {
  auto list = Json::array();
  for (const auto& [name, time] : longest(names, top))
    list.push_back({{"name", name}, {"per_step", per_step(sum, time.count)}, {"us", us_per_step(sum, time.time_ns)}});
  return list;
}

Json collectives_json(const ArmSum& sum) {
  auto list = Json::array();
  for (const auto& [name, time] : longest(sum.collective_names, sum.collective_names.size())) {
    Json one{{"name", name},
             {"per_step", per_step(sum, time.count)},
             {"us_each", time.count == 0 ? 0 : static_cast<double>(time.time_ns) / static_cast<double>(time.count) / 1e3},
             {"exposed_us", us_per_step(sum, time.exposed_ns)},
             {"bytes_each", nullptr},
             {"gb_per_s", nullptr}};
    if (time.sized > 0 && time.sized_ns > 0) {
      one["bytes_each"] = static_cast<double>(time.bytes) / static_cast<double>(time.sized);
      one["gb_per_s"] = static_cast<double>(time.bytes) / static_cast<double>(time.sized_ns);
    }
    list.push_back(std::move(one));
  }
  return list;
}

Json memory_json(const ArmSum& sum) {
  auto list = Json::array();
  for (const auto& memory : sum.memory) {
    const auto peak_json = [&](const MemoryPeak& peak) {
      const bool has_reserved = memory.peak.reserved > 0;
      return Json{{"peak_mib", mib_of(peak.allocated)},
                  {"peak_reserved_mib", has_reserved ? Json(mib_of(peak.reserved)) : Json(nullptr)}};
    };
    Json one{{"device", memory.device}, {"counts", memory.is_whole ? "all" : "since_recording"}};
    one.update(peak_json(memory.peak));
    one["phase"] = sum.has_phases ? Json(kPhaseNames[memory.phase]) : Json(nullptr);
    one["at_us"] = static_cast<double>(memory.at_ns) / 1e3;
    one["of_step_us"] = static_cast<double>(memory.step_ns) / 1e3;
    one["phases"] = Json::array();
    for (std::size_t i = 0; sum.has_phases && i < kPhaseCount; ++i) {
      if (!memory.phases[i]) continue;
      Json phase{{"phase", kPhaseNames[i]}};
      phase.update(peak_json(*memory.phases[i]));
      one["phases"].push_back(std::move(phase));
    }
    list.push_back(std::move(one));
  }
  return list;
}

Json timers_json(const ArmReport& arm) {
  auto list = Json::array();
  for (const auto& rank : arm.ranks) {
    for (const auto& row : rank.timers)
      list.push_back({{"rank", rank.rank},
                      {"what", row.what},
                      {"trace_us", row.trace_us},
                      {"timers_us", row.timer_us},
                      {"difference_us", row.difference_us},
                      {"gate_us", row.limit_us},
                      {"agrees", row.agrees()}});
  }
  return list;
}

const char* source_name(StepSource source) {
  switch (source) {
    case StepSource::kNamedRange: return "step_range";
    case StepSource::kBlocks: return "ddpbench";
    case StepSource::kProfilerSteps: return "ProfilerStep";
    case StepSource::kWholeWindow: return "whole_window";
  }
  return "";
}

const char* detail_name(TraceDetail detail) {
  switch (detail) {
    case TraceDetail::kOperations: return "operations";
    case TraceDetail::kKernels: return "kernels";
    case TraceDetail::kRanges: return "ranges";
  }
  return "";
}

Json files_json(const std::vector<RankReport>& ranks) {
  auto files = Json::array();
  for (const auto& [summary, timers] : ranks) {
    Json file{{"file", summary.file}, {"spans", summary.spans}, {"launch", summary.launch},
              {"rank", summary.rank}, {"note", summary.note},   {"timers", nullptr}};
    if (timers)
      file["timers"] = {{"agree", timers->agrees()},
                        {"steps", timers->matched},
                        {"steps_only_in_trace", timers->only_trace},
                        {"steps_only_in_timers", timers->only_timers}};
    files.push_back(std::move(file));
  }
  return files;
}

}  // namespace

nlohmann::ordered_json trace_json(const std::vector<RankReport>& ranks, std::size_t top) {
  const auto arms = arm_reports(ranks);
  Json json{{"answer", answer_sentences(arms)},
            {"timers_agree", timers_agree(ranks)},
            {"files", files_json(ranks)},
            {"arms", Json::array()}};
  for (const auto& arm : arms) {
    Json one{
        {"arm", arm.arm}, {"launch", arm.launch}, {"steps_by", source_name(arm.source)}, {"detail", detail_name(arm.detail)}};
    one.update(sum_json(arm.all, arm.detail));
    one[kWaitedKey] = arm.waited_ns ? Json(us_per_step(arm.all, *arm.waited_ns)) : Json(nullptr);
    one["phases"] = phases_json(arm.all);
    one["memory"] = memory_json(arm.all);
    one["operations"] = names_json(arm.all, arm.all.operation_names, top);
    one["kernels"] = names_json(arm.all, arm.all.kernel_names, top);
    one["collectives"] = collectives_json(arm.all);
    one["ranks"] = Json::array();
    for (const auto& rank : arm.ranks) {
      Json of_rank{{"rank", rank.rank}};
      of_rank.update(sum_json(*rank.sum, arm.detail));
      if (arm.waited_ns) of_rank[kWaitedKey] = us_per_step(*rank.sum, rank.waited_ns);
      of_rank["memory"] = memory_json(*rank.sum);
      one["ranks"].push_back(std::move(of_rank));
    }
    const auto* slowest = slowest_rank(arm);
    one["slowest_rank"] = slowest == nullptr ? Json(nullptr) : Json(slowest->rank);
    one["timers"] = timers_json(arm);
    json["arms"].push_back(std::move(one));
  }
  return json;
}

std::string trace_csv(const std::vector<RankReport>& ranks) {
  std::string text = "arm,rank,part,us,share,launch\n";
  for (const auto& arm : arm_reports(ranks)) {
    const auto add_rows = [&](const std::string& rank, const ArmSum& sum, std::int64_t waited_ns) {
      const auto add_row = [&](const PartOfStep& part) {
        text += csv_field(arm.arm) + "," + csv_field(rank) + "," + csv_field(part.name) + "," + shortest_text(part.us) + "," +
                shortest_text(part.share) + "," + csv_field(arm.launch) + "\n";
      };
      add_row({kWholeStepName, step_us(sum), share_of(sum, sum.step_ns)});
      for (const auto& part : parts_of_step(sum, arm.detail)) add_row(part);
      const auto hidden = sum.partition.hidden;
      add_row({"hidden communication", us_per_step(sum, hidden), share_of(sum, hidden)});
      if (arm.waited_ns) add_row({kWaitedName, us_per_step(sum, waited_ns), share_of(sum, waited_ns)});
    };
    for (const auto& rank : arm.ranks) add_rows(rank.rank, *rank.sum, rank.waited_ns);
    add_rows("all", arm.all, arm.waited_ns.value_or(0));
  }
  return text;
}

}  // namespace ddpbench
