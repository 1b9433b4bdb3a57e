#include "suite/launch/probe/rank_program.hpp"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "suite/base/errors.hpp"
#include "tests/support/scoped_variable.hpp"
#include "tests/support/script_folder.hpp"
#include "tests/support/two_families.hpp"

namespace ddpbench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const Installation kInstalled{"/opt/ddpbench-worker", "/opt/share"};

std::vector<ArmFacts> facts(const std::vector<std::string>& names) {
  auto tables = test::test_vocabulary();
  for (const auto& arm : test::python_arms()) tables.arms.push_back(arm);
  return arm_facts(tables, names);
}

// What a Python that does `body` makes of a probe.
Probe probed_by(const std::string& body) {
  const test::ScriptFolder folder;
  const test::ScopedVariable python("DDPBENCH_PYTHON", folder.script("python", body));
  Probe probe{{"worker_build_id", "b1"}, {"why_not", {{"backend", {{"nccl", "no GPU"}}}}}};
  add_python_arms(probe, kInstalled, test::python_arms());
  return probe;
}

TEST(PythonRuntime, ALaunchOfTheWorkersArmsIsTheWorkers) {
  const test::ScopedVariable python("DDPBENCH_PYTHON", "/opt/python");
  EXPECT_THAT(program_of(facts({"raw", "trainer"}), kInstalled).tokens, ElementsAre("/opt/ddpbench-worker"));
}

TEST(PythonRuntime, OneArmInPythonMakesItPythons) {
  const test::ScopedVariable python("DDPBENCH_PYTHON", "/opt/python");
  const auto tokens = program_of(facts({"raw", "py_lightning"}), kInstalled).tokens;
  EXPECT_EQ(tokens.front(), "/opt/python");
  EXPECT_EQ(tokens.back(), "/opt/share/python/ddpbench_arms");
}

TEST(PythonRuntime, ASkippedLaunchNeedsNoPython) {
  PlannedLaunch launch;
  launch.spec.arms = {"py_raw"};
  launch.skip_reason = "no Python";
  const auto arms = facts({"py_raw"});
  EXPECT_THAT(planned_program(launch, arms, kInstalled, {}).tokens, ElementsAre("/opt/ddpbench-worker"));
  launch.skip_reason.clear();
  EXPECT_THROW(planned_program(launch, arms, kInstalled, {}), CannotRun) << "the installation names no Python";
}

TEST(PythonRuntime, WhatPythonLacksIsKnownBesideWhatTheWorkerLacks) {
  const auto probe = probed_by(R"(echo '{"version": "3.11.2", "why_not": {"arm": {"py_lightning": "pip install lightning"}}}')");
  const auto availability = availability_from(probe, "local");
  EXPECT_EQ(availability.why_not.at("arm").at("py_lightning"), "pip install lightning");
  EXPECT_EQ(availability.why_not.at("backend").at("nccl"), "no GPU");
}

TEST(PythonRuntime, APythonThatDoesNotAnswerIsTheReasonOfAllItsArms) {
  for (const auto* body : {"exit 4", "echo no JSON", "echo '{\"why_not\": 3}'"}) {
    const auto availability = availability_from(probed_by(body), "local");
    const auto& reasons = availability.why_not.at("arm");
    EXPECT_EQ(reasons.size(), test::python_arms().size()) << body;
    EXPECT_THAT(reasons.at("py_raw"), HasSubstr("was asked for its packages")) << body;
  }
}

TEST(PythonRuntime, AKeptAnswerThatIsNoneIsLeftOut) {
  for (const auto& broken : {Probe(3), Probe{{"why_not", 3}}, Probe{{"why_not", {{"arm", {{"py_raw", 3}}}}}}}) {
    const Probe probe{{"worker_build_id", "b1"}, {"python_arms", broken}};
    EXPECT_TRUE(availability_of_machine(probe).why_not.empty()) << broken.dump();
  }
}

TEST(PythonRuntime, WithoutAPythonTheReasonNamesIt) {
  const test::ScopedVariable python("DDPBENCH_PYTHON", "python3");
  Probe probe = Probe::object();
  add_python_arms(probe, kInstalled, test::python_arms());
  EXPECT_THAT(availability_from(probe, "local").why_not.at("arm").at("py_raw"), HasSubstr("must be a path"));
}

}  // namespace
}  // namespace ddpbench
