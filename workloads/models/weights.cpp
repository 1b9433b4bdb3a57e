#include "workloads/models/weights.hpp"

#include <caffe2/serialize/inline_container.h>
#include <torch/csrc/jit/serialization/pickler.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>

#include "suite/base/errors.hpp"
#include "suite/formats/weights_file.hpp"

namespace ddpbench {
namespace {

namespace fs = std::filesystem;
using caffe2::serialize::PyTorchStreamReader;
using caffe2::serialize::PyTorchStreamWriter;

void collect(const torch::nn::Module& module, const std::string& prefix, NamedTensors& into) {
  for (const auto& item : module.named_parameters(/*recurse=*/false)) into.emplace_back(prefix + item.key(), item.value());
  for (const auto& item : module.named_buffers(/*recurse=*/false)) into.emplace_back(prefix + item.key(), item.value());
  for (const auto& item : module.named_children()) collect(*item.value(), prefix + item.key() + ".", into);
}

c10::Dict<std::string, at::Tensor> on_host(const NamedTensors& tensors) {
  c10::Dict<std::string, at::Tensor> dictionary;
  for (const auto& [name, tensor] : tensors) dictionary.insert(name, tensor.detach().cpu());
  return dictionary;
}

// torch::pickle_save without TorchScript's type tags, which torch.load(weights_only=True) refuses.
void write_archive(PyTorchStreamWriter& archive, const NamedTensors& tensors) {
  std::string pickled;
  const auto append = [&pickled](const char* bytes, std::size_t size) { pickled.append(bytes, size); };
  torch::jit::Pickler pickler(append, nullptr, nullptr, nullptr, nullptr, /*tag_aggregates=*/false);
  pickler.protocol();
  pickler.pushIValue(on_host(tensors));
  pickler.stop();
  archive.writeRecord("data.pkl", pickled.data(), pickled.size());
  std::size_t next = 0;
  for (const auto& tensor : pickler.tensorData()) {
    const auto data = torch::jit::getWriteableTensorData(tensor);
    archive.writeRecord("data/" + std::to_string(next++), data.data(), data.sizeInBytes());
  }
  archive.writeEndOfFile();
}

// The stream keeps what goes wrong to the end: LibTorch's writer would end the process for a failure that it hears of in the middle.
void write_file(const std::string& path, const NamedTensors& tensors) {
  std::ofstream file(path, std::ios::binary);
  PyTorchStreamWriter archive([&file](const void* bytes, std::size_t size) {
    file.write(static_cast<const char*>(bytes), static_cast<std::streamsize>(size));
    return size;
  });
  write_archive(archive, tensors);
  file.close();
  if (!file) throw CannotRun("weights " + path + ": cannot be written");
}

at::ScalarType scalar_type_of(const StoredTensor& stored, const std::string& of_file) {
  static const std::map<std::string, at::ScalarType> types{{"FloatStorage", at::kFloat}, {"DoubleStorage", at::kDouble},
                                                           {"HalfStorage", at::kHalf},   {"BFloat16Storage", at::kBFloat16},
                                                           {"LongStorage", at::kLong},   {"IntStorage", at::kInt},
                                                           {"ShortStorage", at::kShort}, {"CharStorage", at::kChar},
                                                           {"ByteStorage", at::kByte},   {"BoolStorage", at::kBool}};
  const auto found = types.find(stored.storage_type);
  if (found == types.end())
    throw UsageError(of_file + stored.name + " is of a type that is not known here, " + stored.storage_type);
  return found->second;
}

// Throws c10::Error where the record is missing or too short for what is said of it.
at::Tensor read_tensor(PyTorchStreamReader& archive, const StoredTensor& stored, at::ScalarType type) {
  auto [data, size] = archive.getRecord("data/" + stored.key);
  TORCH_CHECK(static_cast<std::size_t>(stored.elements) <= size / at::elementSize(type), stored.name);
  const auto values = std::make_shared<at::DataPtr>(std::move(data));
  const auto whole = at::from_blob(
      values->get(), {stored.elements}, [values](void*) {}, at::TensorOptions(type));
  return whole.as_strided(stored.sizes, stored.strides, stored.offset);
}

NamedTensors read_archive(const std::string& path) {
  const auto index = read_weights_index(path);
  PyTorchStreamReader archive(path);
  NamedTensors tensors;
  for (const auto& stored : index) {
    tensors.emplace_back(stored.name, read_tensor(archive, stored, scalar_type_of(stored, "weights " + path + ": ")));
  }
  return tensors;
}

std::string shape(const at::Tensor& tensor) {
  std::string text = "[";
  for (const auto size : tensor.sizes()) text += (text.size() > 1 ? ", " : "") + std::to_string(size);
  return text + "]";
}

// What stands before the model's names in the file, "" or "model.": where most of the model's names are found.
// Throws UsageError where that is so of two.
std::string prefix_of(const NamedTensors& wanted, const std::map<std::string, at::Tensor>& found, const std::string& of_file) {
  std::map<std::string, std::size_t> count;
  for (const auto& [name, tensor] : wanted) {
    for (const auto& item : found) {
      const auto& stored = item.first;
      if (!stored.ends_with(name)) continue;
      const auto prefix = stored.substr(0, stored.size() - name.size());
      if (prefix.empty() || prefix.ends_with('.')) ++count[prefix];
    }
  }
  std::string best;
  for (const auto& [prefix, names] : count) {
    if (names > count[best]) best = prefix;
  }
  for (const auto& [prefix, names] : count) {
    if (prefix != best && names == count[best] && !best.empty())
      throw UsageError(of_file + "holds the model twice, as " + best + " and as " + prefix + ": save the one that is meant");
  }
  return best;
}

std::map<std::string, at::Tensor> without_prefix(const std::map<std::string, at::Tensor>& found, const std::string& prefix) {
  std::map<std::string, at::Tensor> own;
  for (const auto& [name, tensor] : found) {
    if (name.starts_with(prefix)) own.emplace(name.substr(prefix.size()), tensor);
  }
  return own;
}

std::string mistakes(const NamedTensors& wanted, const std::map<std::string, at::Tensor>& found) {
  std::string text;
  auto extra = found;
  for (const auto& [name, tensor] : wanted) {
    extra.erase(name);
    const auto item = found.find(name);
    if (item == found.end()) {
      text += "\n  " + name + ": missing (the model has " + shape(tensor) + ")";
    } else if (item->second.sizes() != tensor.sizes()) {
      text += "\n  " + name + ": " + shape(item->second) + " where the model has " + shape(tensor);
    }
  }
  for (const auto& [name, tensor] : extra) text += "\n  " + name + ": " + shape(tensor) + " is no part of the model";
  return text;
}

}  // namespace

NamedTensors state_dict(const Model& model) {
  NamedTensors tensors;
  collect(model, "", tensors);
  return tensors;
}

void write_tensors(const std::string& path, const NamedTensors& tensors) {
  const auto partial = path + ".partial-" + std::to_string(::getpid());
  std::error_code error;
  try {
    write_file(partial, tensors);
  } catch (...) {
    fs::remove(partial, error);
    throw;
  }
  fs::rename(partial, path, error);
  if (!error) return;
  const auto reason = error.message();
  fs::remove(partial, error);
  throw CannotRun("weights " + path + ": " + reason);
}

NamedTensors read_tensors(const std::string& path) {
  try {
    return read_archive(path);
  } catch (const c10::Error&) {  // what LibTorch says of its zip reader's insides helps nobody
    throw UsageError("weights " + path + ": cannot be read, or is not a whole file as torch.save writes it");
  }
}

void write_weights(const std::string& path, const Model& model) { write_tensors(path, state_dict(model)); }

std::string head_of(const Model& model) {
  std::string head;
  for (const auto& item : model.named_modules()) {
    if (!item.value()->parameters(/*recurse=*/false).empty()) head = item.key();
  }
  return head;
}

void freeze_backbone(Model& model) {
  const auto head = head_of(model) + ".";
  for (auto& parameter : model.named_parameters()) parameter.value().requires_grad_(parameter.key().starts_with(head));
}

void read_weights(const std::string& path, Model& model, bool new_head) {
  auto wanted = state_dict(model);
  const auto found = read_tensors(path);
  auto by_name = std::map<std::string, at::Tensor>(found.begin(), found.end());
  by_name = without_prefix(by_name, prefix_of(wanted, by_name, "weights " + path + ": "));
  if (new_head) {
    const auto head = head_of(model) + ".";
    std::erase_if(wanted, [&](const auto& named) { return named.first.starts_with(head); });
    std::erase_if(by_name, [&](const auto& named) { return named.first.starts_with(head); });
  }
  if (const auto text = mistakes(wanted, by_name); !text.empty()) throw UsageError("weights " + path + " do not fit:" + text);
  const torch::NoGradGuard no_grad;
  for (const auto& [name, tensor] : wanted) at::Tensor(tensor).copy_(by_name.at(name));
}

}  // namespace ddpbench
