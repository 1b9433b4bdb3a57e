#include "workloads/models/weights.hpp"

#include <fstream>
#include <iterator>
#include <map>
#include <vector>

#include "suite/vocab/errors.hpp"

namespace ddpbench {
namespace {

using NamedTensors = std::map<std::string, at::Tensor>;

NamedTensors tensors_of(const Model& model) {
  NamedTensors tensors;
  for (const auto& item : model.named_parameters()) tensors.emplace(item.key(), item.value());
  for (const auto& item : model.named_buffers()) tensors.emplace(item.key(), item.value());
  return tensors;
}

std::vector<char> bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw UsageError("weights " + path + ": cannot be read");
  return {std::istreambuf_iterator<char>(file), {}};
}

NamedTensors read_file(const std::string& path) {
  const auto bytes = bytes_of(path);
  try {
    NamedTensors tensors;
    for (const auto& item : torch::pickle_load(bytes).toGenericDict())
      tensors.emplace(item.key().toStringRef(), item.value().toTensor());
    return tensors;
  } catch (const c10::Error&) {
    throw UsageError("weights " + path + ": not a whole state_dict of tensors as torch.save writes it");
  }
}

std::string shape(const at::Tensor& tensor) {
  std::string text = "[";
  for (const auto size : tensor.sizes()) text += (text.size() > 1 ? ", " : "") + std::to_string(size);
  return text + "]";
}

std::string mistakes(const NamedTensors& wanted, const NamedTensors& found) {
  std::string text;
  for (const auto& [name, tensor] : wanted) {
    const auto item = found.find(name);
    if (item == found.end()) {
      text += "\n  " + name + ": missing (the model has " + shape(tensor) + ")";
    } else if (item->second.sizes() != tensor.sizes()) {
      text += "\n  " + name + ": " + shape(item->second) + " where the model has " + shape(tensor);
    }
  }
  for (const auto& [name, tensor] : found) {
    if (wanted.count(name) == 0) text += "\n  " + name + ": " + shape(tensor) + " is no part of the model";
  }
  return text;
}

}  // namespace

void write_weights(const std::string& path, const Model& model) {
  c10::Dict<std::string, at::Tensor> tensors;
  for (const auto& item : model.named_parameters()) tensors.insert(item.key(), item.value().detach().cpu());
  for (const auto& item : model.named_buffers()) tensors.insert(item.key(), item.value().detach().cpu());
  const auto bytes = torch::pickle_save(tensors);
  std::ofstream file(path, std::ios::binary);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (!file.flush()) throw CannotRun("weights " + path + ": cannot be written");
}

void read_weights(const std::string& path, Model& model) {
  const auto wanted = tensors_of(model);
  const auto found = read_file(path);
  if (const auto text = mistakes(wanted, found); !text.empty()) throw UsageError("weights " + path + " do not fit:" + text);
  const torch::NoGradGuard no_grad;
  for (const auto& [name, tensor] : wanted) at::Tensor(tensor).copy_(found.at(name));
}

}  // namespace ddpbench
