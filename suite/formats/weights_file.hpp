#pragma once
#include <string>
#include <vector>

#include "suite/formats/state_dict_pickle.hpp"

namespace ddpbench {

// Reads what a file of torch.save(state_dict) holds, in its order, without LibTorch and without reading a value: it is a regular
// file and a whole archive, its pickle holds tensors and nothing else, and each of them lies in a storage that is there. Throws
// UsageError with "weights PATH: " and why not.
std::vector<StoredTensor> read_weights_index(const std::string& path);

// Says why some value of a tensor does not lie in its storage; "" where all do.
std::string why_outside_storage(const StoredTensor& tensor);

}  // namespace ddpbench
