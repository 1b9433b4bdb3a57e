#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "suite/base/environment_rules.hpp"
#include "suite/base/errors.hpp"
#include "suite/commands/command.hpp"
#include "suite/contract/processes/exit_code.hpp"
#include "suite/contract/version.hpp"
#include "suite/contract/vocabulary/vocabulary.hpp"
#include "suite/launch/launchers/launchers.hpp"
#include "suite/launch/probe/installed_vocabulary.hpp"
#include "suite/launch/probe/rank_program.hpp"
#include "suite/launch/probe/worker_probe.hpp"
#include "suite/runs/machine.hpp"

namespace ddpbench {
namespace {

using Json = nlohmann::ordered_json;

// A part that is missing is an answer of the doctor's, not its end: the path or value, or why there is none.
template <class Find>
Json found_or_why_not(Find find) {
  try {
    return find();
  } catch (const std::exception& error) {
    return Json{{"missing", error.what()}};
  }
}

Json installation_facts(const Installation& installation) {
  return Json{{"worker", installation.worker.string()},
              {"share", installation.share.string()},
              {"python", found_or_why_not([&] { return Json(installation.python().string()); })}};
}

// What each launcher can do here: how it binds two ranks, or why it cannot start any.
Json launcher_facts(const Installation& installation, const Allocation& allocation) {
  Json facts = Json::object();
  for (const auto& launcher : launchers()) {
    const auto missing = launcher.why_not(installation, allocation);
    facts[std::string(launcher.name)] =
        missing.empty() ? Json{{"binding_of_2_ranks", launcher.binding(2, allocation.hosts).words}} : Json{{"missing", missing}};
  }
  return facts;
}

Json examine() {
  const auto installation = find_installation();
  Json facts{{"ddpbench", version()}, {"installation", installation_facts(installation)}};
  facts["worker"] = found_or_why_not([&] {
    const auto vocabulary = installed_vocabulary(installation);
    auto probe = probe_afresh(installation, vocabulary.worker_build_id, ProbeDepth::kWhole);
    const bool same_build = probe.value("worker_build_id", std::string()) == vocabulary.worker_build_id;
    add_python_arms(probe, installation, vocabulary.arms);
    keep_probe(installation, vocabulary.worker_build_id, probe);
    if (!same_build) probe["warning"] = "vocabulary.json is from another build of the worker: run ./bootstrap.sh build";
    return probe;
  });
  const auto allocation = find_allocation();
  facts["allocation"] = allocation_facts(allocation);
  facts["launchers"] = launcher_facts(installation, allocation);
  facts["machine"] = machine_facts();
  facts["variables"] = steering_variables();
  return facts;
}

std::string text_of(const Json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

void print(const Json& facts, const std::string& indent) {
  for (const auto& [name, value] : facts.items()) {
    if (value.is_object()) {
      std::cout << indent << name << ":" << (value.empty() ? " none" : "") << '\n';
      print(value, indent + "  ");
    } else {
      std::cout << indent << name << ": " << text_of(value) << '\n';
    }
  }
}

ExitCode doctor(bool json) {
  const auto facts = examine();
  if (json) {
    std::cout << facts.dump(2) << '\n';
  } else {
    print(facts, "");
  }
  if (!facts.at("worker").contains("missing")) return ExitCode::kDone;
  throw CannotRun(facts.at("worker").at("missing").get<std::string>());
}

CommandAction declare_doctor(CLI::App& app) {
  const auto json = std::make_shared<bool>(false);
  app.add_flag("--json", *json, "as JSON");
  return [json] { return doctor(*json); };
}

}  // namespace

CommandEntry doctor_command() {
  return {"doctor",
          "Shows what this machine and this build can use",
          "Looks at this machine: LibTorch, backends, GPUs, cores, launchers, data. What cannot be used is named with "
          "the reason.\n"
          "`list` and `plan` use the result of the last check. Run it again after a change (driver, GPU, modules).",
          "ddpbench doctor",
          "0 done; 2 a mistake in the command; 3 there is no worker or it cannot be started",
          declare_doctor};
}

}  // namespace ddpbench
