#include "harness/measure/checks/snapshot.hpp"

#include <bit>
#include <cstring>
#include <span>

#include "suite/base/errors.hpp"

namespace ddpbench {
namespace {

std::uint64_t mix(std::uint64_t digest, std::uint64_t word) {
  constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15U;  // 2^64 / golden ratio
  return std::rotl(digest ^ word, 29) * kOdd;
}

std::uint64_t add_tensor(std::uint64_t digest, const at::Tensor& tensor) {
  const auto bytes = tensor.detach().to(at::kCPU).contiguous();
  const auto* data = static_cast<const char*>(bytes.const_data_ptr());
  const auto size = static_cast<std::size_t>(bytes.nbytes());
  std::size_t at = 0;
  for (; at + sizeof(std::uint64_t) <= size; at += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, data + at, sizeof(word));
    digest = mix(digest, word);
  }
  std::uint64_t tail = 0;
  std::memcpy(&tail, data + at, size - at);
  return mix(mix(digest, tail), size);
}

void require_same_tensors(const std::vector<at::Tensor>& state, const std::vector<at::Tensor>& kept) {
  bool same = state.size() == kept.size();
  for (std::size_t i = 0; same && i < kept.size(); ++i) same = state[i].sizes() == kept[i].sizes();
  if (same) return;
  throw Error("a training has other tensors than the snapshot: " + std::to_string(state.size()) + ", the snapshot " +
              std::to_string(kept.size()));
}

std::vector<at::Generator> generators_of(const Session& session) {
  std::vector<at::Generator> generators{at::detail::getDefaultCPUGenerator()};
  if (!session.device.is_cpu()) generators.push_back(at::globalContext().defaultGenerator(session.device));
  return generators;
}

}  // namespace

std::vector<at::Tensor> state_of(Session& session, Training* own) {
  if (own != nullptr) return own->state();
  auto state = session.strategy.state();
  for (const auto& tensor : session.precision.state()) state.push_back(tensor);
  return state;
}

Snapshot::Snapshot(Session& session, Training* own) : position_(session.batches.position()) {
  for (const auto& generator : generators_of(session)) generator_states_.push_back(generator.get_state().clone());
  for (const auto& tensor : state_of(session, own)) tensors_.push_back(tensor.detach().clone());
}

void Snapshot::take(Session& session, Training* own) {
  const torch::NoGradGuard no_grad;
  const auto state = state_of(session, own);
  require_same_tensors(state, tensors_);
  for (std::size_t i = 0; i < state.size(); ++i) tensors_[i].copy_(state[i].detach());
  const auto generators = generators_of(session);
  for (std::size_t i = 0; i < generators.size(); ++i) generator_states_[i].copy_(generators[i].get_state());
  position_ = session.batches.position();
}

void Snapshot::restore(Session& session, Training* own) const {
  session.batches.seek(position_);  // first: a loop that looks ahead fetches from there
  restore_state(session, own);
}

void Snapshot::restore_state(Session& session, Training* own) const {
  const torch::NoGradGuard no_grad;
  require_same_tensors(state_of(session, own), tensors_);
  const std::span kept(tensors_);
  if (own != nullptr) {
    own->take_state(kept);
  } else {
    const auto scale = session.precision.state();
    session.strategy.take_state(kept.first(kept.size() - scale.size()));
    for (std::size_t i = 0; i < scale.size(); ++i) scale[i].copy_(kept[kept.size() - scale.size() + i]);
  }
  auto generators = generators_of(session);
  for (std::size_t i = 0; i < generators.size(); ++i) generators[i].set_state(generator_states_[i]);
}

std::uint64_t digest_of(const std::vector<at::Tensor>& tensors) {
  std::uint64_t digest = 0;
  for (const auto& tensor : tensors) digest = add_tensor(digest, tensor);
  return digest;
}

}  // namespace ddpbench
