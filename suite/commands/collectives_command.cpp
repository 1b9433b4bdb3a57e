#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "reports/analysis/answer/collective_words.hpp"
#include "suite/base/errors.hpp"
#include "suite/base/numbers.hpp"
#include "suite/base/printable.hpp"
#include "suite/base/text.hpp"
#include "suite/commands/clean_output.hpp"
#include "suite/commands/commands.hpp"
#include "suite/commands/experiment_choice.hpp"
#include "suite/commands/own_command.hpp"
#include "suite/commands/report_folder.hpp"
#include "suite/commands/run_end.hpp"
#include "suite/commands/run_folder.hpp"
#include "suite/contract/collectives.hpp"
#include "suite/contract/gpu_backends.hpp"
#include "suite/contract/mpi_backends.hpp"
#include "suite/contract/purpose.hpp"
#include "suite/contract/registry.hpp"
#include "suite/contract/status.hpp"
#include "suite/launch/installed_vocabulary.hpp"
#include "suite/launch/launchers.hpp"
#include "suite/launch/node_probe.hpp"
#include "suite/launch/stop_signals.hpp"
#include "suite/plan/feasibility.hpp"
#include "suite/runs/collective_launch.hpp"
#include "suite/runs/environment_record.hpp"
#include "suite/runs/utc_time.hpp"
#include "suite/store/collective_file.hpp"

