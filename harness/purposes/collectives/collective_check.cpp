#include "harness/purposes/collectives/collective_check.hpp"

namespace ddpbench {
namespace {

constexpr std::int64_t kCheckPattern = 16;

}  // namespace

CollectiveMessage::CollectiveMessage(Collective kind, std::int64_t bytes, std::int64_t rank, std::int64_t world_size,
                                     at::Device device)
    : kind_(kind), rank_(rank), world_size_(world_size), options_(at::TensorOptions(device).dtype(at::kFloat)) {
  elements_ = bytes / kCollectiveElementBytes;
  if (entry_of(kind).splits) elements_ -= elements_ % world_size;
  part_ = elements_ / world_size;
}

void CollectiveMessage::make_buffers() {
  const auto zeros = [&](std::int64_t elements) { return at::zeros({elements}, options_); };
  if (!buffers_.input.defined()) buffers_.input = zeros(kind_ == Collective::kAllGather ? part_ : elements_);
  if (buffers_.output.defined()) return;
  if (kind_ == Collective::kAllGather || kind_ == Collective::kAllToAll) buffers_.output = zeros(elements_);
  if (kind_ == Collective::kReduceScatter) buffers_.output = zeros(part_);
}

at::Tensor CollectiveMessage::pattern(std::int64_t begin, std::int64_t length) const {
  const auto whole = (length + kCheckPattern - 1) / kCheckPattern;
  const auto first = at::remainder(at::arange(begin, begin + kCheckPattern, options_.dtype(at::kLong)), kCheckPattern) + 1;
  return first.to(at::kFloat).repeat({whole}).narrow(0, 0, length);
}

void CollectiveMessage::fill() {
  if (elements_ == 0) return;
  make_buffers();
  buffers_.input.copy_(pattern(0, buffers_.input.numel()).mul_(static_cast<double>(rank_ + 1)));
  if (buffers_.output.defined()) buffers_.output.fill_(-1);
}

void CollectiveMessage::clear() {
  if (buffers_.input.defined()) buffers_.input.zero_();
  if (buffers_.output.defined()) buffers_.output.zero_();
}

at::Tensor CollectiveMessage::of_each_rank(std::int64_t begin) const {
  const auto factors = at::arange(1, world_size_ + 1, options_).unsqueeze(1);
  return (factors * pattern(begin, part_).unsqueeze(0)).flatten();
}

at::Tensor CollectiveMessage::expected() const {
  const double sum = static_cast<double>(world_size_ * (world_size_ + 1)) / 2;
  switch (kind_) {
    case Collective::kAllReduce: return pattern(0, elements_).mul_(sum);
    case Collective::kBroadcast: return pattern(0, elements_);
    case Collective::kAllGather: return of_each_rank(0);
    case Collective::kReduceScatter: return pattern(rank_ * part_, part_).mul_(sum);
    case Collective::kAllToAll: return of_each_rank(rank_ * part_);
    case Collective::kBarrier: break;
  }
  return {};
}

std::int64_t CollectiveMessage::wrong_elements() const {
  if (elements_ == 0) return 0;
  const auto& result = buffers_.output.defined() ? buffers_.output : buffers_.input;
  return result.ne(expected()).sum().item<std::int64_t>();
}

}  // namespace ddpbench
