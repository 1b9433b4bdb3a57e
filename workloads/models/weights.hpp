#pragma once
#include <string>

#include "harness/api/model.hpp"

namespace ddpbench {

// A model's parameters and buffers as torch.save(model.state_dict(), path) writes them; torch.load(path) reads what this writes.
// Throws CannotRun where the file cannot be written.
void write_weights(const std::string& path, const Model& model);

// The inverse: every parameter and buffer of the model gets the values of its name, in place. Throws UsageError naming the file and every
// name that is missing, not the model's, or of another shape; likewise where the file is no such file or was cut short.
void read_weights(const std::string& path, Model& model);

}  // namespace ddpbench
