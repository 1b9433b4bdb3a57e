#include "harness/measure/process/kineto_trace.hpp"

#include <c10/core/CPUAllocator.h>
#include <torch/csrc/autograd/profiler_kineto.h>
#include <torch/csrc/profiler/kineto_shim.h>

#include <filesystem>
#include <set>

#include "suite/base/errors.hpp"

namespace ddpbench {
namespace {

namespace recorder = torch::profiler::impl;

recorder::ProfilerConfig config_of(const KinetoChoice& choice) {
  return recorder::ProfilerConfig(recorder::ProfilerState::KINETO, choice.shapes, choice.memory, choice.stacks);
}

std::set<recorder::ActivityType> activities_of(const KinetoChoice& choice) {
  std::set<recorder::ActivityType> activities{recorder::ActivityType::CPU};
  if (choice.device) activities.insert(recorder::ActivityType::CUDA);
  return activities;
}

}  // namespace

// The flag also makes LibTorch write a line of its log for each allocation, which its level drops.
void KinetoTrace::count_host_memory() { FLAGS_caffe2_report_cpu_memory_usage = true; }

// What lives before the first step is known from the first count on: it shall not be an operation of that step.
void KinetoTrace::count_once() const {
  at::empty({1});
  if (choice_.device) at::empty({1}, at::kCUDA);
}

void KinetoTrace::prepare() { torch::autograd::profiler::prepareProfiler(config_of(choice_), activities_of(choice_)); }

void KinetoTrace::begin() {
  FLAGS_caffe2_report_cpu_memory_usage = false;  // the profiler goes on with the same count, without those lines
  torch::autograd::profiler::enableProfiler(config_of(choice_), activities_of(choice_));
  if (choice_.memory) count_once();
  open("measure@ddpbench");
}

void KinetoTrace::add_fact(const std::string& name, const std::string& json) {
  torch::autograd::profiler::addMetadataJson(name, json);
}

void KinetoTrace::end(const std::string& path) {
  open_.clear();
  const auto result = torch::autograd::profiler::disableProfiler();
  FLAGS_caffe2_report_cpu_memory_usage = choice_.memory;  // there may be another cycle
  result->save(path);
  std::error_code absent;
  if (!std::filesystem::exists(path, absent)) throw Error("Kineto could not write the trace " + path);
}

void KinetoTrace::push(PhaseRange range) { open(std::string("ddpbench:") + kPhaseRangeNames[index_of(range)]); }

void KinetoTrace::push_block(std::uint32_t arm, std::uint32_t block) {
  open("block " + std::to_string(block) + " " + arms_.at(arm));
}

// A discarded step is no ProfilerStep: readers take each of these for a step that counts.
void KinetoTrace::push_step(const StepPlace& place) {
  if (place.step < 1) {
    open_.push_back(nullptr);
  } else {
    open("ProfilerStep#" + std::to_string(steps_++));
  }
}

void KinetoTrace::pop() { open_.pop_back(); }

void KinetoTrace::open(const std::string& name) {
  auto range = std::make_unique<at::RecordFunction>(at::RecordScope::USER_SCOPE);
  if (range->isActive()) range->before(name);
  open_.push_back(std::move(range));
}

}  // namespace ddpbench
