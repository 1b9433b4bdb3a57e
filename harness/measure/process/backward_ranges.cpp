#include "harness/measure/process/backward_ranges.hpp"

#include <memory>
#include <string_view>

#include "harness/probe/nvtx_ranges.hpp"

namespace ddpbench {
namespace {

// The text stands in LibTorch's name of the node's evaluation, up to its end.
const char* node_name(const at::RecordFunction& evaluation) {
  constexpr std::string_view kEvaluation = "autograd::engine::evaluate_function: ";
  const char* name = evaluation.name();
  return std::string_view(name).starts_with(kEvaluation) ? name + kEvaluation.size() : name;
}

std::unique_ptr<at::ObserverContext> begin_node(const at::RecordFunction& evaluation) {
  nvtx_push(node_name(evaluation));
  return nullptr;
}

void end_node(const at::RecordFunction& /*evaluation*/, at::ObserverContext* /*context*/) { nvtx_pop(); }

}  // namespace

BackwardRanges::BackwardRanges()
    : callback_(
          at::addGlobalCallback(at::RecordFunctionCallback(begin_node, end_node).scopes({at::RecordScope::BACKWARD_FUNCTION}))) {}

BackwardRanges::~BackwardRanges() { at::removeCallback(callback_); }

}  // namespace ddpbench