namespace ddpbench {
namespace {

constexpr const char* kCommandName = "collectives";
constexpr const char* kNoCollective = "none";
constexpr double kSecondsPerCase = 2;
constexpr double kFewestSeconds = 0.1, kMostSeconds = 1e6;  // max_seconds_per_launch's

struct CollectivesArguments {
  LaunchChoice launch;
  std::string backends, nodes, ranks_per_node, collectives, bucket_caps, out;
  std::string workload;
  std::int64_t least_bytes = 4, most_bytes = std::int64_t{256} << 20, factor = 4;
  std::int64_t launches = 1;
  double seconds = 0;  // 0: by the number of cases
  bool only_checks = false;
};

std::vector<std::string> words_of(const std::string& list) {
  auto words = split(list, ',');
  std::erase(words, "");
  return words;
}

std::vector<std::int64_t> counts_of(const std::string& list, const std::string& option) {
  constexpr std::int64_t kMost = 100'000;
  std::vector<std::int64_t> counts;
  for (const auto& word : words_of(list)) {
    const auto count = parse_number<std::int64_t>(word).value_or(0);
    if (count < 1 || count > kMost) throw UsageError(option + " '" + list + "': must be whole numbers above 0, for example 1,2");
    counts.push_back(count);
  }
  if (counts.empty()) throw UsageError(option + " is empty: must be whole numbers above 0, for example 1,2");
  return counts;
}

std::vector<std::string> cases_of(const CollectivesArguments& arguments) {
  if (arguments.least_bytes > arguments.most_bytes) throw UsageError("--min-bytes must not be more than --max-bytes");
  if (arguments.least_bytes % kCollectiveElementBytes != 0 || arguments.most_bytes % kCollectiveElementBytes != 0)
    throw UsageError("--min-bytes and --max-bytes must be multiples of 4: elements are float32");
  if (arguments.most_bytes > kMostCollectiveBytes)
    throw UsageError("--max-bytes must be at most " + std::to_string(kMostCollectiveBytes) + " (8G)");
  auto names = words_of(arguments.collectives);
  if (names.empty()) {
    for (const auto& entry : kCollectives) names.emplace_back(entry.name);
  }
  std::erase(names, kNoCollective);
  std::vector<std::string> cases;
  for (const auto& cap : words_of(arguments.bucket_caps))
    cases.push_back(text_of(parse_collective_case("all_reduce:bucket_cap_mb=" + cap)));
  for (const auto& name : names) {
    const auto kind = find_collective(name).kind;
    if (kind == Collective::kBarrier) {
      cases.push_back(name);
      continue;
    }
    for (const auto size : collective_sizes(arguments.least_bytes, arguments.most_bytes, arguments.factor))
      cases.push_back(text_of({kind, size}));
  }
  if (cases.empty()) throw UsageError("nothing to measure: --collectives none needs --workload and --bucket-cap-mb");
  return cases;
}

// Everything that is decided before the first rank starts.
struct ReadyCollectives {
  Installation installation;
  const LauncherEntry& launcher;
  Allocation allocation;
  Vocabulary vocabulary;
  Probe probe;
  std::vector<LaunchSpec> launches;
  std::vector<std::string> skips;
};

// Those of which the nodes have what they need.
std::vector<std::string> possible_backends(const CollectivesArguments& arguments, const ReadyCollectives& ready,
                                           const Availability& availability, std::vector<std::string>& skips) {
  auto wanted = words_of(arguments.backends);
  const bool are_named = !wanted.empty();
  if (!are_named) wanted = availability.gpus > 0 ? std::vector<std::string>{"nccl"} : std::vector<std::string>{"gloo", "mpi"};
  std::vector<std::string> possible;
  for (const auto& backend : wanted) {
    find_entry(ready.vocabulary.backends, "backend", backend);
    LaunchSpec spec;
    spec.workload = "null";
    spec.backend = backend;
    const auto why_not = why_names_not_possible(spec, ready.vocabulary, availability);
    if (why_not.empty()) {
      possible.push_back(backend);
    } else {
      skips.push_back("backend " + backend + ": " + why_not);
    }
  }
  return possible;
}

LaunchSpec collective_spec(const CollectivesArguments& arguments, const std::vector<std::string>& backends) {
  LaunchSpec spec;
  spec.purpose = purpose::kCollectives;
  spec.workload = arguments.workload.empty() ? "null" : arguments.workload;
  spec.backend = holds(backends, kMpiBackend) ? kMpiBackend : backends.front();
  for (const auto& arm : collective_arms(backends)) spec.arms.emplace_back(arm.name);
  spec.cases = cases_of(arguments);
  spec.protocol.max_seconds_per_launch =
      arguments.seconds > 0 ? arguments.seconds : kSecondsPerCase * static_cast<double>(spec.cases.size());
  if (arguments.only_checks) spec.protocol.max_seconds_per_launch = kFewestSeconds;
  return spec;
}

void add_launches(const CollectivesArguments& arguments, const Availability& availability, ReadyCollectives& ready) {
  const auto backends = possible_backends(arguments, ready, availability, ready.skips);
  if (backends.empty()) return;
  const bool on_gpus = std::any_of(backends.begin(), backends.end(), [](const auto& backend) { return occupies_gpus(backend); });
  const auto usual_ranks = on_gpus ? availability.gpus : 2;
  const auto usual_nodes = ready.allocation.hosts.empty() ? std::size_t{1} : ready.allocation.hosts.size();
  const auto or_else = [](const std::string& given, auto usual) { return given.empty() ? std::to_string(usual) : given; };
  for (std::int64_t repetition = 0; repetition < arguments.launches; ++repetition) {
    for (const auto nodes : counts_of(or_else(arguments.nodes, usual_nodes), "--nodes")) {
      for (const auto ranks : counts_of(or_else(arguments.ranks_per_node, usual_ranks), "--ranks-per-node")) {
        auto spec = collective_spec(arguments, backends);
        spec.nodes = nodes;
        spec.ranks_per_node = ranks;
        spec.repetition = repetition;
        spec.seed = repetition + 1;
        spec.cell_id = std::string(kCommandName) + "-n" + std::to_string(nodes) + "-r" + std::to_string(ranks);
        spec.launch_id = spec.cell_id + "-" + std::to_string(repetition);
        const auto why_not = why_sizes_not_possible(spec, ready.vocabulary, availability);
        if (why_not.empty()) {
          ready.launches.push_back(std::move(spec));
        } else {
          ready.skips.push_back(spec.launch_id + ": " + why_not);
        }
      }
    }
  }
}

ReadyCollectives ready_collectives(const CollectivesArguments& arguments) {
  auto installation = find_installation();
  auto allocation = find_allocation(arguments.launch.hosts);
  auto vocabulary = installed_vocabulary(installation);
  if (!arguments.workload.empty()) find_entry(vocabulary.workloads, "workload", arguments.workload);
  const auto named = words_of(arguments.backends);
  const auto& launcher = chosen_launcher(arguments.launch.launcher, allocation, named.empty() || holds(named, kMpiBackend));
  require_available(launcher, installation, allocation);
  auto probe = probe_where_ranks_run(launcher, allocation, installation, vocabulary.worker_build_id);
  const auto availability = availability_from(probe, launcher.name, allocation);
  ReadyCollectives ready{
      std::move(installation), launcher, std::move(allocation), std::move(vocabulary), std::move(probe), {}, {}};
  add_launches(arguments, availability, ready);
  return ready;
}

std::string quoted_list(const std::vector<std::string>& words) {
  return words.empty() ? "[]" : "[\"" + join(words, "\", \"") + "\"]";
}

// What was measured, to be read beside the samples.
std::string experiment_text(const ReadyCollectives& ready) {
  const auto& first = ready.launches.front();
  return "# ddpbench collectives\nname = \"" + std::string(kCommandName) + "\"\narms = " + quoted_list(first.arms) +
         "\ncases = " + quoted_list(first.cases) + "\n\n[axes]\nworkload = [\"" + first.workload + "\"]\n\n[protocol]\n" +
         "max_seconds_per_launch = " + shortest_text(first.protocol.max_seconds_per_launch) + "\n";
}

ResultsFolder open_collectives_folder(const CollectivesArguments& arguments, const ReadyCollectives& ready,
                                      std::chrono::system_clock::time_point started) {
  Plan plan;
  for (const auto& spec : ready.launches) plan.launches.push_back({spec, "", ""});
  const auto environment = environment_record({ready.probe, ready.vocabulary, plan, own_command_line(), ready.launcher,
                                               ready.allocation, "none: nothing is trained", started});
  return ResultsFolder::create(run_folder(arguments.out, kCommandName, started), experiment_text(ready), {}, environment);
}

// How the launches ended.
struct Ends {
  int failed = 0;
  bool is_stopped = false;
};

void keep(ResultsFolder& folder, const LaunchSpec& spec, const CollectiveResult& result) {
  add_collective_samples(folder.path(), result.rows);
  auto facts = result.fate.facts;
  facts["status"] = result.fate.status;
  facts["host_list"] = result.fate.host_list;
  if (!result.fate.reason.empty()) facts["reason"] = result.fate.reason;
  folder.note(spec.launch_id, facts);
  folder.remove_parts(spec.launch_id);
}

Ends run_collective_launches(const ReadyCollectives& ready, ResultsFolder& folder) {
  SignalInbox inbox;
  std::ostream terminal(CleanOutput::beneath(std::cerr));
  ProgressDisplay display(terminal, ProgressDisplay::screen_of(STDERR_FILENO));
  const CollectiveSetup setup{ready.installation, ready.launcher, ready.allocation.hosts};
  Ends ends;
  for (std::size_t i = 0; i < ready.launches.size() && !ends.is_stopped; ++i) {
    auto spec = ready.launches[i];
    const double seconds = spec.protocol.max_seconds_per_launch;
    display.start_launch(
        {i + 1, ready.launches.size(), spec.cell_id, seconds, seconds * static_cast<double>(ready.launches.size() - i - 1), 0});
    spec.part_dir = folder.make_part_dir(spec.launch_id);
    const auto result = run_collective_launch(setup, spec, inbox, display);
    keep(folder, spec, result);
    inbox.receive();
    ends.is_stopped = inbox.stops() > 0;
    if (result.fate.status == status::kOk || ends.is_stopped) continue;
    ++ends.failed;
    display.print_line("launch " + spec.launch_id + ": " + result.fate.status + ": " + result.fate.reason);
  }
  display.clear_bar();
  return ends;
}

ExitCode collectives_exit_code(const Ends& ends, const FolderReport& report) {
  if (ends.is_stopped) return ExitCode::kStopped;
  const auto& rows = report.analysis.collectives;
  const bool is_wrong = std::any_of(rows.begin(), rows.end(), [](const auto& row) { return row.wrong > 0; });
  const bool is_reported = report.why_no_tables.empty() && report.why_no_page.empty();
  return ends.failed > 0 || is_wrong || !is_reported ? ExitCode::kDoneWithFailures : ExitCode::kDone;
}

ExitCode measure_collectives(const CollectivesArguments& arguments) {
  const auto started = std::chrono::system_clock::now();
  const StopAtOnce stop_at_once;
  const auto ready = ready_collectives(arguments);
  for (const auto& skip : ready.skips) std::cerr << "skipped: " << printable(skip) << std::endl;
  if (ready.launches.empty()) return ExitCode::kNothingRunsHere;
  auto folder = open_collectives_folder(arguments, ready, started);
  std::cerr << "results: " << folder.path() << std::endl;
  const auto ends = run_collective_launches(ready, folder);
  folder.close();
  const auto report = report_own_run(ready.installation, folder.path());
  std::ostream(CleanOutput::beneath(std::cout)) << collective_table_text(report.analysis.collectives) << std::flush;
  print_report(report, std::cout, view_of(STDOUT_FILENO));
  return collectives_exit_code(ends, report);
}

}  // namespace

CommandAction declare_collectives(CLI::App& app) {
  const auto arguments = std::make_shared<CollectivesArguments>();
  const CLI::AsSizeValue size(false);
  app.add_option("--backends", arguments->backends, "NAME,NAME to compare (default: nccl where there are GPUs, else gloo,mpi)");
  app.add_option("--nodes", arguments->nodes, "N,M: a launch on each number of nodes (default: all of the job)");
  app.add_option("--ranks-per-node", arguments->ranks_per_node,
                 "N,M: and with each number of ranks (default: one for each GPU, else 2)");
  app.add_option(
      "--collectives", arguments->collectives,
      "NAME,NAME of all_reduce, broadcast, all_gather, reduce_scatter, all_to_all, barrier (default: all); none: only buckets");
  app.add_option("--min-bytes", arguments->least_bytes, "smallest size; K, M and G may follow a number (default: 4)")
      ->transform(size);
  app.add_option("--max-bytes", arguments->most_bytes, "largest size (default: 256M)")->transform(size);
  app.add_option("--factor", arguments->factor, "from one size to the next (default: 4)")->check(CLI::Range(2, 1024));
  auto* workload = app.add_option("--workload", arguments->workload,
                                  "a model, whose gradients are all-reduced bucket by bucket, as in a step");
  app.add_option("--bucket-cap-mb", arguments->bucket_caps, "MIB,MIB: sizes of its buckets to compare, for example 1,4,25")
      ->needs(workload);
  app.add_option("--launches", arguments->launches, "fresh starts of all ranks (default: 1)")->check(CLI::Range(1, 1000));
  app.add_option("--seconds", arguments->seconds, "of measuring in a launch, about (default: 2 for each size of each collective)")
      ->check(CLI::Range(kFewestSeconds, kMostSeconds));
  app.add_flag("--check", arguments->only_checks, "check results and measure no longer than that takes");
  app.add_option("--out", arguments->out, "results folder, new or empty (default: results/collectives-UTC)");
  add_node_arguments(app, arguments->launch);
  return [arguments] {
    if (!arguments->workload.empty() && arguments->bucket_caps.empty()) arguments->bucket_caps = "1,4,25,default";
    return measure_collectives(*arguments);
  };
}

}  // namespace ddpbench
