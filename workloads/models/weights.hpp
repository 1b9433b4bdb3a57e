#pragma once
#include <string>
#include <utility>
#include <vector>

#include "harness/api/model.hpp"

namespace ddpbench {

// Holds tensors under names, in an order.
using NamedTensors = std::vector<std::pair<std::string, at::Tensor>>;

// Returns parameters and buffers under the names and in the order of Python's state_dict(): module by module, parameters before
// buffers. The tensors are the model's own.
NamedTensors state_dict(const Model& model);

// Writes a dictionary of tensors as torch.save does; torch.load(path) reads it, weights_only or not. The file appears whole, by
// rename. Throws CannotRun where it cannot be written.
void write_tensors(const std::string& path, const NamedTensors& tensors);

// Reads such a file, Python's or ours, in the file's order and into host memory wherever the tensors were. Throws UsageError
// where the file is no such file, was cut short, or holds anything but tensors under names.
NamedTensors read_tensors(const std::string& path);

// Writes the model's state_dict by write_tensors.
void write_weights(const std::string& path, const Model& model);

// Returns the name of the model's head: of its last module with parameters, "fc". The others are its backbone.
std::string head_of(const Model& model);

// Gives every parameter and buffer of the model the values of its name, in place. In a checkpoint of a larger module
// these names have something in front ("model.fc.weight"); what else it has is passed by. With `new_head` the head keeps its own values,
// whatever the file has of it. Throws UsageError as read_tensors does, and for names that are missing, not the model's, twice in the file, or of another
// shape, all of them at once; the model is then as it was.
void read_weights(const std::string& path, Model& model, bool new_head = false);

// Lets the head alone be trained.
void freeze_backbone(Model& model);

}  // namespace ddpbench
